/* SPDX-License-Identifier: BSD-3-Clause */
/* C11: one name of each collective for all types; shmem_sync of a team. */
#include "check.h"
#include "types.h"

enum { MOST_PES = 16, N = 3 };
static const shmem_team_t all = SHMEM_TEAM_WORLD;

#define DEFINE(name, T, before, after) \
    static T d_##name[MOST_PES * N * 2], s_##name[MOST_PES * N * 2]; \
    static T of_##name(int pe, int i) \
    { \
        return (T)(pe * 5 + i + 1); \
    } \
    static void move_##name(void) \
    { \
        int me = shmem_my_pe(), n = shmem_n_pes(), root = n - 1; \
        T *d = d_##name, *s = s_##name; \
        for (int i = 0; i < MOST_PES * N * 2; i++) \
            s[i] = of_##name(me, i), d[i] = 0; \
        shmem_barrier_all(); \
        CHECK(shmem_broadcast(all, d, s, N, root) == 0); \
        for (int i = 0; i < N; i++) \
            CHECK_OF(#name, d[i] == of_##name(root, i), i); \
        shmem_barrier_all(); \
        CHECK(shmem_fcollect(all, d, s, N) == 0); \
        for (int i = 0; i < N * n; i++) \
            CHECK_OF(#name, d[i] == of_##name(i / N, i % N), i); \
        shmem_barrier_all(); \
        CHECK(shmem_collect(all, d, s, me % 2 ? 2 : 1) == 0); \
        for (int pe = 0, at = 0; pe < n; at += pe++ % 2 ? 2 : 1) \
            CHECK_OF(#name, d[at] == of_##name(pe, 0) && (pe % 2 == 0 || d[at + 1] == of_##name(pe, 1)), pe); \
        shmem_barrier_all(); \
        CHECK(shmem_alltoall(all, d, s, N) == 0); \
        for (int i = 0; i < N * n; i++) \
            CHECK_OF(#name, d[i] == of_##name(i / N, me * N + i % N), i); \
        shmem_barrier_all(); \
        CHECK(shmem_alltoalls(all, d, s, 2, 1, N) == 0); \
        for (int i = 0; i < N * n; i++) \
            CHECK_OF(#name, d[2 * i] == of_##name(i / N, me * N + i % N), i); \
        shmem_barrier_all(); \
    }
RMA_TYPES(DEFINE)

#define DEFINE_ORDERED(name, T, before, after) \
    static void ordered_##name(void) \
    { \
        int me = shmem_my_pe(), n = shmem_n_pes(); \
        T *d = d_##name, *s = s_##name; \
        s[0] = of_##name(me, 0), s[1] = (T)(me ? 1 : 3); \
        shmem_barrier_all(); \
        CHECK(shmem_min_reduce(all, d, s, 1) == 0 && d[0] == of_##name(0, 0)); \
        CHECK(shmem_max_reduce(all, d, s, 1) == 0 && d[0] == of_##name(n - 1, 0)); \
        CHECK(shmem_prod_reduce(all, d, s + 1, 1) == 0 && d[0] == (T)3); \
        CHECK(shmem_sum_reduce(all, d, s + 1, 1) == 0 && d[0] == (T)(n + 2)); \
        shmem_barrier_all(); \
    }
REDUCE_ORDERED(DEFINE_ORDERED)

#define DEFINE_BITWISE(name, T, before, after) \
    static void bitwise_##name(void) \
    { \
        int me = shmem_my_pe(), n = shmem_n_pes(); \
        T *d = d_##name, *s = s_##name; \
        s[0] = (T)(me == n - 1 ? 0x16 : 0x13); \
        shmem_barrier_all(); \
        CHECK(shmem_and_reduce(all, d, s, 1) == 0 && d[0] == (T)(n == 1 ? 0x16 : 0x12)); \
        CHECK(shmem_or_reduce(all, d, s, 1) == 0 && d[0] == (T)(n == 1 ? 0x16 : 0x17)); \
        CHECK(shmem_xor_reduce(all, d, s, 1) == 0 && d[0] == (T)(n % 2 ? 0x16 : 0x05)); \
        shmem_barrier_all(); \
    }
REDUCE_BITWISE(DEFINE_BITWISE)

#define DEFINE_COMPLEX(name, T, before, after) \
    static void complex_##name(void) \
    { \
        static T d[1], s[1]; \
        s[0] = (T)(shmem_my_pe() + 1); \
        shmem_barrier_all(); \
        CHECK(shmem_sum_reduce(all, d, s, 1) == 0 && d[0] == (T)(shmem_n_pes() * (shmem_n_pes() + 1) / 2)); \
        s[0] = (T)(shmem_my_pe() ? 1 : 2); \
        shmem_barrier_all(); \
        CHECK(shmem_prod_reduce(all, d, s, 1) == 0 && d[0] == (T)2); \
    }
REDUCE_COMPLEX(DEFINE_COMPLEX)

#define ROW(name, T, before, after) move_##name,
#define ROW_ORDERED(name, T, before, after) ordered_##name,
#define ROW_BITWISE(name, T, before, after) bitwise_##name,
#define ROW_COMPLEX(name, T, before, after) complex_##name,
static void (*const tries[])(void) = {RMA_TYPES(ROW) REDUCE_ORDERED(ROW_ORDERED) REDUCE_BITWISE(ROW_BITWISE)
                                          REDUCE_COMPLEX(ROW_COMPLEX)};

int main(void)
{
    shmem_init();
    for (size_t k = 0; k < COUNT(tries); k++)
        tries[k]();
    CHECK(shmem_sync(all) == 0);
    return check_end();
}
