/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * reduce, allreduce, scan and exscan over several processes of an intracommunicator, combined by MPI.
 *
 * The elements go in segments. For each segment: tasks reduce what the local endpoints bring (the partial
 * result of the process), MPI combines the partials of all processes, tasks hand the result to the local
 * endpoints. Round r has the reduction of segment r, MPI's call for segment r - 1 and the handing out of
 * segment r - 2, so all three overlap. A process of one endpoint gives MPI the endpoint's own buffers, at the
 * same rounds.
 *
 * MPI's allreduce is in place in all processes or in none (MPI 5.9.6; Open MPI 4.1 chooses its algorithm by
 * it). With one endpoint in every process it is in none, so an endpoint that is in place gives a copy; else
 * in all.
 *
 *   partial of      where it grows, and MPI's result comes
 *   allreduce       the output of the last endpoint
 *   reduce          in the root's process: the output of the root (not if it is in place and not the last
 *                   operand, which only a reduction may grow in); elsewhere scratch memory
 *   scan, exscan    scratch memory; the result (the reduction of all processes before) in another
 *
 * Scratch memory has room for three segments; segment s uses place s % 3, and s + 3 comes into it after s was
 * handed out. Inputs are read up to their handing out (scans) or reduction, and outputs are written not
 * before the reduction of the same elements; so in place is no matter.
 *
 * A failure travels with the data: beside the last segment the processes tell each other the worst of their
 * errors, so that who gets data gets it, too. Till then a process that has failed takes part with data that
 * mean nothing.
 *
 * Rank order: where the operator does not commute, and in scans, the ranks of each process are consecutive
 * and those of processes ascend (reduce_algorithm), and MPI combines in the order of processes.
 */
#include <limits.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "coll/far.h"
#include "coll/reduce/flow.h"
#include "coll/reduce/reduction.h"
#include "coll/algorithms.h"

enum { REDUCE_SEGMENTS_SEGMENT = FAR_SEGMENT, PLACES = 3 };

struct reduce_segments_state {
    struct flow flow;
    struct shape shape;
    MPI_Op op;
    size_t each; /* elements of a segment */
    int segments;
    int owner;      /* endpoint in whose output the result comes; -1: scratch */
    int root_proc;  /* -1: all get the result */
    bool prefix;    /* scan, exscan */
    bool direct;    /* the only endpoint's input goes to MPI as it is */
    bool copied;    /* from scratch memory, though the result comes in the owner's output */
    bool hands_out; /* anybody gets anything after MPI's call */
    size_t place;   /* bytes */
    char *memory; /* PLACES for partials and then, in scans, PLACES for results; NULL: none, or not needed */
    void *zeros;  /* in place of a copy that there is no memory for */
    size_t zeros_bytes;
    int mine, worst; /* error classes: of this process, of all */
};
_Static_assert(sizeof(struct reduce_segments_state) <= OP_STATE, "it is in the operation");

static struct span segment_span(const struct reduce_segments_state *s, const char *buf, int segment)
{
    size_t begin = (size_t)segment * s->each, left = s->flow.count - begin;
    return shape_span(&s->shape, buf, begin, left < s->each ? left : s->each);
}

/* Scratch for a segment; kind 0: partial, 1: result of a scan. */
static struct span place_span(const struct reduce_segments_state *s, int kind, int segment)
{
    struct span whole = segment_span(s, NULL, segment);
    char *at = s->memory + (size_t)(kind * PLACES + segment % PLACES) * s->place;
    return shape_span(&s->shape, shape_place(&s->shape, at, s->each), 0, whole.count);
}

static struct span input_span(const struct op *o, const struct reduce_segments_state *s, int args,
                              int segment)
{
    return segment_span(s, o->args[args]->call.send.buf, segment);
}

static struct span output_span(const struct op *o, const struct reduce_segments_state *s, int args,
                               int segment)
{
    return segment_span(s, o->args[args]->call.recv.buf, segment);
}

/* Where the partial of several endpoints grows. */
static struct span partial_span(const struct op *o, const struct reduce_segments_state *s, int segment)
{
    return s->owner >= 0 && !s->copied ? output_span(o, s, s->owner, segment) : place_span(s, 0, segment);
}

/* ---- setting up ---- */

