/* SPDX-License-Identifier: BSD-3-Clause */
#include "coll/near.h"

#include <string.h>

#include "coll/algorithms.h"

enum { SLICE = 32768, NEAR_TASK = 16384, NEAR_SLICES_MAX = 4096 };

static size_t near_cut(size_t n, int slice, int slices)
{
    return n / (size_t)slices * (size_t)slice + n % (size_t)slices * (size_t)slice / (size_t)slices;
}

/* Elements [a, b) of s. */
static struct span near_elements(struct span s, size_t a, size_t b)
{
    s.buf += (ptrdiff_t)a * s.type->extent;
    s.count = b - a;
    return s;
}

static struct span near_bytes_of(struct span s, size_t a, size_t b)
{
    return span_packed(span_start(&s) + a, b - a);
}

static void near_copy(struct op *o, const struct span *from, const struct span *to, size_t bytes)
{
    if (from->type->contiguous && to->type->contiguous) {
        memmove(span_start(to), span_start(from), bytes); /* a user may give the same buffer twice */
        return;
    }
    int rc = copy_typed(from, to, bytes);
    if (rc != MPI_SUCCESS)
        op_fail(o, rc);
}

void block_copy(struct op *o, struct span from, struct span to, struct coll_args *receiver, int slice,
                int slices)
{
    size_t bytes = span_bytes(&from), room = span_bytes(&to);
    if (bytes > room) {
        store_relaxed(&receiver->rc, MPI_ERR_TRUNCATE);
        bytes = room;
    }
    if (bytes == 0)
        return;
    if (slices > 1 && bytes == room && from.type->contiguous && to.type->contiguous) {
        size_t a = near_cut(bytes, slice, slices), b = near_cut(bytes, slice + 1, slices);
        from = near_bytes_of(from, a, b);
        to = near_bytes_of(to, a, b);
        bytes = b - a;
    } else if (slices > 1 && bytes == room && from.type->size == to.type->size) {
        size_t a = near_cut(from.count, slice, slices), b = near_cut(from.count, slice + 1, slices);
        from = near_elements(from, a, b);
        to = near_elements(to, a, b);
        bytes = span_bytes(&from);
    } else if (slice != 0) {
        return;
    }
    if (bytes > 0)
        near_copy(o, &from, &to, bytes);
}

void near_init(struct near *n, const struct pairs *p)
{
    const struct op *o = p->op;
    size_t most = 0, sum = 0;
    int receivers = 0;
    for (int j = 0; j < o->n; j++) {
        int to = rank_here(o, j);
        if (!pairs_receives(p, to))
            continue;
        receivers++;
        for (int i = 0; i < o->n; i++) {
            int from = rank_here(o, i);
            if (!pairs_has(p, from, to))
                continue;
            struct span s = block_out(o->args[i], to);
            size_t bytes = span_bytes(&s);
            sum += bytes;
            most = bytes > most ? bytes : most;
        }
    }
    n->tasks = 0;
    if (sum == 0)
        return;
    n->slices = most / SLICE < NEAR_SLICES_MAX ? (int)(most / SLICE) + 1 : NEAR_SLICES_MAX;
    int units = receivers * n->slices;
    size_t each = sum / (size_t)units + 1;
    n->group = each < NEAR_TASK ? (int)(NEAR_TASK / each) : 1;
    n->tasks = (units + n->group - 1) / n->group;
}

static void copy_unit(const struct pairs *p, struct op *o, int receiver, int slice, int slices)
{
    int to = rank_here(o, receiver);
    for (int k = 0; k < o->n; k++) {
        int i = (receiver + k) % o->n, from = rank_here(o, i); /* not all from the same at once */
        if (pairs_has(p, from, to))
            block_copy(o, block_out(o->args[i], to), block_in(o->args[receiver], from), o->args[receiver],
                       slice, slices);
    }
}

void near_task(const struct near *n, const struct pairs *p, struct op *o, int task)
{
    int unit = 0, first = task * n->group, end = first + n->group;
    for (int j = 0; j < o->n; j++) {
        if (!pairs_receives(p, rank_here(o, j)))
            continue;
        for (int s = 0; s < n->slices; s++, unit++)
            if (unit >= first && unit < end)
                copy_unit(p, o, j, s, n->slices);
    }
}

/* ---- the algorithm, in one process ---- */

struct move_near_state {
    struct pairs pairs;
    struct near near;
};
_Static_assert(sizeof(struct move_near_state) <= OP_STATE, "it is in the operation");

static bool move_near_advance(struct op *o)
{
    if (o->round > 0 || op_failed(o))
        return false;
    struct move_near_state *s = op_state(o);
    pairs_init(&s->pairs, o);
    near_init(&s->near, &s->pairs);
    o->ntasks = s->near.tasks;
    return true;
}

static void move_near_task(struct op *o, int i)
{
    struct move_near_state *s = o->state;
    near_task(&s->near, &s->pairs, o, i);
}

const struct coll_algorithm algorithm_near = {
    .name = "near", .advance = move_near_advance, .task = move_near_task};
