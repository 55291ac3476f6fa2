/* SPDX-License-Identifier: BSD-3-Clause */
/* Atomic memory operations by all PEs at once, of all types, blocking and not, plain and by a context: no operation is lost and each
 * returns a value that the variable had. */
#include "check.h"
#include "types.h"

enum how { PLAIN, CTX, NBI, CTX_NBI, HOWS };
enum { EACH = 60 };
static shmem_ctx_t ctx;

/* A word and its neighbours, which nobody may touch. */
static char words[3 * 8];

#define BY_HOW(result, function, ...) \
    switch (how) { \
    case PLAIN: result = shmem_##function(__VA_ARGS__); break; \
    case CTX: result = shmem_ctx_##function(ctx, __VA_ARGS__); break; \
    case NBI: shmem_##function##_nbi(&result, __VA_ARGS__), shmem_quiet(); break; \
    default: shmem_ctx_##function##_nbi(ctx, &result, __VA_ARGS__), shmem_ctx_quiet(ctx); break; \
    }
#define BY_HOW_VOID(function, ...) (how % 2 ? shmem_ctx_##function(ctx, __VA_ARGS__) : shmem_##function(__VA_ARGS__))

/* Operations that return nothing are in no order of themselves. */
static void order(void)
{
    shmem_fence();
    shmem_ctx_fence(ctx);
}

#define BEGIN(T, begins) \
    T *w = (T *)words; \
    int n = shmem_n_pes(), me = shmem_my_pe(); \
    (void)n, (void)me; \
    memset(words, 0x3c, sizeof words); \
    w[1] = (begins); \
    shmem_barrier_all()
#define END(name, T, want) \
    shmem_ctx_quiet(ctx); \
    shmem_barrier_all(); \
    T beside; \
    memset(&beside, 0x3c, sizeof beside); \
    CHECK_OF(name, w[0] == beside && w[2] == beside, how); \
    CHECK_OF(name, w[1] == (want), how); \
    shmem_barrier_all()

