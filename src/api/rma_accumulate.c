/* SPDX-License-Identifier: BSD-3-Clause */
/* The atomic calls (MPI 11.3.4, 11.3.5). What operators and types they take is rma's to know. */
#include "api/rma.h"

/* MPI_NO_OP would do nothing in an accumulate; MPI does not allow it there. */
static inline int check_acc_op(struct where w, MPI_Op op, bool fetches)
{
    if (likely(op != MPI_OP_NULL) && (fetches || likely(op != MPI_NO_OP)))
        return MPI_SUCCESS;
    return raise_error(w, MPI_ERR_OP, "argument op is %s",
                       op == MPI_OP_NULL ? "MPI_OP_NULL" : "MPI_NO_OP: that goes only with a result");
}

/* ---- accumulate ---- */

static inline int rma_accumulate_common(struct access_call *a, const void *origin_addr, int origin_count,
                                        MPI_Datatype origin_datatype, int target_count,
                                        MPI_Datatype target_datatype, ep_request *request)
{
    int rc = check_win(&a->w, a->win);
    if (unlikely(rc) || unlikely((rc = check_wants_request(a, request))) ||
        unlikely(
            (rc = check_span(a->w, SIDE_ORIGIN, origin_addr, origin_count, origin_datatype, &a->origin))) ||
        unlikely((rc = check_span(a->w, SIDE_TARGET, NULL, target_count, target_datatype, &a->remote))) ||
        unlikely((rc = check_target(a->w, a->win, a->target, a->disp))) ||
        unlikely((rc = check_acc_op(a->w, a->op, false))))
        return rc;
    return unlikely(a->target == MPI_PROC_NULL) ? access_nobody(a, request) : rma_accumulate(a, request);
}

int ep_accumulate(const void *origin_addr, int origin_count, MPI_Datatype origin_datatype, int target_rank,
                  MPI_Aint target_disp, int target_count, MPI_Datatype target_datatype, MPI_Op op, ep_win win)
{
    struct access_call a;
    access_init(&a, "ep_accumulate", win, target_rank, target_disp, op, false);
    return rma_accumulate_common(&a, origin_addr, origin_count, origin_datatype, target_count,
                                 target_datatype, NULL);
}

int ep_raccumulate(const void *origin_addr, int origin_count, MPI_Datatype origin_datatype, int target_rank,
                   MPI_Aint target_disp, int target_count, MPI_Datatype target_datatype, MPI_Op op,
                   ep_win win, ep_request *request)
{
    struct access_call a;
    access_init(&a, "ep_raccumulate", win, target_rank, target_disp, op, true);
    return rma_accumulate_common(&a, origin_addr, origin_count, origin_datatype, target_count,
                                 target_datatype, request);
}

/* ---- get and accumulate ---- */

/* With MPI_NO_OP there is no origin. */
static inline int check_acc_origin(struct access_call *a, const void *addr, int count, MPI_Datatype datatype)
{
    if (a->op == MPI_NO_OP) {
        a->origin = (struct span){0};
        return MPI_SUCCESS;
    }
    return check_span(a->w, SIDE_ORIGIN, addr, count, datatype, &a->origin);
}

static inline int get_accumulate(struct access_call *a, const void *origin_addr, int origin_count,
                                 MPI_Datatype origin_datatype, void *result_addr, int result_count,
                                 MPI_Datatype result_datatype, int target_count, MPI_Datatype target_datatype,
                                 ep_request *request)
{
    int rc = check_win(&a->w, a->win);
    if (unlikely(rc) || unlikely((rc = check_wants_request(a, request))) ||
        unlikely((rc = check_acc_op(a->w, a->op, true))) ||
        unlikely(
            (rc = check_span(a->w, SIDE_RESULT, result_addr, result_count, result_datatype, &a->result))) ||
        unlikely((rc = check_span(a->w, SIDE_TARGET, NULL, target_count, target_datatype, &a->remote))) ||
        unlikely((rc = check_acc_origin(a, origin_addr, origin_count, origin_datatype))) ||
        unlikely((rc = check_target(a->w, a->win, a->target, a->disp))))
        return rc;
    return unlikely(a->target == MPI_PROC_NULL) ? access_nobody(a, request) : rma_get_accumulate(a, request);
}

