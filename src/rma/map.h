/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Type maps: where the bytes of a datatype's elements are, found once from how the type was made (MPI 4.1.13), and kept
 * with its description (p2p/type.h). With them a window's target layout can be sent to another process, and data can be
 * walked block by block from any point.
 *
 * Blocks are in type map order (the order in which MPI_Pack takes them), never merged across a change of order; regular
 * sequences of equal blocks are one block with `times` > 1.
 */
#ifndef EP_RMA_MAP_H
#define EP_RMA_MAP_H

#include "p2p/p2p.h"

/* times blocks of `bytes`, the i-th at offset + i * stride. */
struct block {
    ptrdiff_t offset, stride;
    size_t bytes, times;
};

/* Of one element of a datatype. Constant. */
struct map {
    MPI_Datatype
        basic;    /* the one predefined type that it is made of; MPI_DATATYPE_NULL: several, or it is empty */
    size_t bytes; /* of all blocks */
    ptrdiff_t low, high; /* all blocks are in [low, high); 0, 0 if there are none */
    size_t n;
    struct block block[];
};

/* What a block is. Pairs such as MPI_DOUBLE_INT have gaps: data (put, get) are without them, as in MPI_Pack, items
 * (accumulates) are whole elements of `extent` bytes. For all other types the two maps are the same. */
enum map_kind { MAP_DATA, MAP_ITEMS };

/* NULL without memory. It lives as long as t (hold the type if the call does not block). mpi: t's handle. */
const struct map *map_of(struct type *t, MPI_Datatype mpi, enum map_kind kind);

/* [*low, *high): all data of count elements at displacement 0; 0, 0 if there are none; from PTRDIFF_MIN to PTRDIFF_MAX if
 * there are not so many addresses. */
void map_bounds(const struct map *m, const struct type *t, size_t count, ptrdiff_t *low, ptrdiff_t *high);

/* A walk over the blocks of `count` elements of a type. */
struct cursor {
    const struct map *map;
    char *element;    /* the element that the walk is in */
    ptrdiff_t extent; /* to the next element */
    size_t elements;  /* left, with this one */
    size_t left;      /* bytes */
    size_t block;     /* in map */
    size_t time;      /* of the block */
    size_t done;      /* bytes of this block */
};

void cursor_init(struct cursor *c, char *buf, size_t count, const struct type *t, const struct map *m);
/* Packed bytes. */
void cursor_init_bytes(struct cursor *c, void *bytes, size_t n);

/* The bytes from the walk's position to the end of their block (or of a longer stretch that continues without a gap), at
 * *at. 0: the walk is over. */
size_t cursor_peek(const struct cursor *c, char **at);
/* Go on by n bytes, at most all that are left. */
void cursor_skip(struct cursor *c, size_t n);
size_t cursor_left(const struct cursor *c);

/* Copy n bytes, no more than are left, and go on. */
void cursor_read(struct cursor *c, void *to, size_t n);
void cursor_write(struct cursor *c, const void *from, size_t n);

/* A piece of a walk for another process: like struct block, offset from buf = NULL of cursor_init. */
struct patch {
    int64_t offset, stride;
    uint32_t bytes, times;
};

/* Take up to max_bytes off the walk as at most `room` patches (*n of them) and go on. Returns their bytes. Blocks larger than
 * max_bytes are cut at multiples of `unit` bytes, of which all blocks are multiples. */
size_t cursor_take(struct cursor *c, size_t max_bytes, size_t unit, struct patch *patches, unsigned room,
                   unsigned *n);

/* Call with each contiguous piece of the patches, in order. */
void patches_each(const struct patch *patches, unsigned n, char *base,
                  void (*piece)(void *arg, char *at, size_t bytes), void *arg);

#endif
