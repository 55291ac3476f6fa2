/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Locks (OpenSHMEM 1.5, 9.12), after Mellor-Crummey and Scott (1991): a queue of PEs, each of which waits for a word of its own.
 *
 * A lock is a symmetric long, 0 at first, of which each PE uses its own copy as its node, and all use PE 0's for the tail:
 *
 *   low half, of PE 0    the PE that came last, plus 1; 0: the lock is free
 *   high half            its PE's node: 0, or TAKEN while it has the lock or wants it, plus WAITS while it has to wait, plus
 *                        NEXT * (the next PE, plus 1) once there is one
 *
 * Who wants the lock writes TAKEN and WAITS into its node and swaps itself in as the tail. If there was another one before, it
 * adds itself to that one's node and waits until WAITS is taken off its own. Who gives the lock back, and has no next, swaps the tail
 * from itself to 0; if that fails a next one is about to add itself, and is waited for. Then WAITS is taken off the next one's node.
 *
 * A node is written by others only between its owner's swap of the tail and the end of its turn: by the one that found the
 * owner as the tail, once, and by the one before, once. Both have come when the owner knows its next one, or that there is none, so it
 * writes 0 then. WAITS and the next are added and taken off by atomic additions: they may come in either order. TAKEN tells wrong
 * calls before they change anything.
 *
 * Memory: what the last holder did comes before it takes WAITS off (or swaps the tail), since it is quiet first; these are
 * releases, and reading them acquires.
 */
#include "shmem/words.h"

enum { WAITS = 1, TAKEN = 2, NEXT = 4, HOME = 0 };

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
    return node_seen(node) >= NEXT;
}

/* ---- the calls ---- */

static void lock_is_none(struct shmem_pe *pe, const long *lock, const char *call)
{
    pe_error(pe, call, MPI_ERR_ARG, "argument lock is %p, where there is no lock: one is 0 at first", (const void *)lock);
}

/* Has, or wants, another of its threads the lock already? Or is something else there? */
static bool node_is_wrong(struct shmem_pe *pe, long *lock, const char *call)
{
    uint32_t seen = node_seen(lock_node(lock));
    if (likely(seen == 0))
        return false;
    if (seen & TAKEN)
        pe_error(pe, call, MPI_ERR_OTHER, "this PE has the lock at %p already", (void *)lock);
    else
        lock_is_none(pe, lock, call);
    return true;
}

void ep_shmem_set_lock(long *lock, const char *call)
{
    struct shmem_pe *pe = lock_begin(lock, call);
    if (!pe || node_is_wrong(pe, lock, call))
        return;
    uint32_t me = (uint32_t)pe->reach.me + 1;
    node_set(lock_node(lock), TAKEN + WAITS);
    uint32_t before = (uint32_t)lock_amo(SHMEM_SWAP, lock_tail(lock), me, 0, HOME, call);
    if (before == 0)
        return;
    if (unlikely(before > (uint32_t)pe->reach.npes || before == me)) {
        lock_is_none(pe, lock, call);
        return;
    }
    lock_amo(SHMEM_ADD, lock_node(lock), NEXT * me, 0, (int)before - 1, call);
    pe_wait(pe, node_goes_on, lock_node(lock), call);
}

int ep_shmem_test_lock(long *lock, const char *call)
{
    struct shmem_pe *pe = lock_begin(lock, call);
    if (!pe)
        return 1;
    uint32_t me = (uint32_t)pe->reach.me + 1;
    if (node_seen(lock_node(lock)) == 0 && lock_amo(SHMEM_FETCH, lock_tail(lock), 0, 0, HOME, call) == 0) {
        node_set(lock_node(lock), TAKEN + WAITS);
        if (lock_amo(SHMEM_CSWAP, lock_tail(lock), me, 0, HOME, call) == 0)
            return 0;
        node_set(lock_node(lock), 0);
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
    if (unlikely(!(node_seen(node) & TAKEN))) {
        pe_error(pe, call, MPI_ERR_OTHER, "this PE does not have the lock at %p", (void *)lock);
        return;
    }
    pe_quiet(pe);
    if (!node_has_next(node)) {
        if ((uint32_t)lock_amo(SHMEM_CSWAP, lock_tail(lock), 0, me, HOME, call) == me) {
            node_set(node, 0);
            return;
        }
        pe_wait(pe, node_has_next, node, call);
    }
    int next = (int)(node_seen(node) / NEXT) - 1;
    node_set(node, 0);
    lock_amo(SHMEM_ADD, lock_node(lock), -(uint32_t)WAITS, 0, next, call);
}