static int reduce_segments_owner_of(const struct op *o, const struct reduce_segments_state *s)
{
    const struct flow *f = &s->flow;
    if (s->prefix || f->nout == 0)
        return -1;
    if (f->root < 0)
        return o->n - 1;
    return o->args[f->out]->call.in_place && f->out != o->n - 1 ? -1 : f->out;
}

/* The same in all processes. With one endpoint in each there is nothing to overlap with. */
static size_t segment_elements(const struct op *o, const struct reduce_segments_state *s)
{
    if (o->comm->map.widest == 1 && !s->prefix)
        return INT_MAX;
    size_t n = REDUCE_SEGMENTS_SEGMENT / (s->shape.type->size + !s->shape.type->size);
    return n > 0 ? n : 1;
}

static bool needs_scratch(const struct op *o, const struct reduce_segments_state *s)
{
    return s->prefix || s->copied || (o->n > 1 && s->owner < 0);
}

/* One endpoint here: what is given to MPI? */
static void choose_input(const struct op *o, struct reduce_segments_state *s)
{
    bool all = s->flow.root < 0 && !s->prefix, alone = o->comm->map.widest == 1;
    s->copied = all && alone && o->args[0]->call.in_place;
    s->direct = o->n == 1 && !s->copied && (alone || !all);
}

