/* SPDX-License-Identifier: BSD-3-Clause */
#include "coll/reduce_exchange.h"

#include <stdlib.h>

#include "coll/reduce.h"

enum { MESSAGE = 128 * 1024 }; /* about so many bytes of a contribution go to an owner at once */

/* ---- memory ---- */

struct reduce_exchange_memory {
    struct reduce_exchange_memory *next;
    _Alignas(CACHE_LINE) char bytes[];
};

/* n elements of `size` bytes. NULL: none, and then t is poor. */
static void *reduce_exchange_take(struct exchange *x, struct slice_transfer *t, size_t n, size_t size)
{
    struct reduce_exchange_memory *m = NULL;
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
static char *take_elements(struct exchange *x, struct slice_transfer *t, size_t n)
{
    char *bytes = reduce_exchange_take(x, t, 1, shape_bytes(&t->shape, n));
    return bytes ? shape_place(&t->shape, bytes, n) : NULL;
}

/* ---- what needs no memory ---- */

/* Segments of so many elements that every owner can have equally many. */
static void reduce_exchange_cut(const struct op *o, struct pipeline *c, const struct layout *l)
{
    size_t size = flow_type(o, &c->flow).type->size, n = MESSAGE / (size + !size);
    c->each = (n > 0 ? n : 1) * (size_t)l->contributing;
    if (op_kind(o) == COLL_REDUCE_SCATTER || c->each > c->flow.count)
        c->each = c->flow.count;
    c->segments = c->flow.count > 0 ? (int)((c->flow.count + c->each - 1) / c->each) : 0;
}

static void reduce_exchange_describe(const struct op *o, struct pipeline *c)
{
    struct span type = flow_type(o, &c->flow);
    struct contribution it = contribution_none();
    struct slice_transfer t = {.shape = shape_of(&type), .gets = c->flow.nout > 0};
    layout_init(&t.layout, o, &c->flow);
    while (contribution_next(&t.layout, &it)) {
        t.nitems++;
        t.nours += it.proc == o->comm->proc;
    }
    reduce_exchange_cut(o, c, &t.layout);
    for (int i = 0; i < STAGES; i++)
        c->transfer[i] = t;
}

static void describe_all(const struct op *o, struct exchange *x)
{
    struct flow f[2];
    x->memory = NULL;
    x->flows = flows_of(o, f);
    for (int i = 0; i < x->flows; i++) {
        x->pipeline[i].flow = f[i];
        reduce_exchange_describe(o, &x->pipeline[i]);
    }
}

/* What of the segment is this process's? */
static void find_self(const struct op *o, struct slice_transfer *t)
{
    t->owns = false;
    t->self = (struct owner){.proc = -1};
    while (!t->owns && owner_next(&t->layout, &t->self))
        t->owns = t->self.proc == o->comm->proc;
    t->owned = t->owns ? owner_elements(&t->layout, &t->self) : 0;
    t->owns = t->owned > 0;
}

/* Point at what is in the users' buffers. */
static void reduce_exchange_aim(const struct op *o, struct slice_transfer *t)
{
    bool scan = t->layout.granularity == GRANULARITY_RANK;
    for (int n = 0; !t->poor && n < t->nours; n++) {
        const struct contribution *it = &t->ours[n];
        if (it->nparts == 1)
            t->input[n] = shape_at(&t->shape, o->args[it->args]->call.send.buf, t->begin);
        if (t->contributions && !scan)
            t->contributions[it->number] = (struct operand){t->input[n], false};
    }
    if (t->gets && op_kind(o) != COLL_REDUCE_SCATTER)
        t->whole = shape_at(&t->shape, o->args[t->layout.flow.out]->call.recv.buf, t->begin);
}

/* The segment that is in a stage in this round. NULL: none. */
static struct slice_transfer *in_stage(const struct op *o, struct pipeline *c, int stage)
{
    int segment = o->round - stage;
    return segment >= 0 && segment < c->segments ? &c->transfer[segment % STAGES] : NULL;
}

/* A segment enters. The last may be shorter; the memory was taken for the first. */
static void reduce_exchange_enter(const struct op *o, struct pipeline *c, int segment)
{
    struct slice_transfer *t = &c->transfer[segment % STAGES];
    t->begin = (size_t)segment * c->each;
    size_t left = c->flow.count - t->begin;
    layout_set(&t->layout, left < c->each ? left : c->each);
    find_self(o, t);
}

/* ---- setting up ---- */

/* Where all blocks begin. */
static void add_blocks_up(const struct op *o, struct exchange *x, struct slice_transfer *t)
{
    size_t at = 0, *block = reduce_exchange_take(x, t, (size_t)t->layout.flow.out_n, sizeof *block);
    for (int r = 0; block && r < t->layout.flow.out_n; r++) {
        block[r] = at;
        at += flow_block(o, &t->layout.flow, r);
    }
    t->layout.block = block;
}

/* Our contributions, and where those of several contributors will be reduced. */
static void list_ours(const struct op *o, struct exchange *x, struct slice_transfer *t)
{
    struct contribution it = contribution_none();
    t->ours = reduce_exchange_take(x, t, (size_t)t->nours, sizeof *t->ours);
    t->input = reduce_exchange_take(x, t, (size_t)t->nours, sizeof *t->input);
    for (int n = 0; !t->poor && contribution_next(&t->layout, &it);) {
        if (it.proc != o->comm->proc)
            continue;
        t->ours[n] = it;
        t->input[n++] = it.nparts > 1 ? take_elements(x, t, t->layout.flow.count) : NULL;
    }
}

/* All contributions, as the owner sees them, with room for what comes. */
static void list_contributions(const struct op *o, struct exchange *x, struct slice_transfer *t)
{
    struct contribution it = contribution_none();
    bool scan = t->layout.granularity == GRANULARITY_RANK;
    t->contributions = reduce_exchange_take(x, t, (size_t)t->nitems, sizeof *t->contributions);
    t->at = t->layout.granularity == GRANULARITY_NODE
                ? reduce_exchange_take(x, t, (size_t)t->nitems + 1, sizeof *t->at)
                : NULL;
    while (!t->poor && contribution_next(&t->layout, &it)) {
        if (scan || it.proc != o->comm->proc)
            t->contributions[it.number] = (struct operand){take_elements(x, t, t->owned), true};
        if (t->at) {
            t->at[it.number] = it.low;
            t->at[it.number + 1] = it.high;
        }
    }
}

static void reduce_exchange_provide(const struct op *o, struct exchange *x, struct slice_transfer *t)
{
    if (t->layout.blocks && o->args[0]->call.counts)
        add_blocks_up(o, x, t);
    list_ours(o, x, t);
    if (t->owns && !t->poor)
        list_contributions(o, x, t);
    if (t->owns && t->layout.granularity != GRANULARITY_RANK)
        t->result = take_elements(x, t, t->owned);
    if (t->gets && op_kind(o) == COLL_REDUCE_SCATTER && !t->layout.blocks)
        t->whole = take_elements(x, t, t->layout.flow.count);
}

/* Begin the segment that enters in this round; the first ones take memory for all. */
static void begin_segment(struct op *o, struct exchange *x, struct pipeline *c)
{
    struct slice_transfer *t = in_stage(o, c, STAGE_REDUCTION);
    if (!t)
        return;
    reduce_exchange_enter(o, c, o->round);
    if (o->round < STAGES)
        reduce_exchange_provide(o, x, t);
    reduce_exchange_aim(o, t);
    if (t->poor)
        op_fail(o, MPI_ERR_NO_MEM);
}

/* ---- rounds ---- */

static int reduce_exchange_tasks_of(const struct slice_transfer *t, int stage)
{
    switch (stage) {
    case STAGE_REDUCTION:
        return contributions_tasks(t);
    case STAGE_OWN:
        return slices_tasks(t);
    case STAGE_HAND:
        return results_tasks(t);
    default:
        return 0;
    }
}

static bool reduce_exchange_advance(struct op *o)
{
    bool more = false;
    if (o->round == 0) {
        /* of a call that has failed no buffer is touched */
        o->state = op_failed(o) ? NULL : reserve_calloc(sizeof(struct exchange));
        if (o->state)
            describe_all(o, o->state);
    }
    struct exchange *x = o->state, poor;
    if (!x) {
        op_fail(o, MPI_ERR_NO_MEM);
        describe_all(o, x = &poor);
    }
    for (int i = 0; i < x->flows; i++) {
        struct pipeline *c = &x->pipeline[i];
        if (o->state)
            begin_segment(o, x, c);
        for (int stage = 0; stage < STAGES; stage++) {
            const struct slice_transfer *t = in_stage(o, c, stage);
            if (!t)
                continue;
            o->wants_far |= stage == STAGE_CONTRIBUTIONS || (stage == STAGE_RESULTS && !t->layout.blocks);
            if (load_relaxed(&o->rc) == MPI_SUCCESS)
                o->ntasks += reduce_exchange_tasks_of(t, stage);
        }
        more |= o->round < c->segments + STAGES - 1;
    }
    return more;
}

static int do_task(const struct op *o, const struct slice_transfer *t, int stage, int i)
{
    if (stage == STAGE_REDUCTION)
        return contributions_task(o, t, i);
    return stage == STAGE_OWN ? slices_task(o, t, i) : results_task(o, t, i);
}

static void reduce_exchange_task(struct op *o, int i)
{
    struct exchange *x = o->state;
    for (int flow = 0; flow < x->flows; flow++)
        for (int stage = 0; stage < STAGES; stage++) {
            const struct slice_transfer *t = in_stage(o, &x->pipeline[flow], stage);
            int n = t ? reduce_exchange_tasks_of(t, stage) : 0;
            if (i >= 0 && i < n) {
                int rc = do_task(o, t, stage, i);
                if (rc != MPI_SUCCESS)
                    op_fail(o, rc);
                return;
            }
            i -= n;
        }
}

/* Without any memory: know the segments in the far stages, and say that there is none. */
static void reduce_exchange_pretend(const struct op *o, struct exchange *x)
{
    describe_all(o, x);
    for (int i = 0; i < x->flows; i++)
        for (int stage = 0; stage < STAGES; stage++) {
            struct slice_transfer *t = in_stage(o, &x->pipeline[i], stage);
            if (t) {
                reduce_exchange_enter(o, &x->pipeline[i], o->round - stage);
                t->poor = true;
            }
        }
}

static void reduce_exchange_far(struct op *o)
{
    struct exchange poor, *x = o->state;
    if (!x)
        reduce_exchange_pretend(o, x = &poor);
    for (int i = 0; i < x->flows; i++) {
        const struct slice_transfer *contributions = in_stage(o, &x->pipeline[i], STAGE_CONTRIBUTIONS);
        const struct slice_transfer *results = in_stage(o, &x->pipeline[i], STAGE_RESULTS);
        if (contributions)
            contributions_exchange(o, contributions);
        if (results && !results->layout.blocks)
            results_exchange(o, results);
    }
}

static void reduce_exchange_end(struct op *o)
{
    struct exchange *x = o->state;
    while (x && x->memory) {
        struct reduce_exchange_memory *m = x->memory;
        x->memory = m->next;
        free(m);
    }
    reserve_free(x);
    o->state = NULL;
}

const struct coll_algorithm algorithm_reduce_exchange = {.name = "reduce exchange",
                                                         .advance = reduce_exchange_advance,
                                                         .task = reduce_exchange_task,
                                                         .far = reduce_exchange_far,
                                                         .end = reduce_exchange_end};
