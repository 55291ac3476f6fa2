/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls of some KiB: the slots carry addresses (small.h). */
#include <string.h>

#include "coll/operator.h"
#include "coll/small/small.h"

/* What a slot carries. */
struct small_ptr_address {
    const char *start;         /* of the data, if they are contiguous; else NULL */
    const struct blocks *send; /* the call's */
};

/* ---- exposing ---- */

static void small_ptr_rndv(struct small_call *t, const struct blocks *send, size_t bytes)
{
    struct flag_slot *e = small_slot(t);
    struct span s = block_at(send, 0);
    struct small_ptr_address l = {send->type->contiguous ? span_start(&s) : NULL, send};
    memcpy(e->data, &l, sizeof l);
    small_post(t, e, bytes);
}

/* Endpoint i's data of `bytes`. False: there is an error. */
static bool small_ptr_borrow(struct small_call *t, int i, size_t bytes, struct small_ptr_address *l)
{
    const char *data = small_read(t, i, bytes);
    memcpy(l, data, sizeof *l);
    return t->rc == MPI_SUCCESS;
}

static void small_ptr_publish(struct small_call *t)
{
    store_release(&t->mine->finished, t->call + 1);
    small_tell(t);
}

/* Until all others have finished this call. */
static void wait_readers(struct small_call *t)
{
    for (int i = 0; i < t->flag_slots->n; i++)
        if (i != t->view->index)
            small_await(t, i, &t->flag_slots->column[i].finished, t->call + 1);
    t->mine->known = t->call + 1;
}

/* Block r of what l exposes into block k of the call's. */
static void small_ptr_take(struct small_call *t, const struct small_ptr_address *l, int r,
                           const struct call *call, int k)
{
    size_t bytes = block_bytes(&call->recv, k);
    if (l->start) {
        small_take(t, l->start + (size_t)r * bytes, &call->recv, k, bytes);
        return;
    }
    struct span from = block_at(l->send, r), to = block_at(&call->recv, k);
    t->rc = copy_typed(&from, &to, bytes);
}

/* ---- the calls ---- */

static void small_ptr_bcast(struct small_call *t, const struct call *call)
{
    struct small_ptr_address l;
    if (call->root == t->view->rank) {
        small_ptr_rndv(t, &call->send, block_bytes(&call->send, 0));
        small_ptr_publish(t);
        wait_readers(t);
        return;
    }
    if (small_ptr_borrow(t, call->root, block_bytes(&call->recv, 0), &l))
        small_ptr_take(t, &l, 0, call, 0);
    small_ptr_publish(t);
}

static void small_ptr_all(struct small_call *t, const struct call *call)
{
    int n = t->flag_slots->n, me = t->view->index;
    bool every = call->kind == COLL_ALLTOALL;
    size_t bytes = block_bytes(&call->recv, 0) * (size_t)(every ? n : 1);
    struct small_ptr_address l;
    small_ptr_rndv(t, &call->send, bytes);
    for (int k = 0; k < n; k++) {
        int i = (me + k) % n;
        if ((i != me || every || !call->in_place) && small_ptr_borrow(t, i, bytes, &l))
            small_ptr_take(t, &l, every ? me : 0, call, i);
    }
    small_ptr_publish(t);
    wait_readers(t);
}

/* From the last to the first: the new operand is the left one. */
static void small_ptr_reduction(struct small_call *t, const struct call *call, char *sum, size_t bytes)
{
    struct small_ptr_address l;
    int n = t->flag_slots->n, rc = MPI_SUCCESS;
    arith_kernel *kernel = arith_find(call->send.mpi, call->op);
    for (int i = n - 1; i >= 0 && rc == MPI_SUCCESS; i--) {
        if (!small_ptr_borrow(t, i, bytes, &l))
            return;
        if (i == n - 1) {
            memcpy(sum, l.start, bytes);
            continue;
        }
        rc = operator_apply(kernel, l.start, sum, call->send.count, call->send.mpi, call->op);
    }
    t->rc = rc;
}

static void small_ptr_reduce(struct small_call *t, const struct call *call)
{
    bool gets = call->kind == COLL_ALLREDUCE || call->root == t->view->rank;
    size_t bytes = block_bytes(&call->send, 0);
    _Alignas(16) char own[SMALL_REDUCTION_MAX];
    char *sum = own;
    struct span out = {.buf = own};
    if (gets) {
        out = block_at(&call->recv, 0);
        sum = call->in_place ? own : span_start(&out);
    }
    small_ptr_rndv(t, &call->send, bytes);
    if (gets)
        small_ptr_reduction(t, call, sum, bytes);
    small_ptr_publish(t);
    if (call->kind == COLL_ALLREDUCE)
        wait_readers(t);
    else if (!gets)
        small_await(t, call->root, &t->flag_slots->column[call->root].finished, t->call + 1);
    if (gets && sum == own && t->rc == MPI_SUCCESS)
        memcpy(span_start(&out), own, bytes);
}

void small_ptr_run(struct small_call *t, const struct call *call)
{
    if (call->kind == COLL_BCAST)
        small_ptr_bcast(t, call);
    else if (call->kind == COLL_REDUCE || call->kind == COLL_ALLREDUCE)
        small_ptr_reduce(t, call);
    else
        small_ptr_all(t, call);
    t->mine->calls = t->call + 1;
}
