/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Values are reduced from the last index to the first: operator_apply puts its new operand on the left.
 *
 * The tree: index i is over i + j * RADIX^l for j = 1 .. RADIX - 1 and all levels l with i a multiple of
 * RADIX^(l+1). So what is under i are consecutive indices, i first, and each child those of its own after
 * the one before it.
 */
#include <stdlib.h>

#include "coll/operator.h"
#include "coll/small/small.h"

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

void tree_under(struct small_call *t)
{
    int child[MAX_CHILDREN], count = children_of(t->me, t->flag_slots->n, child);
    for (int i = 0; i < count; i++)
        small_read(t, child[i], 0);
}

void tree_arrive(struct small_call *t)
{
    tree_under(t);
    small_post(t, small_slot(t), 0);
    small_read(t, 0, 0);
}

/* ---- reductions ---- */

struct value value_begin(const struct call *call)
{
    struct value v;
    v.call = call;
    v.bytes = call->send.count * call->send.type->size;
    return v;
}

/* What the last reduction has learnt. */
static arith_kernel *kernel_of(struct small_call *t, const struct call *call)
{
    struct learnt *x = &t->own->learnt;
    MPI_Datatype mpi = call->send.mpi;
    if (unlikely(!x->is || x->mpi != mpi || x->op != call->op))
        *x = (struct learnt){mpi, call->op, true, arith_find(mpi, call->op)};
    return x->kernel;
}

/* Values are packed; the operator gets elements as they lie in memory. */
static int apply_unpacked(struct value *v, const char *data)
{
    struct span own = small_block(&v->call->send, 0);
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

void value_apply(struct small_call *t, struct value *v, const char *data)
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

void value_post(struct small_call *t, const void *data, size_t bytes)
{
    struct flag_slot *e = small_slot(t);
    if (bytes > 0)
        small_copy(e->data, data, bytes);
    small_post(t, e, bytes);
}

/* What the endpoint brings, packed: where it lies, or else in room. */
static const char *own_data(struct small_call *t, const struct call *call, char room[SLOT_BYTES])
{
    struct span s = small_block(&call->send, 0);
    if (likely(s.type->contiguous))
        return span_start(&s);
    int rc = copy_pack(&s, room);
    t->rc = t->rc ? t->rc : rc;
    return room;
}

/* What the one with a place has posted. */
static inline const char *reduction_read(struct small_call *t, const struct call *call, int place,
                                         size_t bytes)
{
    bool together = call->kind == COLL_ALLREDUCE || call->kind == COLL_REDUCE_SCATTER;
    return together || place == t->me ? small_read(t, place, bytes) : small_read_next(t, place, bytes);
}

/* What all have brought; the own slot may not have been posted. */
static void reduction_all(struct small_call *t, struct value *v, const char *own)
{
    for (int i = t->flag_slots->n - 1; i >= 0; i--) {
        const char *data = i == t->me ? own : reduction_read(t, v->call, i, v->bytes);
        if (i == t->flag_slots->n - 1)
            small_copy(v->data, data, v->bytes);
        else
            value_apply(t, v, data);
    }
}

void reduction_under(struct small_call *t, struct value *v)
{
    int child[MAX_CHILDREN], count = children_of(t->me, t->flag_slots->n, child);
    char room[SLOT_BYTES];
    const char *own = own_data(t, v->call, room);
    small_copy(v->data, count > 0 ? small_read(t, child[count - 1], v->bytes) : own, v->bytes);
    for (int i = count - 2; i >= 0; i--)
        value_apply(t, v, small_read(t, child[i], v->bytes));
    if (count > 0)
        value_apply(t, v, own);
}

/* Post the value of all that is under the endpoint. */
static void reduction_up(struct small_call *t, struct value *v)
{
    reduction_under(t, v);
    value_post(t, v->data, v->bytes);
}

/* ---- of elements that lie together, into what the call gets ---- */

static inline void reduction_post(struct small_call *t, const struct call *call)
{
    small_post_blocks(t, &call->send, 1);
}

/* Of the first `end` members, of what each has posted, `posted` bytes, those of the result from `skip` on. The own data are posted,
 * so the result may lie where they have come from. */
static void reduction_fold(struct small_call *t, const struct call *call, int end, size_t skip, size_t posted)
{
    struct span out = small_block(&call->recv, 0);
    size_t bytes = span_bytes(&out);
    arith_kernel *kernel = kernel_of(t, call);
    for (int i = end - 1; i >= 0; i--) {
        const char *data = reduction_read(t, call, i, posted) + skip;
        if (unlikely(t->rc) || bytes == 0)
            continue; /* all have to be heard from */
        if (i == end - 1)
            small_copy(span_start(&out), data, bytes);
        else
            t->rc = operator_apply(kernel, data, out.buf, out.count, out.mpi, call->op);
    }
}

/* Elements for those before this one. */
size_t reduction_skip(const struct small_call *t, const struct call *call)
{
    size_t skip = 0;
    if (!call->counts)
        return call->recv.count * (size_t)t->me;
    for (int i = 0; i < t->me; i++)
        skip += (size_t)call->counts[i];
    return skip;
}

void reduction_scatter(struct small_call *t, const struct call *call)
{
    reduction_post(t, call);
    small_hold_back();
    reduction_fold(t, call, t->flag_slots->n, reduction_skip(t, call) * call->send.type->size,
                   small_bytes(&call->send));
}

/* Nobody is before the first, who gets nothing from an exscan. */
void reduction_scan(struct small_call *t, const struct call *call)
{
    bool inclusive = call->kind == COLL_SCAN;
    reduction_post(t, call);
    if (inclusive || t->me > 0)
        reduction_fold(t, call, t->me + inclusive, 0, small_bytes(&call->send));
}

/* ---- values ---- */

void reduction_allreduce(struct small_call *t, const struct call *call)
{
    struct value v = value_begin(call);
    char room[SLOT_BYTES];
    if (unlikely(v.bytes > SLOT_BYTES)) {
        reduction_post(t, call);
        reduction_fold(t, call, t->flag_slots->n, 0, v.bytes);
        return;
    }
    if (t->flag_slots->n > FLAT) {
        reduction_up(t, &v);
        small_take(t, small_read(t, 0, v.bytes), &call->recv, 0, v.bytes);
        return;
    }
    const char *own = own_data(t, call, room);
    value_post(t, own, v.bytes);
    small_hold_back();
    reduction_all(t, &v, own);
    small_take(t, v.data, &call->recv, 0, v.bytes);
}

void reduction_reduce(struct small_call *t, const struct call *call)
{
    struct value v = value_begin(call);
    bool root = t->view->rank == call->root;
    char room[SLOT_BYTES];
    if (unlikely(v.bytes > SLOT_BYTES)) {
        if (!root)
            t->reader = call->root;
        reduction_post(t, call);
        if (root)
            reduction_fold(t, call, t->flag_slots->n, 0, v.bytes);
        return;
    }
    if (t->flag_slots->n > FLAT) {
        reduction_up(t, &v);
        if (root)
            small_take(t, small_read(t, 0, v.bytes), &call->recv, 0, v.bytes);
        return;
    }
    const char *own = own_data(t, call, room);
    if (!root) {
        value_post(t, own, v.bytes);
        return;
    }
    reduction_all(t, &v, own);
    small_take(t, v.data, &call->recv, 0, v.bytes);
}
