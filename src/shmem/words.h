/* SPDX-License-Identifier: BSD-3-Clause */
/* Words that other PEs write, and what a wait or a test asks of them. */
#ifndef EP_SHMEM_WORDS_H
#define EP_SHMEM_WORDS_H

#include "shmem/pe.h"

static inline size_t word_width(enum shmem_word word)
{
    return word <= SHMEM_U16 ? 2 : word <= SHMEM_U32 ? 4 : 8;
}

/* The word's value in 64 bits, with its sign; what its writer wrote before it is seen after it. */
static inline uint64_t word_seen(const volatile void *at, enum shmem_word word)
{
    switch (word) {
    case SHMEM_I16:
        return (uint64_t)(int64_t)__atomic_load_n((const volatile int16_t *)at, __ATOMIC_ACQUIRE);
    case SHMEM_U16:
        return __atomic_load_n((const volatile uint16_t *)at, __ATOMIC_ACQUIRE);
    case SHMEM_I32:
        return (uint64_t)(int64_t)__atomic_load_n((const volatile int32_t *)at, __ATOMIC_ACQUIRE);
    case SHMEM_U32:
        return __atomic_load_n((const volatile uint32_t *)at, __ATOMIC_ACQUIRE);
    default:
        return __atomic_load_n((const volatile uint64_t *)at, __ATOMIC_ACQUIRE);
    }
}

static inline bool word_is_less(enum shmem_word word, uint64_t a, uint64_t b)
{
    bool has_sign = word == SHMEM_I16 || word == SHMEM_I32 || word == SHMEM_I64;
    return has_sign ? (int64_t)a < (int64_t)b : a < b;
}

/* cmp is one of SHMEM_CMP_... */
static inline bool word_holds(enum shmem_word word, uint64_t seen, int cmp, uint64_t value)
{
    switch (cmp) {
    case SHMEM_CMP_EQ:
        return seen == value;
    case SHMEM_CMP_NE:
        return seen != value;
    case SHMEM_CMP_GT:
        return word_is_less(word, value, seen);
    case SHMEM_CMP_GE:
        return !word_is_less(word, seen, value);
    case SHMEM_CMP_LT:
        return word_is_less(word, seen, value);
    default:
        return !word_is_less(word, value, seen);
    }
}

/* Is it a comparison, and is ivar symmetric? Else an error. */
bool word_may_wait(struct shmem_pe *pe, const volatile void *ivar, size_t bytes, int cmp, const char *call);

/* pe_wait with a look that notes what it found, and is called by this thread alone; peek says the same and changes nothing. */
void word_watch(struct shmem_pe *pe, bool (*look)(void *arg), bool (*peek)(void *arg), void *arg, const char *call);

/* A test found nothing, and the program will test again: what is to change the word may need this thread, or its core. */
void word_missed(struct shmem_pe *pe);

#endif
