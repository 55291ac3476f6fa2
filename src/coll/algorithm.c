/* SPDX-License-Identifier: BSD-3-Clause */
#include "coll/algorithms.h"
#include "coll/reduce.h"

static bool is_discord(const struct op *o)
{
    for (int i = 1; i < o->n; i++)
        if (unlikely(o->args[i]->call.kind != o->args[0]->call.kind))
            return true;
    return false;
}

const struct coll_algorithm *algorithm_for(struct op *o)
{
    enum coll_kind kind = o->args[0]->call.kind;
    if (is_discord(o))
        return &algorithm_discord;
    if (kind == COLL_BARRIER)
        return &algorithm_barrier;
    if (kind >= COLL_REDUCE)
        return reduce_algorithm(o);
    if (o->comm->nproc == 1)
        return &algorithm_near;
    return kind == COLL_BCAST && !o->comm->inter ? &algorithm_bcast : &algorithm_move;
}
