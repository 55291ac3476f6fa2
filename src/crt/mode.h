/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EP_CRT_MODE_H
#define EP_CRT_MODE_H

#include <crt.h>

#include "base/base.h"

extern _Atomic int mode_level; /* relaxed */

/* From now on omp_set_external has no effect: MPI is initialised. tasks: may calls suspend tasks with that MPI? Else
 * they block the thread from now on. */
void mode_fix(bool tasks);
/* omp_set_external has no effect either from the time on when this says so. */
void mode_too_late_if(bool (*fn)(void));

static inline bool mode_is_task(void)
{
    return unlikely(load_relaxed(&mode_level) == omp_external_task);
}

#endif
