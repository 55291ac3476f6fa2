/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A map in the making: blocks come in type map order and are joined with the last one where they can. Memory is that of
 * reserve.h: small types are understood even when there is no other.
 */
#ifndef EP_DATATYPE_MAP_BUILDER_H
#define EP_DATATYPE_MAP_BUILDER_H

#include "datatype/contents.h"
#include "datatype/map.h"

struct type_list {
    struct type_block *block;
    size_t n, room;
};

enum { BUILDER_KEPT = 4 };

struct type_builder {
    struct type_map map;    /* without its blocks */
    struct type_list list;  /* of the element */
    struct type_list inner; /* parts of blocks: `first` counts from here */
    struct {
        const struct type_map *map; /* NULL: it is gone */
        uint32_t at, all;           /* where in inner it stands, and its length */
    } embedded[BUILDER_KEPT];       /* the last few */
    unsigned nembedded;
    bool failed; /* no memory: what follows does nothing, builder_finish gives NULL */
};

/* A block of one stretch has stride 0; none continues itself (stride == bytes with times > 1). */
struct type_block block_plain(ptrdiff_t offset, ptrdiff_t stride, size_t bytes, size_t times);
/* The two (plain) as one block, in last. False, and nothing is changed, if they are not. */
bool block_join(struct type_block *last, const struct type_block *next);

void builder_start(struct type_builder *d);
/* n elements of this map, the i-th at displacement + i * stride. NULL is the result of a builder without memory. */
void builder_place(struct type_builder *d, const struct type_map *m, ptrdiff_t displacement, size_t n,
                   ptrdiff_t stride);
/* The same of rows of `length` elements. */
void builder_place_rows(struct type_builder *d, const struct type_map *m, ptrdiff_t displacement, size_t n,
                        ptrdiff_t stride, size_t length, ptrdiff_t extent);
/* m is about to be freed. */
void builder_forget(struct type_builder *d, const struct type_map *m);
/* NULL without memory; else the caller's to give to reserve_free. */
struct type_map *builder_finish(struct type_builder *d);

/* A map of n elements. */
struct type_map *map_repeat(const struct type_map *m, size_t n, ptrdiff_t stride);
/* A map of one stretch of a predefined type; bytes 0: of none. */
struct type_map *map_leaf(MPI_Datatype basic, size_t bytes);

/* The maps of subarrays and distributed arrays of such elements. (map_array.c) NULL without memory. */
struct type_map *map_subarray(const struct type_contents *c, const struct type_map *element,
                              ptrdiff_t extent);
struct type_map *map_darray(const struct type_contents *c, const struct type_map *element, ptrdiff_t extent);

#endif
