/* SPDX-License-Identifier: BSD-3-Clause */
#include "coll/granularity.h"

#include "coll/operator.h"
#include "coll/slices.h"

enum { OWNED = 4096 }; /* bytes that are worth messages of their own */

/* ---- contributions ---- */

static enum granularity granularity_of(const struct op *o, const struct flow *f)
{
    if (is_prefix(o))
        return GRANULARITY_RANK;
    if (o->args[0]->reproducible)
        return GRANULARITY_NODE;
    return operator_commutes(flow_op(o, f)) ? GRANULARITY_PROC : GRANULARITY_RUN;
}

static int proc_of(const struct layout *l, int contributor)
{
    int index;
    return rankmap_proc(&l->op->comm->map, l->flow.base + contributor, &index);
}

/* Contributors from `low` on, before `end`, that are in the same process. */
static int run_end(const struct layout *l, int low, int end)
{
    int proc = proc_of(l, low), at = low + 1;
    while (at < end && proc_of(l, at) == proc)
        at++;
    return at;
}

/* The largest node that begins with `low` and is inside one process: its end. */
static int node_end(const struct layout *l, int low)
{
    int a = 0, b = l->flow.n, run = run_end(l, low, l->flow.n);
    while (a < low || b > run) {
        int half = 1;
        while (half * 2 < b - a)
            half *= 2;
        if (low >= a + half)
            a += half;
        else
            b = a + half;
    }
    return b;
}

bool proc_contributes(const struct layout *l, int proc)
{
    const struct comm *c = l->op->comm;
    return seat_from(c, proc, l->flow.base) < seat_from(c, proc, l->flow.base + l->flow.n);
}

static bool next_proc(const struct layout *l, struct contribution *it)
{
    const struct comm *c = l->op->comm;
    do {
        if (++it->proc == c->nproc)
            return false;
    } while (!proc_contributes(l, it->proc));
    it->args = seat_from(c, it->proc, l->flow.base);
    it->nparts = seat_from(c, it->proc, l->flow.base + l->flow.n) - it->args;
    return true;
}

bool contribution_next(const struct layout *l, struct contribution *it)
{
    it->number++;
    if (l->granularity == GRANULARITY_PROC)
        return next_proc(l, it);
    it->low = it->high;
    if (it->low == l->flow.n)
        return false;
    if (l->granularity == GRANULARITY_RANK)
        it->high = it->low + 1;
    else
        it->high = l->granularity == GRANULARITY_NODE ? node_end(l, it->low) : run_end(l, it->low, l->flow.n);
    it->proc = rankmap_proc(&l->op->comm->map, l->flow.base + it->low, &it->args);
    it->nparts = it->high - it->low;
    return true;
}

/* ---- owners ---- */

void layout_set(struct layout *l, size_t count)
{
    size_t worth = flow_bytes(l->op, &l->flow, count) / OWNED;
    l->flow.count = count;
    l->owners = l->contributing;
    if (!l->blocks && worth < (size_t)l->contributing)
        l->owners = worth > 0 ? (int)worth : 1;
}

void layout_init(struct layout *l, const struct op *o, const struct flow *f)
{
    *l = (struct layout){.op = o, .flow = *f, .granularity = granularity_of(o, f)};
    l->blocks = op_kind(o) == COLL_REDUCE_SCATTER && !o->comm->inter;
    for (int p = 0; p < o->comm->nproc; p++)
        l->contributing += proc_contributes(l, p);
    layout_set(l, f->count);
}

bool owner_next(const struct layout *l, struct owner *w)
{
    w->number = w->proc < 0 ? 0 : w->number + 1;
    do {
        if (++w->proc == l->op->comm->nproc)
            return false;
    } while (!proc_contributes(l, w->proc));
    w->ranges = l->blocks ? rankmap_count(&l->op->comm->map, w->proc) : 1;
    return w->number < l->owners;
}

/* Where the block of a rank begins. */
static size_t block_begin(const struct layout *l, int rank)
{
    size_t at = 0;
    if (l->block)
        return l->block[rank];
    if (!l->op->args[0]->call.counts)
        return flow_block(l->op, &l->flow, 0) * (size_t)rank;
    for (int r = 0; r < rank; r++)
        at += flow_block(l->op, &l->flow, r);
    return at;
}

void owner_range(const struct layout *l, const struct owner *w, int i, size_t *begin, size_t *end)
{
    if (!l->blocks) {
        *begin = slice_begin(l->flow.count, w->number, l->owners);
        *end = slice_begin(l->flow.count, w->number + 1, l->owners);
        return;
    }
    int rank = rankmap_rank(&l->op->comm->map, w->proc, i);
    *begin = block_begin(l, rank);
    *end = *begin + flow_block(l->op, &l->flow, rank);
}

size_t owner_elements(const struct layout *l, const struct owner *w)
{
    size_t n = 0, begin, end;
    for (int i = 0; i < w->ranges; i++) {
        owner_range(l, w, i, &begin, &end);
        n += end - begin;
    }
    return n;
}
