/* SPDX-License-Identifier: BSD-3-Clause */
/* What can be asked of a window, and memory of dynamic ones. */
#include "rma/rma.h"

int rma_shared_query(struct where w, ep_win win, int rank, MPI_Aint *size, int *disp_unit, void *baseptr)
{
    const struct window *x = win->window;
    if (x->flavor != MPI_WIN_FLAVOR_SHARED)
        return raise_error(w, MPI_ERR_RMA_FLAVOR, "win was not made by ep_win_allocate_shared");
    if (rank == MPI_PROC_NULL)
        for (rank = 0; rank < x->comm->map.size - 1 && x->exposed[rank].size == 0;)
            rank++;
    const struct exposed *e = &x->exposed[rank];
    *size = (MPI_Aint)e->size;
    *disp_unit = e->disp_unit;
    *(void **)baseptr = e->size > 0 ? e->base : NULL;
    return MPI_SUCCESS;
}

static int check_dynamic(struct where w, ep_win win)
{
    return win->window->flavor == MPI_WIN_FLAVOR_DYNAMIC
               ? MPI_SUCCESS
               : raise_error(w, MPI_ERR_RMA_FLAVOR, "win was not made by ep_win_create_dynamic");
}

int rma_attach(struct where w, ep_win win, void *base, MPI_Aint size)
{
    int rc = check_dynamic(w, win);
    if (rc || (rc = regions_attach(&win->regions, base, (size_t)size)) == MPI_SUCCESS)
        return rc;
    if (rc == MPI_ERR_NO_MEM)
        return raise_error(w, rc, "no memory to attach %td bytes", (ptrdiff_t)size);
    return raise_error(w, rc, "a part of the %td bytes at %p is attached already", (ptrdiff_t)size, base);
}

int rma_detach(struct where w, ep_win win, const void *base)
{
    int rc = check_dynamic(w, win);
    if (rc)
        return rc;
    return regions_detach(&win->regions, base)
               ? MPI_SUCCESS
               : raise_error(w, MPI_ERR_RMA_ATTACH, "no attached memory begins at %p", base);
}
