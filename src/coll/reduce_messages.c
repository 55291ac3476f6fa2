/* SPDX-License-Identifier: BSD-3-Clause */
/* The far steps of reduce_exchange.h. */
#include "coll/reduce_exchange.h"

/* n elements from `first` on, or without memory the empty message in their place. */
static struct span span_of(const struct slice_transfer *t, const char *buf, size_t first, size_t n)
{
    if (t->poor)
        return span_packed(NULL, 0);
    return shape_span(&t->shape, buf, first, n);
}

/* ---- contributions to owners ---- */

/* Our contribution number n, to an owner: each range of its slice. */
static void send_contribution(struct op *o, const struct slice_transfer *t, int n, const struct owner *w)
{
    for (int i = 0; i < w->ranges; i++) {
        size_t begin, end;
        owner_range(&t->layout, w, i, &begin, &end);
        if (begin < end)
            exchange_send(o, w->proc, span_of(t, t->poor ? NULL : t->input[n], begin, end - begin));
    }
}

/* Contribution number n of process proc, to this owner. */
static void recv_contribution(struct op *o, const struct slice_transfer *t, int n, int proc)
{
    size_t at = 0;
    for (int i = 0; i < t->self.ranges; i++) {
        size_t begin, end;
        owner_range(&t->layout, &t->self, i, &begin, &end);
        if (begin < end)
            exchange_recv(o, proc, span_of(t, t->poor ? NULL : t->contributions[n].buf, at, end - begin));
        at += end - begin;
    }
}

void contributions_exchange(struct op *o, const struct slice_transfer *t)
{
    struct contribution it = contribution_none();
    int me = o->comm->proc;
    while (t->owns && contribution_next(&t->layout, &it))
        if (it.proc != me)
            recv_contribution(o, t, it.number, it.proc);
    for (struct owner w = {.proc = -1}; t->nours > 0 && owner_next(&t->layout, &w);)
        for (int n = 0; w.proc != me && n < t->nours; n++)
            send_contribution(o, t, n, &w);
}

/* ---- results to receivers ---- */

static bool proc_receives(const struct slice_transfer *t, int proc)
{
    const struct flow *f = &t->layout.flow;
    const struct comm *c = t->layout.op->comm;
    int index;
    if (f->root >= 0)
        return rankmap_proc(&c->map, f->root, &index) == proc;
    return seat_from(c, proc, f->out_base) < seat_from(c, proc, f->out_base + f->out_n);
}

static void whole_exchange(struct op *o, const struct slice_transfer *t)
{
    int me = o->comm->proc;
    for (struct owner w = {.proc = -1}; t->gets && owner_next(&t->layout, &w);) {
        size_t begin, end;
        owner_range(&t->layout, &w, 0, &begin, &end);
        if (w.proc != me && begin < end)
            exchange_recv(o, w.proc, span_of(t, t->whole, begin, end - begin));
    }
    for (int p = 0; t->owns && p < o->comm->nproc; p++)
        if (p != me && proc_receives(t, p))
            exchange_send(o, p, span_of(t, t->result, 0, t->owned));
}

/* Each rank gets slices of its own. For a pair of processes the receiver's ranks ascend. */
static void scan_exchange(struct op *o, const struct slice_transfer *t)
{
    bool exclusive = op_kind(o) == COLL_EXSCAN;
    const struct comm *c = o->comm;
    int index, me = c->proc;
    for (struct owner w = {.proc = -1}; owner_next(&t->layout, &w);) {
        size_t begin, end;
        owner_range(&t->layout, &w, 0, &begin, &end);
        for (int i = 0; i < o->n && w.proc != me && begin < end; i++)
            if (!exclusive || o->args[i]->view->rank > 0)
                exchange_recv(o, w.proc,
                              span_of(t, o->args[i]->call.recv.buf, t->begin + begin, end - begin));
    }
    for (int r = exclusive; t->owns && r < c->map.size; r++) {
        int proc = rankmap_proc(&c->map, r, &index);
        if (proc != me)
            exchange_send(o, proc, span_of(t, t->poor ? NULL : scan_slot(t, r, exclusive), 0, t->owned));
    }
}

void results_exchange(struct op *o, const struct slice_transfer *t)
{
    if (t->layout.granularity == GRANULARITY_RANK)
        scan_exchange(o, t);
    else
        whole_exchange(o, t);
}
