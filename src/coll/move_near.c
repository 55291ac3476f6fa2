/* SPDX-License-Identifier: BSD-3-Clause */
#include "coll/near.h"
#include "coll/algorithms.h"

struct move_near_state {
    struct pairs pairs;
    struct near near;
};
_Static_assert(sizeof(struct move_near_state) <= OP_STATE, "it is in the operation");

static bool move_near_advance(struct op *o)
{
    if (o->round > 0 || op_failed(o))
        return false;
    struct move_near_state *s = op_state(o);
    pairs_init(&s->pairs, o);
    near_init(&s->near, &s->pairs);
    o->ntasks = s->near.tasks;
    return true;
}

static void move_near_task(struct op *o, int i)
{
    struct move_near_state *s = o->state;
    near_task(&s->near, &s->pairs, o, i);
}

const struct coll_algorithm algorithm_near = {
    .name = "near", .advance = move_near_advance, .task = move_near_task};
