/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI's collective calls between the processes of an operation, for algorithms that are `ordered`; in
 * algorithm->far. */
#ifndef EP_COLL_FAR_H
#define EP_COLL_FAR_H

#include "coll/op.h"

enum { FAR_SEGMENT = 256 * 1024 };

/* FAR_SEGMENT bytes that nobody reads: what MPI writes there, or takes from there, is of no use. For those
 * that take part without memory. */
void *far_nowhere(void);

void far_barrier(struct op *o);
/* root: a process. At most INT_MAX bytes. */
void far_bcast(struct op *o, void *data, size_t bytes, int root);

/* All processes bring `from`; the result comes to `to` (from's buffer: in place) in process root, or in
 * all if root is -1. NULL elsewhere. */
void far_reduce(struct op *o, struct span from, char *to, MPI_Op op, int root);

/* To `to`: the reduction of what all processes before this one bring. */
void far_exscan(struct op *o, struct span from, char *to, MPI_Op op);

/* The highest of what the processes have in each of n places, such as their error classes: to the root, or to
 * all. */
void far_worst(struct op *o, const int *mine, int *worst, int n, int root);

#endif
