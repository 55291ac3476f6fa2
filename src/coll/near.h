/* SPDX-License-Identifier: BSD-3-Clause */
/* Moving blocks between the endpoints of one process: each receiver's are copied from the senders' buffers,
 * by several threads where there is much. */
#ifndef EP_COLL_NEAR_H
#define EP_COLL_NEAR_H

#include "coll/pairs.h"

struct near {
    int slices; /* of each block */
    int group;  /* units (receiver, slice) of one task */
    int tasks;
};

/* 0 tasks if there is nothing to copy. */
void near_init(struct near *n, const struct pairs *p);
void near_task(const struct near *n, const struct pairs *p, struct op *o, int task);

/* Copy part `slice` of `slices` of a block; all of it into nothing more than its place: if that is too small,
 * to's error is MPI_ERR_TRUNCATE. */
void block_copy(struct op *o, struct span from, struct span to, struct coll_args *receiver, int slice,
                int slices);

#endif
