/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI's collective calls between the processes of an operation, for algorithms that are `ordered`; in algorithm->far. */
#ifndef EP_COLL_FAR_H
#define EP_COLL_FAR_H

#include <stddef.h>

struct op;

enum { FAR_SEGMENT = 256 * 1024 };

/* FAR_SEGMENT bytes that nobody reads: what MPI writes there, or takes from there, is of no use. For those that take part
 * without memory. */
void *far_nowhere(void);

void far_barrier(struct op *o);
/* root: a process. At most INT_MAX bytes. */
void far_bcast(struct op *o, void *data, size_t bytes, int root);

#endif
