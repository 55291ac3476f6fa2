/* SPDX-License-Identifier: BSD-3-Clause */
/* Atomic operations on memory that the caller reaches, one instruction each. Inlined where op and width are constants no switch is
 * left. */
#ifndef EP_SHMEM_AMO_H
#define EP_SHMEM_AMO_H

#include "base/base.h"
#include "shmem/shmem.h"

static inline union word amo_word(uint64_t value, size_t width)
{
    union word w = {.w8 = value};
    if (width == 4)
        w.w4 = (uint32_t)value;
    return w;
}

static inline uint64_t amo_value(union word w, size_t width)
{
    return width == 4 ? w.w4 : w.w8;
}

static inline union word amo_set(size_t width, char *at, union word w)
{
    if (width == 4)
        __atomic_store_n((word4 *)(void *)at, w.w4, __ATOMIC_RELEASE);
    else
        __atomic_store_n((word8 *)(void *)at, w.w8, __ATOMIC_RELEASE);
    return w;
}

/* What was there; cond: of CSWAP. */
static inline union word amo_here(enum shmem_amo op, size_t width, char *at, union word w, union word cond)
{
    switch (op) {
    case SHMEM_FETCH:
        return word_load(width, at);
    case SHMEM_SET:
        return amo_set(width, at, w);
    case SHMEM_SWAP:
        return word_swap(width, at, w);
    case SHMEM_CSWAP:
        word_cas(width, at, &cond, w);
        return cond;
    case SHMEM_ADD:
        return word_add(width, at, w);
    case SHMEM_AND:
        return word_and(width, at, w);
    case SHMEM_OR:
        return word_or(width, at, w);
    case SHMEM_XOR:
        break;
    }
    return word_xor(width, at, w);
}

#endif
