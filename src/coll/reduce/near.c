/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reductions inside one process.
 *
 * A task has a slice of elements. Chunk by chunk it reduces the slice of all inputs into the buffer of one
 * receiver, the target, and copies it to the others while it is hot. Nothing is set up but the number of
 * tasks.
 *
 * In place, an endpoint's output is its input. Each task reads a chunk of all inputs before it writes that
 * chunk of any output but the target's; and a target in place is the last operand, in whose memory a
 * reduction grows anyway, or else a temporary takes its place. In reduce_scatter an output is written
 * elsewhere than its elements were read; if anybody is in place the result goes to memory of its own first,
 * and a second round copies it.
 */
#include <stdlib.h>

#include "coll/reduce/flow.h"
#include "coll/reduce/reduction.h"
#include "coll/algorithms.h"

struct reduce_near_job {
    struct op *o;
    struct flow flow;
    struct reduction reduction;
    struct operands operands;
    size_t begin, end; /* the slice */
};

static bool any_in_place(const struct op *o)
{
    for (int i = 0; i < o->n; i++)
        if (o->args[i]->call.in_place)
            return true;
    return false;
}

/* ---- reduce and allreduce ---- */

/* The endpoint in whose buffer the reduction grows; -1: a temporary. */
static int target_of(const struct reduce_near_job *j)
{
    const struct flow *f = &j->flow;
    int last = f->in + f->nin - 1;
    if (f->root < 0 && !j->o->comm->inter)
        return last;
    return j->o->args[f->out]->call.in_place && f->out != last ? -1 : f->out;
}

static int reduction_to_all(struct reduce_near_job *j, size_t first, size_t n)
{
    const struct flow *f = &j->flow;
    const struct shape *shape = &j->reduction.shape;
    int target = target_of(j);
    char *result = target < 0 ? reduction_temp(&j->reduction, 0)
                              : shape_at(shape, j->o->args[target]->call.recv.buf, first);
    int rc = reduction_chunk(&j->reduction, &j->operands, first, result, n);
    for (int i = f->out; i < f->out + f->nout && rc == MPI_SUCCESS; i++)
        if (i != target)
            rc = shape_copy(shape, result, shape_at(shape, j->o->args[i]->call.recv.buf, first), n);
    return rc;
}

/* ---- reduce_scatter ---- */

/* To the blocks of the receivers. */
static int reduction_to_blocks(struct reduce_near_job *j, size_t first, size_t n)
{
    const struct shape *shape = &j->reduction.shape;
    size_t at = 0, end = first + n;
    int rc = MPI_SUCCESS;
    for (int r = 0; r < j->flow.nout && at < end && rc == MPI_SUCCESS; r++) {
        size_t from = at, to = at + flow_block(j->o, &j->flow, r);
        const struct coll_args *p = j->o->args[j->flow.out + r];
        size_t a = first > from ? first : from, b = end < to ? end : to;
        if (a < b)
            rc = reduction_chunk(&j->reduction, &j->operands, a, shape_at(shape, p->call.recv.buf, a - from),
                                 b - a);
        at = to;
    }
    return rc;
}

static char *scratch_of(const struct reduce_near_job *j)
{
    return shape_place(&j->reduction.shape, j->o->state, j->flow.count);
}

static int reduction_to_scratch(struct reduce_near_job *j, size_t first, size_t n)
{
    return reduction_chunk(&j->reduction, &j->operands, first,
                           shape_at(&j->reduction.shape, scratch_of(j), first), n);
}

/* Second round: block r. */
static void reduce_near_hand_out(struct reduce_near_job *j, int r)
{
    const struct shape *shape = &j->reduction.shape;
    size_t at = 0;
    for (int i = 0; i < r; i++)
        at += flow_block(j->o, &j->flow, i);
    int rc = shape_copy(shape, shape_at(shape, scratch_of(j), at), j->o->args[j->flow.out + r]->call.recv.buf,
                        flow_block(j->o, &j->flow, r));
    if (rc != MPI_SUCCESS)
        op_fail(j->o, rc);
}

