/* SPDX-License-Identifier: BSD-3-Clause */
/* Which algorithm does a call, and the two that are a few lines. */
#include "coll/algorithms.h"

#include <stdio.h>
#include <string.h>

#include "coll/far.h"

/* ---- barrier ---- */

static bool barrier_advance(struct op *o)
{
    o->wants_far = o->round == 0 && o->comm->nproc > 1;
    o->last_far = true;
    return o->wants_far;
}

static const struct coll_algorithm algorithm_barrier = {
    .name = "barrier", .advance = barrier_advance, .far = far_barrier, .ordered = true};

/* ---- the endpoints of this process called collective functions of different kinds ---- */

/* Nothing can be done for them together: no algorithm may look for what only another kind of call brings. */
static const struct coll_args *discord_other_args(const struct op *o, const struct coll_args *of)
{
    int i = 0;
    while (o->args[i]->call.kind == of->call.kind)
        i++;
    return o->args[i];
}

static bool discord_advance(struct op *o)
{
    op_fail(o, MPI_ERR_ARG);
    for (int i = 0; i < o->n; i++) {
        const struct coll_args *other = discord_other_args(o, o->args[i]);
        char why[100];
        snprintf(why, sizeof why, "endpoint %d called %s meanwhile", other->view->rank, other->call.name);
        o->args[i]->why = strdup(why);
    }
    return false;
}

static const struct coll_algorithm algorithm_discord = {.name = "discord", .advance = discord_advance};

/* ---- the choice ---- */

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
