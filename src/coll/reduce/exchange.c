/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reductions between processes by exchange of slices, the way of all that MPI's reductions would not do or
 * would do wrong: reproducible ones, those whose ranks or datatypes lie in another way than MPI's calls could
 * tell, reduce_scatter, and intercommunicators.
 *
 *   stage              tasks                                  far step
 *   STAGE_PREFOLD      each process reduces its contributions
 *   STAGE_GIVE                                                of each contribution every owner gets its slice
 *   STAGE_FOLD         owners reduce the slices of all contributions
 *   STAGE_RETURN                                              processes with receivers get the results
 *   STAGE_HAND_OUT     to all local receivers
 *
 * contribution.h says what contributions and slices are. The elements go in segments, each through all
 * stages, one after the other; and so do the two flows of an intercommunicator. A reduce_scatter has one
 * segment, and where the slices are the blocks of ranks nobody gets any other.
 *
 * A scan has a result for each contribution: the reduction of the contributions before it. That returns to
 * the process of the contribution, which scans its endpoints from there on.
 *
 * Why the messages match: all processes enumerate the same segments, slices and contributions, in this order,
 * so for each pair of processes both sides come to the same sequence. A process without memory sends and
 * receives empty messages in their place, which is an error on the other side: the state without what it
 * points to is in the operation itself.
 *
 * In place: inputs of a segment are read in stages before the last, its outputs are written in the last; that
 * of a scan reads and writes the elements of one endpoint after the other (scan_chunk).
 */
#include <stdlib.h>

#include "coll/reduce/contribution.h"
#include "coll/algorithms.h"
#include "coll/reduce/reduction.h"

enum { MESSAGE = 256 * 1024 }; /* about so many bytes of a contribution go to an owner at once */

enum { STAGE_PREFOLD, STAGE_GIVE, STAGE_FOLD, STAGE_RETURN, STAGE_HAND_OUT, STAGES };

struct memory {
    struct memory *next;
    _Alignas(CACHE_LINE) char bytes[];
};

/* Of one flow. Its layout is that of the segment alone. */
struct exchange {
    struct layout layout;
    struct shape shape;
    size_t total, begin, each; /* elements of the flow, those before the segment, those of a segment */
    size_t owned;              /* elements of this process's slices of the segment */
    int next_flow, owns;       /* owns: such slices */
    int nitems, nours;         /* contributions of all, and of this process */
    bool poor;                 /* there is no memory, so all below is not there */
    struct contribution *ours;
    char **input;  /* element 0 of each of ours */
    char **result; /* scans: of each of ours; else one. All elements of the segment have room there */
    struct operand
        *given; /* owner: all contributions, the others' packed: slice after slice; scans: all are packed */
    int *at;    /* owner: operands.at; NULL unless GRANULARITY_NODE */
    struct memory *memory;
};
_Static_assert(sizeof(struct exchange) <= OP_STATE, "it is in the operation");

static char *exchange_at(const struct exchange *x, const char *p, size_t element)
{
    return shape_at(&x->shape, p, element);
}

static int exchange_stage(const struct op *o)
{
    return o->round % STAGES;
}

/* ---- memory ---- */

static void exchange_free(struct exchange *x)
{
    for (struct memory *m; (m = x->memory); free(m))
        x->memory = m->next;
}

/* n elements of `size` bytes. */
static void *exchange_take(struct exchange *x, size_t n, size_t size)
{
    struct memory *m = NULL;
    size_t bytes;
    if (!x->poor && !__builtin_mul_overflow(n, size, &bytes) && bytes < SIZE_MAX / 2)
        m = aligned_alloc(CACHE_LINE, sizeof *m + (bytes + CACHE_LINE - 1) / CACHE_LINE * CACHE_LINE);
    if (!m) {
        x->poor = true;
        return NULL;
    }
    m->next = x->memory;
    x->memory = m;
    return m->bytes;
}

/* Room for n elements of the reduction: the place of the first. */
static char *take_elements(struct exchange *x, size_t n)
{
    char *bytes = exchange_take(x, 1, shape_bytes(&x->shape, n));
    return bytes ? shape_place(&x->shape, bytes, n) : NULL;
}

/* ---- setting up a flow and a segment ---- */

/* This process's contributions, where those of several contributors will be reduced, and results. */
static void take_ours(struct exchange *x)
{
    const struct op *o = x->layout.op;
    struct contribution it = contribution_none();
    size_t count = x->layout.flow.count, n = 0, results = is_prefix(o) ? (size_t)x->nours : 1;
    x->ours = exchange_take(x, (size_t)x->nours, sizeof *x->ours);
    x->input = exchange_take(x, (size_t)x->nours, sizeof *x->input);
    x->result = exchange_take(x, results, sizeof *x->result);
    while (!x->poor && contribution_next(&x->layout, &it))
        if (it.proc == o->comm->proc) {
            x->ours[n] = it;
            x->input[n++] = it.nparts > 1 ? take_elements(x, count) : NULL;
        }
    for (size_t i = 0; !x->poor && i < results; i++)
        x->result[i] = x->owns > 0 || x->layout.flow.nout > 0 ? take_elements(x, count) : NULL;
}

