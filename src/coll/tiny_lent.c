/* SPDX-License-Identifier: BSD-3-Clause */
#include "coll/tiny_lent.h"

#include <string.h>

#include "coll/operator.h"
#include "coll/tiny_far.h"

enum { MOVE_MAX = 32 * 1024, FOLD_MAX = 16 * 1024, ENDPOINTS_MAX = 8, FOLDERS_MAX = 4 };

/* What a cell carries. */
struct address {
    const char *start;         /* of the data, if they are contiguous; else NULL */
    const struct blocks *send; /* the call's */
};

/* ---- which calls ---- */

static size_t moved(ep_comm view, const struct call *call)
{
    const struct blocks *b = call->kind == COLL_BCAST && call->root == view->rank ? &call->send : &call->recv;
    size_t bytes = b->count * b->type->size;
    return call->kind == COLL_BCAST ? bytes : bytes * (size_t)view->size;
}

/* With an operator of the user's datatypes need not be alike in all endpoints (fold_fits). */
static bool fold_fits_lent(ep_comm view, const struct call *call)
{
    const struct blocks *b = &call->send;
    return view->size <= FOLDERS_MAX && !view->reproducible && b->type->contiguous &&
           block_bytes(b, 0) <= FOLD_MAX && operator_is_predefined(call->op);
}

bool lent_fits(ep_comm view, const struct call *call)
{
    if (view->comm->nproc > 1 || view->size > ENDPOINTS_MAX || !cells_exist(view, call->name) ||
        load_relaxed(&view->comm->coll->cells)->crowded)
        return false;
    switch (call->kind) {
    case COLL_ALLGATHER:
    case COLL_ALLTOALL:
        return call->recv.form == FORM_EQUAL && moved(view, call) <= MOVE_MAX;
    case COLL_BCAST:
        return moved(view, call) <= MOVE_MAX;
    case COLL_REDUCE:
    case COLL_ALLREDUCE:
        return fold_fits_lent(view, call);
    default:
        return false;
    }
}

/* ---- lending ---- */

static void lend(struct tiny *t, const struct blocks *send, size_t bytes)
{
    struct cell *e = tiny_cell(t);
    struct span s = block_at(send, 0);
    struct address l = {send->type->contiguous ? span_start(&s) : NULL, send};
    memcpy(e->data, &l, sizeof l);
    tiny_post(t, e, bytes);
}

/* Endpoint i's data of `bytes`. False: there is an error. */
static bool borrow(struct tiny *t, int i, size_t bytes, struct address *l)
{
    const char *data = tiny_read(t, i, bytes);
    memcpy(l, data, sizeof *l);
    return t->rc == MPI_SUCCESS;
}

static void publish(struct tiny *t)
{
    store_release(&t->mine->finished, t->call + 1);
    tiny_tell(t);
}

/* Until all others have finished this call. */
static void wait_readers(struct tiny *t)
{
    for (int i = 0; i < t->cells->n; i++)
        if (i != t->view->index)
            tiny_await(t, i, &t->cells->column[i].finished, t->call + 1);
    t->mine->known = t->call + 1;
}

/* Block r of what l lends into block k of the call's. */
static void take(struct tiny *t, const struct address *l, int r, const struct call *call, int k)
{
    size_t bytes = block_bytes(&call->recv, k);
    if (l->start) {
        tiny_take(t, l->start + (size_t)r * bytes, &call->recv, k, bytes);
        return;
    }
    struct span from = block_at(l->send, r), to = block_at(&call->recv, k);
    t->rc = copy_typed(&from, &to, bytes);
}

/* ---- the calls ---- */

static void bcast(struct tiny *t, const struct call *call)
{
    struct address l;
    if (call->root == t->view->rank) {
        lend(t, &call->send, block_bytes(&call->send, 0));
        publish(t);
        wait_readers(t);
        return;
    }
    if (borrow(t, call->root, block_bytes(&call->recv, 0), &l))
        take(t, &l, 0, call, 0);
    publish(t);
}

static void all(struct tiny *t, const struct call *call)
{
    int n = t->cells->n, me = t->view->index;
    bool every = call->kind == COLL_ALLTOALL;
    size_t bytes = block_bytes(&call->recv, 0) * (size_t)(every ? n : 1);
    struct address l;
    lend(t, &call->send, bytes);
    for (int k = 0; k < n; k++) {
        int i = (me + k) % n;
        if ((i != me || every || !call->in_place) && borrow(t, i, bytes, &l))
            take(t, &l, every ? me : 0, call, i);
    }
    publish(t);
    wait_readers(t);
}

/* From the last to the first: the new operand is the left one. */
static void fold(struct tiny *t, const struct call *call, char *sum, size_t bytes)
{
    struct address l;
    int n = t->cells->n, rc = MPI_SUCCESS;
    arith_kernel *kernel = arith_find(call->send.mpi, call->op);
    for (int i = n - 1; i >= 0 && rc == MPI_SUCCESS; i--) {
        if (!borrow(t, i, bytes, &l))
            return;
        if (i == n - 1) {
            memcpy(sum, l.start, bytes);
            continue;
        }
        rc = operator_apply(kernel, l.start, sum, call->send.count, call->send.mpi, call->op);
    }
    t->rc = rc;
}

static void reduce(struct tiny *t, const struct call *call)
{
    bool gets = call->kind == COLL_ALLREDUCE || call->root == t->view->rank;
    size_t bytes = block_bytes(&call->send, 0);
    _Alignas(16) char own[FOLD_MAX];
    char *sum = own;
    struct span out = {.buf = own};
    if (gets) {
        out = block_at(&call->recv, 0);
        sum = call->in_place ? own : span_start(&out);
    }
    lend(t, &call->send, bytes);
    if (gets)
        fold(t, call, sum, bytes);
    publish(t);
    if (call->kind == COLL_ALLREDUCE)
        wait_readers(t);
    else if (!gets)
        tiny_await(t, call->root, &t->cells->column[call->root].finished, t->call + 1);
    if (gets && sum == own && t->rc == MPI_SUCCESS)
        memcpy(span_start(&out), own, bytes);
}

void lent_run(struct tiny *t, const struct call *call)
{
    if (call->kind == COLL_BCAST)
        bcast(t, call);
    else if (call->kind == COLL_REDUCE || call->kind == COLL_ALLREDUCE)
        reduce(t, call);
    else
        all(t, call);
    t->mine->calls = t->call + 1;
}