/* fetch, set, swap: the swapped values of all are a chain, which their sum tells. */
#define DEFINE_SWAP(name, T, before, after) \
    static void swap_##name(enum how how) \
    { \
        BEGIN(T, (T)1000000); \
        double given = 0, got = 0; \
        T old; \
        for (int i = 0; i < EACH; i++) { \
            T value = (T)(me * 100 + i + 1); \
            BY_HOW(old, before##atomic_swap, w + 1, value, 0) \
            given += (double)value, got += (double)old; \
        } \
        static double sums[2]; \
        sums[0] = given, sums[1] = got; \
        shmem_barrier_all(); \
        double last, all = 1000000; \
        BY_HOW(old, before##atomic_fetch, w + 1, 0) \
        last = (double)old; \
        for (int pe = 0; pe < n; pe++) \
            all += shmem_double_g(&sums[0], pe) - shmem_double_g(&sums[1], pe); \
        CHECK_OF(#name, all == last, how); \
        shmem_barrier_all(); \
        BY_HOW_VOID(before##atomic_set, w + 1, (T)(me + 7), right_of(1)); \
        END(#name, T, (T)(left_of(1) + 7)); \
    }
ATOMIC_EXTENDED(DEFINE_SWAP)

/* add and inc: every old value is another one. */
#define DEFINE_ADD(name, T, before, after) \
    static void add_##name(enum how how) \
    { \
        BEGIN(T, (T)0 - (T)100); \
        for (int pe = 0; pe < n; pe++) { \
            T last = 0, old; \
            for (int i = 0; i < EACH; i++) { \
                BY_HOW(old, before##atomic_fetch_add, w + 1, (T)3, pe) \
                CHECK_OF(#name, i == 0 || (T)(old - last) >= 3, i); \
                last = old; \
                BY_HOW(old, before##atomic_fetch_inc, w + 1, pe) \
                CHECK_OF(#name, (T)(old - last) >= 3, i); \
                last = old; \
                BY_HOW_VOID(before##atomic_add, w + 1, (T)2, pe); \
                BY_HOW_VOID(before##atomic_inc, w + 1, pe); \
            } \
        } \
        END(#name, T, (T)((T)(EACH * 7 * n) - (T)100)); \
    } \
    static void cswap_##name(enum how how) \
    { \
        BEGIN(T, (T)5); \
        T old = 0; \
        for (int i = 0; i < EACH; i++) /* an increment by hand */ \
            for (T seen = shmem_##before##atomic_fetch(w + 1, 0);; seen = old) { \
                BY_HOW(old, before##atomic_compare_swap, w + 1, seen, (T)(seen + 1), 0) \
                if (old == seen) \
                    break; \
            } \
        shmem_barrier_all(); \
        BY_HOW(old, before##atomic_compare_swap, w + 1, (T)-1, (T)99, right_of(1)) \
        CHECK_OF(#name, old == (right_of(1) ? (T)5 : (T)(5 + EACH * n)), how); \
        END(#name, T, me ? (T)5 : (T)(5 + EACH * n)); \
    }
ATOMIC_TYPES(DEFINE_ADD)

/* and, or, xor: each PE has a bit of its own, in both halves of a word. */
#define DEFINE_BITS(name, T, before, after) \
    static void bits_##name(enum how how) \
    { \
        typedef unsigned long long U; \
        BEGIN(T, (T)0); \
        U high = (U)1 << (sizeof(T) * 8 - 1 - (unsigned)me), low = (U)1 << me, mine = high | low; \
        U all = 0; \
        for (int pe = 0; pe < n; pe++) \
            all |= (U)1 << (sizeof(T) * 8 - 1 - (unsigned)pe) | (U)1 << pe; \
        T old; \
        for (int i = 0; i < 2; i++) { \
            BY_HOW(old, before##atomic_fetch_or, w + 1, (T)mine, 0) \
            CHECK_OF(#name, ((U)old & mine) == 0, how); \
            BY_HOW(old, before##atomic_fetch_and, w + 1, (T)~high, 0) \
            CHECK_OF(#name, ((T)((U)old & mine)) == (T)mine, how); \
            BY_HOW(old, before##atomic_fetch_xor, w + 1, (T)mine, 0) \
            CHECK_OF(#name, ((T)((U)old & mine)) == (T)low, how); \
            BY_HOW_VOID(before##atomic_and, w + 1, (T)~low, 0); \
            order(); \
            BY_HOW_VOID(before##atomic_or, w + 1, (T)low, 0); \
            order(); \
            BY_HOW_VOID(before##atomic_xor, w + 1, (T)high, 0); \
            BY_HOW_VOID(before##atomic_xor, w + 1, (T)low, 0); \
            shmem_ctx_quiet(ctx); \
            shmem_quiet(); \
            CHECK_OF(#name, ((U)shmem_##before##atomic_fetch(w + 1, 0) & mine) == 0, how); \
        } \
        BY_HOW_VOID(before##atomic_or, w + 1, (T)mine, 0); \
        END(#name, T, me ? (T)0 : (T)all); \
    }
ATOMIC_BITWISE(DEFINE_BITS)

#define ROW_SWAP(name, T, before, after) swap_##name,
#define ROW_ADD(name, T, before, after) add_##name, cswap_##name,
#define ROW_BITS(name, T, before, after) bits_##name,
static void (*const tries[])(enum how how) = {ATOMIC_EXTENDED(ROW_SWAP) ATOMIC_TYPES(ROW_ADD) ATOMIC_BITWISE(ROW_BITS)};

int main(void)
{
    shmem_init();
    CHECK(shmem_ctx_create(0, &ctx) == 0);
    for (size_t k = 0; k < COUNT(tries); k++)
        for (int how = 0; how < HOWS; how++)
            tries[k]((enum how)how);
    shmem_ctx_destroy(ctx);
    return check_end();
}