int ep_get_accumulate(const void *origin_addr, int origin_count, MPI_Datatype origin_datatype,
                      void *result_addr, int result_count, MPI_Datatype result_datatype, int target_rank,
                      MPI_Aint target_disp, int target_count, MPI_Datatype target_datatype, MPI_Op op,
                      ep_win win)
{
    struct access_call a;
    access_init(&a, "ep_get_accumulate", win, target_rank, target_disp, op, false);
    return get_accumulate(&a, origin_addr, origin_count, origin_datatype, result_addr, result_count,
                          result_datatype, target_count, target_datatype, NULL);
}

int ep_rget_accumulate(const void *origin_addr, int origin_count, MPI_Datatype origin_datatype,
                       void *result_addr, int result_count, MPI_Datatype result_datatype, int target_rank,
                       MPI_Aint target_disp, int target_count, MPI_Datatype target_datatype, MPI_Op op,
                       ep_win win, ep_request *request)
{
    struct access_call a;
    access_init(&a, "ep_rget_accumulate", win, target_rank, target_disp, op, true);
    return get_accumulate(&a, origin_addr, origin_count, origin_datatype, result_addr, result_count,
                          result_datatype, target_count, target_datatype, request);
}

/* ---- one element ---- */

static int not_predefined(struct where w)
{
    return raise_error(w, MPI_ERR_TYPE,
                       "argument datatype is a derived datatype: it must be a predefined one");
}

/* One element for both buffers and the target; null buffers are none. */
static inline int check_element(struct access_call *a, const void *origin_addr, void *result_addr,
                                MPI_Datatype datatype)
{
    struct type *t = type_find(datatype);
    if (unlikely(!t))
        return check_type(a->w, datatype, "datatype", &t);
    if (unlikely(!t->named))
        return not_predefined(a->w);
    a->origin = (struct span){(char *)(uintptr_t)origin_addr, 1, t, datatype};
    if (a->op == MPI_NO_OP)
        a->origin = (struct span){0};
    else if (unlikely(!origin_addr))
        return check_span_failed(a->w, SIDE_ORIGIN, &a->origin, 1);
    a->result = (struct span){result_addr, 1, t, datatype};
    if (unlikely(!result_addr))
        return check_span_failed(a->w, SIDE_RESULT, &a->result, 1);
    a->remote = (struct span){NULL, 1, t, datatype};
    return check_target(a->w, a->win, a->target, a->disp);
}

int ep_fetch_and_op(const void *origin_addr, void *result_addr, MPI_Datatype datatype, int target_rank,
                    MPI_Aint target_disp, MPI_Op op, ep_win win)
{
    struct access_call a;
    access_init(&a, "ep_fetch_and_op", win, target_rank, target_disp, op, false);
    int rc = check_win(&a.w, win);
    if (unlikely(rc) || unlikely((rc = check_acc_op(a.w, op, true))) ||
        unlikely((rc = check_element(&a, origin_addr, result_addr, datatype))))
        return rc;
    return unlikely(target_rank == MPI_PROC_NULL) ? access_nobody(&a, NULL) : rma_fetch_and_op(&a);
}

int ep_compare_and_swap(const void *origin_addr, const void *compare_addr, void *result_addr,
                        MPI_Datatype datatype, int target_rank, MPI_Aint target_disp, ep_win win)
{
    struct access_call a;
    access_init(&a, "ep_compare_and_swap", win, target_rank, target_disp, MPI_REPLACE, false);
    int rc = check_win(&a.w, win);
    if (unlikely(rc) || unlikely((rc = check_element(&a, origin_addr, result_addr, datatype))))
        return rc;
    if (unlikely(!compare_addr))
        return raise_error(a.w, MPI_ERR_BUFFER, "argument compare_addr is null");
    return unlikely(target_rank == MPI_PROC_NULL) ? access_nobody(&a, NULL)
                                                  : rma_compare_and_swap(&a, compare_addr);
}
