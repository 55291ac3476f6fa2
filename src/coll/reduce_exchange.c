/* SPDX-License-Identifier: BSD-3-Clause */
#include "coll/reduce_exchange.h"

#include <stdlib.h>

#include "coll/reduce.h"

enum { ROUND_FOLD, ROUND_ITEMS, ROUND_OWN, ROUND_RESULTS, ROUND_HAND, ROUNDS };

/* ---- memory ---- */

struct memory {
    struct memory *next;
    _Alignas(CACHE_LINE) char bytes[];
};

/* n elements of `size` bytes. NULL: none, and then t is poor. */
static void *take(struct exchange *x, struct trade *t, size_t n, size_t size)
{
    struct memory *m = NULL;
    size_t bytes;
    if (!__builtin_mul_overflow(n, size, &bytes) && bytes < SIZE_MAX / 2)
        m = aligned_alloc(CACHE_LINE, sizeof *m + (bytes + CACHE_LINE - 1) / CACHE_LINE * CACHE_LINE);
    if (!m) {
        t->poor = true;
        return NULL;
    }
    m->next = x->memory;
    x->memory = m;
    return m->bytes;
}

/* Room for n elements: the place of the first. */
static char *take_elements(struct exchange *x, struct trade *t, size_t n)
{
    char *bytes = take(x, t, 1, shape_bytes(&t->shape, n));
    return bytes ? shape_place(&t->shape, bytes, n) : NULL;
}

/* ---- setting up ---- */

static void describe(const struct op *o, struct trade *t, const struct flow *f)
{
    struct span type = flow_type(o, f);
    struct item it = {.proc = -1};
    *t = (struct trade){.shape = shape_of(&type), .gets = f->nout > 0, .self.proc = -1};
    layout_init(&t->layout, o, f);
    while (!t->owns && owner_next(&t->layout, &t->self))
        t->owns = t->self.proc == o->comm->proc;
    if (t->owns)
        t->owned = owner_elements(&t->layout, &t->self);
    t->owns = t->owned > 0;
    while (item_next(&t->layout, &it)) {
        t->nitems++;
        t->nours += it.proc == o->comm->proc;
    }
}

void exchange_describe(const struct op *o, struct exchange *x)
{
    struct flow f[2];
    x->memory = NULL;
    x->flows = flows_of(o, f);
    for (int i = 0; i < x->flows; i++)
        describe(o, &x->trade[i], &f[i]);
}

/* Where all blocks begin. */
static void add_blocks_up(const struct op *o, struct exchange *x, struct trade *t)
{
    size_t at = 0, *block = take(x, t, (size_t)t->layout.flow.out_n, sizeof *block);
    for (int r = 0; block && r < t->layout.flow.out_n; r++) {
        block[r] = at;
        at += flow_block(o, &t->layout.flow, r);
    }
    t->layout.block = block;
}

/* Our items, and where they are or will be folded. */
static void list_ours(const struct op *o, struct exchange *x, struct trade *t)
{
    struct item it = {.proc = -1};
    t->ours = take(x, t, (size_t)t->nours, sizeof *t->ours);
    t->input = take(x, t, (size_t)t->nours, sizeof *t->input);
    for (int n = 0; !t->poor && item_next(&t->layout, &it);) {
        if (it.proc != o->comm->proc)
            continue;
        t->ours[n] = it;
        t->input[n++] =
            it.nparts == 1 ? o->part[it.part]->call.send.buf : take_elements(x, t, t->layout.flow.count);
    }
}

