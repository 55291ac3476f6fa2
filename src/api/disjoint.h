/* SPDX-License-Identifier: BSD-3-Clause */
/* What a collective call sends and what it receives must not overlap (MPI 5.1): looked for among its blocks. */
#ifndef EP_API_DISJOINT_H
#define EP_API_DISJOINT_H

#include "coll/coll.h"

/* The blocks of one buffer. is_used may be NULL: all of them. */
struct side {
    const struct blocks *blocks;
    int n;
    bool (*is_used)(const void *arg, int block);
    const void *arg;
};

/*
 * Has a block of one side bytes in common with one of the other? For sure: of types with gaps, whose elements may lie
 * between each other, only those of one type at one address are known to. Linear where the two sides lie apart as
 * wholes, else n log n. False also where there is no memory to look.
 */
bool sides_overlap(const struct side *send, const struct side *recv);

#endif