/* What can be read of memory that was never written is zero, and the system gives none for it. */
static void *zeros_of(struct reduce_segments_state *s)
{
    void *zeros = mmap(NULL, s->place, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (zeros == MAP_FAILED)
        return NULL;
    s->zeros_bytes = s->place;
    return s->zeros = zeros;
}

static void get_memory(struct op *o, struct reduce_segments_state *s)
{
    s->each = s->each < s->flow.count ? s->each : s->flow.count;
    s->place = shape_bytes(&s->shape, s->each);
    size_t places = s->segments < PLACES ? (size_t)s->segments : PLACES;
    s->memory = aligned_alloc(CACHE_LINE, (s->prefix ? PLACES + places : places) * s->place);
    if (s->memory)
        return;
    op_fail(o, MPI_ERR_NO_MEM);
    if (s->copied)
        zeros_of(s);
}

static void reduce_segments_set_up(struct op *o)
{
    int index;
    struct flow f[2];
    struct reduce_segments_state *s = op_state(o);
    flows_of(o, f);
    s->flow = f[0];
    s->prefix = is_prefix(o);
    struct span type = flow_type(o, &s->flow);
    s->shape = shape_of(&type);
    s->op = flow_op(o, &s->flow);
    s->each = segment_elements(o, s);
    s->segments = (int)((s->flow.count + s->each - 1) / s->each);
    s->root_proc = s->flow.root < 0 ? -1 : rankmap_proc(&o->comm->map, s->flow.root, &index);
    s->owner = reduce_segments_owner_of(o, s);
    choose_input(o, s);
    s->hands_out = s->flow.nout > (s->owner >= 0);
    if (needs_scratch(o, s) && s->flow.count > 0)
        get_memory(o, s);
}

/* ---- tasks ---- */

static int segment_slices(const struct op *o, const struct reduce_segments_state *s, int segment)
{
    if (segment < 0 || segment >= s->segments)
        return 0;
    struct span whole = segment_span(s, NULL, segment);
    return slice_number(span_bytes(&whole), o->n);
}

static int folding_tasks(const struct op *o, const struct reduce_segments_state *s)
{
    return s->direct ? 0 : segment_slices(o, s, o->round);
}

static int handing_tasks(const struct op *o, const struct reduce_segments_state *s)
{
    return s->hands_out ? segment_slices(o, s, o->round - 2) : 0;
}

static int reduction_slice(struct reduction *f, const struct op *o, const struct reduce_segments_state *s,
                           size_t at, size_t n)
{
    struct operands x = {.n = o->n, .args = o->args};
    struct span partial = partial_span(o, s, o->round);
    size_t begin = (size_t)o->round * s->each;
    return reduction_chunk(f, &x, begin + at, shape_at(&s->shape, partial.buf, at), n);
}

/* To all but the owner. */
static int hand_slice(const struct op *o, const struct reduce_segments_state *s, size_t at, size_t n)
{
    int segment = o->round - 2, rc = MPI_SUCCESS;
    const char *from = shape_at(&s->shape, partial_span(o, s, segment).buf, at);
    for (int i = s->flow.out; i < s->flow.out + s->flow.nout && rc == MPI_SUCCESS; i++)
        if (i != s->owner)
            rc = shape_copy(&s->shape, from, shape_at(&s->shape, output_span(o, s, i, segment).buf, at), n);
    return rc;
}

static int scan_slice(struct reduction *f, const struct op *o, const struct reduce_segments_state *s,
                      size_t at, size_t n)
{
    int segment = o->round - 2;
    const char *before = shape_at(&s->shape, place_span(s, 1, segment).buf, at);
    return scan_chunk(f, o->args, o->n, o->comm->proc > 0 ? before : NULL, (size_t)segment * s->each + at, n);
}

/* Chunk by chunk. */
static int calculate_slice(const struct op *o, const struct reduce_segments_state *s, bool folds, size_t at,
                           size_t end)
{
    struct reduction f;
    int rc = reduction_begin(&f, &s->shape, s->op, end - at, s->prefix ? SCAN_TEMPS : 0, 0);
    if (rc != MPI_SUCCESS)
        return rc;
    for (; at < end && rc == MPI_SUCCESS; at += f.chunk) {
        size_t n = end - at < f.chunk ? end - at : f.chunk;
        rc = folds ? reduction_slice(&f, o, s, at, n) : scan_slice(&f, o, s, at, n);
    }
    reduction_end(&f);
    return rc;
}

static void reduce_segments_task(struct op *o, int i)
{
    const struct reduce_segments_state *s = o->state;
    int folding = folding_tasks(o, s);
    bool folds = i < folding;
    int slices = folds ? folding : handing_tasks(o, s), slice = folds ? i : i - folding;
    size_t count = segment_span(s, NULL, folds ? o->round : o->round - 2).count;
    size_t at = slice_begin(count, slice, slices), end = slice_begin(count, slice + 1, slices);
    int rc = folds || s->prefix ? calculate_slice(o, s, folds, at, end) : hand_slice(o, s, at, end - at);
    if (rc != MPI_SUCCESS)
        op_fail(o, rc);
}

/* ---- rounds ---- */

static bool reduce_segments_advance(struct op *o)
{
    if (o->round == 0)
        reduce_segments_set_up(o);
    struct reduce_segments_state *s = o->state;
    int segment = o->round - 1;
    op_fail(o, s->worst);
    o->wants_far = segment >= 0 && segment < s->segments;
    o->last_far = segment == s->segments - 1;
    if (!op_failed(o))
        o->ntasks = folding_tasks(o, s) + handing_tasks(o, s);
    return o->round < s->segments + 1 + s->hands_out;
}

/* Without memory any buffer of the right size will do: this process's result is an error. */
static struct span reduce_segments_contribution(const struct op *o, const struct reduce_segments_state *s,
                                                int segment)
{
    if (s->zeros)
        return segment_span(s, shape_place(&s->shape, s->zeros, s->each), segment);
    if (s->direct || (needs_scratch(o, s) && !s->memory))
        return input_span(o, s, 0, segment);
    return partial_span(o, s, segment);
}

static void reduce_segments_far(struct op *o)
{
    struct reduce_segments_state *s = o->state;
    int segment = o->round - 1;
    struct span from = reduce_segments_contribution(o, s, segment);
    char *to = NULL;
    if (s->prefix && s->memory)
        to = place_span(s, 1, segment).buf;
    else if (s->prefix) /* the first process gets nothing, so its first endpoint need not have a buffer */
        to = o->comm->proc == 0 ? from.buf : output_span(o, s, 0, segment).buf;
    else if (s->flow.root < 0 || s->root_proc == o->comm->proc)
        to = s->owner >= 0 ? output_span(o, s, s->owner, segment).buf : from.buf;
    if (s->prefix)
        far_exscan(o, from, to, s->op);
    else
        far_reduce(o, from, to, s->op, s->root_proc);
    if (!o->last_far)
        return;
    s->mine = load_relaxed(&o->rc);
    far_worst(o, &s->mine, &s->worst, 1, s->root_proc);
}

static void reduce_segments_end(struct op *o)
{
    struct reduce_segments_state *s = o->state;
    free(s->memory);
    if (s->zeros)
        munmap(s->zeros, s->zeros_bytes);
    op_state_free(o);
}

const struct coll_algorithm algorithm_reduce_segments = {.name = "reduce segments",
                                                         .advance = reduce_segments_advance,
                                                         .task = reduce_segments_task,
                                                         .far = reduce_segments_far,
                                                         .end = reduce_segments_end,
                                                         .ordered = true};
