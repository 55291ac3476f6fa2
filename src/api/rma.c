/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Communication of windows (MPI 11.3): put and get, and the atomic calls. Inline, and one comparison after the other without a
 * call: a put of 8 bytes within the process takes some ten nanoseconds. What is wrong is looked for out of line. All
 * raise the error and return its class, or MPI_SUCCESS. Whether the data fit, and element types, is rma's to know.
 */
#include "api/win.h"

/* ---- errors ---- */

/* Which of the buffers of a call. */
enum rma_buffer { SIDE_ORIGIN, SIDE_RESULT, SIDE_TARGET };

static const struct {
    const char *addr, *count, *datatype;
} names[] = {
    [SIDE_ORIGIN] = {"origin_addr", "origin_count", "origin_datatype"},
    [SIDE_RESULT] = {"result_addr", "result_count", "result_datatype"},
    [SIDE_TARGET] = {NULL, "target_count", "target_datatype"},
};

__attribute__((cold, noinline)) static int check_span_failed(struct where w, enum rma_buffer side,
                                                             const struct span *s, int count)
{
    struct type *t;
    int rc = check_count(w, count, names[side].count);
    if (rc || (rc = check_type(w, s->mpi, names[side].datatype, &t)))
        return rc;
    return raise_error(w, MPI_ERR_BUFFER, "argument %s is null, but there are %d elements", names[side].addr,
                       count);
}

__attribute__((cold, noinline)) static int check_target_failed(struct where w, ep_win win, int target,
                                                               MPI_Aint disp)
{
    int rc = check_win_rank(w, target, "target_rank");
    if (rc || target == MPI_PROC_NULL || disp >= 0 || win->create_flavor == MPI_WIN_FLAVOR_DYNAMIC)
        return rc;
    return raise_error(w, MPI_ERR_DISP, "argument target_disp is %td: it must be 0 or more", (ptrdiff_t)disp);
}

/* ---- checks ---- */

/* A null buffer is none, unless a derived type has addresses in it (MPI_BOTTOM). At the target there is no buffer. */
static inline int check_span(struct where w, enum rma_buffer side, const void *addr, int count,
                             MPI_Datatype datatype, struct span *s)
{
    *s = (struct span){(char *)(uintptr_t)addr, (size_t)count, type_find(datatype), datatype};
    if (unlikely(count < 0) || unlikely(!s->type) ||
        unlikely(!addr && side != SIDE_TARGET && count > 0 && s->type->named && s->type->size > 0))
        return check_span_failed(w, side, s, count);
    return MPI_SUCCESS;
}

static inline int check_target(struct where w, ep_win win, int target, MPI_Aint disp)
{
    if (likely((unsigned)target < (unsigned)w.view->size) && likely(disp >= 0))
        return MPI_SUCCESS;
    return check_target_failed(w, win, target, disp);
}

/* MPI_NO_OP would do nothing in an accumulate; MPI does not allow it there. */
static inline int check_acc_op(struct where w, MPI_Op op, bool fetches)
{
    if (likely(op != MPI_OP_NULL) && (fetches || likely(op != MPI_NO_OP)))
        return MPI_SUCCESS;
    return raise_error(w, MPI_ERR_OP, "argument op is %s",
                       op == MPI_OP_NULL ? "MPI_OP_NULL" : "MPI_NO_OP: that goes only with a result");
}

/* With MPI_NO_OP there is no origin. */
static inline int check_acc_origin(struct where w, MPI_Op op, const void *addr, int count,
                                   MPI_Datatype datatype, struct span *s)
{
    if (op != MPI_NO_OP)
        return check_span(w, SIDE_ORIGIN, addr, count, datatype, s);
    *s = (struct span){0};
    return MPI_SUCCESS;
}

static int not_predefined(struct where w)
{
    return raise_error(w, MPI_ERR_TYPE,
                       "argument datatype is a derived datatype: it must be a predefined one");
}

/* One element for both buffers and the target; null buffers are none. */
static inline int check_element(struct where w, MPI_Op op, const void *origin_addr, void *result_addr,
                                MPI_Datatype datatype, struct access_call *a)
{
    struct type *t = type_find(datatype);
    if (unlikely(!t))
        return check_type(w, datatype, "datatype", &t);
    if (unlikely(!t->named))
        return not_predefined(w);
    a->origin = (struct span){(char *)(uintptr_t)origin_addr, 1, t, datatype};
    if (op == MPI_NO_OP)
        a->origin = (struct span){0};
    else if (unlikely(!origin_addr))
        return check_span_failed(w, SIDE_ORIGIN, &a->origin, 1);
    a->result = (struct span){result_addr, 1, t, datatype};
    if (unlikely(!result_addr))
        return check_span_failed(w, SIDE_RESULT, &a->result, 1);
    a->remote = (struct span){NULL, 1, t, datatype};
    return MPI_SUCCESS;
}

static inline int check_compare(struct where w, const void *compare_addr)
{
    return likely(compare_addr) ? MPI_SUCCESS
                                : raise_error(w, MPI_ERR_BUFFER, "argument compare_addr is null");
}

/* ---- the calls ---- */

/* The checks have set those buffers that the call has; others are left as they are, since clearing them takes as long as a put.
 * False: the target is MPI_PROC_NULL. */
static inline bool access_begin(struct access_call *a, struct where w, ep_win win, int target, MPI_Aint disp,
                                MPI_Op op, const ep_request *request)
{
    a->w = w;
    a->win = win;
    a->target = target;
    a->disp = disp;
    a->op = op;
    a->passive = request != NULL; /* only calls that give a request are for passive target epochs alone */
    return likely(target != MPI_PROC_NULL);
}

static int access_nobody(const struct access_call *a, ep_request *request)
{
    return a->passive ? rma_request_to_nobody(a->w, a->win, request)
                      : epoch_enter_nobody(a->w, a->win, false);
}

#include "api/rma.inc"
