/* SPDX-License-Identifier: BSD-3-Clause */
#include "coll/reduce.h"

#include "coll/convert.h"
#include "coll/far_reduce.h"
#include "coll/flow.h"
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
static bool is_plain(const struct type *t)
{
    return t->named || (t->contiguous && t->lb == 0);
}

/* What MPI can combine. */
static const struct plan *plan_by_mpi(const struct op *o)
{
    if (in_process_order(&o->comm->map))
        return &plan_reduce_segments;
    return !is_prefix(o) && operator_commutes(o->part[0]->call.op) ? &plan_reduce_segments
                                                                   : &plan_reduce_exchange;
}

/* ---- operators of users ---- */

/*
 * Their datatypes may be derived ones, which only ep's own plan takes unless they are plain. What is plain here need not be so
 * elsewhere: equal types can be made in different ways. So the processes first tell each other, and whether anybody has failed
 * (convert.h): then no data move.
 */
enum { SPREAD, FAILED, REPORTS }; /* a type is not plain; an error class */
struct agreement {
    int mine[REPORTS], worst[REPORTS]; /* here, anywhere */
};

static bool agree(struct op *o)
{
    struct agreement *a = o->state;
    if (o->round > 0) {
        op_fail(o, a->worst[FAILED]);
        return !op_failed(o) && op_go_on(o, a->worst[SPREAD] ? &plan_reduce_exchange : plan_by_mpi(o));
    }
    a = op_state(o);
    a->mine[SPREAD] = !is_plain(o->part[0]->call.send.type);
    a->mine[FAILED] = load_relaxed(&o->rc);
    o->wants_far = true;
    return true;
}

static void tell(struct op *o)
{
    struct agreement *a = o->state;
    far_worst(o, a->mine, a->worst, REPORTS, -1);
}

static const struct plan plan_agree = {
    .name = "reduce agree", .advance = agree, .far = tell, .ordered = true};

const struct plan *reduce_plan(struct op *o)
{
    const struct part *p = o->part[0];
    bool is_users = !operator_is_predefined(p->call.op);
    if (is_users)
        op_fail(o, convert_begin(o));
    if (o->comm->nproc == 1)
        return &plan_reduce_near;
    if (o->comm->inter || p->reproducible || p->call.kind == COLL_REDUCE_SCATTER)
        return &plan_reduce_exchange;
    const struct plan *plan = plan_by_mpi(o);
    return plan == &plan_reduce_exchange || !is_users ? plan : &plan_agree;
}
