/* SPDX-License-Identifier: BSD-3-Clause */
/* C11: one name for all types, with and without a context. */
#include "check.h"
#include "types.h"

/* The types that differ; the others of the standard's list are among them. */
#define TYPES(X) \
    FLOATS(X) \
    X(char, char, char_, ) \
    X(schar, signed char, schar_, ) \
    X(short, short, short_, ) \
    X(uchar, unsigned char, uchar_, ) \
    X(ushort, unsigned short, ushort_, ) \
    X(int, int, int_, ) \
    X(long, long, long_, ) \
    X(longlong, long long, longlong_, ) \
    X(uint, unsigned, uint_, ) \
    X(ulong, unsigned long, ulong_, ) \
    X(ulonglong, unsigned long long, ulonglong_, ) \
    X(int8, int8_t, , ) \
    X(uint16, uint16_t, , ) \
    X(int32, int32_t, , ) \
    X(uint64, uint64_t, , ) \
    X(size, size_t, , ) \
    X(ptrdiff, ptrdiff_t, , )

enum { N = 12, ACTIONS = 14 };
static shmem_ctx_t ctx;
static uint64_t sig;

/* Which of the actions take from the right instead of giving to it. */
static const char takes[ACTIONS] = {0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0};

#define DEFINE(name, T, before, after) \
    static T dest_##name[N], source_##name[N]; \
    static T value_##name(int pe, size_t i, int round) \
    { \
        return (T)(pattern(pe, i, round) & 0x7f); \
    } \
    static void act_##name(int action, const T *from, T *to, int pe) \
    { \
        switch (action) { \
        case 0: shmem_put(to, from, 3, pe), shmem_put_nbi(to + 3, from + 3, N - 3, pe); break; \
        case 1: shmem_put(ctx, to, from, 3, pe), shmem_put_nbi(ctx, to + 3, from + 3, N - 3, pe); break; \
        case 2: shmem_get(to, from, 3, pe), shmem_get_nbi(to + 3, from + 3, N - 3, pe); break; \
        case 3: shmem_get(ctx, to, from, 3, pe), shmem_get_nbi(ctx, to + 3, from + 3, N - 3, pe); break; \
        case 4: for (int i = 0; i < N; i++) shmem_p(to + i, from[i], pe); break; \
        case 5: for (int i = 0; i < N; i++) shmem_p(ctx, to + i, from[i], pe); break; \
        case 6: for (int i = 0; i < N; i++) to[i] = shmem_g(from + i, pe); break; \
        case 7: for (int i = 0; i < N; i++) to[i] = shmem_g(ctx, from + i, pe); break; \
        case 8: shmem_iput(to, from, 2, 2, N / 2, pe), shmem_iput(to + 1, from + 1, 2, 2, N / 2, pe); break; \
        case 9: shmem_iput(ctx, to, from, 2, 2, N / 2, pe), shmem_iput(ctx, to + 1, from + 1, 2, 2, N / 2, pe); break; \
        case 10: shmem_iget(to, from, 2, 2, N / 2, pe), shmem_iget(to + 1, from + 1, 2, 2, N / 2, pe); break; \
        case 11: shmem_iget(ctx, to, from, 2, 2, N / 2, pe), shmem_iget(ctx, to + 1, from + 1, 2, 2, N / 2, pe); break; \
        WITH_SIGNAL \
        } \
    } \
    static void try_##name(int action, int round) \
    { \
        int me = shmem_my_pe(), who = takes[action] ? right_of(round) : left_of(round); \
        for (size_t i = 0; i < N; i++) \
            source_##name[i] = value_##name(me, i, round), dest_##name[i] = 0; \
        sig = 0; \
        shmem_barrier_all(); \
        act_##name(action, source_##name, dest_##name, right_of(round)); \
        shmem_ctx_quiet(ctx); \
        shmem_barrier_all(); \
        for (size_t i = 0; i < N; i++) \
            CHECK_OF(#name, dest_##name[i] == value_##name(who, i, round), action); \
        CHECK_OF(#name, action < 12 || sig == 7, action); \
        shmem_barrier_all(); \
    }
#define WITH_SIGNAL \
    case 12: \
        shmem_put_signal(to, from, 3, &sig, 3, SHMEM_SIGNAL_ADD, pe); \
        shmem_put_signal_nbi(to + 3, from + 3, N - 3, &sig, 4, SHMEM_SIGNAL_ADD, pe); \
        break; \
    case 13: \
        shmem_put_signal(ctx, to, from, 3, &sig, 3, SHMEM_SIGNAL_ADD, pe); \
        shmem_put_signal_nbi(ctx, to + 3, from + 3, N - 3, &sig, 4, SHMEM_SIGNAL_ADD, pe); \
        break;
TYPES(DEFINE)

#define ROW(name, T, before, after) try_##name,
static void (*const tries[])(int action, int round) = {TYPES(ROW)};

int main(void)
{
    shmem_init();
    CHECK(shmem_ctx_create(0, &ctx) == 0);
    for (size_t k = 0; k < COUNT(tries); k++)
        for (int action = 0; action < ACTIONS; action++)
            tries[k](action, (int)k * ACTIONS + action);
    shmem_ctx_destroy(ctx);
    return check_end();
}
