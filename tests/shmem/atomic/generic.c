/* SPDX-License-Identifier: BSD-3-Clause */
/* C11: one name of each atomic operation for all types, with and without a context; and the older names. */
#include "check.h"
#include "types.h"

static shmem_ctx_t ctx;

static void complete(void)
{
    shmem_quiet();
    shmem_ctx_quiet(ctx);
}

#define IS(want) CHECK_OF("line", (want), __LINE__)

#define DEFINE_EXTENDED(name, T, before, after) \
    static T x_##name; \
    static void extended_##name(int pe) \
    { \
        T old; \
        x_##name = 0; \
        shmem_barrier_all(); \
        shmem_atomic_set(&x_##name, (T)(pe + 3), pe), shmem_quiet(); \
        IS(shmem_atomic_fetch(&x_##name, pe) == (T)(pe + 3)); \
        shmem_atomic_set(ctx, &x_##name, (T)(pe + 4), pe), shmem_ctx_quiet(ctx); \
        IS(shmem_atomic_fetch(ctx, &x_##name, pe) == (T)(pe + 4)); \
        IS(shmem_atomic_swap(&x_##name, (T)(pe + 5), pe) == (T)(pe + 4)); \
        IS(shmem_atomic_swap(ctx, &x_##name, (T)(pe + 6), pe) == (T)(pe + 5)); \
        shmem_atomic_fetch_nbi(&old, &x_##name, pe), shmem_quiet(); \
        IS(old == (T)(pe + 6)); \
        shmem_atomic_swap_nbi(ctx, &old, &x_##name, (T)(pe + 7), pe), shmem_ctx_quiet(ctx); \
        IS(old == (T)(pe + 6)); \
        shmem_atomic_fetch_nbi(ctx, &old, &x_##name, pe), shmem_ctx_quiet(ctx); \
        IS(old == (T)(pe + 7)); \
        shmem_atomic_swap_nbi(&old, &x_##name, (T)(pe + 8), pe), shmem_quiet(); \
        IS(old == (T)(pe + 7)); \
        shmem_barrier_all(); \
        IS(x_##name == (T)(shmem_my_pe() + 8)); \
    }
ATOMIC_EXTENDED(DEFINE_EXTENDED)

#define DEFINE_STANDARD(name, T, before, after) \
    static void standard_##name(int pe) \
    { \
        T old; \
        x_##name = 10; \
        shmem_barrier_all(); \
        shmem_atomic_inc(&x_##name, pe); \
        shmem_atomic_inc(ctx, &x_##name, pe); \
        complete(); \
        IS(shmem_atomic_fetch_inc(&x_##name, pe) == 12); \
        IS(shmem_atomic_fetch_inc(ctx, &x_##name, pe) == 13); \
        shmem_atomic_add(&x_##name, (T)5, pe); \
        shmem_atomic_add(ctx, &x_##name, (T)6, pe); \
        complete(); \
        IS(shmem_atomic_fetch_add(&x_##name, (T)7, pe) == 25); \
        IS(shmem_atomic_fetch_add(ctx, &x_##name, (T)8, pe) == 32); \
        IS(shmem_atomic_compare_swap(&x_##name, (T)41, (T)42, pe) == 40); \
        IS(shmem_atomic_compare_swap(ctx, &x_##name, (T)40, (T)42, pe) == 40); \
        shmem_atomic_fetch_inc_nbi(&old, &x_##name, pe), shmem_quiet(); \
        IS(old == 42); \
        shmem_atomic_fetch_inc_nbi(ctx, &old, &x_##name, pe), shmem_ctx_quiet(ctx); \
        IS(old == 43); \
        shmem_atomic_fetch_add_nbi(&old, &x_##name, (T)2, pe), shmem_quiet(); \
        IS(old == 44); \
        shmem_atomic_fetch_add_nbi(ctx, &old, &x_##name, (T)2, pe), shmem_ctx_quiet(ctx); \
        IS(old == 46); \
        shmem_atomic_compare_swap_nbi(&old, &x_##name, (T)48, (T)50, pe), shmem_quiet(); \
        IS(old == 48); \
        shmem_atomic_compare_swap_nbi(ctx, &old, &x_##name, (T)48, (T)51, pe), shmem_ctx_quiet(ctx); \
        IS(old == 50); \
        shmem_barrier_all(); \
        IS(x_##name == 50); \
    }
ATOMIC_TYPES(DEFINE_STANDARD)

#define DEFINE_BITWISE(name, T, before, after) \
    static void bitwise_##name(int pe) \
    { \
        T old; \
        x_##name = 0x0f; \
        shmem_barrier_all(); \
        shmem_atomic_and(&x_##name, (T)0x1e, pe), shmem_fence(); \
        shmem_atomic_or(&x_##name, (T)0x21, pe), shmem_fence(); \
        shmem_atomic_xor(&x_##name, (T)0x41, pe), shmem_quiet(); \
        IS(shmem_atomic_fetch_and(&x_##name, (T)0x2f, pe) == (T)0x6e); \
        IS(shmem_atomic_fetch_or(&x_##name, (T)0x80, pe) == (T)0x2e); \
        IS(shmem_atomic_fetch_xor(&x_##name, (T)0xf0, pe) == (T)0xae); \
        shmem_atomic_and(ctx, &x_##name, (T)0x5a, pe), shmem_ctx_fence(ctx); \
        shmem_atomic_or(ctx, &x_##name, (T)0x05, pe), shmem_ctx_fence(ctx); \
        shmem_atomic_xor(ctx, &x_##name, (T)0x50, pe), shmem_ctx_quiet(ctx); \
        IS(shmem_atomic_fetch_and(ctx, &x_##name, (T)0x0e, pe) == (T)0x0f); \
        IS(shmem_atomic_fetch_or(ctx, &x_##name, (T)0x30, pe) == (T)0x0e); \
        IS(shmem_atomic_fetch_xor(ctx, &x_##name, (T)0x3f, pe) == (T)0x3e); \
        shmem_atomic_fetch_or_nbi(&old, &x_##name, (T)0x70, pe), shmem_quiet(); \
        IS(old == (T)0x01); \
        shmem_atomic_fetch_and_nbi(&old, &x_##name, (T)0x61, pe), shmem_quiet(); \
        IS(old == (T)0x71); \
        shmem_atomic_fetch_xor_nbi(&old, &x_##name, (T)0x02, pe), shmem_quiet(); \
        IS(old == (T)0x61); \
        shmem_atomic_fetch_or_nbi(ctx, &old, &x_##name, (T)0x10, pe), shmem_ctx_quiet(ctx); \
        IS(old == (T)0x63); \
        shmem_atomic_fetch_and_nbi(ctx, &old, &x_##name, (T)0x31, pe), shmem_ctx_quiet(ctx); \
        IS(old == (T)0x73); \
        shmem_atomic_fetch_xor_nbi(ctx, &old, &x_##name, (T)0x11, pe), shmem_ctx_quiet(ctx); \
        IS(old == (T)0x31); \
        shmem_barrier_all(); \
        IS(x_##name == (T)0x20); \
    }
ATOMIC_BITWISE(DEFINE_BITWISE)

#define ROW_EXTENDED(name, T, before, after) extended_##name,
#define ROW_STANDARD(name, T, before, after) standard_##name,
#define ROW_BITWISE(name, T, before, after) bitwise_##name,
static void (*const tries[])(int pe) = {ATOMIC_EXTENDED(ROW_EXTENDED) ATOMIC_TYPES(ROW_STANDARD)
                                                      ATOMIC_BITWISE(ROW_BITWISE)};

int main(void)
{
    shmem_init();
    CHECK(shmem_ctx_create(0, &ctx) == 0);
    for (size_t k = 0; k < COUNT(tries); k++)
        tries[k](right_of((int)k));
    shmem_ctx_destroy(ctx);
    return check_end();
}
