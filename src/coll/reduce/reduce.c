/* SPDX-License-Identifier: BSD-3-Clause */
#include "coll/algorithms.h"

#include "coll/far.h"
#include "coll/reduce/flow.h"
#include "coll/operator.h"

/* Has each process consecutive ranks, and the next process the next ranks? */
static bool in_process_order(const struct rankmap *m)
{
    if (m->each)
        return m->each == 1 ? m->by_proc == 1 || m->nproc == 1 : m->by_index == 1;
    return !m->rank_at;
}

/* Open MPI 4.1's reductions that do not block write beyond their memory where data do not begin at an
 * element's first byte, and mistake elements that go backwards. */
static bool reduce_is_plain(const struct type *t)
{
    return t->named || (t->contiguous && t->lb == 0);
}

/* What MPI can combine. */
static const struct coll_algorithm *algorithm_by_mpi(const struct op *o)
{
    if (in_process_order(&o->comm->map))
        return &algorithm_reduce_segments;
    return !is_prefix(o) && operator_commutes(o->args[0]->call.op) ? &algorithm_reduce_segments
                                                                   : &algorithm_reduce_exchange;
}

/* ---- operators of users ---- */

/*
 * Their datatypes may be derived ones, which only ep's own algorithm takes unless they are plain. What is
 * plain here need not be so elsewhere: equal types can be made in different ways. So the processes first tell
 * each other, and whether anybody has failed (convert.c): then no data move.
 */
enum { SPREAD, REDUCE_FAILED, REPORTS }; /* a type is not plain; an error class */
struct agreement {
    int mine[REPORTS], worst[REPORTS]; /* here, anywhere */
};

static bool reduce_agree(struct op *o)
{
    struct agreement *a = o->state;
    if (o->round > 0) {
        op_fail(o, a->worst[REDUCE_FAILED]);
        return !op_failed(o) &&
               op_go_on(o, a->worst[SPREAD] ? &algorithm_reduce_exchange : algorithm_by_mpi(o));
    }
    a = op_state(o);
    a->mine[SPREAD] = !reduce_is_plain(o->args[0]->call.send.type);
    a->mine[REDUCE_FAILED] = load_relaxed(&o->rc);
    o->wants_far = true;
    return true;
}

static void reduce_tell(struct op *o)
{
    struct agreement *a = o->state;
    far_worst(o, a->mine, a->worst, REPORTS, -1);
}

static const struct coll_algorithm algorithm_agree = {
    .name = "reduce agree", .advance = reduce_agree, .far = reduce_tell, .ordered = true};

const struct coll_algorithm *reduce_algorithm(struct op *o)
{
    const struct coll_args *p = o->args[0];
    bool is_users = !operator_is_predefined(p->call.op);
    if (is_users)
        op_fail(o, convert_begin(o));
    if (o->comm->nproc == 1)
        return &algorithm_reduce_near;
    if (o->comm->inter || p->reproducible || p->call.kind == COLL_REDUCE_SCATTER)
        return &algorithm_reduce_exchange;
    const struct coll_algorithm *algorithm = algorithm_by_mpi(o);
    return algorithm == &algorithm_reduce_exchange || !is_users ? algorithm : &algorithm_agree;
}
