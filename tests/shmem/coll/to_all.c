/* SPDX-License-Identifier: BSD-3-Clause */
/* shmem: flags -Wno-deprecated-declarations */
/* The deprecated reductions on active sets: all operations and types, into another array and in place. */
#include "check.h"
#include "types.h"

#include <complex.h>

enum { N = 37, WORK = N / 2 + 1 + SHMEM_REDUCE_MIN_WRKDATA_SIZE };
static long sync_arrays[4][SHMEM_REDUCE_SYNC_SIZE], start_sync[2][SHMEM_BARRIER_SYNC_SIZE];

#define AND(a, b) ((a) & (b))
#define OR(a, b) ((a) | (b))
#define XOR(a, b) ((a) ^ (b))
#define MIN(a, b) ((b) < (a) ? (b) : (a))
#define MAX(a, b) ((b) > (a) ? (b) : (a))
#define SUM(a, b) ((a) + (b))
#define PROD(a, b) ((a) * (b))
#define ANY(pe, i, round) pattern(pe, i, round)
#define SMALL(pe, i, round) (pattern(pe, i, round) % 100)
#define TINY(pe, i, round) ((pe) % 8 ? 1 : 1 + pattern(pe, i, round) % 3)
#define TURNED(pe, i, round) ((pe) % 8 ? 1 : (double)(pattern(pe, i, round) % 3) + I * (double)(pattern(pe, i, round) / 3 % 3))

#define DEFINE(name, T, op, OPERATION, value) \
    static void op##_##name(int start, int log_stride, int size, int round) \
    { \
        static T dest[N + 1], source[N], work[2][WORK]; \
        int me = shmem_my_pe(), in_place = round % 2; \
        T *from = in_place ? dest : source; \
        for (size_t i = 0; i < N; i++) \
            from[i] = (T)value(me, i, round); \
        dest[N] = (T)5; \
        shmem_barrier(start, log_stride, size, start_sync[round % 2]); \
        shmem_##name##_##op##_to_all(dest, from, N, start, log_stride, size, work[round % 2], sync_arrays[round % 4]); \
        for (size_t i = 0; i < N; i++) { \
            T want = (T)value(start, i, round); \
            for (int pe = 1; pe < size; pe++) \
                want = (T)OPERATION(want, (T)value(start + (pe << log_stride), i, round)); \
            CHECK_OF(#name " " #op, dest[i] == want, i); \
        } \
        CHECK_OF(#name, dest[N] == (T)5, round); \
    }
#define BITWISE(name, T, before, after) \
    DEFINE(name, T, and, AND, ANY) DEFINE(name, T, or, OR, ANY) DEFINE(name, T, xor, XOR, ANY)
#define ORDERED(name, T, before, after) \
    DEFINE(name, T, min, MIN, ANY) DEFINE(name, T, max, MAX, ANY) DEFINE(name, T, sum, SUM, SMALL) DEFINE(name, T, prod, PROD, TINY)
#define COMPLEX(name, T, before, after) DEFINE(name, T, sum, SUM, SMALL) DEFINE(name, T, prod, PROD, TURNED)
TO_ALL_BITWISE(BITWISE)
TO_ALL_ORDERED(ORDERED)
REDUCE_COMPLEX(COMPLEX)

#define ROW_BITWISE(name, T, before, after) and_##name, or_##name, xor_##name,
#define ROW_ORDERED(name, T, before, after) min_##name, max_##name, sum_##name, prod_##name,
#define ROW_COMPLEX(name, T, before, after) sum_##name, prod_##name,
static void (*const tries[])(int start, int log_stride, int size, int round) = {
    TO_ALL_BITWISE(ROW_BITWISE) TO_ALL_ORDERED(ROW_ORDERED) REDUCE_COMPLEX(ROW_COMPLEX)};

int main(void)
{
    shmem_init();
    int n = shmem_n_pes(), me = shmem_my_pe();
    for (size_t i = 0; i < COUNT(sync_arrays[0]); i++)
        for (size_t k = 0; k < 4; k++)
            sync_arrays[k][i] = SHMEM_SYNC_VALUE;
    for (size_t i = 0; i < COUNT(start_sync[0]); i++)
        start_sync[0][i] = start_sync[1][i] = SHMEM_SYNC_VALUE;
    shmem_barrier_all();
    for (int round = 0; round < 2; round++)
        for (size_t k = 0; k < COUNT(tries); k++)
            tries[k](0, 0, n, (int)k + round * (int)(COUNT(tries) | 1));
    shmem_barrier_all();
    for (size_t k = 0; k < COUNT(tries); k++)
        if (me % 2)
            tries[k](1, 1, n / 2, (int)k);
        else
            tries[k](0, 1, (n + 1) / 2, (int)k);
    return check_end();
}
