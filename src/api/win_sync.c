/* SPDX-License-Identifier: BSD-3-Clause */
/* Synchronisation of windows (MPI 11.5). */
#include <stdlib.h>

#include "api/win.h"

int ep_win_fence(int assert, ep_win win)
{
    struct where w = {NULL, "ep_win_fence"};
    int rc = check_win(&w, win);
    return rc ? rc : rma_fence(w, win, assert);
}

/* ---- general active target (MPI 11.5.2) ---- */

/* Ranks of the group's members in the window; to be given back by reserve_free. */
static int ranks_of(struct where w, ep_group group, int **ranks, int *n)
{
    if (!group_is_valid(group))
        return raise_error(w, MPI_ERR_GROUP, "argument group is %s",
                           group == EP_GROUP_NULL ? "EP_GROUP_NULL" : "a freed or invalid handle");
    struct group_map *r = group_get_map(group);
    int *all = reserve_malloc(((size_t)r->size + 1) * sizeof *all);
    if (!all)
        return raise_error(w, MPI_ERR_NO_MEM, "no memory for a group of %d", r->size);
    group_map_locate(r, view_group(w.view), all);
    for (int i = 0; i < r->size; i++) {
        if (all[i] < 0) {
            reserve_free(all);
            return raise_error(w, MPI_ERR_GROUP, "argument group: its member %d is not in the window", i);
        }
    }
    *ranks = all;
    *n = r->size;
    return MPI_SUCCESS;
}

int ep_win_post(ep_group group, int assert, ep_win win)
{
    struct where w = {NULL, "ep_win_post"};
    int *ranks, n, rc = check_win(&w, win);
    if (rc || (rc = ranks_of(w, group, &ranks, &n)))
        return rc;
    rc = rma_post(w, win, ranks, n, assert);
    reserve_free(ranks);
    return rc;
}

int ep_win_start(ep_group group, int assert, ep_win win)
{
    struct where w = {NULL, "ep_win_start"};
    int *ranks, n, rc = check_win(&w, win);
    if (rc || (rc = ranks_of(w, group, &ranks, &n)))
        return rc;
    rc = rma_start(w, win, ranks, n, assert);
    reserve_free(ranks);
    return rc;
}

int ep_win_complete(ep_win win)
{
    struct where w = {NULL, "ep_win_complete"};
    int rc = check_win(&w, win);
    return rc ? rc : rma_complete(w, win);
}

int ep_win_wait(ep_win win)
{
    struct where w = {NULL, "ep_win_wait"};
    int rc = check_win(&w, win);
    return rc ? rc : rma_wait(w, win);
}

int ep_win_test(ep_win win, int *flag)
{
    struct where w = {NULL, "ep_win_test"};
    int rc = check_win(&w, win);
    if (rc || (rc = check_pointer(w, flag, "flag")))
        return rc;
    return rma_test(w, win, flag);
}

/* ---- passive target (MPI 11.5.3) ---- */

int ep_win_lock(int lock_type, int rank, int assert, ep_win win)
{
    struct where w = {NULL, "ep_win_lock"};
    int rc = check_win(&w, win);
    if (unlikely(rc))
        return rc;
    if (unlikely(lock_type != MPI_LOCK_SHARED && lock_type != MPI_LOCK_EXCLUSIVE))
        return raise_error(w, MPI_ERR_LOCKTYPE,
                           "argument lock_type is %d: it must be MPI_LOCK_SHARED or MPI_LOCK_EXCLUSIVE",
                           lock_type);
    if (unlikely((rc = check_win_rank(w, rank, "rank"))))
        return rc;
    return rma_lock(w, win, lock_type == MPI_LOCK_SHARED ? LOCK_SHARED : LOCK_EXCLUSIVE, rank, assert);
}

int ep_win_unlock(int rank, ep_win win)
{
    struct where w = {NULL, "ep_win_unlock"};
    int rc = check_win(&w, win);
    if (unlikely(rc) || unlikely((rc = check_win_rank(w, rank, "rank"))))
        return rc;
    return rma_unlock(w, win, rank);
}

int ep_win_lock_all(int assert, ep_win win)
{
    struct where w = {NULL, "ep_win_lock_all"};
    int rc = check_win(&w, win);
    return rc ? rc : rma_lock_all(w, win, assert);
}

int ep_win_unlock_all(ep_win win)
{
    struct where w = {NULL, "ep_win_unlock_all"};
    int rc = check_win(&w, win);
    return rc ? rc : rma_unlock_all(w, win);
}

/* ---- completion within epochs (MPI 11.5.4) ---- */

enum { ALL = -1 };

static inline int win_sync_flush(const char *call, ep_win win, int rank, bool local)
{
    struct where w = {NULL, call};
    int rc = check_win(&w, win);
    if (unlikely(rc) || unlikely((rc = check_win_rank(w, rank, "rank"))))
        return rc;
    if (unlikely(rank == MPI_PROC_NULL)) /* there is nothing, but the epoch must be right */
        return epoch_enter_nobody(w, win, true);
    return rma_flush(w, win, rank, local);
}

static inline int flush_all(const char *call, ep_win win, bool local)
{
    struct where w = {NULL, call};
    int rc = check_win(&w, win);
    return unlikely(rc) ? rc : rma_flush(w, win, ALL, local);
}

int ep_win_flush(int rank, ep_win win)
{
    return win_sync_flush("ep_win_flush", win, rank, false);
}

int ep_win_flush_all(ep_win win)
{
    return flush_all("ep_win_flush_all", win, false);
}

int ep_win_flush_local(int rank, ep_win win)
{
    return win_sync_flush("ep_win_flush_local", win, rank, true);
}

int ep_win_flush_local_all(ep_win win)
{
    return flush_all("ep_win_flush_local_all", win, true);
}

int ep_win_sync(ep_win win)
{
    struct where w = {NULL, "ep_win_sync"};
    int rc = check_win(&w, win);
    return rc ? rc : rma_sync(w, win);
}