/* All contributions as the owner sees them, with room for what comes. */
static void take_given(struct exchange *x)
{
    const struct op *o = x->layout.op;
    struct contribution it = contribution_none();
    bool nodes = x->layout.granularity == GRANULARITY_NODE;
    x->given = exchange_take(x, (size_t)x->nitems, sizeof *x->given);
    x->at = nodes ? exchange_take(x, (size_t)x->nitems + 1, sizeof *x->at) : NULL;
    while (!x->poor && contribution_next(&x->layout, &it)) {
        if (is_prefix(o) || it.proc != o->comm->proc)
            x->given[it.number] = (struct operand){take_elements(x, x->owned), true};
        if (nodes) {
            x->at[it.number] = it.low;
            x->at[it.number + 1] = it.high;
        }
    }
}

/* Point at what is in the users' buffers. */
static void exchange_aim(struct exchange *x)
{
    const struct op *o = x->layout.op;
    for (int n = 0; n < x->nours; n++) {
        const struct contribution *it = &x->ours[n];
        if (it->nparts == 1)
            x->input[n] = exchange_at(x, o->args[it->args]->call.send.buf, x->begin);
        if (x->owns > 0 && !is_prefix(o))
            x->given[it->number] = (struct operand){x->input[n], false};
    }
}

static void set_segment(struct exchange *x, size_t count)
{
    struct slice s = slice_none();
    layout_set(&x->layout, count);
    x->owns = 0;
    while (slice_next(&x->layout, &s))
        x->owns += s.proc == x->layout.op->comm->proc;
    x->owned = s.at;
}

/* Segments of so many elements that every owner can have equally many. */
static size_t segment_size(const struct exchange *x)
{
    size_t size = x->shape.type->size, n = MESSAGE / (size + !size);
    n = (n > 0 ? n : 1) * (size_t)x->layout.contributing;
    return op_kind(x->layout.op) == COLL_REDUCE_SCATTER || n > x->total ? x->total : n;
}

static bool next_flow(struct op *o, struct exchange *x)
{
    struct flow f[2];
    struct contribution it = contribution_none();
    int flow = x->next_flow;
    exchange_free(x);
    if (flow == flows_of(o, f))
        return false;
    struct span type = flow_type(o, &f[flow]);
    *x = (struct exchange){.shape = shape_of(&type), .total = f[flow].count, .next_flow = flow + 1};
    layout_init(&x->layout, o, &f[flow]);
    while (contribution_next(&x->layout, &it)) {
        x->nitems++;
        x->nours += it.proc == o->comm->proc;
    }
    x->each = segment_size(x);
    set_segment(x, x->each);
    x->poor = op_failed(o); /* of a call that has failed no buffer is touched */
    if (x->total > 0)
        take_ours(x);
    if (x->owns > 0)
        take_given(x);
    if (x->poor)
        op_fail(o, MPI_ERR_NO_MEM);
    return true;
}

/* The memory was taken for the first segment, and the last may be shorter. */
static bool next_segment(struct op *o, struct exchange *x)
{
    size_t begin = x->begin + x->layout.flow.count;
    if (begin < x->total) {
        x->begin = begin;
        set_segment(x, x->total - begin < x->each ? x->total - begin : x->each);
    } else {
        do {
            if (!next_flow(o, x))
                return false;
        } while (x->total == 0);
    }
    if (!x->poor)
        exchange_aim(x);
    return true;
}

/* ---- messages ---- */

/* Elements [first, first + n) of p, or without memory the empty message in their place. */
static struct span exchange_span(const struct exchange *x, const char *p, size_t first, size_t n)
{
    return x->poor ? span_packed(NULL, 0) : shape_span(&x->shape, p, first, n);
}

/* A slice of contribution `number`, packed. */
static struct span given_span(const struct exchange *x, const struct slice *s, int number)
{
    return exchange_span(x, x->poor ? NULL : x->given[number].buf, s->at, s->end - s->begin);
}

static struct span slice_span(const struct exchange *x, const struct slice *s, char *const *of, int i)
{
    return exchange_span(x, x->poor ? NULL : of[i], s->begin, s->end - s->begin);
}

