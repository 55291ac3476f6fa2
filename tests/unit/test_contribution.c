/* SPDX-License-Identifier: BSD-3-Clause */
/* test_contribution.c: the contributions and slices that processes exchange in reductions, on random rank maps. Each contributor
 * belongs to one contribution, they ascend, are inside one process, and are as large as their kind allows. Each element belongs
 * to one slice, whose owner contributes. */
#include <stdlib.h>

#include "coll/reduce/contribution.h"
#include "unit.h"

enum { MOST = 100, MOST_PROCS = 9 };

struct world {
    struct comm comm;
    struct op op;
    struct layout layout;
    int proc_of[MOST], size;
};

/* Contributors: n union ranks from base on. */
static void world_make(struct world *w, int size, int nproc, int base, int n)
{
    w->size = size;
    ck_assert(rankmap_list(&w->comm.map, w->proc_of, size, nproc));
    w->comm.nproc = nproc;
    w->op = (struct op){.comm = &w->comm};
    w->layout = (struct layout){.op = &w->op, .flow = {.base = base, .n = n}};
}

/* Runs of random length, or anything. */
static void deal(struct world *w, int size, int nproc)
{
    int run = below(2) ? 1 + below(12) : 1, proc = 0;
    for (int r = 0; r < size; r++) {
        if (r % run == 0)
            proc = below(nproc);
        w->proc_of[r] = r < nproc ? r : proc; /* nobody is empty */
    }
}

static bool alone(const struct world *w, int low, int high)
{
    for (int r = low; r < high; r++)
        if (w->proc_of[w->layout.flow.base + r] != w->proc_of[w->layout.flow.base + low])
            return false;
    return true;
}

/* The contribution that `rank` must be in: the largest node inside one process. */
static void node_of(const struct world *w, int rank, int *low, int *high)
{
    *low = 0;
    *high = w->layout.flow.n;
    while (!alone(w, *low, *high)) {
        int half = 1;
        while (half * 2 < *high - *low)
            half *= 2;
        if (rank >= *low + half)
            *low += half;
        else
            *high = *low + half;
    }
}

static void check_contribution(const struct world *w, const struct contribution *it)
{
    const struct layout *l = &w->layout;
    int low = it->low, high = it->high, n = l->flow.n, index;
    ck_assert(alone(w, low, high));
    ck_assert_int_eq(it->proc, rankmap_proc(&w->comm.map, l->flow.base + low, &index));
    ck_assert_int_eq(it->args, index);
    ck_assert_int_eq(it->nparts, high - low);
    if (l->granularity == GRANULARITY_RANK)
        ck_assert_int_eq(high, low + 1);
    if (l->granularity == GRANULARITY_RUN)
        ck_assert(high == n || !alone(w, low, high + 1));
    if (l->granularity == GRANULARITY_NODE) {
        node_of(w, low, &low, &high);
        ck_assert_int_eq(low, it->low);
        ck_assert_int_eq(high, it->high);
    }
}

static void check_ranks(struct world *w, enum granularity granularity)
{
    struct contribution it = contribution_none();
    int next = 0, number = 0;
    w->layout.granularity = granularity;
    while (contribution_next(&w->layout, &it)) {
        ck_assert_int_eq(it.low, next);
        ck_assert_int_gt(it.high, it.low);
        ck_assert_int_eq(it.number, number++);
        check_contribution(w, &it);
        next = it.high;
    }
    ck_assert_int_eq(next, w->layout.flow.n);
}

static void check_procs(struct world *w)
{
    struct contribution it = contribution_none();
    int sum = 0, before = -1;
    w->layout.granularity = GRANULARITY_PROC;
    while (contribution_next(&w->layout, &it)) {
        ck_assert_int_gt(it.proc, before);
        before = it.proc;
        ck_assert_int_gt(it.nparts, 0);
        for (int i = 0; i < it.nparts; i++) {
            int rank = rankmap_rank(&w->comm.map, it.proc, it.args + i) - w->layout.flow.base;
            ck_assert(rank >= 0 && rank < w->layout.flow.n);
        }
        sum += it.nparts;
    }
    ck_assert_int_eq(sum, w->layout.flow.n);
}

static void world_make_any(struct world *w)
{
    int size = 1 + below(MOST), nproc = 1 + below(size < MOST_PROCS ? size : MOST_PROCS);
    int base = below(3) ? 0 : below(size), n = base ? size - base : 1 + below(size);
    deal(w, size, nproc);
    world_make(w, size, nproc, base, n);
}

START_TEST(contributions)
{
    static struct world w;
    for (int i = 0; i < 2000; i++) {
        world_make_any(&w);
        check_ranks(&w, GRANULARITY_RANK);
        check_ranks(&w, GRANULARITY_RUN);
        check_ranks(&w, GRANULARITY_NODE);
        check_procs(&w);
        rankmap_free(&w.comm.map);
    }
}
END_TEST

static bool owns_one(const struct world *w, int proc)
{
    const struct flow *f = &w->layout.flow;
    for (int r = f->base; r < f->base + f->n; r++)
        if (w->proc_of[r] == proc)
            return true;
    return false;
}

/* As all processes see them, and process w->comm.proc. */
static void check_slices(const struct world *w)
{
    const struct layout *l = &w->layout;
    size_t next = 0, own = 0;
    int before = -1;
    for (struct slice s = slice_none(); slice_next(l, &s);) {
        ck_assert_int_gt(s.number, before);
        ck_assert(s.begin == next && s.end > s.begin);
        ck_assert(owns_one(w, s.proc));
        ck_assert(s.at == own);
        if (l->blocks)
            ck_assert_int_eq(s.proc, w->proc_of[s.number]);
        before = s.number;
        next = s.end;
        own += s.proc == w->comm.proc ? s.end - s.begin : 0;
    }
    ck_assert(next == l->flow.count);
}

START_TEST(slices)
{
    static struct world w;
    for (int i = 0; i < 2000; i++) {
        struct type type = {.size = (size_t)below(9000)};
        int counts[MOST], sum = 0;
        struct coll_args args = {.call = {.kind = COLL_REDUCE_SCATTER,
                                          .send = {.type = &type},
                                          .op = MPI_SUM,
                                          .counts = counts}},
                         *at = &args;
        world_make_any(&w);
        w.op.args = &at;
        w.comm.proc = below(w.comm.nproc);
        struct flow f = {.base = w.layout.flow.base, .n = w.layout.flow.n, .nin = 1, .out_n = w.size};
        for (int r = 0; r < w.size; r++)
            sum += counts[r] = below(3) ? below(100) : 0;
        f.count = (size_t)sum;
        w.comm.inter = f.n < w.size || below(2);
        layout_init(&w.layout, &w.op, &f);
        ck_assert(w.layout.blocks == !w.comm.inter);
        check_slices(&w);
        if (!w.layout.blocks && sum > 0) {
            layout_set(&w.layout, 1 + (size_t)below(sum));
            check_slices(&w);
        }
        rankmap_free(&w.comm.map);
    }
}
END_TEST

int main(void)
{
    const TTest *tests[] = {contributions, slices};
    return UNIT_MAIN("contribution", tests);
}
