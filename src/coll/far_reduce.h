/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI's reductions between the processes of an operation, begun in its far step. */
#ifndef EP_COLL_FAR_REDUCE_H
#define EP_COLL_FAR_REDUCE_H

#include "coll/op.h"

/* All processes bring `from`; the result comes to `to` (from's buffer: in place) in process root, or in
 * all if root is -1. NULL elsewhere. */
void far_reduce(struct op *o, struct span from, char *to, MPI_Op op, int root);

/* To `to`: the reduction of what all processes before this one bring. */
void far_exscan(struct op *o, struct span from, char *to, MPI_Op op);

/* The highest of what the processes have in each of n places, such as their error classes: to the root, or to all. */
void far_worst(struct op *o, const int *mine, int *worst, int n, int root);

#endif
