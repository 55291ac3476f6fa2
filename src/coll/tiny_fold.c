/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Values are folded from the last index to the first: operator_apply puts its new operand on the left.
 *
 * The tree: index i is over i + j * RADIX^l for j = 1 .. RADIX - 1 and all levels l with i a multiple of
 * RADIX^(l+1). So what is under i are consecutive indices, i first, and each child those of its own after
 * the one before it.
 */
#include "coll/tiny_fold.h"

#include <stdlib.h>

#include "coll/operator.h"
#include "datatype/datatype.h"
#include "coll/tiny_far.h"

enum { UNPACKED = 1024 };

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

/* By what all endpoints know alike. The datatype is not: with an operator of the user's one may give MPI_INT, another a type of
 * its own that is the same. Predefined operators have predefined types, so there all give the same. */
bool fold_fits(ep_comm view, const struct call *call)
{
    const struct blocks *b = &call->send;
    if (view->reproducible) /* another layout would fold in another way or with MPI's arithmetic */
        return false;
    if (unlikely(!b->type->contiguous) && operator_is_predefined(call->op))
        return false;
    return block_bytes(b, 0) <= CELL_BYTES;
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

/* Values are packed; the operator gets elements as they lie in memory. */
static int apply_unpacked(struct value *v, const char *data)
{
    struct span own = block_at(&v->call->send, 0);
    struct shape shape = shape_of(&own);
    size_t n = own.count, each = shape_bytes(&shape, n);
    _Alignas(CACHE_LINE) char small[UNPACKED];
    char *memory = 2 * each <= sizeof small ? small : aligned_alloc(CACHE_LINE, 2 * each);
    if (!memory)
        return MPI_ERR_NO_MEM;
    struct span left = shape_span(&shape, shape_place(&shape, memory, n), 0, n);
    struct span right = shape_span(&shape, shape_place(&shape, memory + each, n), 0, n);
    struct span packed_left = span_packed(data, v->bytes), packed_right = span_packed(v->data, v->bytes);
    int rc = copy_typed(&packed_left, &left, v->bytes);
    if (rc == MPI_SUCCESS)
        rc = copy_typed(&packed_right, &right, v->bytes);
    if (rc == MPI_SUCCESS)
        rc = operator_apply(NULL, left.buf, right.buf, n, own.mpi, v->call->op);
    if (rc == MPI_SUCCESS)
        rc = copy_pack(&right, v->data);
    if (memory != small)
        free(memory);
    return rc;
}

void value_apply(struct tiny *t, struct value *v, const char *data)
{
    const struct blocks *b = &v->call->send;
    if (unlikely(t->rc) || b->count == 0)
        return;
    if (likely(b->type->contiguous))
        t->rc = operator_apply(kernel_of(t, v->call), data - b->type->lb, v->data - b->type->lb, b->count,
                               b->mpi, v->call->op);
    else
        t->rc = apply_unpacked(v, data);
}

void value_post(struct tiny *t, const void *data, size_t bytes)
{
    struct cell *e = tiny_cell(t);
    if (bytes > 0)
        tiny_copy(e->data, data, bytes);
    tiny_post(t, e, bytes);
}

/* What the endpoint brings, packed: where it lies, or else in room. */
static const char *own_data(struct tiny *t, const struct call *call, char room[CELL_BYTES])
{
    struct span s = block_at(&call->send, 0);
    if (likely(s.type->contiguous))
        return span_start(&s);
    int rc = copy_pack(&s, room);
    t->rc = t->rc ? t->rc : rc;
    return room;
}

/* What all have brought; the own cell may not have been posted. */
static void fold_all(struct tiny *t, struct value *v, const char *own)
{
    for (int i = t->cells->n - 1; i >= 0; i--) {
        const char *data = i == t->view->index ? own : tiny_read(t, i, v->bytes);
        if (i == t->cells->n - 1)
            tiny_copy(v->data, data, v->bytes);
        else
            value_apply(t, v, data);
    }
}

void fold_under(struct tiny *t, struct value *v)
{
    int child[MAX_CHILDREN], count = children_of(t->view->index, t->cells->n, child);
    char room[CELL_BYTES];
    const char *own = own_data(t, v->call, room);
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
    char room[CELL_BYTES];
    if (t->cells->n > FLAT) {
        fold_up(t, &v);
        tiny_take(t, tiny_read(t, 0, v.bytes), &call->recv, 0, v.bytes);
        return;
    }
    const char *own = own_data(t, call, room);
    value_post(t, own, v.bytes);
    tiny_hold_back();
    fold_all(t, &v, own);
    tiny_take(t, v.data, &call->recv, 0, v.bytes);
}

void fold_reduce(struct tiny *t, const struct call *call)
{
    struct value v = value_begin(call);
    bool root = t->view->rank == call->root;
    char room[CELL_BYTES];
    if (t->cells->n > FLAT) {
        fold_up(t, &v);
        if (root)
            tiny_take(t, tiny_read(t, 0, v.bytes), &call->recv, 0, v.bytes);
        return;
    }
    const char *own = own_data(t, call, room);
    if (!root) {
        value_post(t, own, v.bytes);
        return;
    }
    fold_all(t, &v, own);
    tiny_take(t, v.data, &call->recv, 0, v.bytes);
}
