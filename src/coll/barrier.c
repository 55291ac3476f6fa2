/* SPDX-License-Identifier: BSD-3-Clause */
#include "coll/far.h"
#include "coll/plans.h"

static bool advance(struct op *o)
{
    o->wants_far = o->round == 0 && o->comm->nproc > 1;
    o->last_far = true;
    return o->wants_far;
}

const struct plan plan_barrier = {.name = "barrier", .advance = advance, .far = far_barrier, .ordered = true};
