/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Memory for when there is none. What a process needs to take part in a collective step, and to tell the others that it has
 * no memory for the rest, must not fail: they would wait for ever. So some is kept for that, in the library's own
 * memory, which is not touched before. It is for what is small and comes back soon, never for users' data. Who can does without
 * (op.h, neighbor.c, tree.h): then the reserve makes it faster, or lets it succeed.
 *
 * Any thread.
 */
#ifndef EP_BASE_RESERVE_H
#define EP_BASE_RESERVE_H

#include <stdbool.h>
#include <stddef.h>

/* It is given out in runs of units; nobody gets more than RESERVE_MOST at once. */
enum { RESERVE_UNIT = 256, RESERVE_UNITS = 4096, RESERVE_MOST = 256 * 1024 };

/* malloc; where that has no memory, a run of the reserve. NULL: too much, or it is used up. */
void *reserve_malloc(size_t bytes);
/* The same, zeroed. */
void *reserve_calloc(size_t bytes);
/* From the reserve alone, at a cache line. */
void *reserve_take(size_t bytes);
void reserve_free(void *p);

/* Who never gives back what it took (pools) leaves less for the next time. More from the system, if there is little left and the system
 * has some again; for where errors are told and others do not wait. */
void reserve_renew(void);

#endif
