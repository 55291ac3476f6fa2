/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/reserve.h"

#include <stdlib.h>
#include <string.h>

#include "base/atomics.h"

_Static_assert(RESERVE_BLOCK * RESERVE_BLOCKS == 256 << 10, "docs/out_of_memory.md");

static _Alignas(RESERVE_BLOCK) char blocks[RESERVE_BLOCKS][RESERVE_BLOCK];
static _Atomic uint64_t taken; /* one bit for each: acquired with it, released with it */
_Static_assert(RESERVE_BLOCKS == 64, "one bit for each");

void *reserve_block(void)
{
    uint64_t old = load_relaxed(&taken);
    while (~old) {
        int free_one = __builtin_ctzll(~old);
        if (cas_acq_rel(&taken, &old, old | (uint64_t)1 << free_one))
            return blocks[free_one];
    }
    return NULL;
}

void *reserve_malloc(size_t bytes)
{
    void *p = malloc(bytes);
    return likely(p) || bytes > RESERVE_BLOCK ? p : reserve_block();
}

void *reserve_calloc(size_t bytes)
{
    void *p = calloc(1, bytes);
    if (likely(p) || bytes > RESERVE_BLOCK || !(p = reserve_block()))
        return p;
    return memset(p, 0, bytes);
}

void reserve_free(void *p)
{
    uintptr_t at = (uintptr_t)p - (uintptr_t)blocks;
    if (likely(at >= sizeof blocks))
        free(p);
    else
        and_acq_rel(&taken, ~((uint64_t)1 << at / RESERVE_BLOCK));
}
