/* SPDX-License-Identifier: BSD-3-Clause */
/* Windows: making, freeing, their memory (MPI 11.2), synchronisation (MPI 11.5). */
#include <stdlib.h>

#include "api/win.h"

int check_win_failed(struct where w, ep_win win)
{
    if (win_has_ended(win)) {
        w.view = win->view;
        return raise_not_running(w);
    }
    return raise_handle(w, MPI_ERR_WIN, "win", win == EP_WIN_NULL ? "EP_WIN_NULL" : NULL);
}

int check_win_rank(struct where w, int rank, const char *name)
{
    if (likely((unsigned)rank < (unsigned)w.view->size) || rank == MPI_PROC_NULL)
        return MPI_SUCCESS;
    return raise_error(w, MPI_ERR_RANK, "argument %s is %d: it must be in 0..%d or MPI_PROC_NULL", name, rank,
                       w.view->size - 1);
}

/* ---- making ---- */

/* Where the new handle goes; it becomes EP_WIN_NULL. */
static int check_new_win(struct where w, ep_win *win)
{
    int rc = check_pointer(w, win, "win");
    if (rc)
        return rc;
    *win = EP_WIN_NULL;
    return check_intra(w);
}

static int win_check_size(struct where w, MPI_Aint size)
{
    return size >= 0
               ? MPI_SUCCESS
               : raise_error(w, MPI_ERR_SIZE, "argument size is %td: it must be 0 or more", (ptrdiff_t)size);
}

static int check_base(struct where w, const void *base, MPI_Aint size)
{
    return base || size == 0 ? MPI_SUCCESS
                             : raise_error(w, MPI_ERR_ARG, "argument base is a null pointer, but size is %td",
                                           (ptrdiff_t)size);
}

static int check_ask(struct where w, const struct win_ask *ask, const void *baseptr)
{
    int rc = check_info(w, ask->info);
    if (rc || ask->flavor == MPI_WIN_FLAVOR_DYNAMIC || (rc = win_check_size(w, ask->size)) ||
        (rc = check_least(w, MPI_ERR_DISP, 1, ask->disp_unit, "disp_unit")))
        return rc;
    return ask->flavor == MPI_WIN_FLAVOR_CREATE ? check_base(w, ask->base, ask->size)
                                                : check_pointer(w, baseptr, "baseptr");
}

/* What everybody finds alone is checked already. Here all endpoints take part, and learn of an error. baseptr: where the address
 * of allocated memory goes. */
static int win_make(struct where w, struct win_ask ask, void *baseptr, ep_win *win)
{
    ep_win made = EP_WIN_NULL;
    int rc = rma_create(w, &ask, check_ask(w, &ask, baseptr), &made);
    if (rc)
        return rc;
    *win = made;
    if (ask.info != MPI_INFO_NULL && (rc = info_set(made->view, ask.info)))
        return raise_error(w, rc, "the hints of argument info could not be kept");
    if (baseptr)
        *(void **)baseptr = made->base;
    return MPI_SUCCESS;
}

/* ---- freeing ---- */

/* Epochs are looked at first: after an error the window is as it was. The attributes go while the memory is still there
 * (MPI 11.2.5). */
static int win_free(struct where w, ep_win *win)
{
    const char *open = epoch_open(*win);
    if (open)
        return raise_error(w, MPI_ERR_RMA_SYNC, "the window cannot be freed: %s", open);
    int rc = attr_clear(w.view);
    if (rc)
        return handle_error(w.view, rc);
    view_forget_number(w.view);
    return rma_free(w, win);
}

/* ---- synchronisation ---- */

/* Ranks of the group's members in the window; to be given back by reserve_free. */
static int ranks_of(struct where w, ep_group group, int **ranks, int *n)
{
    int rc = check_group(w, group, "group");
    if (rc)
        return rc;
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

/* Begin an exposure or an access epoch. */
static int win_post_or_start(struct where w, ep_win win, ep_group group, int assert,
                             int (*begin)(struct where w, ep_win win, const int ranks[], int n, int assert))
{
    int *ranks = NULL, n = 0, rc = ranks_of(w, group, &ranks, &n);
    if (rc)
        return rc;
    rc = begin(w, win, ranks, n, assert);
    reserve_free(ranks);
    return rc;
}

static int check_lock_type(struct where w, int lock_type)
{
    if (likely(lock_type == MPI_LOCK_SHARED || lock_type == MPI_LOCK_EXCLUSIVE))
        return MPI_SUCCESS;
    return raise_error(w, MPI_ERR_LOCKTYPE,
                       "argument lock_type is %d: it must be MPI_LOCK_SHARED or MPI_LOCK_EXCLUSIVE",
                       lock_type);
}

enum { ALL = -1 };

static inline int win_flush(struct where w, ep_win win, int rank, bool local)
{
    if (unlikely(rank == MPI_PROC_NULL)) /* there is nothing, but the epoch must be right */
        return epoch_enter_nobody(w, win, true);
    return rma_flush(w, win, rank, local);
}

#include "api/win.inc"
