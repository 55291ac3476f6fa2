/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI and SHMEM in one program, MPI first: ranks are PEs; messages and puts in turns; data of one go through the other. */
#include "check.h"

#include <mpi.h>

static long word, sums[2];

static void turns(int round)
{
    int me = shmem_my_pe(), right = right_of(1), left = left_of(1);
    long token = me * 100L + round, got = -1;

    MPI_Sendrecv(&token, 1, MPI_LONG, right, round, &got, 1, MPI_LONG, left, round, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    CHECK_AT(got == left * 100L + round, round);
    shmem_long_p(&word, got + 7, right); /* of the one left of me */
    if (round % 2) {
        shmem_quiet();
        MPI_Barrier(MPI_COMM_WORLD);
    } else {
        shmem_barrier_all();
    }
    CHECK_AT(word == left_of(2) * 100L + round + 7, round);
    /* MPI reads and writes symmetric memory. */
    sums[0] = word;
    MPI_Allreduce(&sums[0], &sums[1], 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    long all = 0;
    for (int pe = 0; pe < shmem_n_pes(); pe++)
        all += shmem_long_g(&sums[0], pe);
    CHECK_AT(all == sums[1], round);
    MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    int rank, size;

    MPI_Init(&argc, &argv);
    shmem_init();
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    CHECK(rank == shmem_my_pe() && size == shmem_n_pes());
    for (int round = 0; round < 40; round++)
        turns(round);
    check_end();
    MPI_Barrier(MPI_COMM_WORLD); /* goes on */
    MPI_Finalize();
    return 0;
}
