/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the typed functions (functions.txt) call: each is one call of the engine, but for memory that this process reaches by load and
 * store, which needs none. width is a constant in all of them.
 */
#ifndef EP_SHMEM_BINDING_BINDING_H
#define EP_SHMEM_BINDING_BINDING_H

#include "shmem/amo.h"

#include <limits.h>
#include <string.h>

#define SHMEM_LONG (sizeof(long) == 8 ? SHMEM_I64 : SHMEM_I32)
#define SHMEM_MPI_CHAR (CHAR_MIN < 0 ? MPI_SIGNED_CHAR : MPI_UNSIGNED_CHAR)
#define SHMEM_ULONG (sizeof(long) == 8 ? SHMEM_U64 : SHMEM_U32)

/* Larger ones are the engine's, which copies them with care for caches. */
enum { BINDING_SMALL = 32 << 10 };

/* Where [at, at + bytes) of the default context's PE pe are, NULL: ask the engine. */
static inline void *binding_reach(shmem_ctx_t ctx, const void *at, size_t bytes, int pe)
{
    return ctx == SHMEM_CTX_DEFAULT ? shmem_reach(ep_shmem_here, at, bytes, pe) : NULL;
}

/* Too many: no memory is so large, which the engine will say. */
static inline size_t binding_bytes(size_t nelems, size_t width)
{
    size_t bytes;
    return __builtin_mul_overflow(nelems, width, &bytes) ? SIZE_MAX : bytes;
}

static inline size_t binding_count(int count)
{
    return count < 0 ? SIZE_MAX : (size_t)count;
}

/* One element: others may look at the word while it changes (relaxed: shmem_fence and shmem_quiet order it). */
static inline void binding_store(void *to, const void *value, size_t width)
{
    uint64_t v8;
    uint32_t v4;
    uint16_t v2;
    switch (width) {
    case 1: __atomic_store_n((uint8_t *)to, *(const uint8_t *)value, __ATOMIC_RELAXED); break;
    case 2: __atomic_store_n((uint16_t *)to, *(uint16_t *)memcpy(&v2, value, 2), __ATOMIC_RELAXED); break;
    case 4: __atomic_store_n((uint32_t *)to, *(uint32_t *)memcpy(&v4, value, 4), __ATOMIC_RELAXED); break;
    case 8: __atomic_store_n((uint64_t *)to, *(uint64_t *)memcpy(&v8, value, 8), __ATOMIC_RELAXED); break;
    default: memcpy(to, value, width);
    }
}

static inline void binding_load(void *value, const void *from, size_t width)
{
    uint64_t v8;
    uint32_t v4;
    uint16_t v2;
    switch (width) {
    case 1: *(uint8_t *)value = __atomic_load_n((const uint8_t *)from, __ATOMIC_RELAXED); break;
    case 2: v2 = __atomic_load_n((const uint16_t *)from, __ATOMIC_RELAXED), memcpy(value, &v2, 2); break;
    case 4: v4 = __atomic_load_n((const uint32_t *)from, __ATOMIC_RELAXED), memcpy(value, &v4, 4); break;
    case 8: v8 = __atomic_load_n((const uint64_t *)from, __ATOMIC_RELAXED), memcpy(value, &v8, 8); break;
    default: memcpy(value, from, width);
    }
}

static inline void binding_p(shmem_ctx_t ctx, void *dest, const void *value, size_t width, int pe, const char *call)
{
    void *to = binding_reach(ctx, dest, width, pe);
    if (to)
        binding_store(to, value, width);
    else
        ep_shmem_put(ctx, dest, value, width, pe, false, call);
}

static inline void binding_g(shmem_ctx_t ctx, void *value, const void *source, size_t width, int pe, const char *call)
{
    const void *from = binding_reach(ctx, source, width, pe);
    if (from)
        binding_load(value, from, width);
    else
        ep_shmem_get(ctx, value, source, width, pe, false, call);
}

