/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rma: windows. Arguments are checked already as far as they can be without looking at epochs and the target's memory;
 * ranks are those of the window's communicator, in range. All functions raise their errors for w (w.view is the
 * window's view) and return the class.
 */
#ifndef EP_RMA_RMA_H
#define EP_RMA_RMA_H

#include "rma/direct.h"
#include "rma/epoch.h"
#include "rma/window.h"

/* ---- windows: collective; called by every endpoint from its own thread (create.c, build.c, slices.c) ---- */

struct win_ask {
    int flavor; /* MPI_WIN_FLAVOR_... */
    void *base; /* create */
    MPI_Aint size;
    int disp_unit;
    MPI_Info info;
};

/* w.view: the user's communicator. rc: an error that the caller has raised already, which then is everybody's. */
int rma_create(struct where w, const struct win_ask *ask, int rc, ep_win *win);
/* It is freed, and *win set to null, even where operations that it still had to complete have failed. */
int rma_free(struct where w, ep_win *win);

/* rank may be MPI_PROC_NULL: the first that has memory. */
int rma_shared_query(struct where w, ep_win win, int rank, MPI_Aint *size, int *disp_unit, void *baseptr);
int rma_attach(struct where w, ep_win win, void *base, MPI_Aint size);
int rma_detach(struct where w, ep_win win, const void *base);

/* ---- communication (put_get.c, accumulate.c) ---- */

struct access_call {
    struct where w;
    ep_win win;
    int target;         /* not MPI_PROC_NULL */
    MPI_Aint disp;      /* in the target's units */
    struct span origin; /* what is put, got or accumulated; count 0 and type NULL with MPI_NO_OP */
    struct span remote; /* count and type at the target; buf is not used */
    struct span result; /* get_accumulate, fetch_and_op */
    MPI_Op op;
    bool passive; /* only in passive target epochs: the call gives a request */
};

/* request: NULL if the call gives none. */
int rma_put(const struct access_call *a, ep_request *request);
int rma_get(const struct access_call *a, ep_request *request);
int rma_accumulate(const struct access_call *a, ep_request *request);
int rma_get_accumulate(const struct access_call *a, ep_request *request);
/* One element of `type` (MPI handle mpi). */
int rma_fetch_and_op(const struct access_call *a);
/* origin, result: one element; compare likewise. */
int rma_compare_and_swap(const struct access_call *a, const void *compare);
/* A call with a request has MPI_PROC_NULL as its target: *request is complete. (It checks the epoch.) */
int rma_request_to_nobody(struct where w, ep_win win, ep_request *request);

/* ---- synchronisation (active.c, passive.c) ---- */

int rma_fence(struct where w, ep_win win, int assert);
/* ranks: of the group; copied. */
int rma_post(struct where w, ep_win win, const int ranks[], int n, int assert);
int rma_start(struct where w, ep_win win, const int ranks[], int n, int assert);
int rma_complete(struct where w, ep_win win);
int rma_wait(struct where w, ep_win win);
int rma_test(struct where w, ep_win win, int *flag);
int rma_lock(struct where w, ep_win win, enum lock_kind kind, int rank, int assert);
int rma_unlock(struct where w, ep_win win, int rank);
int rma_lock_all(struct where w, ep_win win, int assert);
int rma_unlock_all(struct where w, ep_win win);
/* rank < 0: all. */
int rma_flush(struct where w, ep_win win, int rank, bool local);
int rma_sync(struct where w, ep_win win);

#endif
