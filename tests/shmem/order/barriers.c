/* SPDX-License-Identifier: BSD-3-Clause */
/* A barrier completes what was put, by all means and to all; a sync orders what each PE itself has stored, and nobody passes it before all
 * have come. pe_quiet completes what goes to those PEs. */
#include "check.h"

enum { ROUNDS = 120, MOST = 16 };
static uint64_t from_all[MOST][3], own;
static int count;

static void barrier(int round)
{
    int me = shmem_my_pe(), n = shmem_n_pes();
    static uint64_t mine[MOST][3];

    for (int pe = 0; pe < n; pe++) {
        for (size_t i = 0; i < 3; i++)
            mine[pe][i] = pattern(me * MOST + pe, i, round);
        shmem_uint64_put_nbi(from_all[me], mine[pe], 2, pe);
        shmem_uint64_p(&from_all[me][2], mine[pe][2], pe);
        shmem_int_atomic_inc(&count, pe);
    }
    shmem_barrier_all();
    for (int pe = 0; pe < n; pe++)
        for (size_t i = 0; i < 3; i++)
            CHECK_AT(from_all[pe][i] == pattern(pe * MOST + me, i, round), round);
    CHECK_AT(count == n * (round + 1), round);
    shmem_barrier_all();
}

/* Much data to one PE, while the word of the barrier may come by others. */
static void barrier_of_much(int round)
{
    enum { N = 20000 };
    static uint64_t to[N], from[N];

    for (size_t i = 0; i < N; i++)
        from[i] = pattern(shmem_my_pe(), i, round);
    shmem_uint64_put_nbi(to, from, N, right_of(round));
    shmem_barrier_all();
    for (size_t i = N; i-- > 0;)
        CHECK_AT(to[i] == pattern(left_of(round), i, round), round);
    shmem_barrier_all();
}

static void sync(int round)
{
    int n = shmem_n_pes();

    own = pattern(shmem_my_pe(), 7, round);
    shmem_sync_all();
    for (int pe = 0; pe < n; pe++)
        CHECK_AT(shmem_uint64_g(&own, pe) == pattern(pe, 7, round), round);
    shmem_sync_all();
}

/* Only one may be late, and all wait for it. */
static void late(int round)
{
    static int arrived;
    int n = shmem_n_pes(), me = shmem_my_pe();

    if (me == round % n)
        for (int i = 0; i < 5; i++)
            rest();
    shmem_int_atomic_inc(&arrived, 0);
    shmem_quiet();
    if (round % 2)
        shmem_barrier_all();
    else
        shmem_sync_all();
    CHECK_AT(shmem_int_atomic_fetch(&arrived, 0) >= n * (round + 1), round);
}

static void some_pes(int round)
{
    int n = shmem_n_pes(), targets[2] = {right_of(1), right_of(2)};
    static long told;
    shmem_ctx_t ctx;

    CHECK(shmem_ctx_create(0, &ctx) == 0);
    uint64_t mine[2] = {pattern(shmem_my_pe(), 1, round), pattern(shmem_my_pe(), 2, round)};
    shmem_uint64_put_nbi(from_all[0], &mine[0], 1, targets[0]);
    shmem_ctx_uint64_put_nbi(ctx, from_all[1], &mine[1], 1, targets[1]);
    shmem_pe_quiet(targets, 2);
    shmem_ctx_pe_quiet(ctx, targets + 1, 1);
    CHECK_AT(shmem_uint64_g(from_all[0], targets[0]) == mine[0], round);
    shmem_long_p(&told, round + 1, targets[1]);
    shmem_long_wait_until(&told, SHMEM_CMP_EQ, round + 1);
    CHECK_AT(from_all[1][0] == pattern(left_of(2), 2, round), round);
    shmem_ctx_destroy(ctx);
    (void)n;
    shmem_barrier_all();
}

int main(void)
{
    shmem_init();
    for (int round = 0; round < ROUNDS; round++)
        barrier(round);
    for (int round = 0; round < 12; round++)
        barrier_of_much(round);
    for (int round = 0; round < ROUNDS; round++)
        sync(round);
    for (int round = 0; round < ROUNDS; round++)
        late(round);
    for (int round = 0; round < 20; round++)
        some_pes(round);
    return check_end();
}
