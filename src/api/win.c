/* SPDX-License-Identifier: BSD-3-Clause */
/* Windows: making, freeing, their memory and members (MPI 11.2). */
#include "api/win.h"

int check_win_failed(struct where w, ep_win win)
{
    if (win_has_ended(win)) {
        w.view = win->view;
        return raise_not_running(w);
    }
    return raise_error(w, MPI_ERR_WIN, "argument win is %s",
                       win == EP_WIN_NULL ? "EP_WIN_NULL" : "a freed or invalid handle");
}

int check_win_rank(struct where w, int rank, const char *name)
{
    if (likely((unsigned)rank < (unsigned)w.view->size) || rank == MPI_PROC_NULL)
        return MPI_SUCCESS;
    return raise_error(w, MPI_ERR_RANK, "argument %s is %d: it must be in 0..%d or MPI_PROC_NULL", name, rank,
                       w.view->size - 1);
}

/* ---- making ---- */

/* What everybody finds alone, so nobody waits for the others. */
static int win_check_new(struct where *w, ep_comm comm, ep_win *win)
{
    int rc = check_comm(w, comm);
    if (rc || (rc = check_pointer(*w, win, "win")))
        return rc;
    *win = EP_WIN_NULL;
    return w->view->comm->inter ? raise_error(*w, MPI_ERR_COMM, "argument comm is an intercommunicator")
                                : MPI_SUCCESS;
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

static int check_shape(struct where w, const struct win_ask *ask)
{
    int rc = check_info(w, ask->info);
    if (rc || (rc = win_check_size(w, ask->size)))
        return rc;
    if (ask->disp_unit <= 0)
        return raise_error(w, MPI_ERR_DISP, "argument disp_unit is %d: it must be 1 or more", ask->disp_unit);
    return ask->flavor == MPI_WIN_FLAVOR_CREATE ? check_base(w, ask->base, ask->size) : MPI_SUCCESS;
}

/* rc: of the checks; whatever it is, all endpoints take part and learn of it. */
static int win_create(struct where w, const struct win_ask *ask, int rc, ep_win *win)
{
    ep_win made = EP_WIN_NULL;
    if ((rc = rma_create(w, ask, rc, &made)))
        return rc;
    *win = made;
    if (ask->info != MPI_INFO_NULL && (rc = info_set(made->view, ask->info)))
        return raise_error(w, rc, "the hints of argument info could not be kept");
    return MPI_SUCCESS;
}

static int win_allocate(const char *call, const struct win_ask *ask, ep_comm comm, void *baseptr, ep_win *win)
{
    struct where w = {NULL, call};
    int rc = win_check_new(&w, comm, win);
    if (rc)
        return rc;
    rc = check_shape(w, ask);
    if (rc == MPI_SUCCESS)
        rc = check_pointer(w, baseptr, "baseptr");
    if ((rc = win_create(w, ask, rc, win)))
        return rc;
    *(void **)baseptr = (*win)->base;
    return MPI_SUCCESS;
}

int ep_win_create(void *base, MPI_Aint size, int disp_unit, MPI_Info info, ep_comm comm, ep_win *win)
{
    struct where w = {NULL, "ep_win_create"};
    struct win_ask ask = {MPI_WIN_FLAVOR_CREATE, base, size, disp_unit, info};
    int rc = win_check_new(&w, comm, win);
    return rc ? rc : win_create(w, &ask, check_shape(w, &ask), win);
}

int ep_win_allocate(MPI_Aint size, int disp_unit, MPI_Info info, ep_comm comm, void *baseptr, ep_win *win)
{
    struct win_ask ask = {MPI_WIN_FLAVOR_ALLOCATE, NULL, size, disp_unit, info};
    return win_allocate("ep_win_allocate", &ask, comm, baseptr, win);
}

int ep_win_allocate_shared(MPI_Aint size, int disp_unit, MPI_Info info, ep_comm comm, void *baseptr,
                           ep_win *win)
{
    struct win_ask ask = {MPI_WIN_FLAVOR_SHARED, NULL, size, disp_unit, info};
    return win_allocate("ep_win_allocate_shared", &ask, comm, baseptr, win);
}

int ep_win_create_dynamic(MPI_Info info, ep_comm comm, ep_win *win)
{
    struct where w = {NULL, "ep_win_create_dynamic"};
    struct win_ask ask = {MPI_WIN_FLAVOR_DYNAMIC, NULL, 0, 1, info};
    int rc = win_check_new(&w, comm, win);
    return rc ? rc : win_create(w, &ask, check_info(w, info), win);
}

/* ---- freeing ---- */

/* Windows are recycled: nobody may find the next one by this one's number. */
static void forget_number(ep_comm view)
{
    lock_acquire(&view->lock);
    MPI_Fint number = view->extras ? view->extras->fortran : 0;
    if (number)
        view->extras->fortran = 0;
    lock_release(&view->lock);
    handle_drop(number);
}

/* Epochs are looked at first: after an error the window is as it was. The attributes go while the memory is still there
 * (MPI 11.2.5). */
int ep_win_free(ep_win *win)
{
    struct where w = {NULL, "ep_win_free"};
    int rc = check_pointer(w, win, "win");
    if (rc || (rc = check_win(&w, *win)))
        return rc;
    const char *open = epoch_open(*win);
    if (open)
        return raise_error(w, MPI_ERR_RMA_SYNC, "the window cannot be freed: %s", open);
    if ((rc = attr_clear(w.view)))
        return handle_error(w.view, rc);
    forget_number(w.view);
    return rma_free(w, win);
}

/* ---- memory and members ---- */

int ep_win_shared_query(ep_win win, int rank, MPI_Aint *size, int *disp_unit, void *baseptr)
{
    struct where w = {NULL, "ep_win_shared_query"};
    int rc = check_win(&w, win);
    if (rc || (rc = check_win_rank(w, rank, "rank")) || (rc = check_pointer(w, size, "size")) ||
        (rc = check_pointer(w, disp_unit, "disp_unit")) || (rc = check_pointer(w, baseptr, "baseptr")))
        return rc;
    return rma_shared_query(w, win, rank, size, disp_unit, baseptr);
}

int ep_win_attach(ep_win win, void *base, MPI_Aint size)
{
    struct where w = {NULL, "ep_win_attach"};
    int rc = check_win(&w, win);
    if (rc || (rc = win_check_size(w, size)) || (rc = check_base(w, base, size)))
        return rc;
    return rma_attach(w, win, base, size);
}

int ep_win_detach(ep_win win, const void *base)
{
    struct where w = {NULL, "ep_win_detach"};
    int rc = check_win(&w, win);
    if (rc)
        return rc;
    return rma_detach(w, win, base);
}

int ep_win_get_group(ep_win win, ep_group *group)
{
    struct where w = {NULL, "ep_win_get_group"};
    int rc = check_win(&w, win);
    if (rc || (rc = check_pointer(w, group, "group")))
        return rc;
    ep_group made = group_new(group_map_hold(view_group(w.view)), view_identity(w.view), true);
    if (!made)
        return raise_error(w, MPI_ERR_NO_MEM, "no memory for a group");
    *group = made;
    return MPI_SUCCESS;
}
