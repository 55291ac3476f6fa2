/* SPDX-License-Identifier: BSD-3-Clause */
/* shmem_ptr: loads and stores where it gives an address; and what is accessible. */
#include "check.h"

static long words[4], of_each;

static void try(long *symmetric, int round)
{
    int n = shmem_n_pes(), me = shmem_my_pe();

    CHECK(shmem_ptr(symmetric, me) == (void *)symmetric);
    for (int i = 0; i < 4; i++)
        symmetric[i] = (long)pattern(me, (size_t)i, round);
    shmem_barrier_all();
    for (int pe = 0; pe < n; pe++) {
        CHECK_AT(shmem_addr_accessible(symmetric + 1, pe) == 1, pe);
        long *there = shmem_ptr(symmetric + 1, pe);
        if (!there)
            continue;
        CHECK_AT(*there == (long)pattern(pe, 1, round), pe);
        CHECK_AT(shmem_ptr((char *)symmetric + 3, pe) == (void *)((char *)there - 5), pe);
    }
    shmem_barrier_all();
    long *right = shmem_ptr(symmetric, right_of(1));
    if (right)
        right[2] = me + 1000L * round;
    else
        shmem_long_p(symmetric + 2, me + 1000L * round, right_of(1));
    shmem_barrier_all();
    CHECK(symmetric[2] == left_of(1) + 1000L * round && symmetric[3] == (long)pattern(me, 3, round));
    shmem_barrier_all();
}

int main(void)
{
    long local = 0;

    shmem_init();
    int n = shmem_n_pes();
    long *heap = take(4 * sizeof *heap), *mallocked = malloc(64);
    try(words, 1);
    try(heap, 2);
    for (int pe = 0; pe < n; pe++) {
        CHECK_AT(shmem_pe_accessible(pe) == 1, pe);
        CHECK_AT(shmem_addr_accessible(mallocked, pe) == 0, pe);
        CHECK_AT(shmem_addr_accessible(&local, pe) == 0, pe);
        CHECK_AT(shmem_addr_accessible(&of_each, pe) == 1, pe);
    }
    CHECK(shmem_pe_accessible(n) == 0 && shmem_pe_accessible(-1) == 0);
    free(mallocked);
    shmem_free(heap);
    return check_end();
}
