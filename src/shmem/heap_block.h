/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The blocks of a symmetric heap, as offsets. The books are a PE's own and lie outside of the heap: what runs over a block
 * spoils no books, and the heap's pages are touched by the program alone.
 *
 * Where a block goes follows from the blocks that there are, and from nothing else: PEs that make the same calls get the
 * same offsets, and releasing what was just taken leaves things as if it had never been. It is the smallest free space that
 * it fits in, of equal ones the lowest. All blocks and free spaces are linked in the order of their offsets, and no two
 * neighbours are free. The trees are treaps, whose shape follows from what is in them; a call takes O(log n).
 *
 * Each function takes the lock, so any thread may call them.
 */
#ifndef EP_SHMEM_HEAP_BLOCK_H
#define EP_SHMEM_HEAP_BLOCK_H

#include "base/base.h"

/* Blocks of a cache line or more begin at one and share none; smaller ones are aligned for every type. */
enum { HEAP_GRANULE = 16, HEAP_ALIGN_MOST = 2 << 20 };
#define HEAP_NOWHERE SIZE_MAX

/* A block, or a free space. */
struct heap_block {
    union {
        struct pool_item item;
        struct {
            struct heap_block *left, *right; /* in its tree */
        };
    };
    struct heap_block *before, *after; /* neighbours in the heap, or NULL */
    size_t offset, bytes;
    size_t asked; /* what the program asked for; 0: it is free */
};

struct heap_tree {
    struct heap_block *root;
    bool by_bytes; /* first; then, or else, by offset */
};

struct heap {
    struct lock lock; /* of all of it */
    struct pool blocks;
    struct heap_tree used, free;
    size_t bytes;
};

/* False without memory. */
bool heap_open(struct heap *h, size_t bytes);
void heap_close(struct heap *h);

/* So much memory that the next take or resize has enough for the books; false: there is none. */
bool heap_reserve(struct heap *h);

/* The offset of a new block, which is a multiple of align (a power of two; 0: any). HEAP_NOWHERE: it fits nowhere, is of 0
 * bytes, or the books have no memory. */
size_t heap_take(struct heap *h, size_t bytes, size_t align);
/* A block begins there. */
void heap_release(struct heap *h, size_t offset);
/* The block that begins there stays there and has `bytes` (> 0) from now on. False: it cannot, and is as it was. */
bool heap_resize(struct heap *h, size_t offset, size_t bytes);

/* What is at an offset. */
struct heap_place {
    size_t begin; /* of the block; HEAP_NOWHERE: that is free, or behind all */
    size_t asked; /* bytes of the block; of what is behind these nothing is the program's */
};
struct heap_place heap_at(struct heap *h, size_t offset);
/* Bytes of the largest free space. */
size_t heap_largest(struct heap *h);

#endif
