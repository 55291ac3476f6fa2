/* SPDX-License-Identifier: BSD-3-Clause */
/* shmem: flags -Wno-deprecated-declarations */
/* The deprecated collectives on active sets: all of them, on sets with all strides that there are, that overlap and come again; the work
 * arrays alternate as the standard wants. */
#include "check.h"

enum { MOST_PES = 16, N = 5, LARGE = 2000 };

static long sync_arrays[8][SHMEM_BCAST_SYNC_SIZE + SHMEM_COLLECT_SYNC_SIZE + SHMEM_ALLTOALL_SYNC_SIZE +
                           SHMEM_ALLTOALLS_SYNC_SIZE + SHMEM_BARRIER_SYNC_SIZE + SHMEM_REDUCE_SYNC_SIZE];
static int32_t d32[MOST_PES * LARGE * 2], s32[MOST_PES * LARGE * 2];
static int64_t d64[MOST_PES * LARGE * 2], s64[MOST_PES * LARGE * 2];

static long *next_sync(void)
{
    static unsigned turn;
    return sync_arrays[turn++ % 8];
}

struct set {
    int start, log_stride, size, at; /* at: this PE's number in it */
};

static void prepare(size_t elements, int round)
{
    int me = shmem_my_pe();

    for (size_t i = 0; i < elements; i++) {
        s32[i] = (int32_t)pattern(me, i, round), s64[i] = (int64_t)pattern(me, i, round);
        d32[i] = -1, d64[i] = -1;
    }
}

static int world_pe(const struct set *s, int i)
{
    return s->start + (i << s->log_stride);
}

#define SET s->start, s->log_stride, s->size, next_sync()

#define IS32(i, pe, k, round) CHECK_AT(d32[i] == (int32_t)pattern(pe, (size_t)(k), round), i)
#define IS64(i, pe, k, round) CHECK_AT(d64[i] == (int64_t)pattern(pe, (size_t)(k), round), i)

static void try_broadcast(const struct set *s, int n, int round)
{
    int root = round % s->size;

    prepare((size_t)n, round);
    shmem_barrier(SET);
    shmem_broadcast32(d32, s32, (size_t)n, root, SET);
    shmem_broadcast64(d64, s64, (size_t)n, root, SET);
    for (int i = 0; i < n; i++)
        if (s->at == root) { /* the root's is left as it was */
            CHECK_AT(d32[i] == -1 && d64[i] == -1, i);
        } else {
            IS32(i, world_pe(s, root), i, round);
            IS64(i, world_pe(s, root), i, round);
        }
    shmem_barrier(SET);
}

static void try_collect(const struct set *s, int n, int round)
{
    int at = 0;

    prepare((size_t)(n * s->size), round);
    shmem_barrier(SET);
    shmem_collect32(d32, s32, (size_t)(n + s->at % 3) / 2, SET);
    shmem_collect64(d64, s64, (size_t)(n + s->at % 3) / 2, SET);
    for (int pe = 0; pe < s->size; pe++)
        for (int i = 0; i < (n + pe % 3) / 2; i++, at++) {
            IS32(at, world_pe(s, pe), i, round);
            IS64(at, world_pe(s, pe), i, round);
        }
    shmem_barrier(SET);
    shmem_fcollect32(d32, s32, (size_t)n, SET);
    shmem_fcollect64(d64, s64, (size_t)n, SET);
    for (int i = 0; i < n * s->size; i++) {
        IS32(i, world_pe(s, i / n), i % n, round);
        IS64(i, world_pe(s, i / n), i % n, round);
    }
    shmem_sync(SET);
}

static void try_alltoall(const struct set *s, int n, int round)
{
    prepare((size_t)(2 * n * s->size), round);
    shmem_barrier(SET);
    shmem_alltoall32(d32, s32, (size_t)n, SET);
    shmem_alltoall64(d64, s64, (size_t)n, SET);
    for (int i = 0; i < n * s->size; i++) {
        IS32(i, world_pe(s, i / n), s->at * n + i % n, round);
        IS64(i, world_pe(s, i / n), s->at * n + i % n, round);
    }
    prepare((size_t)(2 * n * s->size), round + 1);
    shmem_barrier(SET);
    shmem_alltoalls32(d32, s32, 2, 1, (size_t)n, SET);
    shmem_alltoalls64(d64, s64, 1, 2, (size_t)n, SET);
    for (int i = 0; i < n * s->size; i++) {
        IS32(2 * i, world_pe(s, i / n), s->at * n + i % n, round + 1);
        CHECK_AT(d32[2 * i + 1] == -1, i);
        IS64(i, world_pe(s, i / n), 2 * (s->at * n + i % n), round + 1);
    }
    shmem_sync(SET);
}

static void try(int start, int log_stride, int size, int n, int round)
{
    struct set s = {start, log_stride, size, -1};
    int me = shmem_my_pe();

    for (int i = 0; i < size; i++)
        if (start + (i << log_stride) == me)
            s.at = i;
    if (s.at < 0)
        return;
    try_broadcast(&s, n, round);
    try_collect(&s, n, round);
    try_alltoall(&s, n, round);
}

int main(void)
{
    int round = 0;

    shmem_init();
    int n = shmem_n_pes();
    for (size_t k = 0; k < COUNT(sync_arrays); k++)
        for (size_t i = 0; i < COUNT(sync_arrays[0]); i++)
            sync_arrays[k][i] = SHMEM_SYNC_VALUE;
    shmem_barrier_all();
    for (int log_stride = 0; 1 << log_stride < n || log_stride == 0; log_stride++)
        for (int start = 0; start < n; start += 1 + n / 4) {
            int most = (n - 1 - start) / (1 << log_stride) + 1;
            for (int size = most; size > 0; size = size > 2 ? size - size / 2 : size - 1)
                try(start, log_stride, size, N, round += 2);
        }
    try(0, 0, n, LARGE, round += 2);
    try(0, 1, (n + 1) / 2, LARGE, round += 2);
    return check_end();
}
