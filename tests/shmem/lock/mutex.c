/* SPDX-License-Identifier: BSD-3-Clause */
/* Locks: what they guard is done by one PE at a time, and each sees what the one before has written; several locks at once, in static
 * variables and in the heap; test_lock. */
#include "check.h"

enum { TURNS = 60, LOCKS = 3 };
#define HOME (shmem_n_pes() - 1) /* of what they guard */
static long lock, several[LOCKS];
static long owner, counters[LOCKS + 1], log_of[16 * TURNS];

/* Reads and writes are far apart: without the lock an addition is lost. */
static void guarded(long *counter)
{
    long seen = shmem_long_g(counter, HOME);

    rest();
    shmem_long_p(counter, seen + 1, HOME);
}

static void one_at_a_time(void)
{
    int me = shmem_my_pe();

    for (int i = 0; i < TURNS; i++) {
        shmem_set_lock(&lock);
        CHECK_AT(shmem_long_atomic_swap(&owner, me + 1, HOME) == 0, i);
        long at = shmem_long_g(&counters[LOCKS], HOME);
        shmem_long_p(&log_of[at], me + 1, HOME);
        guarded(&counters[LOCKS]);
        CHECK_AT(shmem_long_atomic_swap(&owner, 0, HOME) == me + 1, i);
        shmem_clear_lock(&lock); /* completes what was written */
    }
    shmem_barrier_all();
    CHECK(shmem_long_g(&counters[LOCKS], HOME) == (long)TURNS * shmem_n_pes());
    if (me == HOME) {
        long turns[16] = {0};
        for (int i = 0; i < TURNS * shmem_n_pes(); i++)
            turns[log_of[i] - 1]++;
        for (int pe = 0; pe < shmem_n_pes(); pe++)
            CHECK_AT(turns[pe] == TURNS, pe);
    }
}

static void test_lock(long *heap_lock)
{
    int me = shmem_my_pe();

    for (int i = 0; i < TURNS; i++) {
        while (shmem_test_lock(heap_lock) != 0)
            rest();
        guarded(&counters[0]);
        shmem_clear_lock(heap_lock);
    }
    shmem_barrier_all();
    CHECK(shmem_long_g(&counters[0], HOME) == (long)TURNS * shmem_n_pes());
    shmem_barrier_all();
    if (me == 0)
        CHECK(shmem_test_lock(heap_lock) == 0); /* free: taken at once */
    shmem_barrier_all();
    if (me != 0)
        CHECK(shmem_test_lock(heap_lock) != 0); /* and not twice */
    shmem_barrier_all();
    if (me == 0)
        shmem_clear_lock(heap_lock);
    shmem_barrier_all();
}

/* Some wait in the queue, some try. */
static void mixed(void)
{
    shmem_long_p(&counters[1], 0, HOME);
    shmem_long_p(&counters[2], 0, HOME);
    shmem_barrier_all();
    for (int i = 0; i < TURNS; i++) {
        int k = 1 + (shmem_my_pe() + i) % 2;
        if (i % 3 == 0)
            while (shmem_test_lock(&several[k]))
                rest();
        else
            shmem_set_lock(&several[k]);
        guarded(&counters[k]);
        shmem_clear_lock(&several[k]);
    }
    shmem_barrier_all();
    CHECK(shmem_long_g(&counters[1], HOME) + shmem_long_g(&counters[2], HOME) == (long)TURNS * shmem_n_pes());
}

/* An array that is written without blocking: whoever has the lock next finds it whole. */
static void much(void)
{
    enum { N = 12000, ROUNDS = 8 };
    static long array[N], mine[N];

    for (int i = 0; i < ROUNDS; i++) {
        shmem_set_lock(&lock);
        shmem_long_get(mine, array, N, HOME);
        for (size_t k = 0; k < N; k++)
            CHECK_AT(mine[k] == mine[0], k);
        for (size_t k = 0; k < N; k++)
            mine[k]++;
        shmem_long_put_nbi(array, mine, N, HOME);
        shmem_clear_lock(&lock);
    }
    shmem_barrier_all();
    CHECK(shmem_long_g(&array[N - 1], HOME) == (long)ROUNDS * shmem_n_pes());
}

/* In one order: no deadlock. */
static void nested(void)
{
    shmem_barrier_all();
    counters[0] = 0;
    shmem_barrier_all();
    for (int i = 0; i < TURNS / 2; i++) {
        shmem_set_lock(&several[0]);
        shmem_set_lock(&several[2]);
        guarded(&counters[0]);
        shmem_clear_lock(&several[2]);
        shmem_clear_lock(&several[0]);
    }
    shmem_barrier_all();
    CHECK(shmem_long_g(&counters[0], HOME) == (long)(TURNS / 2) * shmem_n_pes());
}

int main(void)
{
    shmem_init();
    long *heap_lock = shmem_calloc(1, sizeof *heap_lock);
    CHECK(heap_lock != NULL);
    one_at_a_time();
    test_lock(heap_lock);
    mixed();
    nested();
    much();
    shmem_free(heap_lock);
    return check_end();
}
