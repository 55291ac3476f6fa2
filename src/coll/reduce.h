/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reductions: reduce, allreduce, reduce_scatter, scan and exscan as algorithms.
 *
 *   algorithm_reduce_near       all endpoints in one process: each task does a slice of elements from all
 *                               inputs to all outputs
 *   algorithm_reduce_segments   several processes, MPI applies the operator between them: each reduces what
 *                               its endpoints bring, MPI combines the processes segment by segment, and the
 *                               result goes to the endpoints
 *   algorithm_reduce_exchange   everything else: processes exchange slices, and the owner of a slice reduces
 *                               it in the order of ranks
 */
#ifndef EP_COLL_REDUCE_H
#define EP_COLL_REDUCE_H

#include "coll/op.h"

const struct coll_algorithm *reduce_algorithm(struct op *o);

extern const struct coll_algorithm algorithm_reduce_near, algorithm_reduce_segments,
    algorithm_reduce_exchange;

#endif
