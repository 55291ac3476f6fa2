/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reductions: reduce, allreduce, reduce_scatter, scan and exscan as plans.
 *
 *   plan_reduce_near       all endpoints in one process: each task does a slice of elements from all inputs
 *                          to all outputs
 *   plan_reduce_segments   several processes, MPI applies the operator between them: each folds what its
 *                          endpoints bring, MPI combines the processes segment by segment, and the result
 *                          goes to the endpoints
 *   plan_reduce_exchange   everything else: processes exchange slices, and the owner of a slice folds it in
 *                          the order of ranks
 */
#ifndef EP_COLL_REDUCE_H
#define EP_COLL_REDUCE_H

#include "coll/op.h"

const struct plan *reduce_plan(struct op *o);

extern const struct plan plan_reduce_near, plan_reduce_segments, plan_reduce_exchange;

#endif