/* All items, as the owner sees them. */
static void list_items(const struct op *o, struct exchange *x, struct trade *t)
{
    struct item it = {.proc = -1};
    bool scan = t->layout.grain == GRAIN_RANK;
    int ours = 0;
    t->items = take(x, t, (size_t)t->nitems, sizeof *t->items);
    t->at = t->layout.grain == GRAIN_NODE ? take(x, t, (size_t)t->nitems + 1, sizeof *t->at) : NULL;
    for (int i = 0; !t->poor && item_next(&t->layout, &it); i++) {
        bool our = it.proc == o->comm->proc;
        if (our && !scan)
            t->items[i] = (struct operand){t->input[ours++], false};
        else
            t->items[i] = (struct operand){take_elements(x, t, t->owned), true};
        if (t->at) {
            t->at[i] = it.low;
            t->at[i + 1] = it.high;
        }
    }
}

static void set_whole(const struct op *o, struct exchange *x, struct trade *t)
{
    const struct flow *f = &t->layout.flow;
    if (op_kind(o) != COLL_REDUCE_SCATTER)
        t->whole = o->part[f->out]->call.recv.buf;
    else if (!t->layout.blocks)
        t->whole = take_elements(x, t, f->count);
}

static void provide(const struct op *o, struct exchange *x, struct trade *t)
{
    if (t->layout.flow.count == 0)
        return;
    if (t->layout.blocks && o->part[0]->call.counts)
        add_blocks_up(o, x, t);
    list_ours(o, x, t);
    if (t->owns && !t->poor)
        list_items(o, x, t);
    if (t->owns && t->layout.grain != GRAIN_RANK)
        t->result = take_elements(x, t, t->owned);
    if (t->gets)
        set_whole(o, x, t);
}

static void set_up(struct op *o)
{
    struct exchange *x = o->state = calloc(1, sizeof *x);
    if (!x) {
        op_fail(o, MPI_ERR_NO_MEM);
        return;
    }
    exchange_describe(o, x);
    for (int i = 0; i < x->flows; i++) {
        provide(o, x, &x->trade[i]);
        if (x->trade[i].poor)
            op_fail(o, MPI_ERR_NO_MEM);
    }
}

/* ---- rounds ---- */

static int tasks_of(const struct op *o, const struct trade *t)
{
    switch (o->round) {
    case ROUND_FOLD:
        return items_tasks(t);
    case ROUND_OWN:
        return slices_tasks(t);
    case ROUND_HAND:
        return results_tasks(t);
    default:
        return 0;
    }
}

static bool advance(struct op *o)
{
    if (o->round == 0)
        set_up(o);
    const struct exchange *x = o->state;
    o->wants_far = o->round == ROUND_ITEMS || o->round == ROUND_RESULTS;
    for (int i = 0; x && i < x->flows && load_relaxed(&o->rc) == MPI_SUCCESS; i++)
        o->ntasks += tasks_of(o, &x->trade[i]);
    return o->round < ROUNDS;
}

static void task(struct op *o, int i)
{
    const struct exchange *x = o->state;
    const struct trade *t = &x->trade[0];
    int rc, first = tasks_of(o, t);
    if (i >= first) {
        i -= first;
        t++;
    }
    if (o->round == ROUND_FOLD)
        rc = items_task(o, t, i);
    else
        rc = o->round == ROUND_OWN ? slices_task(o, t, i) : results_task(o, t, i);
    if (rc != MPI_SUCCESS)
        op_fail(o, rc);
}

static void far(struct op *o)
{
    struct exchange poor, *x = o->state;
    if (!x) {
        exchange_describe(o, x = &poor);
        for (int i = 0; i < x->flows; i++)
            x->trade[i].poor = true;
    }
    for (int i = 0; i < x->flows; i++) {
        if (o->round == ROUND_ITEMS)
            items_exchange(o, &x->trade[i]);
        else if (!x->trade[i].layout.blocks)
            results_exchange(o, &x->trade[i]);
    }
}

static void end(struct op *o)
{
    struct exchange *x = o->state;
    while (x && x->memory) {
        struct memory *m = x->memory;
        x->memory = m->next;
        free(m);
    }
    free(x);
}

const struct plan plan_reduce_exchange = {
    .name = "reduce exchange", .advance = advance, .task = task, .far = far, .end = end};
