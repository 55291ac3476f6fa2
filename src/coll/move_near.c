/* SPDX-License-Identifier: BSD-3-Clause */
#include "coll/near.h"
#include "coll/plans.h"

struct state {
    struct pairs pairs;
    struct near near;
};
_Static_assert(sizeof(struct state) <= OP_STATE, "it is in the operation");

static bool advance(struct op *o)
{
    if (o->round > 0 || op_failed(o))
        return false;
    struct state *s = op_state(o);
    pairs_init(&s->pairs, o);
    near_init(&s->near, &s->pairs);
    o->ntasks = s->near.tasks;
    return true;
}

static void task(struct op *o, int i)
{
    struct state *s = o->state;
    near_task(&s->near, &s->pairs, o, i);
}

const struct plan plan_near = {.name = "near", .advance = advance, .task = task};
