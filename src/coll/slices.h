/* SPDX-License-Identifier: BSD-3-Clause */
/* How many tasks for so many bytes, and which elements each has. */
#ifndef EP_COLL_SLICES_H
#define EP_COLL_SLICES_H

#include <stddef.h>

enum { SLICE_BYTES = 16 * 1024, SLICES_PER_ENDPOINT = 4, SLICES_MAX = 64 };

/* At least one. */
static inline int slice_number(size_t bytes, int endpoints)
{
    size_t n = bytes / SLICE_BYTES, most = (size_t)endpoints * SLICES_PER_ENDPOINT;
    most = most < SLICES_MAX ? most : SLICES_MAX;
    n = n < most ? n : most;
    return n > 0 ? (int)n : 1;
}

/* Slice i of n elements begins here; slice `slices` at n. */
static inline size_t slice_begin(size_t n, int i, int slices)
{
    return n / (size_t)slices * (size_t)i + n % (size_t)slices * (size_t)i / (size_t)slices;
}

#endif
