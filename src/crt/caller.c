/* SPDX-License-Identifier: BSD-3-Clause */
#include "crt/caller.h"

#include <sched.h>

#include "crt/sched.h"

bool caller_has_worker(void)
{
    return worker_here() != NULL;
}

bool caller_has_others(void)
{
    return caller_suspends() && sched_has_other(worker_here());
}

bool caller_has_company(void)
{
    return caller_has_others() || (caller_suspends() && load_relaxed(&worker_here()->external) > 0);
}

void caller_give_way(void)
{
    if (caller_has_others())
        sched_yield_task(worker_here(), true);
    else
        sched_yield();
}
