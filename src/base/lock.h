/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A lock for short critical sections that costs one atomic exchange when nobody else wants it.
 *
 * word: 0 free, 1 held. wanted: how many threads wait for it; the holder may look at it and let
 * them in early (an endpoint's owner spins for messages while holding the endpoint's lock).
 *
 * lock_acquire / lock_try (acquire) pair with lock_release (release).
 */
#ifndef EP_BASE_LOCK_H
#define EP_BASE_LOCK_H

#include "base/atomics.h"

struct lock {
    _Atomic int word;
    _Atomic int wanted;
};

/* Out of line: spin, then yield, then sleep in growing steps. */
void lock_acquire_slow(struct lock *l);

static inline bool lock_try(struct lock *l)
{
    return load_relaxed(&l->word) == 0 && swap_acquire(&l->word, 1) == 0;
}

static inline void lock_acquire(struct lock *l)
{
    if (unlikely(swap_acquire(&l->word, 1) != 0))
        lock_acquire_slow(l);
}

static inline void lock_release(struct lock *l)
{
    store_release(&l->word, 0);
}

#endif
