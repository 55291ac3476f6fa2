/* SPDX-License-Identifier: BSD-3-Clause */
/* Operations on bits of signed types, which other libraries have beside the standard's: each PE has a bit in a word of PE `to`. */
#include "check.h"

#define WORDS(X) X(int, int) X(long, long) X(longlong, long long)

#define PROGRAM(name, type) \
    static type name##_word = 0, name##_all = -1; \
    static void name##_bits(shmem_ctx_t ctx, int to, int me, int n) \
    { \
        type bit = (type)1 << me, everybody = (type)(((type)1 << n) - 1), old = 0; \
        CHECK_OF(#name, (shmem_##name##_atomic_fetch_or(&name##_word, bit, to) & bit) == 0, me); \
        shmem_barrier_all(); \
        CHECK_OF(#name, shmem_##name##_g(&name##_word, to) == everybody, me); \
        shmem_barrier_all(); \
        CHECK_OF(#name, (shmem_ctx_##name##_atomic_fetch_xor(ctx, &name##_word, bit, to) & bit) == bit, me); \
        shmem_ctx_##name##_atomic_xor(ctx, &name##_word, bit, to); \
        shmem_##name##_atomic_fetch_and_nbi(&old, &name##_word, -1, to); \
        shmem_quiet(); \
        CHECK_OF(#name, (old & bit) == bit, me); \
        shmem_barrier_all(); \
        CHECK_OF(#name, (shmem_##name##_atomic_fetch_and(&name##_word, ~bit, to) & bit) == bit, me); \
        shmem_##name##_atomic_or(&name##_word, bit, to); \
        shmem_##name##_atomic_and(&name##_word, ~bit, to); \
        shmem_ctx_##name##_atomic_or(ctx, &name##_word, bit, to); \
        shmem_ctx_##name##_atomic_and(ctx, &name##_word, ~bit, to); \
        shmem_##name##_atomic_xor(&name##_word, bit, to); \
        shmem_##name##_atomic_fetch_xor(&name##_word, bit, to); \
        shmem_ctx_##name##_atomic_fetch_or(ctx, &name##_word, bit, to); \
        shmem_ctx_##name##_atomic_fetch_and(ctx, &name##_word, ~bit, to); \
        shmem_barrier_all(); \
        CHECK_OF(#name, shmem_##name##_g(&name##_word, to) == 0, me); \
        shmem_barrier_all(); \
        name##_later(ctx, to, me); \
        CHECK_OF(#name, shmem_##name##_g(&name##_all, to) == -1, me); \
        shmem_barrier_all(); \
    }
/* Without blocking: each changes its bit twice and looks at what it was. */
#define LATER(name, type) \
    static type name##_all; \
    static void name##_later(shmem_ctx_t ctx, int to, int me) \
    { \
        type bit = (type)1 << me, old[5] = {0}; \
        shmem_##name##_atomic_fetch_xor_nbi(&old[0], &name##_all, bit, to); \
        shmem_quiet(); \
        shmem_##name##_atomic_fetch_or_nbi(&old[1], &name##_all, bit, to); \
        shmem_quiet(); \
        shmem_ctx_##name##_atomic_fetch_and_nbi(ctx, &old[2], &name##_all, ~bit, to); \
        shmem_ctx_quiet(ctx); \
        shmem_ctx_##name##_atomic_fetch_or_nbi(ctx, &old[3], &name##_all, bit, to); \
        shmem_ctx_quiet(ctx); \
        shmem_ctx_##name##_atomic_fetch_xor_nbi(ctx, &old[4], &name##_all, 0, to); \
        shmem_ctx_quiet(ctx); \
        for (int i = 0; i < 5; i++) \
            CHECK_OF(#name, (old[i] & bit) == (i == 1 || i == 3 ? 0 : bit), i); \
        shmem_barrier_all(); \
    }

WORDS(LATER)
WORDS(PROGRAM)

int main(void)
{
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes();
    shmem_ctx_t ctx;
    CHECK(shmem_ctx_create(0, &ctx) == 0);
    /* PEs share a word by thirties, with the first one of these. */
    int first = me - me % 30, here = n - first < 30 ? n - first : 30;
#define RUN(name, type) name##_bits(ctx, first, me % 30, here);
    WORDS(RUN)
    shmem_ctx_destroy(ctx);
    return check_end();
}
