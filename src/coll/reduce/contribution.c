/* SPDX-License-Identifier: BSD-3-Clause */
#include "coll/reduce/contribution.h"

#include "coll/operator.h"
#include "coll/reduce/reduction.h"

enum { OWNED = 4096 }; /* bytes that are worth messages of their own */

/* ---- contributions ---- */

static enum granularity granularity_of(const struct op *o, const struct flow *f)
{
    if (o->args[0]->reproducible)
        return is_prefix(o) ? GRANULARITY_RANK : GRANULARITY_NODE;
    return !is_prefix(o) && operator_commutes(flow_op(o, f)) ? GRANULARITY_PROC : GRANULARITY_RUN;
}

static int proc_of(const struct layout *l, int contributor)
{
    int index;
    return rankmap_proc(&l->op->comm->map, l->flow.base + contributor, &index);
}

/* Contributors from `low` on that are in the same process. */
static int run_end(const struct layout *l, int low)
{
    int proc = proc_of(l, low), at = low + 1;
    while (at < l->flow.n && proc_of(l, at) == proc)
        at++;
    return at;
}

/* The largest node that begins with `low` and is inside one process: its end. */
static int node_end(const struct layout *l, int low)
{
    int a = 0, b = l->flow.n, run = run_end(l, low);
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

static int seat_of(const struct layout *l, int proc, int contributor)
{
    return seat_from(l->op->comm, proc, l->flow.base + contributor);
}

static bool proc_contributes(const struct layout *l, int proc)
{
    return seat_of(l, proc, 0) < seat_of(l, proc, l->flow.n);
}

static bool next_proc(const struct layout *l, struct contribution *it)
{
    do {
        if (++it->proc == l->op->comm->nproc)
            return false;
    } while (!proc_contributes(l, it->proc));
    it->args = seat_of(l, it->proc, 0);
    it->nparts = seat_of(l, it->proc, l->flow.n) - it->args;
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
        it->high = l->granularity == GRANULARITY_NODE ? node_end(l, it->low) : run_end(l, it->low);
    it->proc = rankmap_proc(&l->op->comm->map, l->flow.base + it->low, &it->args);
    it->nparts = it->high - it->low;
    return true;
}

/* ---- slices ---- */

void layout_set(struct layout *l, size_t count)
{
    size_t worth = flow_bytes(l->op, &l->flow, count) / OWNED;
    l->flow.count = count;
    l->owners = l->contributing;
    if (worth < (size_t)l->contributing)
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

static void slice_follow(const struct layout *l, struct slice *s)
{
    int index;
    if (l->blocks) {
        s->proc = rankmap_proc(&l->op->comm->map, s->number, &index);
        s->end += flow_block(l->op, &l->flow, s->number);
        return;
    }
    do {
        s->proc++;
    } while (!proc_contributes(l, s->proc));
    s->end = slice_begin(l->flow.count, s->number + 1, l->owners);
}

bool slice_next(const struct layout *l, struct slice *s)
{
    if (s->proc == l->op->comm->proc)
        s->at += s->end - s->begin;
    do {
        if (++s->number == (l->blocks ? l->flow.out_n : l->owners))
            return false;
        s->begin = s->end;
        slice_follow(l, s);
    } while (s->begin == s->end);
    return true;
}
