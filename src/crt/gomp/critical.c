/* SPDX-License-Identifier: BSD-3-Clause */
/* critical: the name's word is the compiler's, zero at first, and ours to use. */
#include "crt/gomp/real.h"
#include "crt/mode.h"
#include "crt/team/mutex.h"

static struct mutex unnamed;

void GOMP_critical_start(void)
{
    if (mode_is_task())
        mutex_lock(&unnamed);
    else
        real_function()->GOMP_critical_start();
}

void GOMP_critical_end(void)
{
    if (mode_is_task())
        mutex_unlock(&unnamed);
    else
        real_function()->GOMP_critical_end();
}

void GOMP_critical_name_start(void **lock)
{
    if (mode_is_task())
        mutex_lock((struct mutex *)lock);
    else
        real_function()->GOMP_critical_name_start(lock);
}

void GOMP_critical_name_end(void **lock)
{
    if (mode_is_task())
        mutex_unlock((struct mutex *)lock);
    else
        real_function()->GOMP_critical_name_end(lock);
}
