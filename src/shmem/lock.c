/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Locks (OpenSHMEM 1.5, 9.12), after Mellor-Crummey and Scott (1991): a queue of PEs, each of which waits for a word of its own.
 *
 * A lock is a symmetric long, 0 at first, of which each PE uses its own copy as its node, and all use PE 0's for the tail:
 *
 *   low half, of PE 0    the PE that came last, plus 1; 0: the lock is free
 *   high half            its PE's node: WAITS while it has to wait, plus 2 * (the next PE, plus 1) once there is one
 *
 * Who wants the lock writes WAITS into its node and swaps itself in as the tail. If there was another one before, it adds itself to
 * that one's node and waits until WAITS is taken off its own. Who gives the lock back, and has no next, swaps the tail from itself to
 * 0; if that fails a next one is about to add itself, and is waited for. Then WAITS is taken off the next one's node.
 *
 * A node is written by others only between its owner's swap of the tail and the end of its turn: by the one that found the
 * owner as the tail, once, and by the one before, once. Both have come when the owner knows its next one, or that there is none, so it writes 0 then.
 * WAITS and the next are added and taken off by atomic additions: they may come in either order.
 *
 * Memory: what the last holder did comes before it takes WAITS off (or swaps the tail), since it is quiet first; these are
 * releases, and reading them acquires.
 */
#include "shmem/words.h"

enum { WAITS = 1, HOME = 0 };

static uint32_t *lock_tail(long *lock)
{
    return (uint32_t *)(void *)lock;
}

static uint32_t *lock_node(long *lock)
{
    return lock_tail(lock) + 1;
}

/* NULL after an error. */
static struct shmem_pe *lock_begin(const long *lock, const char *call)
{
    struct shmem_pe *pe = pe_here(call);
    if (!pe || !pe_is_symmetric(pe, lock, sizeof *lock, "lock", call))
        return NULL;
    if (likely((uintptr_t)lock % sizeof *lock == 0))
        return pe;
    pe_error(pe, call, MPI_ERR_ARG, "argument lock is %p: it is not aligned", (const void *)lock);
    return NULL;
}

static uint64_t lock_amo(enum shmem_amo op, uint32_t *word, uint32_t value, uint32_t cond, int pe, const char *call)
{
    return ep_shmem_atomic(SHMEM_CTX_DEFAULT, op, word, value, cond, sizeof *word, pe, call);
}

/* Of this PE's own node: others change it, perhaps by messages that this process carries out. */
static uint32_t node_seen(const uint32_t *node)
{
    return __atomic_load_n(node, __ATOMIC_ACQUIRE);
}

static void node_set(uint32_t *node, uint32_t value)
{
    __atomic_store_n(node, value, __ATOMIC_RELEASE);
}

static bool node_goes_on(void *node)
{
    return !(node_seen(node) & WAITS);
}

static bool node_has_next(void *node)
{
    return node_seen(node) > WAITS;
}

/* ---- the calls ---- */

static bool before_is_wrong(struct shmem_pe *pe, const long *lock, uint32_t before, const char *call)
{
    if (likely(before <= (uint32_t)pe->reach.npes && before != (uint32_t)pe->reach.me + 1))
        return false;
    if (before <= (uint32_t)pe->reach.npes)
        pe_error(pe, call, MPI_ERR_OTHER, "this PE has the lock at %p already", (const void *)lock);
    else
        pe_error(pe, call, MPI_ERR_ARG, "argument lock is %p, where there is no lock: one is 0 at first", (const void *)lock);
    return true;
}

void ep_shmem_set_lock(long *lock, const char *call)
{
    struct shmem_pe *pe = lock_begin(lock, call);
    if (!pe)
        return;
    uint32_t me = (uint32_t)pe->reach.me + 1;
    node_set(lock_node(lock), WAITS);
    uint32_t before = (uint32_t)lock_amo(SHMEM_SWAP, lock_tail(lock), me, 0, HOME, call);
    if (before == 0 || before_is_wrong(pe, lock, before, call))
        return;
    lock_amo(SHMEM_ADD, lock_node(lock), 2 * me, 0, (int)before - 1, call);
    pe_wait(pe, node_goes_on, lock_node(lock), call);
}

int ep_shmem_test_lock(long *lock, const char *call)
{
    struct shmem_pe *pe = lock_begin(lock, call);
    if (!pe)
        return 1;
    uint32_t me = (uint32_t)pe->reach.me + 1;
    if (lock_amo(SHMEM_FETCH, lock_tail(lock), 0, 0, HOME, call) == 0) {
        node_set(lock_node(lock), WAITS);
        if (lock_amo(SHMEM_CSWAP, lock_tail(lock), me, 0, HOME, call) == 0)
            return 0;
    }
    word_missed(pe);
    return 1;
}

void ep_shmem_clear_lock(long *lock, const char *call)
{
    struct shmem_pe *pe = lock_begin(lock, call);
    if (!pe)
        return;
    uint32_t *node = lock_node(lock), me = (uint32_t)pe->reach.me + 1;
    pe_quiet(pe);
    if (!node_has_next(node)) {
        uint32_t tail = (uint32_t)lock_amo(SHMEM_CSWAP, lock_tail(lock), 0, me, HOME, call);
        if (tail == me) {
            node_set(node, 0);
            return;
        }
        if (tail == 0) {
            pe_error(pe, call, MPI_ERR_OTHER, "this PE does not have the lock at %p", (void *)lock);
            return;
        }
        pe_wait(pe, node_has_next, node, call);
    }
    int next = (int)(node_seen(node) / 2) - 1;
    node_set(node, 0);
    lock_amo(SHMEM_ADD, lock_node(lock), -(uint32_t)WAITS, 0, next, call);
}