static inline void binding_put(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, size_t width, int pe, bool nbi,
                               const char *call)
{
    size_t bytes = binding_bytes(nelems, width);
    void *to = bytes - 1 < BINDING_SMALL ? binding_reach(ctx, dest, bytes, pe) : NULL;
    if (to)
        memcpy(to, source, bytes);
    else
        ep_shmem_put(ctx, dest, source, bytes, pe, nbi, call);
}

static inline void binding_get(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, size_t width, int pe, bool nbi,
                               const char *call)
{
    size_t bytes = binding_bytes(nelems, width);
    const void *from = bytes - 1 < BINDING_SMALL ? binding_reach(ctx, source, bytes, pe) : NULL;
    if (from)
        memcpy(dest, from, bytes);
    else
        ep_shmem_get(ctx, dest, source, bytes, pe, nbi, call);
}

static inline void binding_put_signal(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, size_t width,
                                      uint64_t *sig_addr, uint64_t signal, int sig_op, int pe, bool nbi, const char *call)
{
    ep_shmem_put_signal(ctx, dest, source, binding_bytes(nelems, width), sig_addr, signal, sig_op, pe, nbi, call);
}

/* A value of 4 or 8 bytes as the engine takes it, and back. NULL: it is not needed. */
static inline uint64_t binding_bits(const void *value, size_t width)
{
    uint64_t v8 = 0;
    uint32_t v4 = 0;
    if (!value)
        return 0;
    return width == 4 ? *(uint32_t *)memcpy(&v4, value, 4) : *(uint64_t *)memcpy(&v8, value, 8);
}

static inline void binding_value(void *value, uint64_t bits, size_t width)
{
    uint32_t v4 = (uint32_t)bits;
    if (value)
        memcpy(value, width == 4 ? (void *)&v4 : (void *)&bits, width);
}

/* Here and now: the old value is in *old. False: the target is not reached by load and store. */
static inline bool binding_amo_here(shmem_ctx_t ctx, enum shmem_amo op, void *old, const void *target, const void *value,
                                    const void *cond, size_t width, int pe)
{
    void *at = binding_reach(ctx, target, width, pe);
    if (!at)
        return false;
    uint64_t v = binding_bits(value, width), c = binding_bits(cond, width);
    uint64_t was = amo_value(amo_here(op, width, at, amo_word(v, width), amo_word(c, width)), width);
    binding_value(old, was, width);
    if (op == SHMEM_FETCH || (op == SHMEM_CSWAP && was != c))
        ep_shmem_looked();
    return true;
}

/* old, value and cond: NULL where op has none. */
static inline void binding_amo(shmem_ctx_t ctx, enum shmem_amo op, void *old, const void *target, const void *value,
                               const void *cond, size_t width, int pe, const char *call)
{
    if (!binding_amo_here(ctx, op, old, target, value, cond, width, pe))
        binding_value(old, ep_shmem_atomic(ctx, op, (void *)target, binding_bits(value, width), binding_bits(cond, width), width, pe,
                                           call), width);
}

static inline void binding_amo_nbi(shmem_ctx_t ctx, enum shmem_amo op, void *fetch, const void *target, const void *value,
                                   const void *cond, size_t width, int pe, const char *call)
{
    if (!binding_amo_here(ctx, op, fetch, target, value, cond, width, pe))
        ep_shmem_atomic_nbi(ctx, op, fetch, (void *)target, binding_bits(value, width), binding_bits(cond, width), width, pe, call);
}

static inline size_t binding_many(enum shmem_which which, const volatile void *ivars, enum shmem_word word, size_t nelems,
                                  size_t *indices, const int *status, int cmp, const void *values, bool vector, bool test,
                                  const char *call)
{
    struct shmem_words words = {ivars, word, nelems, status, cmp, values, vector};
    return ep_shmem_wait_many(&words, which, indices, test, call);
}

static inline void *binding_team_ptr(shmem_team_t team, const void *dest, int pe, const char *call)
{
    int world_pe = ep_shmem_team_translate_pe(team, pe, SHMEM_TEAM_WORLD, call);
    return world_pe < 0 ? NULL : ep_shmem_ptr(dest, world_pe, call);
}

#endif
