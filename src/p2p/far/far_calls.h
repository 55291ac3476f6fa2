/* SPDX-License-Identifier: BSD-3-Clause */
/* Private to the far files: calls of MPI that other threads have left to the main one (FUNNELED). */
#ifndef EP_P2P_FAR_CALLS_H
#define EP_P2P_FAR_CALLS_H

#include "p2p/far/far.h"

/* Newest first; release far_call, acquire far_calls_run. */
extern _Atomic(struct far_call *) far_calls;

static inline bool far_calls_wait(void)
{
    return load_relaxed(&far_calls) != NULL;
}

/* By the main thread. */
void far_calls_run(void);

#endif
