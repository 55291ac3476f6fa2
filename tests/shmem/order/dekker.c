/* SPDX-License-Identifier: BSD-3-Clause */
/* Store buffering: two PEs each write a word of the other, complete that, and read the word of their own: not both may find the old
 * value. And with a third who looks on: what is complete before something else is seen by whoever sees that. */
#include "check.h"

enum { ROUNDS = 40, SLOTS = 300, LINE = 8 };
static long words[SLOTS * LINE], seen[2][SLOTS];
static long word, turn;

/* Of PEs 2k and 2k + 1, which run through many words side by side. */
static void store_buffering(int round)
{
    int me = shmem_my_pe(), other = me ^ 1;
    static long got[SLOTS];

    if (other < shmem_n_pes()) {
        for (int k = 0; k < SLOTS; k++) {
            if (round % 2)
                shmem_long_p(&words[k * LINE], round, other);
            else
                shmem_long_atomic_set(&words[k * LINE], round, other);
            shmem_quiet();
            got[k] = round % 4 < 2 ? shmem_long_atomic_fetch(&words[k * LINE], me) : shmem_long_g(&words[k * LINE], me);
        }
        shmem_long_put(seen[me % 2], got, SLOTS, me & ~1);
    }
    shmem_barrier_all();
    if (me % 2 == 0 && other < shmem_n_pes())
        for (int k = 0; k < SLOTS; k++)
            CHECK_AT(seen[0][k] == round || seen[1][k] == round, round);
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
    for (int round = 1; round <= 100; round++)
        onlooker(round);
    return check_end();
}
