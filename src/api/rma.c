/* SPDX-License-Identifier: BSD-3-Clause */
/* Put and get (MPI 11.3.1, 11.3.2, 11.3.5), and what is wrong with the arguments of any communication call. */
#include "api/rma.h"

/* ---- errors ---- */

static const struct {
    const char *addr, *count, *datatype;
} names[] = {
    [SIDE_ORIGIN] = {"origin_addr", "origin_count", "origin_datatype"},
    [SIDE_RESULT] = {"result_addr", "result_count", "result_datatype"},
    [SIDE_TARGET] = {NULL, "target_count", "target_datatype"},
};

int check_span_failed(struct where w, enum rma_buffer side, const struct span *s, int count)
{
    struct type *t;
    int rc = check_count(w, count, names[side].count);
    if (rc || (rc = check_type(w, s->mpi, names[side].datatype, &t)))
        return rc;
    return raise_error(w, MPI_ERR_BUFFER, "argument %s is null, but there are %d elements", names[side].addr,
                       count);
}

int check_target_failed(struct where w, ep_win win, int target, MPI_Aint disp)
{
    int rc = check_win_rank(w, target, "target_rank");
    if (rc || target == MPI_PROC_NULL || disp >= 0 || win->create_flavor == MPI_WIN_FLAVOR_DYNAMIC)
        return rc;
    return raise_error(w, MPI_ERR_DISP, "argument target_disp is %td: it must be 0 or more", (ptrdiff_t)disp);
}

int access_nobody(const struct access_call *a, ep_request *request)
{
    return a->passive ? rma_request_to_nobody(a->w, a->win, request)
                      : epoch_enter_nobody(a->w, a->win, false);
}

/* ---- put, get ---- */

enum direction { PUT, GET };

/* request: looked at only if a->passive. */
static inline int rma_transfer(struct access_call *a, enum direction direction, const void *origin_addr,
                               int origin_count, MPI_Datatype origin_datatype, int target_count,
                               MPI_Datatype target_datatype, ep_request *request)
{
    int rc = check_win(&a->w, a->win);
    if (unlikely(rc) || unlikely((rc = check_wants_request(a, request))) ||
        unlikely(
            (rc = check_span(a->w, SIDE_ORIGIN, origin_addr, origin_count, origin_datatype, &a->origin))) ||
        unlikely((rc = check_span(a->w, SIDE_TARGET, NULL, target_count, target_datatype, &a->remote))) ||
        unlikely((rc = check_target(a->w, a->win, a->target, a->disp))))
        return rc;
    if (unlikely(a->target == MPI_PROC_NULL))
        return access_nobody(a, request);
    return direction == PUT ? rma_put(a, request) : rma_get(a, request);
}

int ep_put(const void *origin_addr, int origin_count, MPI_Datatype origin_datatype, int target_rank,
           MPI_Aint target_disp, int target_count, MPI_Datatype target_datatype, ep_win win)
{
    struct access_call a;
    access_init(&a, "ep_put", win, target_rank, target_disp, MPI_OP_NULL, false);
    return rma_transfer(&a, PUT, origin_addr, origin_count, origin_datatype, target_count, target_datatype,
                        NULL);
}

int ep_get(void *origin_addr, int origin_count, MPI_Datatype origin_datatype, int target_rank,
           MPI_Aint target_disp, int target_count, MPI_Datatype target_datatype, ep_win win)
{
    struct access_call a;
    access_init(&a, "ep_get", win, target_rank, target_disp, MPI_OP_NULL, false);
    return rma_transfer(&a, GET, origin_addr, origin_count, origin_datatype, target_count, target_datatype,
                        NULL);
}

int ep_rput(const void *origin_addr, int origin_count, MPI_Datatype origin_datatype, int target_rank,
            MPI_Aint target_disp, int target_count, MPI_Datatype target_datatype, ep_win win,
            ep_request *request)
{
    struct access_call a;
    access_init(&a, "ep_rput", win, target_rank, target_disp, MPI_OP_NULL, true);
    return rma_transfer(&a, PUT, origin_addr, origin_count, origin_datatype, target_count, target_datatype,
                        request);
}

int ep_rget(void *origin_addr, int origin_count, MPI_Datatype origin_datatype, int target_rank,
            MPI_Aint target_disp, int target_count, MPI_Datatype target_datatype, ep_win win,
            ep_request *request)
{
    struct access_call a;
    access_init(&a, "ep_rget", win, target_rank, target_disp, MPI_OP_NULL, true);
    return rma_transfer(&a, GET, origin_addr, origin_count, origin_datatype, target_count, target_datatype,
                        request);
}
