/* SPDX-License-Identifier: BSD-3-Clause */
#include "coll/far.h"
#include "coll/algorithms.h"

static bool barrier_advance(struct op *o)
{
    o->wants_far = o->round == 0 && o->comm->nproc > 1;
    o->last_far = true;
    return o->wants_far;
}

const struct coll_algorithm algorithm_barrier = {
    .name = "barrier", .advance = barrier_advance, .far = far_barrier, .ordered = true};
