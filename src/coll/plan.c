/* SPDX-License-Identifier: BSD-3-Clause */
#include "coll/plans.h"
#include "coll/reduce.h"

const struct plan *plan_for(struct op *o)
{
    enum coll_kind kind = o->part[0]->call.kind;
    if (kind == COLL_BARRIER)
        return &plan_barrier;
    if (kind >= COLL_REDUCE)
        return reduce_plan(o);
    if (o->comm->nproc == 1)
        return &plan_near;
    return kind == COLL_BCAST && !o->comm->inter ? &plan_bcast : &plan_move;
}
