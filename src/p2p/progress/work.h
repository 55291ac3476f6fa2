/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Work: an operation of an endpoint that goes on by itself, step by step, whenever a thread makes progress
 * for the endpoint (its own in any call, or a helper).
 *
 *   new_works   any thread pushes (release); the endpoint's holder takes all (acquire)
 *   works       under the endpoint's lock
 *   busy        set after the push (release), and under the lock with jobs (rndv.c) in task mode; cleared under the lock
 *               when nothing is left (swap, acquire): if the
 *               swap overwrites what a push has set, it sees the push, and sets busy again. Read by helpers
 */
#ifndef EP_P2P_WORK_H
#define EP_P2P_WORK_H

#include "p2p/endpoint.h"

struct work {
    struct work *next;
    /* Go as far as possible without waiting, under the endpoint's lock. True: it is over, and the object may be
     * gone. */
    bool (*step)(struct work *w);
};

/* Any thread. */
void work_add(struct endpoint *p, struct work *w);

/* One step of each. The endpoint's lock is held. True if any ended. */
bool work_step(struct endpoint *p);

/* Is it still busy? The endpoint's lock is held. */
void work_settle(struct endpoint *p);

#endif
