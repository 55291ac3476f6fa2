/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A lock that suspends the task, not the thread, and is handed over to who has waited longest. For
 * critical and omp_lock_t, whose zeroed or initialised memory is one pointer at least.
 */
#ifndef EP_CRT_MUTEX_H
#define EP_CRT_MUTEX_H

#include "base/base.h"

/* 0 free, 1 held, 2 held and wanted. */
struct mutex {
    _Atomic unsigned word; /* release mutex_unlock, acquire mutex_take_free */
};

bool mutex_try(struct mutex *m);
void mutex_lock(struct mutex *m);
void mutex_unlock(struct mutex *m);

/* The calling thread's worker w will be away, in a region within, until mutex_return: its tasks are given no lock meanwhile. */
struct worker;
void mutex_leave(struct worker *w);
void mutex_return(struct worker *w);

#endif
