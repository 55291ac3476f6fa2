/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EP_COLL_ALGORITHMS_H
#define EP_COLL_ALGORITHMS_H

#include "coll/op.h"

/* Blocks between the endpoints of one process (near.c). */
extern const struct coll_algorithm algorithm_near;
/* bcast on an intracommunicator with several processes: MPI's in segments. */
extern const struct coll_algorithm algorithm_bcast;
/* Blocks between processes: one message for each pair of them, large blocks by themselves (move.c). */
extern const struct coll_algorithm algorithm_move;

/* EP_CHECK: first compares the calls of all endpoints, then goes on as algorithm_for says; or ends the
 * operation with an error that says who called what (check.c). */
extern const struct coll_algorithm algorithm_check;

/*
 * Reductions: reduce, allreduce, reduce_scatter, scan and exscan.
 *
 *   algorithm_reduce_near       all endpoints in one process: each task does a slice of elements from all
 *                               inputs to all outputs
 *   algorithm_reduce_segments   several processes, MPI applies the operator between them: each reduces what
 *                               its endpoints bring, MPI combines the processes segment by segment, and the
 *                               result goes to the endpoints
 *   algorithm_reduce_exchange   everything else: processes exchange slices, and the owner of a slice reduces
 *                               it in the order of ranks
 */
extern const struct coll_algorithm algorithm_reduce_near, algorithm_reduce_segments,
    algorithm_reduce_exchange;
const struct coll_algorithm *reduce_algorithm(struct op *o);

/* convert.c: endpoints of a process may describe equal elements in different ways. */

/* All arguments are there and no round has begun. An error class: the operation has failed, and no algorithm
 * may touch a buffer but for telling other processes. */
int convert_begin(struct op *o);
/* The operation is over, its arguments are not complete. Its error. */
int convert_end(struct op *o, int rc);

#endif
