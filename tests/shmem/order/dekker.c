/* SPDX-License-Identifier: BSD-3-Clause */
/* Store buffering: two PEs each write a word of the other, complete that, and read the word of their own: not both may find the old
 * value. And with a third who looks on: what is complete before something else is seen by whoever sees that. */
#include "check.h"

enum { ROUNDS = 400 };
static long word, seen[2], turn;

/* Of PEs 2k and 2k + 1. */
static void store_buffering(int round)
{
    int me = shmem_my_pe(), other = me ^ 1;
    long got;

    if (other < shmem_n_pes()) {
        if (round % 2)
            shmem_long_p(&word, round, other);
        else
            shmem_long_atomic_set(&word, round, other);
        shmem_quiet();
        got = shmem_long_atomic_fetch(&word, me);
        shmem_long_p(&seen[me % 2], got, me & ~1);
    }
    shmem_barrier_all();
    if (me % 2 == 0 && other < shmem_n_pes())
        CHECK_AT(seen[0] == round || seen[1] == round, round);
    shmem_barrier_all();
}

/* PE 0 writes to PE 1, completes it, and tells PE 2, which reads PE 1's. */
static void onlooker(int round)
{
    int me = shmem_my_pe(), n = shmem_n_pes(), keeper = 1 % n, reader = 2 % n;

    if (me == 0) {
        shmem_long_p(&word, 1000L + round, keeper);
        shmem_quiet();
        shmem_long_p(&turn, round, reader);
    }
    if (me == reader) {
        shmem_long_wait_until(&turn, SHMEM_CMP_EQ, round);
        CHECK_AT(shmem_long_g(&word, keeper) == 1000L + round, round);
    }
    shmem_barrier_all();
}

int main(void)
{
    shmem_init();
    for (int round = 1; round <= ROUNDS; round++)
        store_buffering(round);
    for (int round = 1; round <= ROUNDS / 2; round++)
        onlooker(round);
    return check_end();
}
