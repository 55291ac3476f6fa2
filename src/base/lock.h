/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A lock for short critical sections that costs one atomic exchange when nobody else wants it.
 *
 * word: 0 free, 1 held. wanted: how many threads wait for it; the holder may look at it and let
 * them in early (an endpoint's owner spins for messages while holding the endpoint's lock).
 *
 * lock_acquire / lock_try (acquire) pair with lock_release (release).
 *
 * Each lock belongs to a class (lock_classes.def), whose place in that file is its rank. A thread that waits for a lock
 * holds only locks of lower rank, so no threads wait for each other in a cycle. Builds with assertions check that, and
 * that locks are held where they should be. A lock got by lock_try need not rank highest, since nobody waited for it.
 */
#ifndef EP_BASE_LOCK_H
#define EP_BASE_LOCK_H

#include "base/atomics.h"

enum lock_class {
    LOCK_UNCLASSED,
#define LOCK_CLASS(name, where, guards, within) LOCK_##name,
#define MUTEX(where, guards, within)
#include "base/lock_classes.def"
#undef LOCK_CLASS
#undef MUTEX
    LOCK_CLASSES
};

/* All zero but for the class: free. */
struct lock {
    _Atomic int word;        /* release lock_release, acquire lock_try, lock_acquire and lock_wait */
    _Atomic uint16_t wanted; /* relaxed */
    uint16_t class;          /* constant */
};

#define LOCK_FREE(of)                                                                                        \
    {                                                                                                        \
        .class = LOCK_##of                                                                                   \
    }

static inline void lock_init(struct lock *l, enum lock_class of)
{
    *l = (struct lock){.class = (uint16_t)of};
}

#ifndef NDEBUG
/* What the calling thread holds. lock_check_wait: before it may have to wait for l. */
void lock_check_wait(const struct lock *l);
void lock_check_got(const struct lock *l);
void lock_check_release(const struct lock *l);
bool lock_check_holds(const struct lock *l);
void lock_check_held(const struct lock *l, const char *where);
void lock_check_none(const char *where);
#define lock_assert_held(l) lock_check_held((l), __func__)
#define lock_assert_none() lock_check_none(__func__)
#else
#define lock_check_wait(l) ((void)sizeof(l))
#define lock_check_got(l) ((void)sizeof(l))
#define lock_check_release(l) ((void)sizeof(l))
/* The caller holds l. */
#define lock_assert_held(l) ((void)sizeof(l))
/* The caller holds nothing that anybody waits for: it may be that it polls (POLLING). */
#define lock_assert_none() ((void)0)
#endif

/* Out of line part of lock_acquire_again. */
void lock_wait(struct lock *l);

static inline bool lock_try(struct lock *l)
{
    if (load_relaxed(&l->word) != 0 || swap_acquire(&l->word, 1) != 0)
        return false;
    lock_check_got(l);
    return true;
}

/* The same for one that is most likely free: it does not look first. */
static inline bool lock_try_free(struct lock *l)
{
    if (unlikely(swap_acquire(&l->word, 1) != 0))
        return false;
    lock_check_got(l);
    return true;
}

/* After lock_try and lock_release, of a lock that may rank below others that are held. Where that is safe the caller says why. */
static inline void lock_acquire_again(struct lock *l)
{
    if (unlikely(swap_acquire(&l->word, 1) != 0))
        lock_wait(l);
    lock_check_got(l);
}

static inline void lock_acquire(struct lock *l)
{
    lock_check_wait(l);
    if (unlikely(swap_acquire(&l->word, 1) != 0))
        lock_wait(l);
    lock_check_got(l);
}

static inline void lock_release(struct lock *l)
{
    lock_check_release(l);
    store_release(&l->word, 0);
}

#endif
