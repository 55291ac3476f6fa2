/* SPDX-License-Identifier: BSD-3-Clause */
#include "coll/reduce.h"

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

const struct plan *reduce_plan(struct op *o)
{
    const struct part *p = o->part[0];
    if (o->comm->nproc == 1)
        return &plan_reduce_near;
    if (o->comm->inter || p->reproducible || p->call.kind == COLL_REDUCE_SCATTER)
        return &plan_reduce_exchange;
    if (!is_plain(p->call.send.type))
        return &plan_reduce_exchange;
    if (in_process_order(&o->comm->map))
        return &plan_reduce_segments;
    return !is_prefix(o) && operator_commutes(p->call.op) ? &plan_reduce_segments : &plan_reduce_exchange;
}
