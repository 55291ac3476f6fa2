/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What is to be done later, when some requests have ended, while nobody waits for them.
 *
 * Whoever completes a request may hold locks, so it only counts; the last one puts the whole into a list. A thread
 * that makes progress and holds no lock takes the list and runs what is in it.
 *
 *   left   requests not ended, and one more until all are registered: who takes the last owns the object (acquire and
 *          release)
 *   list   pushed (release) by any thread, taken as a whole (acquire)
 */
#ifndef EP_P2P_LATER_H
#define EP_P2P_LATER_H

#include "p2p/progress/work.h"

/* One of the requests. */
struct later_part {
    struct work work; /* of a collective operation, which somebody has to help along */
    ep_request request;
    struct later *whole;
};

struct later {
    /* Set by the caller. */
    void (*run)(struct later *l); /* no lock is held; the object is the callee's */
    struct later_part *part;      /* room for as many as there are requests */

    struct awaiter awaiter;
    _Atomic int left; /* acq_rel count, later_when */
    struct later *next;
};

/* Have l->run called when all n requests have ended; null and inactive ones have. True: they have
 * already, and it will not be called. No lock is held. */
bool later_when(struct later *l, int n, ep_request r[]);

extern _Atomic(struct later *) later_list; /* release later_push, acquire later_run_all */
void later_run_all(void);

/* Run what is to be run. No lock is held. */
static inline void later_run(void)
{
    if (unlikely(load_relaxed(&later_list) != NULL))
        later_run_all();
}

#endif
