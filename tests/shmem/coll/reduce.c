/* SPDX-License-Identifier: BSD-3-Clause */
/* Reductions of teams: all operations, all types, into another array and in place; compared with what a loop over all PEs' values gives. */
#include "check.h"
#include "types.h"

#include <complex.h>

enum { MOST = 1000 };
static const size_t counts[] = {1, 3, MOST, 0, 17};

#define AND(a, b) ((a) & (b))
#define OR(a, b) ((a) | (b))
#define XOR(a, b) ((a) ^ (b))
#define MIN(a, b) ((b) < (a) ? (b) : (a))
#define MAX(a, b) ((b) > (a) ? (b) : (a))
#define SUM(a, b) ((a) + (b))
#define PROD(a, b) ((a) * (b))

/* value(pe, i, round) of the type is small enough for sums and products to be exact. */
#define DEFINE(name, T, op, OPERATION, value) \
    static void op##_##name(shmem_team_t team, int round) \
    { \
        static T dest[MOST + 1], source[MOST]; \
        int n_pes = shmem_team_n_pes(team), at = shmem_team_my_pe(team), in_place = round % 3 == 0; \
        size_t n = counts[(size_t)round % COUNT(counts)]; \
        T *from = in_place ? dest : source, guard = (T)77; \
        for (size_t i = 0; i < n; i++) \
            from[i] = (T)value(at, i, round); \
        dest[n] = guard; \
        shmem_team_sync(team); \
        CHECK_OF(#name, shmem_##name##_##op##_reduce(team, dest, from, n) == 0, round); \
        for (size_t i = 0; i < n; i++) { \
            T want = (T)value(0, i, round); \
            for (int pe = 1; pe < n_pes; pe++) \
                want = (T)OPERATION(want, (T)value(pe, i, round)); \
            CHECK_OF(#name " " #op, dest[i] == want, i); \
            CHECK_OF(#name " " #op, in_place || source[i] == (T)value(at, i, round), i); \
        } \
        CHECK_OF(#name, dest[n] == guard, n); \
        shmem_team_sync(team); \
    }
#define ANY(pe, i, round) pattern(pe, i, round)
#define SMALL(pe, i, round) (pattern(pe, i, round) % 200 / 2)
#define TINY(pe, i, round) ((pe) % 4 ? 1 : 1 + pattern(pe, i, round) % 3)
#define TURNED(pe, i, round) ((pe) % 4 ? 1 : (double)(pattern(pe, i, round) % 3) + I * (double)(pattern(pe, i, round) / 3 % 3))
#define SLOPED(pe, i, round) ((double)(pattern(pe, i, round) % 50) + I * (double)(pattern(pe, i, round) / 64 % 50))

#define BITWISE(name, T, before, after) \
    DEFINE(name, T, and, AND, ANY) DEFINE(name, T, or, OR, ANY) DEFINE(name, T, xor, XOR, ANY)
#define ORDERED(name, T, before, after) \
    DEFINE(name, T, min, MIN, ANY) DEFINE(name, T, max, MAX, ANY) DEFINE(name, T, sum, SUM, SMALL) DEFINE(name, T, prod, PROD, TINY)
#define COMPLEX(name, T, before, after) DEFINE(name, T, sum, SUM, SLOPED) DEFINE(name, T, prod, PROD, TURNED)
REDUCE_BITWISE(BITWISE)
REDUCE_ORDERED(ORDERED)
REDUCE_COMPLEX(COMPLEX)

#define ROW_BITWISE(name, T, before, after) and_##name, or_##name, xor_##name,
#define ROW_ORDERED(name, T, before, after) min_##name, max_##name, sum_##name, prod_##name,
#define ROW_COMPLEX(name, T, before, after) sum_##name, prod_##name,
static void (*const tries[])(shmem_team_t team, int round) = {REDUCE_BITWISE(ROW_BITWISE) REDUCE_ORDERED(ROW_ORDERED)
                                                                  REDUCE_COMPLEX(ROW_COMPLEX)};

/* Many elements, in the heap. */
static void large(void)
{
    enum { N = 100000 };
    int n = shmem_n_pes(), me = shmem_my_pe();
    unsigned long *dest = take(N * sizeof *dest), *source = take(N * sizeof *source);

    for (int in_place = 0; in_place < 2; in_place++) {
        unsigned long *from = in_place ? dest : source;
        for (size_t i = 0; i < N; i++)
            from[i] = pattern(me, i, in_place);
        shmem_barrier_all();
        CHECK(shmem_ulong_xor_reduce(SHMEM_TEAM_WORLD, dest, from, N) == 0);
        for (size_t i = 0; i < N; i++) {
            unsigned long want = 0;
            for (int pe = 0; pe < n; pe++)
                want ^= pattern(pe, i, in_place);
            CHECK_AT(dest[i] == want, i);
        }
        shmem_barrier_all();
    }
    shmem_free(source);
    shmem_free(dest);
}

int main(void)
{
    shmem_team_t back;
    int round = 0;

    shmem_init();
    int n = shmem_n_pes();
    CHECK(shmem_team_split_strided(SHMEM_TEAM_WORLD, n - 1, -1, n - n / 3, NULL, 0, &back) == 0 || back == SHMEM_TEAM_INVALID);
    for (size_t k = 0; k < COUNT(tries); k++) {
        tries[k](SHMEM_TEAM_WORLD, round++);
        tries[k](SHMEM_TEAM_WORLD, round++);
        if (back != SHMEM_TEAM_INVALID)
            tries[k](back, round);
        round++;
    }
    large();
    return check_end();
}
