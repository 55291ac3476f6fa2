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
#ifndef EP_BASE_WORD_H
#define EP_BASE_WORD_H

#include <string.h>

#include "base/atomics.h"

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

/* name(bytes, at, w): what was there, which is combined with w by GCC's `builtin`. */
#define WORD_FETCH(name, builtin)                                                                            \
    static inline union word name(size_t bytes, char *at, union word w)                                      \
    {                                                                                                        \
        if (bytes == 1)                                                                                      \
            w.w1 = builtin((word1 *)at, w.w1, __ATOMIC_SEQ_CST);                                             \
        else if (bytes == 2)                                                                                 \
            w.w2 = builtin((word2 *)(void *)at, w.w2, __ATOMIC_SEQ_CST);                                     \
        else if (bytes == 4)                                                                                 \
            w.w4 = builtin((word4 *)(void *)at, w.w4, __ATOMIC_SEQ_CST);                                     \
        else                                                                                                 \
            w.w8 = builtin((word8 *)(void *)at, w.w8, __ATOMIC_SEQ_CST);                                     \
        return w;                                                                                            \
    }
WORD_FETCH(word_swap, __atomic_exchange_n)
WORD_FETCH(word_add, __atomic_fetch_add)
WORD_FETCH(word_and, __atomic_fetch_and)
WORD_FETCH(word_or, __atomic_fetch_or)
WORD_FETCH(word_xor, __atomic_fetch_xor)
#undef WORD_FETCH

/*
 * Put promises nothing about concurrent accesses, but people wait for a flag that somebody puts: elements of 4 and 8 bytes
 * are loaded and stored at once where they are aligned.
 */
static inline void move_bytes(void *to, const void *from, size_t n)
{
    uintptr_t both = (uintptr_t)to | (uintptr_t)from | n;
    if (n == 8 && both % 8 == 0)
        store_relaxed((_Atomic uint64_t *)to, load_relaxed((const _Atomic uint64_t *)from));
    else if (n == 4 && both % 4 == 0)
        store_relaxed((_Atomic uint32_t *)to, load_relaxed((const _Atomic uint32_t *)from));
    else
        memmove(to, from, n); /* origin and target may overlap */
}

#endif
