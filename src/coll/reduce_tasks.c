/* SPDX-License-Identifier: BSD-3-Clause */
/* The tasks of reduce_exchange.h. All work on slices of elements, chunk by chunk. */
#include "coll/reduce_exchange.h"
#include "coll/scan.h"
#include "coll/slices.h"

static int slices_of(const struct slice_transfer *t, size_t elements)
{
    if (elements == 0)
        return 0;
    return slice_number(elements * t->shape.type->size, t->layout.op->n);
}

static int tree_of(const struct slice_transfer *t)
{
    return t->layout.granularity == GRANULARITY_NODE ? t->layout.flow.n : 0;
}

static size_t reduce_tasks_smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* ---- stage 0: contributions of several local contributors ---- */

static int folded_contributions(const struct slice_transfer *t)
{
    int n = 0;
    for (int i = 0; t->ours && i < t->nours; i++)
        n += t->ours[i].nparts > 1;
    return n;
}

int contributions_tasks(const struct slice_transfer *t)
{
    return folded_contributions(t) * slices_of(t, t->layout.flow.count);
}

int contributions_task(const struct op *o, const struct slice_transfer *t, int i)
{
    struct reduction f;
    int n = 0, slices = slices_of(t, t->layout.flow.count), which = i / slices;
    while (t->ours[n].nparts == 1 || which-- > 0)
        n++;
    const struct contribution *it = &t->ours[n];
    struct operands x = {.n = it->nparts, .args = o->args + it->args};
    size_t at = slice_begin(t->layout.flow.count, i % slices, slices);
    size_t end = slice_begin(t->layout.flow.count, i % slices + 1, slices);
    int rc = reduction_begin(&f, &t->shape, flow_op(o, &t->layout.flow), end - at, 0, tree_of(t));
    if (rc != MPI_SUCCESS)
        return rc;
    for (; at < end && rc == MPI_SUCCESS; at += f.chunk)
        rc = reduction_chunk(&f, &x, t->begin + at, shape_at(&t->shape, t->input[n], at),
                             reduce_tasks_smaller(end - at, f.chunk));
    reduction_end(&f);
    return rc;
}

/* ---- stage 2: the owner's slice ---- */

int slices_tasks(const struct slice_transfer *t)
{
    return t->owns ? slices_of(t, t->owned) : 0;
}

/* Elements [at, at + n) of the slice. They begin with element `first`, and so lie in one range. */
static int reduction_range(const struct reduction *f, const struct slice_transfer *t, size_t first, size_t at,
                           size_t n)
{
    struct operands x = {.n = t->nitems, .item = t->contributions, .at = t->at};
    x.shift = (ptrdiff_t)at - (ptrdiff_t)first;
    int rc = MPI_SUCCESS;
    for (size_t done = 0; done < n && rc == MPI_SUCCESS; done += f->chunk)
        rc = reduction_chunk(f, &x, first + done, shape_at(&t->shape, t->result, at + done),
                             reduce_tasks_smaller(n - done, f->chunk));
    return rc;
}

/* Slot i becomes the reduction of the ranks 0 to i. Our own inputs are not in their slots yet. */
static int scan_range(const struct reduction *f, const struct op *o, const struct slice_transfer *t,
                      size_t first, size_t at, size_t n)
{
    int rc = MPI_SUCCESS;
    for (size_t done = 0; done < n && rc == MPI_SUCCESS; done += f->chunk) {
        size_t piece = reduce_tasks_smaller(n - done, f->chunk);
        char *before = NULL;
        for (int r = 0, ours = 0; r < t->nitems && rc == MPI_SUCCESS; r++) {
            char *slot = shape_at(&t->shape, t->contributions[r].buf, at + done);
            if (ours < o->n && t->ours[ours].low == r)
                rc = shape_copy(&t->shape, shape_at(&t->shape, t->input[ours++], first + done), slot, piece);
            if (before && rc == MPI_SUCCESS)
                rc = reduction_pair(f, before, slot, piece);
            before = slot;
        }
    }
    return rc;
}

