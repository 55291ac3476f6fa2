/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Calls in line: on memory that the caller loads and stores, elements of one predefined type without gaps at both ends.
 *
 * What the long way asks one by one (api/rma.c, begin.c) is asked here without a call. True: all was right, and is done. False:
 * nothing was done; the long way finds out what is wrong or different, and does it or raises.
 *
 * Two shorter questions than there:
 *   epoch    open[] of a target has a bit of OPEN_ANY from when an epoch of start, lock or lock_all has the target to that epoch's
 *            end, and at no other time: no look at `access` is needed
 *   dynamic  such windows have a size of 0, so nothing is inside
 *
 * A flush has nothing to wait for: to such a target nothing is ever under way. It is the fence between what was stored and what
 * is loaded next, which are to be in that order for everybody.
 */
#ifndef EP_RMA_DIRECT_H
#define EP_RMA_DIRECT_H

#include "rma/epoch.h"

/* Bytes of n > 0 elements at addr and of m at the target. 0: the long way. */
static inline size_t direct_bytes(const void *addr, int n, MPI_Datatype type, int m, MPI_Datatype remote)
{
    const struct type *t = type_find_block(type);
    return likely(t) && likely(type == remote) && likely(n == m) && likely(n > 0) && likely(addr)
               ? (size_t)n * t->size
               : 0;
}

static inline bool direct_is_target(ep_win win, int target)
{
    return likely(pool_holds(win, WINDOW_LIVE)) && likely((unsigned)target < (unsigned)win->ranks);
}

static inline void direct_count(ep_win win, size_t bytes)
{
    add_alone(&win->counters->rma_near, 1);
    add_alone(&win->counters->rma_bytes, bytes);
}

/* Where `bytes` at disp are that the endpoint may access now. NULL: the long way. */
static inline char *direct_reach(ep_win win, int target, MPI_Aint disp, size_t bytes)
{
    ptrdiff_t offset;
    if (unlikely(!direct_is_target(win, target)) ||
        (unlikely(!(load_relaxed(&win->open[target]) & OPEN_ANY)) &&
         load_relaxed(&win->access) != ACCESS_FENCE_USED))
        return NULL;
    const struct exposed *to = &win->exposed[target];
    if (unlikely(!to->direct) || unlikely(__builtin_mul_overflow(disp, (ptrdiff_t)to->disp_unit, &offset)) ||
        unlikely((size_t)offset > to->size) || unlikely(bytes - 1 >= to->size - (size_t)offset))
        return NULL; /* also without bytes */
    return to->base + offset;
}

static inline bool direct_put(const void *from, int n, MPI_Datatype type, int target, MPI_Aint disp, int m,
                              MPI_Datatype remote, ep_win win)
{
    size_t bytes = direct_bytes(from, n, type, m, remote);
    char *at = direct_reach(win, target, disp, bytes);
    if (unlikely(!at))
        return false;
    direct_count(win, bytes);
    move_bytes(at, from, bytes);
    return true;
}

static inline bool direct_get(void *to, int n, MPI_Datatype type, int target, MPI_Aint disp, int m,
                              MPI_Datatype remote, ep_win win)
{
    size_t bytes = direct_bytes(to, n, type, m, remote);
    const char *at = direct_reach(win, target, disp, bytes);
    if (unlikely(!at))
        return false;
    direct_count(win, bytes);
    move_bytes(to, at, bytes);
    return true;
}

static inline bool direct_accumulate(const void *from, int n, MPI_Datatype type, int target, MPI_Aint disp,
                                     int m, MPI_Datatype remote, MPI_Op op, ep_win win)
{
    struct atom atom;
    size_t bytes = direct_bytes(from, n, type, m, remote);
    char *at = direct_reach(win, target, disp, bytes);
    if (unlikely(!at) || unlikely(op == MPI_NO_OP) || unlikely(atom_find(type, op, &atom)))
        return false;
    direct_count(win, bytes);
    atom_apply(&atom, &win->window->arena, at, from, NULL, (size_t)n);
    return true;
}

static inline bool direct_fetch_and_op(const void *from, void *result, MPI_Datatype type, int target,
                                       MPI_Aint disp, MPI_Op op, ep_win win)
{
    struct atom atom;
    size_t bytes = direct_bytes(from, 1, type, 1, type);
    char *at = direct_reach(win, target, disp, bytes);
    if (unlikely(!at) || unlikely(!result) || unlikely(atom_find(type, op, &atom)))
        return false;
    direct_count(win, bytes);
    atom_apply(&atom, &win->window->arena, at, from, result, 1);
    return true;
}

static inline bool direct_compare_and_swap(const void *from, const void *compare, void *result,
                                           MPI_Datatype type, int target, MPI_Aint disp, ep_win win)
{
    struct atom atom;
    size_t bytes = direct_bytes(from, 1, type, 1, type);
    char *at = direct_reach(win, target, disp, bytes);
    if (unlikely(!at) || unlikely(!result) || unlikely(!compare) || unlikely(!atom_can_swap(type)) ||
        unlikely(atom_find(type, MPI_REPLACE, &atom)))
        return false;
    direct_count(win, bytes);
    atom_swap(&atom, &win->window->arena, at, compare, from, result);
    return true;
}

static inline bool direct_flush(int target, ep_win win)
{
    if (unlikely(!direct_is_target(win, target)) ||
        unlikely(!(load_relaxed(&win->open[target]) & (OPEN_SHARED | OPEN_EXCLUSIVE | OPEN_NOCHECK))) ||
        unlikely(!win->exposed[target].direct))
        return false;
    epoch_look(win);
    atomic_thread_fence(memory_order_seq_cst);
    return true;
}

#endif
