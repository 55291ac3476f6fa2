/* SPDX-License-Identifier: BSD-3-Clause */
/* Many bytes, at odd addresses; random pieces that all PEs put into each other, each into its own part. */
#include "check.h"

enum { LARGE = (4 << 20) + 37, PART = 5000, ROUNDS = 60 };

static void large(char *dest, char *source, int round)
{
    int nbi = round % 2;

    fill(source, LARGE, shmem_my_pe(), round);
    memset(dest, 0, LARGE + 64);
    shmem_barrier_all();
    (nbi ? shmem_putmem_nbi : shmem_putmem)(dest + 1 + round, source, LARGE, right_of(1));
    shmem_barrier_all();
    CHECK_AT(differs(dest + 1 + round, LARGE, left_of(1), round) < 0, round);
    CHECK_AT(dest[round] == 0 && dest[1 + round + LARGE] == 0, round);
    memset(dest, 0, LARGE + 64);
    (nbi ? shmem_getmem_nbi : shmem_getmem)(dest + 3, source, LARGE, right_of(1));
    shmem_quiet();
    CHECK_AT(differs(dest + 3, LARGE, right_of(1), round) < 0, round);
    CHECK_AT(dest[2] == 0 && dest[3 + LARGE] == 0, round);
    shmem_barrier_all();
}

/* What PE `from` has put into its part of PE `to`, in the order in which it did. */
static void replay(char *part, int from, int to)
{
    unsigned state = (unsigned)from * 7919u + (unsigned)to;

    memset(part, 0, PART);
    for (int k = 0; k < ROUNDS; k++) {
        size_t bytes = next_random(&state) % (k % 8 ? 60 : 3000), at = next_random(&state) % (PART - bytes);
        fill(part + at, bytes, from * 100 + to, k);
    }
}

static void pieces(char *parts)
{
    int n = shmem_n_pes(), me = shmem_my_pe();
    char mine[3000], want[PART];

    memset(parts, 0, (size_t)n * PART);
    shmem_barrier_all();
    for (int to = 0; to < n; to++) {
        unsigned state = (unsigned)me * 7919u + (unsigned)to;
        for (int k = 0; k < ROUNDS; k++) {
            size_t bytes = next_random(&state) % (k % 8 ? 60 : 3000), at = next_random(&state) % (PART - bytes);
            fill(mine, bytes, me * 100 + to, k);
            shmem_putmem(parts + me * PART + at, mine, bytes, to);
            shmem_fence(); /* pieces overlap: in order */
        }
    }
    shmem_barrier_all();
    for (int from = 0; from < n; from++) {
        replay(want, from, me);
        CHECK_AT(memcmp(want, parts + from * PART, PART) == 0, from);
    }
    shmem_barrier_all();
}

int main(void)
{
    shmem_init();
    char *dest = take(LARGE + 64), *source = take(LARGE);
    for (int round = 0; round < 2; round++)
        large(dest, source, round);
    pieces(dest);
    shmem_free(source);
    shmem_free(dest);
    return check_end();
}
