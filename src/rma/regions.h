/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Memory attached to an endpoint's part of a dynamic window: disjoint ranges, sorted by address. Read for each access,
 * hardly ever changed. Any thread may call; each call takes the lock shortly. All zero at first: nothing.
 */
#ifndef EP_RMA_REGIONS_H
#define EP_RMA_REGIONS_H

#include "base/base.h"

/* Sorted by where they begin. */
struct ranges {
    struct range {
        uintptr_t begin, end; /* end excluded */
    } * range;
    size_t n, room;
};

struct regions {
    struct lock lock;
    /* under lock */
    struct ranges full, empty; /* with memory in them, disjoint; without */
};

void regions_init(struct regions *r);
/* MPI_SUCCESS; MPI_ERR_RMA_ATTACH: part of it is attached already; MPI_ERR_NO_MEM. An empty range can be attached
 * anywhere. */
int regions_attach(struct regions *r, const void *base, size_t bytes);
/* Detach the range that begins at base. False if there is none. */
bool regions_detach(struct regions *r, const void *base);
/* Is [at, at + bytes) attached? Adjacent regions make one. Nothing always is. */
bool regions_have(struct regions *r, const void *at, size_t bytes);
void regions_free(struct regions *r);

#endif
