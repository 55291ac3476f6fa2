/* SPDX-License-Identifier: BSD-3-Clause */
#include "coll/plans.h"
#include "coll/reduce.h"

static bool is_discord(const struct op *o)
{
    for (int i = 1; i < o->n; i++)
        if (unlikely(o->part[i]->call.kind != o->part[0]->call.kind))
            return true;
    return false;
}

const struct plan *plan_for(struct op *o)
{
    enum coll_kind kind = o->part[0]->call.kind;
    if (is_discord(o))
        return &plan_discord;
    if (kind == COLL_BARRIER)
        return &plan_barrier;
    if (kind >= COLL_REDUCE)
        return reduce_plan(o);
    if (o->comm->nproc == 1)
        return &plan_near;
    return kind == COLL_BCAST && !o->comm->inter ? &plan_bcast : &plan_move;
}
