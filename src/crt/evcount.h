/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * An event count: threads sleep on it until somebody who changed something notifies it; that costs one load
 * when nobody sleeps.
 *
 * word: bit 0 = somebody sleeps or is about to; the rest counts the notifications.
 *
 * The sleeper                              The notifier
 *   t = evcount_prepare(b)   sets bit 0         changes the condition (a release store)
 *   heavy fence                              light fence
 *   looks at the condition again             looks at bit 0
 *   evcount_wait(b, t) while word == t         if set: evcount_notify_slow: counts up, clears it, wakes all
 *
 * Why no wake-up is lost: this is Dekker's pattern. Of the two fences one comes first in the single
 * total order of fences; if the sleeper's, the notifier sees bit 0; if the notifier's, the sleeper sees the
 * condition. A notification between prepare and sleep changes the word, so the futex refuses to sleep.
 * The light fence is a compiler barrier: the heavy one is membarrier(2), which makes every running thread
 * of the process execute a full fence. Where the kernel lacks it both are real fences (evcount_fence_needed).
 * tests/spin/evcount.pml is the model; without either fence it fails.
 */
#ifndef EP_CRT_EVCOUNT_H
#define EP_CRT_EVCOUNT_H

#include <assert.h>

#include "base/base.h"

struct evcount {
    _Atomic uint32_t word; /* acq_rel evcount_prepare; else fences */
};

extern bool evcount_fence_needed __attribute__((visibility("hidden")));

/* True if a thread was really asleep. */
bool evcount_notify_slow(struct evcount *b);

/* The heavy fence of the pattern above, for others that use it. */
void heavy_fence(void);
/* The light one. */
static inline void light_fence(void)
{
    if (unlikely(evcount_fence_needed))
        atomic_thread_fence(memory_order_seq_cst);
    else
        atomic_signal_fence(memory_order_seq_cst);
}

/* After the condition was changed with at least a release store. True if a thread was asleep and is awake
 * now. */
static inline bool evcount_notify(struct evcount *b)
{
    light_fence();
    chaos_point();
    return unlikely(load_relaxed(&b->word) & 1) && evcount_notify_slow(b);
}

/* Where no fence is needed, in two steps: is evcount_notify_slow to be called? */
static inline bool evcount_wants(struct evcount *b)
{
    assert(!evcount_fence_needed);
    atomic_signal_fence(memory_order_seq_cst);
    return unlikely(load_relaxed(&b->word) & 1);
}

/* Announce that the caller will sleep; then it must look at its condition once more. */
uint32_t evcount_prepare(struct evcount *b);

/* Sleep until a notification after prepare, at most nanoseconds (< 0: no limit). May return early. */
void evcount_wait(struct evcount *b, uint32_t ticket, long nanoseconds);

#endif
