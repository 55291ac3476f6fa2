/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Values are folded from the last index to the first: operator_apply puts its new operand on the left.
 *
 * The tree: index i is over i + j * RADIX^l for j = 1 .. RADIX - 1 and all levels l with i a multiple of
 * RADIX^(l+1). So what is under i are consecutive indices, i first, and each child those of its own after
 * the one before it.
 */
#include "coll/tiny_fold.h"

#include "coll/operator.h"

/* Those directly under `index`, ascending. Returns how many. */
enum { MAX_CHILDREN = (RADIX - 1) * 11 }; /* RADIX^11 indices do not fit into an int */
static int children_of(int index, int n, int child[])
{
    int count = 0;
    for (long step = 1; step < n && index % (step * RADIX) == 0; step *= RADIX)
        for (long j = 1; j < RADIX && index + j * step < n; j++)
            child[count++] = (int)(index + j * step);
    return count;
}

/* ---- barrier ---- */

void tree_under(struct tiny *t)
{
    int child[MAX_CHILDREN], count = children_of(t->view->index, t->cells->n, child);
    for (int i = 0; i < count; i++)
        tiny_read(t, child[i], 0);
}

void tree_arrive(struct tiny *t)
{
    tree_under(t);
    tiny_post(t, tiny_cell(t), 0);
    tiny_read(t, 0, 0);
}

/* ---- reductions ---- */

bool fold_fits(ep_comm view, const struct call *call)
{
    const struct blocks *b = &call->send;
    if (view->reproducible) /* another layout would fold in another way or with MPI's arithmetic */
        return false;
    return b->type->named && b->type->contiguous && b->count <= CELL_BYTES &&
           b->count * b->type->size <= CELL_BYTES;
}

struct value value_begin(const struct call *call)
{
    struct value v;
    v.call = call;
    v.bytes = block_bytes(&call->send, 0);
    return v;
}

/* What the last reduction has learnt. */
static arith_kernel *kernel_of(struct tiny *t, const struct call *call)
{
    struct learnt *x = &t->mine->learnt;
    MPI_Datatype mpi = call->send.mpi;
    if (unlikely(!x->is || x->mpi != mpi || x->op != call->op))
        *x = (struct learnt){mpi, call->op, true, arith_find(mpi, call->op)};
    return x->kernel;
}

void value_apply(struct tiny *t, struct value *v, const char *data)
{
    const struct blocks *b = &v->call->send;
    if (unlikely(t->rc) || b->count == 0)
        return;
    t->rc = operator_apply(kernel_of(t, v->call), data, v->data, b->count, b->mpi, v->call->op);
}

void value_post(struct tiny *t, const void *data, size_t bytes)
{
    struct cell *e = tiny_cell(t);
    if (bytes > 0)
        tiny_copy(e->data, data, bytes);
    tiny_post(t, e, bytes);
}

static const char *own_data(const struct call *call)
{
    struct span s = block_at(&call->send, 0);
    return span_start(&s);
}

void value_give(struct tiny *t, const struct call *call, const void *data, size_t bytes)
{
    struct span s = block_at(&call->recv, 0);
    if (likely(!t->rc) && bytes > 0)
        tiny_copy(span_start(&s), data, bytes);
}

/* What all have brought; the own cell may not have been posted. */
static void fold_all(struct tiny *t, struct value *v)
{
    for (int i = t->cells->n - 1; i >= 0; i--) {
        const char *data = i == t->view->index ? own_data(v->call) : tiny_read(t, i, v->bytes);
        if (i == t->cells->n - 1)
            tiny_copy(v->data, data, v->bytes);
        else
            value_apply(t, v, data);
    }
}

void fold_under(struct tiny *t, struct value *v)
{
    int child[MAX_CHILDREN], count = children_of(t->view->index, t->cells->n, child);
    const char *own = own_data(v->call);
    tiny_copy(v->data, count > 0 ? tiny_read(t, child[count - 1], v->bytes) : own, v->bytes);
    for (int i = count - 2; i >= 0; i--)
        value_apply(t, v, tiny_read(t, child[i], v->bytes));
    if (count > 0)
        value_apply(t, v, own);
}

/* Post the value of all that is under the endpoint. */
static void fold_up(struct tiny *t, struct value *v)
{
    fold_under(t, v);
    value_post(t, v->data, v->bytes);
}

void fold_allreduce(struct tiny *t, const struct call *call)
{
    struct value v = value_begin(call);
    if (t->cells->n > FLAT) {
        fold_up(t, &v);
        value_give(t, call, tiny_read(t, 0, v.bytes), v.bytes);
        return;
    }
    value_post(t, own_data(call), v.bytes);
    tiny_hold_back();
    fold_all(t, &v);
    value_give(t, call, v.data, v.bytes);
}

void fold_reduce(struct tiny *t, const struct call *call)
{
    struct value v = value_begin(call);
    bool root = t->view->rank == call->root;
    if (t->cells->n > FLAT) {
        fold_up(t, &v);
        if (root)
            value_give(t, call, tiny_read(t, 0, v.bytes), v.bytes);
        return;
    }
    if (!root) {
        value_post(t, own_data(call), v.bytes);
        return;
    }
    fold_all(t, &v);
    value_give(t, call, v.data, v.bytes);
}
