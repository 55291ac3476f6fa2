/* SPDX-License-Identifier: BSD-3-Clause */
/* Traps of the MPIs underneath that shape this: docs/rma.md. */
#include "rma/transfer.h"

#include <stdlib.h>

bool native_reserve(struct window *x, int n)
{
    x->native = malloc((size_t)n * sizeof *x->native);
    x->nnative = x->native ? n : 0;
    for (int j = 0; j < x->nnative; j++)
        x->native[j] = MPI_WIN_NULL;
    if (far_count_windows(x->nnative) + n <= settings.rma_native_max && x->native)
        return true;
    native_free(x);
    return false;
}

/* Loads, stores and ep's atomics go to the memory itself: MPI must not keep another copy of it. */
static bool is_unified(MPI_Win win)
{
    int *model, known;
    MPI_Win_get_attr(win, MPI_WIN_MODEL, (void *)&model, &known);
    return known && *model == MPI_WIN_UNIFIED;
}

/* MPICH 4.0.2 over UCX takes another base where memory is not aligned to 16 bytes or lies inside that of another window:
 * what is put lands beside it. Its attribute says so. */
static bool keeps_base(const struct window *x, int j)
{
    void *base;
    int known;
    if (j >= x->comm->nlocal || x->local[j]->size == 0)
        return true;
    MPI_Win_get_attr(x->native[j], MPI_WIN_BASE, (void *)&base, &known);
    return known && base == x->local[j]->base;
}

/* Endpoint j of this process, if it has so many. lock_all needs no agreement with anybody (NOCHECK). */
static int make_one(struct window *x, int j)
{
    void *base = NULL;
    MPI_Aint size = 0;
    if (j < x->comm->nlocal) {
        base = x->local[j]->base;
        size = x->local[j]->size;
    }
    int rc = MPI_Win_create(base, size, 1, MPI_INFO_NULL, x->comm->mpi, &x->native[j]);
    if (rc != MPI_SUCCESS)
        return rc;
    MPI_Win_set_errhandler(x->native[j], MPI_ERRORS_RETURN);
    rc = MPI_Win_lock_all(MPI_MODE_NOCHECK, x->native[j]);
    return rc == MPI_SUCCESS && !is_unified(x->native[j]) ? MPI_ERR_WIN : rc;
}

/* Whether one could be made all processes know alike, since the call is collective; so nobody stops earlier than others. (One
 * that is made in some processes only would be an MPI that breaks its word: they give up together afterwards.) */
int native_make(struct window *x)
{
    int rc = MPI_SUCCESS;
    bool right = true;
    for (int j = 0; j < x->nnative && rc == MPI_SUCCESS; j++) {
        rc = make_one(x, j);
        right = right && (rc != MPI_SUCCESS || keeps_base(x, j)); /* known here only: go on like the others */
    }
    return rc == MPI_SUCCESS && !right ? MPI_ERR_WIN : error_class_of_mpi(rc);
}

void native_free(struct window *x)
{
    for (int j = 0; j < x->nnative; j++)
        if (x->native[j] != MPI_WIN_NULL) {
            MPI_Win_unlock_all(x->native[j]);
            MPI_Win_free(&x->native[j]);
        }
    free(x->native);
    far_count_windows(-(long)x->nnative);
    x->native = NULL;
    x->nnative = 0;
}

/* Counts are ints in MPI; a user's are, too. */
int native_carry(const struct access_call *a, ptrdiff_t offset, bool put, ep_request request)
{
    const struct window *x = a->win->window;
    const struct span *here = &a->origin, *there = &a->remote;
    int j, proc = win_process(x, a->target, &j), n = (int)here->count, m = (int)there->count, rc;
    MPI_Request mpi;
    store_relaxed(&a->win->by_native[j], true);
    if (!request && put)
        rc = MPI_Put(here->buf, n, here->mpi, proc, offset, m, there->mpi, x->native[j]);
    else if (!request)
        rc = MPI_Get(here->buf, n, here->mpi, proc, offset, m, there->mpi, x->native[j]);
    else if (put)
        rc = MPI_Rput(here->buf, n, here->mpi, proc, offset, m, there->mpi, x->native[j], &mpi);
    else
        rc = MPI_Rget(here->buf, n, here->mpi, proc, offset, m, there->mpi, x->native[j], &mpi);
    if (request && rc == MPI_SUCCESS)
        far_adopt(request, mpi);
    return error_class_of_mpi(rc);
}

/* MPI_Win_flush_all of MPICH 4.0.2 over UCX returns before large gets are complete, MPI_Win_flush does not. */
static int flush_everyone(const struct window *x, MPI_Win win)
{
#ifdef MPICH_VERSION
    int rc = MPI_SUCCESS;
    for (int proc = 0; proc < x->comm->nproc && rc == MPI_SUCCESS; proc++)
        rc = MPI_Win_flush(proc, win);
    return rc;
#else
    (void)x;
    return MPI_Win_flush_all(win);
#endif
}

/* Once used always flushed: of two threads of an endpoint, one could otherwise take the other's transfer for complete while
 * that one is still flushing it. */
int native_flush(ep_win win, int target)
{
    const struct window *x = win->window;
    int rc = MPI_SUCCESS;
    if (target >= 0) {
        int j, proc = win_process(x, target, &j);
        if (load_relaxed(&win->by_native[j]))
            rc = MPI_Win_flush(proc, x->native[j]);
        return error_class_of_mpi(rc);
    }
    for (int j = 0; j < x->nnative && rc == MPI_SUCCESS; j++)
        if (load_relaxed(&win->by_native[j]))
            rc = flush_everyone(x, x->native[j]);
    return error_class_of_mpi(rc);
}