static void exchange_give(struct op *o, const struct exchange *x)
{
    int me = o->comm->proc;
    for (struct slice s = slice_none(); slice_next(&x->layout, &s);) {
        struct contribution it = contribution_none();
        while (s.proc == me && contribution_next(&x->layout, &it))
            if (it.proc != me)
                exchange_recv(o, it.proc, given_span(x, &s, it.number));
        for (int n = 0; s.proc != me && n < x->nours; n++)
            exchange_send(o, s.proc, slice_span(x, &s, x->input, n));
    }
}

static bool proc_receives(const struct exchange *x, int proc)
{
    const struct flow *f = &x->layout.flow;
    const struct comm *c = x->layout.op->comm;
    int index;
    if (f->root >= 0)
        return rankmap_proc(&c->map, f->root, &index) == proc;
    return seat_from(c, proc, f->out_base) < seat_from(c, proc, f->out_base + f->out_n);
}

static void return_result(struct op *o, const struct exchange *x, const struct slice *s)
{
    if (s->proc != o->comm->proc && x->layout.flow.nout > 0)
        exchange_recv(o, s->proc, slice_span(x, s, x->result, 0));
    for (int p = 0; s->proc == o->comm->proc && p < o->comm->nproc; p++)
        if (p != s->proc && proc_receives(x, p))
            exchange_send(o, p, slice_span(x, s, x->result, 0));
}

/* The first contribution has none before it. */
static void return_prefixes(struct op *o, const struct exchange *x, const struct slice *s)
{
    struct contribution it = contribution_none();
    contribution_next(&x->layout, &it);
    for (int n = it.proc == o->comm->proc; contribution_next(&x->layout, &it);) {
        bool here = it.proc == o->comm->proc;
        if (here && s->proc != it.proc)
            exchange_recv(o, s->proc, slice_span(x, s, x->result, n));
        if (!here && s->proc == o->comm->proc)
            exchange_send(o, it.proc, given_span(x, s, it.number - 1));
        n += here;
    }
}

static void reduce_exchange_far(struct op *o)
{
    const struct exchange *x = o->state;
    if (exchange_stage(o) == STAGE_GIVE) {
        exchange_give(o, x);
        return;
    }
    for (struct slice s = slice_none(); slice_next(&x->layout, &s);)
        if (is_prefix(o))
            return_prefixes(o, x, &s);
        else
            return_result(o, x, &s);
}

/* ---- tasks ---- */

/* Some elements of a contribution, a slice or of what a receiver gets. */
struct exchange_part {
    const struct exchange *x;
    int of;             /* its number; of contributions and slices here alone */
    struct slice slice; /* STAGE_FOLD */
    size_t first;       /* element of the segment where what it is of begins */
    struct reduction reduction;
};

typedef int exchange_part_function(const struct exchange_part *p, size_t at, size_t n);

static int exchange_prefold(const struct exchange_part *p, size_t at, size_t n)
{
    const struct exchange *x = p->x;
    const struct contribution *it = &x->ours[p->of];
    struct operands operands = {.n = it->nparts, .args = x->layout.op->args + it->args};
    if (it->nparts == 1)
        return MPI_SUCCESS;
    return reduction_chunk(&p->reduction, &operands, x->begin + at, exchange_at(x, x->input[p->of], at), n);
}

static int exchange_fold(const struct exchange_part *p, size_t at, size_t n)
{
    const struct exchange *x = p->x;
    struct operands operands = {.n = x->nitems, .item = x->given, .at = x->at};
    operands.shift = (ptrdiff_t)p->slice.at - (ptrdiff_t)p->slice.begin;
    return reduction_chunk(&p->reduction, &operands, at, exchange_at(x, x->result[0], at), n);
}

/* What is given as contribution i becomes the reduction of 0 to i. */
static int fold_prefixes(const struct exchange_part *p, size_t at, size_t n)
{
    const struct exchange *x = p->x;
    char *before = NULL;
    int rc = MPI_SUCCESS;
    for (int i = 0, k = 0; i < x->nitems && rc == MPI_SUCCESS; i++) {
        char *to = exchange_at(x, x->given[i].buf, at - p->slice.begin);
        bool own = k < x->nours && x->ours[k].number == i;
        if (own && before)
            rc = shape_copy(&x->shape, before, exchange_at(x, x->result[k], at), n);
        if (own && rc == MPI_SUCCESS)
            rc = shape_copy(&x->shape, exchange_at(x, x->input[k], at), to, n);
        if (before && rc == MPI_SUCCESS)
            rc = reduction_pair(&p->reduction, before, to, n);
        k += own;
        before = to;
    }
    return rc;
}