int slices_task(const struct op *o, const struct slice_transfer *t, int i)
{
    struct reduction f;
    int slices = slices_tasks(t);
    size_t a = slice_begin(t->owned, i, slices), b = slice_begin(t->owned, i + 1, slices), at = 0;
    int rc = reduction_begin(&f, &t->shape, flow_op(o, &t->layout.flow), b - a, 0, tree_of(t));
    if (rc != MPI_SUCCESS)
        return rc;
    for (int k = 0; k < t->self.ranges && rc == MPI_SUCCESS; k++) {
        size_t begin, end;
        owner_range(&t->layout, &t->self, k, &begin, &end);
        size_t from = at > a ? at : a, to = reduce_tasks_smaller(at + (end - begin), b);
        if (from < to && t->layout.granularity == GRANULARITY_RANK)
            rc = scan_range(&f, o, t, begin + (from - at), from, to - from);
        else if (from < to)
            rc = reduction_range(&f, t, begin + (from - at), from, to - from);
        at += end - begin;
    }
    reduction_end(&f);
    return rc;
}

/* ---- stage 4: to the local receivers ---- */

/* A task for each receiver. */
int results_tasks(const struct slice_transfer *t)
{
    return t->layout.flow.count > 0 ? t->layout.flow.nout : 0;
}

static char *output_of(const struct op *o, const struct slice_transfer *t, int args, size_t first)
{
    return shape_at(&t->shape, o->args[args]->call.recv.buf, t->begin + first);
}

/* The owner's own slice is not in `whole` yet; the first receiver has the rest there. */
static int hand_whole(const struct op *o, const struct slice_transfer *t, int args)
{
    char *to = output_of(o, t, args, 0);
    size_t begin = 0, end = 0;
    int rc = MPI_SUCCESS;
    if (t->owns) {
        owner_range(&t->layout, &t->self, 0, &begin, &end);
        rc = shape_copy(&t->shape, t->result, shape_at(&t->shape, to, begin), end - begin);
    }
    if (rc == MPI_SUCCESS)
        rc = shape_copy(&t->shape, t->whole, to, begin);
    if (rc == MPI_SUCCESS)
        rc = shape_copy(&t->shape, shape_at(&t->shape, t->whole, end), shape_at(&t->shape, to, end),
                        t->layout.flow.count - end);
    return rc;
}

static int hand_block(const struct op *o, const struct slice_transfer *t, int args)
{
    size_t begin, end, at = 0;
    for (int i = 0; i <= args; i++) {
        owner_range(&t->layout, &t->self, i, &begin, &end);
        at += i < args ? end - begin : 0;
    }
    if (begin == end)
        return MPI_SUCCESS;
    return shape_copy(&t->shape, shape_at(&t->shape, t->result, at), output_of(o, t, args, 0), end - begin);
}

/* reduce_scatter between groups: of [a, b) of the result, at p, what belongs to the receiver. */
static int hand_overlap(const struct op *o, const struct slice_transfer *t, int args, const char *p, size_t a,
                        size_t b)
{
    const struct flow *f = &t->layout.flow;
    size_t begin = 0, end;
    int rank = o->args[args]->view->rank;
    for (int r = 0; r < rank; r++)
        begin += flow_block(o, f, r);
    end = begin + flow_block(o, f, rank);
    size_t from = a > begin ? a : begin, to = reduce_tasks_smaller(b, end);
    if (from >= to)
        return MPI_SUCCESS;
    return shape_copy(&t->shape, shape_at(&t->shape, p, from - a), output_of(o, t, args, from - begin),
                      to - from);
}

static int hand_between(const struct op *o, const struct slice_transfer *t, int args)
{
    size_t begin = 0, end = 0;
    if (t->owns)
        owner_range(&t->layout, &t->self, 0, &begin, &end);
    int rc = hand_overlap(o, t, args, t->whole, 0, begin);
    if (rc == MPI_SUCCESS)
        rc = hand_overlap(o, t, args, t->result, begin, end);
    if (rc == MPI_SUCCESS)
        rc = hand_overlap(o, t, args, shape_at(&t->shape, t->whole, end), end, t->layout.flow.count);
    return rc;
}

static int hand_scan(const struct op *o, const struct slice_transfer *t, int args)
{
    size_t begin, end;
    char *slot = t->owns ? scan_slot(t, o->args[args]->view->rank, op_kind(o) == COLL_EXSCAN) : NULL;
    if (!slot)
        return MPI_SUCCESS;
    owner_range(&t->layout, &t->self, 0, &begin, &end);
    return shape_copy(&t->shape, slot, output_of(o, t, args, begin), t->owned);
}

int results_task(const struct op *o, const struct slice_transfer *t, int i)
{
    int args = t->layout.flow.out + i;
    if (t->layout.granularity == GRANULARITY_RANK)
        return hand_scan(o, t, args);
    if (t->layout.blocks)
        return hand_block(o, t, args);
    return op_kind(o) == COLL_REDUCE_SCATTER ? hand_between(o, t, args) : hand_whole(o, t, args);
}
