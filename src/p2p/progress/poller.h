/* SPDX-License-Identifier: BSD-3-Clause */
/* Which waiting thread polls MPI while others sleep (see wait.h). */
#ifndef EP_P2P_POLLER_H
#define EP_P2P_POLLER_H

#include "p2p/endpoint.h"

/* Become or stay the poller. False: there is one, or this thread may not. */
bool poller_take(void);

/* Should a thread that announced its sleep rather take the place? */
bool poller_wanted(void);

/* There is nothing to poll for any more: if the calling thread is the poller, it is no longer. */
void poller_resign(void);

/* From now on there is something to poll for: sleepers look whether one of them should. */
void poller_call(void);

/* The calling thread's wait is over; it was the poller, or slept, or was about to. */
void poller_leave(void);

#endif
