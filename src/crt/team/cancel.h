/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Cancellation, if it is on (OMP_CANCELLATION). It is seen at cancellation points, in barriers that the compiler calls in regions
 * with `cancel parallel`, where tasks are created and where they are started. A task that has begun, blocked or not, goes on to
 * its next cancellation point.
 *
 * A thread that has left a cancelled region is counted apart from those in the region's barriers (barrier.c).
 */
#ifndef EP_CRT_CANCEL_H
#define EP_CRT_CANCEL_H

#include "crt/team/team.h"

extern _Atomic bool cancel_on; /* relaxed */

/* Ask libgomp whether it is. Called before anything else here. */
void cancel_learn(void);

static inline bool cancel_is_on(void)
{
    return unlikely(load_relaxed(&cancel_on));
}

/* Out of line parts of the following. */
bool cancel_has_come(const struct worker *w);
bool cancel_has_discarded(const struct task *t);

/* Is what the running task creates in a region or taskgroup that is cancelled? Then it is not created. */
static inline bool cancel_keeps_out(const struct worker *w)
{
    return cancel_is_on() && cancel_has_come(w);
}

/* Is t, which is to begin now, in one? Then it ends without having begun. */
static inline bool cancel_discards(const struct task *t)
{
    return cancel_is_on() && cancel_has_discarded(t);
}

/* cancel, if do_cancel, and cancellation point of this kind of construct, as the compiler says it, by the running task: is it
 * cancelled? */
bool cancel_ask(struct worker *w, int which, bool do_cancel);
bool cancel_is_point(const struct worker *w, int which);

#endif
