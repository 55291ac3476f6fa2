/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Memory for when there is none. What a process needs to take part in a collective step, and to tell the others that it has
 * no memory for the rest, must not fail: they would wait for ever. So a few blocks are kept for that, in the library's own
 * memory, which is not touched before. They are for what is small and comes back soon, never for users' data.
 *
 * Any thread; without a lock.
 */
#ifndef EP_BASE_RESERVE_H
#define EP_BASE_RESERVE_H

#include <stddef.h>

enum { RESERVE_BLOCK = 4096, RESERVE_BLOCKS = 64 };

/* malloc; where that has no memory, a block of the reserve. NULL: more than a block holds, or no block is left. */
void *reserve_malloc(size_t bytes);
/* The same, zeroed. */
void *reserve_calloc(size_t bytes);
/* A block alone, of RESERVE_BLOCK bytes, at a cache line. NULL: none is left. */
void *reserve_block(void);
void reserve_free(void *p);

#endif
