/* SPDX-License-Identifier: BSD-3-Clause */
/* A map in the making: blocks come in type map order and are joined with the last one where they can. */
#ifndef EP_RMA_MAP_DRAFT_H
#define EP_RMA_MAP_DRAFT_H

#include "rma/map.h"

struct draft {
    struct map *map;
    size_t room; /* in map->block */
    bool failed; /* no memory: what follows does nothing, draft_finish gives NULL */
};

/* A block of one piece has stride 0; none continues itself (stride == bytes with times > 1). */
struct block block_plain(ptrdiff_t offset, ptrdiff_t stride, size_t bytes, size_t times);
/* The two (plain) as one block, in last. False, and nothing is changed, if they are not. */
bool block_join(struct block *last, const struct block *next);

void draft_start(struct draft *d);
/* n elements of this map, the i-th at displacement + i * stride. NULL is the result of a draft without memory. */
void draft_place(struct draft *d, const struct map *m, ptrdiff_t displacement, size_t n, ptrdiff_t stride);
/* NULL without memory; else the caller's to free. */
struct map *draft_finish(struct draft *d);

/* A map of n elements. */
struct map *map_repeat(const struct map *m, size_t n, ptrdiff_t stride);
/* A map of one block of a predefined type; bytes 0: of none. */
struct map *map_leaf(MPI_Datatype basic, size_t bytes);

/* The maps of subarrays and distributed arrays of such elements. (map_array.c) NULL without memory. */
struct map *map_subarray(const struct contents *c, const struct map *element, ptrdiff_t extent);
struct map *map_darray(const struct contents *c, const struct map *element, ptrdiff_t extent);

#endif
