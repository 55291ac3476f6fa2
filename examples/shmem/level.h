/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * level.h: OpenSHMEM 1.5 where there is one, and what these programs need of it made of 1.4 (Open MPI's OSHMEM).
 * Collectives are of all PEs.
 */
#ifndef EXAMPLES_SHMEM_LEVEL_H
#define EXAMPLES_SHMEM_LEVEL_H

#include <shmem.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#if SHMEM_MAJOR_VERSION > 1 || SHMEM_MINOR_VERSION >= 5

static inline void begin_level(void) {}

static inline void sum_longs(long *dest, const long *source, size_t n)
{
    shmem_long_sum_reduce(SHMEM_TEAM_WORLD, dest, source, n);
}

static inline void max_doubles(double *dest, const double *source, size_t n)
{
    shmem_double_max_reduce(SHMEM_TEAM_WORLD, dest, source, n);
}

static inline void collect_longs(long *dest, const long *source, size_t each)
{
    shmem_long_fcollect(SHMEM_TEAM_WORLD, dest, source, each);
}

static inline void exchange_longs(long *dest, const long *source, size_t each)
{
    shmem_long_alltoall(SHMEM_TEAM_WORLD, dest, source, each);
}

static inline void put_doubles_signal(double *dest, const double *source, size_t n, uint64_t *signal,
                                      uint64_t value, int pe)
{
    shmem_double_put_signal_nbi(dest, source, n, signal, value, SHMEM_SIGNAL_SET, pe);
}

static inline void wait_signal(uint64_t *signal, uint64_t value)
{
    shmem_signal_wait_until(signal, SHMEM_CMP_GE, value);
}

#else

/* Work arrays of active sets; two in turn, so that a PE that is a call ahead does not meet those behind. */
enum {
    LEVEL_SYNC = SHMEM_REDUCE_SYNC_SIZE + SHMEM_COLLECT_SYNC_SIZE + SHMEM_ALLTOALL_SYNC_SIZE,
    LEVEL_MOST = 1 << 12
};
static long level_sync[2][LEVEL_SYNC];
static double level_work[2][LEVEL_MOST / 2 + 1 + SHMEM_REDUCE_MIN_WRKDATA_SIZE];
static int level_turn;

/* After shmem_init. */
static inline void begin_level(void)
{
    for (int i = 0; i < 2 * LEVEL_SYNC; i++)
        level_sync[i / LEVEL_SYNC][i % LEVEL_SYNC] = SHMEM_SYNC_VALUE;
    shmem_barrier_all();
}

static inline void sum_longs(long *dest, const long *source, size_t n)
{
    level_turn ^= 1;
    shmem_long_sum_to_all(dest, source, (int)n, 0, 0, shmem_n_pes(), (long *)level_work[level_turn],
                          level_sync[level_turn]);
}

static inline void max_doubles(double *dest, const double *source, size_t n)
{
    level_turn ^= 1;
    shmem_double_max_to_all(dest, source, (int)n, 0, 0, shmem_n_pes(), level_work[level_turn],
                            level_sync[level_turn]);
}

static inline void collect_longs(long *dest, const long *source, size_t each)
{
    level_turn ^= 1;
    shmem_fcollect64(dest, source, each, 0, 0, shmem_n_pes(), level_sync[level_turn]);
}

static inline void exchange_longs(long *dest, const long *source, size_t each)
{
    level_turn ^= 1;
    shmem_alltoall64(dest, source, each, 0, 0, shmem_n_pes(), level_sync[level_turn]);
}

static inline void put_doubles_signal(double *dest, const double *source, size_t n, uint64_t *signal,
                                      uint64_t value, int pe)
{
    shmem_double_put_nbi(dest, source, n, pe);
    shmem_fence();
    shmem_uint64_p(signal, value, pe);
}

static inline void wait_signal(uint64_t *signal, uint64_t value)
{
    shmem_uint64_wait_until(signal, SHMEM_CMP_GE, value);
}

#endif

/* What both programs need. */

static inline double seconds_now(void)
{
    struct timespec ts;
    clock_gettime(CLOCK_MONOTONIC, &ts);
    return (double)ts.tv_sec + 1e-9 * (double)ts.tv_nsec;
}

static inline void *symmetric(size_t bytes)
{
    void *at = shmem_align(4096, bytes);
    if (!at) {
        fprintf(stderr, "PE %d: the symmetric heap has no %zu bytes: set SHMEM_SYMMETRIC_SIZE\n",
                shmem_my_pe(), bytes);
        shmem_global_exit(1);
    }
    return at;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Median and minimum of some times. */
static inline void print_time(const char *name, double *times, int n)
{
    qsort(times, (size_t)n, sizeof *times, by_value);
    printf("TIME %s %.9f %.9f\n", name, (times[(n - 1) / 2] + times[n / 2]) / 2, times[0]);
}

#endif
