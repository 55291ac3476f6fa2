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

const struct plan *reduce_plan(struct op *o)
{
    const struct part *p = o->part[0];
    if (o->comm->nproc == 1)
        return &plan_reduce_near;
    if (o->comm->inter || p->view->reproducible || p->call.kind == COLL_REDUCE_SCATTER)
        return &plan_reduce_exchange;
    if (in_process_order(&o->comm->map))
        return &plan_reduce_segments;
    return !is_prefix(o) && operator_commutes(p->call.op) ? &plan_reduce_segments : &plan_reduce_exchange;
}
