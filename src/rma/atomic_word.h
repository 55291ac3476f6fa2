/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Elements that the processor changes at once: 1, 2, 4 or 8 bytes at an address that is a multiple of that.
 *
 * The order is seq_cst, more than MPI wants of one location: a flush between near endpoints is then no instruction at
 * all, and still an accumulate before it and one behind it are seen in that order by all (x86: the same instructions
 * as with acq_rel).
 *
 * Inlined where bytes is a constant no switch is left.
 */
#ifndef EP_RMA_ATOMIC_WORD_H
#define EP_RMA_ATOMIC_WORD_H

#include "base/base.h"

/* The user's memory has a type of its own. */
typedef uint8_t __attribute__((may_alias)) word1;
typedef uint16_t __attribute__((may_alias)) word2;
typedef uint32_t __attribute__((may_alias)) word4;
typedef uint64_t __attribute__((may_alias)) word8;

union word {
    word1 w1;
    word2 w2;
    word4 w4;
    word8 w8;
    char bytes[8];
};

static inline union word word_load(size_t bytes, const char *at)
{
    union word w;
    switch (bytes) {
    case 1:
        w.w1 = __atomic_load_n((const word1 *)at, __ATOMIC_SEQ_CST);
        break;
    case 2:
        w.w2 = __atomic_load_n((const word2 *)(const void *)at, __ATOMIC_SEQ_CST);
        break;
    case 4:
        w.w4 = __atomic_load_n((const word4 *)(const void *)at, __ATOMIC_SEQ_CST);
        break;
    default:
        w.w8 = __atomic_load_n((const word8 *)(const void *)at, __ATOMIC_SEQ_CST);
    }
    return w;
}

/* False: *seen is what is there. */
static inline bool word_cas(size_t bytes, char *at, union word *seen, union word w)
{
    switch (bytes) {
    case 1:
        return __atomic_compare_exchange_n((word1 *)at, &seen->w1, w.w1, false, __ATOMIC_SEQ_CST,
                                           __ATOMIC_SEQ_CST);
    case 2:
        return __atomic_compare_exchange_n((word2 *)(void *)at, &seen->w2, w.w2, false, __ATOMIC_SEQ_CST,
                                           __ATOMIC_SEQ_CST);
    case 4:
        return __atomic_compare_exchange_n((word4 *)(void *)at, &seen->w4, w.w4, false, __ATOMIC_SEQ_CST,
                                           __ATOMIC_SEQ_CST);
    default:
        return __atomic_compare_exchange_n((word8 *)(void *)at, &seen->w8, w.w8, false, __ATOMIC_SEQ_CST,
                                           __ATOMIC_SEQ_CST);
    }
}

static inline union word word_swap(size_t bytes, char *at, union word w)
{
    switch (bytes) {
    case 1:
        w.w1 = __atomic_exchange_n((word1 *)at, w.w1, __ATOMIC_SEQ_CST);
        break;
    case 2:
        w.w2 = __atomic_exchange_n((word2 *)(void *)at, w.w2, __ATOMIC_SEQ_CST);
        break;
    case 4:
        w.w4 = __atomic_exchange_n((word4 *)(void *)at, w.w4, __ATOMIC_SEQ_CST);
        break;
    default:
        w.w8 = __atomic_exchange_n((word8 *)(void *)at, w.w8, __ATOMIC_SEQ_CST);
    }
    return w;
}

static inline union word word_add(size_t bytes, char *at, union word w)
{
    switch (bytes) {
    case 1:
        w.w1 = __atomic_fetch_add((word1 *)at, w.w1, __ATOMIC_SEQ_CST);
        break;
    case 2:
        w.w2 = __atomic_fetch_add((word2 *)(void *)at, w.w2, __ATOMIC_SEQ_CST);
        break;
    case 4:
        w.w4 = __atomic_fetch_add((word4 *)(void *)at, w.w4, __ATOMIC_SEQ_CST);
        break;
    default:
        w.w8 = __atomic_fetch_add((word8 *)(void *)at, w.w8, __ATOMIC_SEQ_CST);
    }
    return w;
}

static inline union word word_and(size_t bytes, char *at, union word w)
{
    switch (bytes) {
    case 1:
        w.w1 = __atomic_fetch_and((word1 *)at, w.w1, __ATOMIC_SEQ_CST);
        break;
    case 2:
        w.w2 = __atomic_fetch_and((word2 *)(void *)at, w.w2, __ATOMIC_SEQ_CST);
        break;
    case 4:
        w.w4 = __atomic_fetch_and((word4 *)(void *)at, w.w4, __ATOMIC_SEQ_CST);
        break;
    default:
        w.w8 = __atomic_fetch_and((word8 *)(void *)at, w.w8, __ATOMIC_SEQ_CST);
    }
    return w;
}

static inline union word word_or(size_t bytes, char *at, union word w)
{
    switch (bytes) {
    case 1:
        w.w1 = __atomic_fetch_or((word1 *)at, w.w1, __ATOMIC_SEQ_CST);
        break;
    case 2:
        w.w2 = __atomic_fetch_or((word2 *)(void *)at, w.w2, __ATOMIC_SEQ_CST);
        break;
    case 4:
        w.w4 = __atomic_fetch_or((word4 *)(void *)at, w.w4, __ATOMIC_SEQ_CST);
        break;
    default:
        w.w8 = __atomic_fetch_or((word8 *)(void *)at, w.w8, __ATOMIC_SEQ_CST);
    }
    return w;
}

static inline union word word_xor(size_t bytes, char *at, union word w)
{
    switch (bytes) {
    case 1:
        w.w1 = __atomic_fetch_xor((word1 *)at, w.w1, __ATOMIC_SEQ_CST);
        break;
    case 2:
        w.w2 = __atomic_fetch_xor((word2 *)(void *)at, w.w2, __ATOMIC_SEQ_CST);
        break;
    case 4:
        w.w4 = __atomic_fetch_xor((word4 *)(void *)at, w.w4, __ATOMIC_SEQ_CST);
        break;
    default:
        w.w8 = __atomic_fetch_xor((word8 *)(void *)at, w.w8, __ATOMIC_SEQ_CST);
    }
    return w;
}

#endif