/* Receivers of reduce_scatter get what begins with p->first, of the only segment; others the segment. */
static int hand_out(const struct exchange_part *p, size_t at, size_t n)
{
    const struct exchange *x = p->x;
    char *to = x->layout.op->args[x->layout.flow.out + p->of]->call.recv.buf;
    return shape_copy(&x->shape, exchange_at(x, x->result[0], at),
                      exchange_at(x, to, x->begin + (at - p->first)), n);
}

static int hand_out_scan(const struct exchange_part *p, size_t at, size_t n)
{
    const struct exchange *x = p->x;
    const struct contribution *it = &x->ours[p->of];
    const char *before = it->number > 0 ? exchange_at(x, x->result[p->of], at) : NULL;
    return scan_chunk(&p->reduction, x->layout.op->args + it->args, it->nparts, before, x->begin + at, n);
}

/* How many things the stage has tasks for, and how many tasks for each. */
static int stage_things(const struct exchange *x, int stage, int *parts)
{
    const struct op *o = x->layout.op;
    size_t elements = x->layout.flow.count;
    int n = is_prefix(o) ? x->nours : x->layout.flow.nout; /* to be handed out */
    if (stage == STAGE_PREFOLD)
        for (n = x->nours; n > 0 && x->ours[n - 1].nparts == 1;)
            n--;
    if (stage == STAGE_FOLD) {
        n = x->owns;
        elements = n > 0 ? x->owned / (size_t)n : 0;
    }
    *parts = slice_number(elements * x->shape.type->size, o->n);
    return stage == STAGE_GIVE || stage == STAGE_RETURN ? 0 : n;
}

/* Elements of what a piece is of. */
static size_t piece_begin(struct exchange_part *p, int stage)
{
    const struct exchange *x = p->x;
    const struct op *o = x->layout.op;
    const struct flow *f = &x->layout.flow;
    p->slice = slice_none();
    if (stage == STAGE_FOLD) {
        for (int n = p->of; slice_next(&x->layout, &p->slice);)
            if (p->slice.proc == o->comm->proc && n-- == 0)
                break;
        p->first = p->slice.begin;
        return p->slice.end - p->slice.begin;
    }
    p->first = 0;
    if (stage != STAGE_HAND_OUT || op_kind(o) != COLL_REDUCE_SCATTER)
        return f->count;
    int rank = o->args[f->out + p->of]->view->rank;
    for (int r = 0; r < rank; r++)
        p->first += flow_block(o, f, r);
    return flow_block(o, f, rank);
}

static exchange_part_function *piece_does(const struct op *o, int stage)
{
    if (stage == STAGE_PREFOLD)
        return exchange_prefold;
    if (stage == STAGE_FOLD)
        return is_prefix(o) ? fold_prefixes : exchange_fold;
    return is_prefix(o) ? hand_out_scan : hand_out;
}

static void reduce_exchange_task(struct op *o, int i)
{
    const struct exchange *x = o->state;
    int parts, stage = exchange_stage(o);
    exchange_part_function *function = piece_does(o, stage);
    stage_things(x, stage, &parts);
    struct exchange_part p = {.x = x, .of = i / parts};
    size_t n = piece_begin(&p, stage);
    size_t at = slice_begin(n, i % parts, parts), end = slice_begin(n, i % parts + 1, parts);
    bool tree = x->layout.granularity == GRANULARITY_NODE;
    int rc = reduction_begin(&p.reduction, &x->shape, flow_op(o, &x->layout.flow), end - at,
                             is_prefix(o) ? SCAN_TEMPS : 0, tree ? x->layout.flow.n : 0);
    if (rc != MPI_SUCCESS) {
        op_fail(o, rc);
        return;
    }
    for (size_t chunk = p.reduction.chunk; at < end && rc == MPI_SUCCESS; at += chunk)
        rc = function(&p, p.first + at, end - at < chunk ? end - at : chunk);
    op_fail(o, rc);
    reduction_end(&p.reduction);
}

/* ---- rounds ---- */

static bool reduce_exchange_advance(struct op *o)
{
    struct exchange *x = o->round == 0 ? op_state(o) : o->state;
    int parts, stage = exchange_stage(o);
    if (stage == STAGE_PREFOLD && !next_segment(o, x))
        return false;
    o->wants_far = stage == STAGE_GIVE || (stage == STAGE_RETURN && !x->layout.blocks);
    if (!op_failed(o)) {
        o->ntasks = stage_things(x, stage, &parts);
        o->ntasks *= parts;
    }
    return true;
}

static void reduce_exchange_end(struct op *o)
{
    exchange_free(o->state);
    op_state_free(o);
}

const struct coll_algorithm algorithm_reduce_exchange = {.name = "reduce exchange",
                                                         .advance = reduce_exchange_advance,
                                                         .task = reduce_exchange_task,
                                                         .far = reduce_exchange_far,
                                                         .end = reduce_exchange_end};
