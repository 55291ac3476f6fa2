/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>

#include "coll/near.h"
#include "coll/plans.h"

struct state {
    struct pairs pairs;
    struct near near;
};

static bool advance(struct op *o)
{
    if (o->round > 0)
        return false;
    struct state *s = o->state = malloc(sizeof *s);
    if (!s) {
        op_fail(o, MPI_ERR_NO_MEM);
        return false;
    }
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