/* ---- the slice ---- */

/* Elements [first, first + n) of the slice. */
typedef int chunk_function(struct reduce_near_job *j, size_t first, size_t n);

static int scan_args(struct reduce_near_job *j, size_t first, size_t n)
{
    return scan_chunk(&j->reduction, j->o->args, j->o->n, NULL, first, n);
}

static void do_slice(struct reduce_near_job *j)
{
    chunk_function *chunk = reduction_to_all;
    if (op_kind(j->o) == COLL_REDUCE_SCATTER)
        chunk = j->o->state ? reduction_to_scratch : reduction_to_blocks;
    else if (is_prefix(j->o))
        chunk = scan_args;
    int rc = MPI_SUCCESS;
    for (size_t at = j->begin; at < j->end && rc == MPI_SUCCESS; at += j->reduction.chunk) {
        size_t left = j->end - at;
        rc = chunk(j, at, left < j->reduction.chunk ? left : j->reduction.chunk);
    }
    if (rc != MPI_SUCCESS)
        op_fail(j->o, rc);
}

static int temps_of(const struct reduce_near_job *j)
{
    if (is_prefix(j->o))
        return SCAN_TEMPS;
    return op_kind(j->o) != COLL_REDUCE_SCATTER && target_of(j) < 0;
}

static int begin_slice(struct reduce_near_job *j, int slice, int slices)
{
    const struct flow *f = &j->flow;
    struct span type = flow_type(j->o, f);
    struct shape shape = shape_of(&type);
    bool tree = j->o->args[0]->reproducible;
    j->begin = slice_begin(f->count, slice, slices);
    j->end = slice_begin(f->count, slice + 1, slices);
    j->operands = (struct operands){.n = f->nin, .args = j->o->args + f->in};
    return reduction_begin(&j->reduction, &shape, flow_op(j->o, f), j->end - j->begin, temps_of(j),
                           tree ? f->n : 0);
}

static int reduce_near_tasks_of(const struct op *o, const struct flow *f)
{
    return f->count > 0 && f->nout > 0 ? slice_number(flow_bytes(o, f, f->count), o->n) : 0;
}

static void reduce_near_task(struct op *o, int i)
{
    struct reduce_near_job j;
    struct flow f[2];
    j.o = o;
    flows_of(o, f);
    int first = reduce_near_tasks_of(o, &f[0]), which = o->round == 0 && i >= first;
    j.flow = f[which];
    i -= which ? first : 0;
    int rc = begin_slice(&j, o->round == 0 ? i : 0, o->round == 0 ? reduce_near_tasks_of(o, &j.flow) : 1);
    if (rc != MPI_SUCCESS) {
        op_fail(o, rc);
        return;
    }
    if (o->round == 0)
        do_slice(&j);
    else
        reduce_near_hand_out(&j, i);
    reduction_end(&j.reduction);
}

/* ---- the rounds ---- */

static void get_scratch(struct op *o, const struct flow *f)
{
    struct span type = flow_type(o, f);
    struct shape shape = shape_of(&type);
    o->state = aligned_alloc(CACHE_LINE, shape_bytes(&shape, f->count));
    if (!o->state)
        op_fail(o, MPI_ERR_NO_MEM);
}

static bool reduce_near_advance(struct op *o)
{
    struct flow f[2];
    int flows;
    if (o->round > 1 || load_relaxed(&o->rc) != MPI_SUCCESS)
        return false;
    if (o->round == 1) {
        o->ntasks = o->state ? o->n : 0;
        return o->state != NULL;
    }
    flows = flows_of(o, f);
    for (int i = 0; i < flows; i++)
        o->ntasks += reduce_near_tasks_of(o, &f[i]);
    if (op_kind(o) == COLL_REDUCE_SCATTER && o->ntasks > 0 && !o->comm->inter && any_in_place(o))
        get_scratch(o, f);
    return load_relaxed(&o->rc) == MPI_SUCCESS;
}

const struct coll_algorithm algorithm_reduce_near = {
    .name = "reduce near", .advance = reduce_near_advance, .task = reduce_near_task};
