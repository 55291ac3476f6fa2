/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI and SHMEM in one program, SHMEM first and last; MPI's nonblocking messages are under way while SHMEM waits. */
#include "check.h"

#include <mpi.h>

enum { N = 30000 };
static long flag;

int main(int argc, char **argv)
{
    int up = -1, rank, provided;
    static long out[N], in[N];
    MPI_Request requests[2];

    shmem_init();
    long *heap = take(N * sizeof *heap);
    MPI_Initialized(&up);
    if (!up) /* SHMEM may have started it */
        MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    CHECK(rank == shmem_my_pe());
    for (long round = 1; round <= 10; round++) {
        for (size_t i = 0; i < N; i++)
            out[i] = (long)pattern(rank, i, (int)round);
        MPI_Irecv(round % 2 ? in : heap, N, MPI_LONG, left_of(1), 3, MPI_COMM_WORLD, &requests[0]);
        MPI_Isend(out, N, MPI_LONG, right_of(1), 3, MPI_COMM_WORLD, &requests[1]);
        shmem_long_p(&flag, round, right_of(1));
        shmem_long_wait_until(&flag, SHMEM_CMP_GE, round);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
        for (size_t i = 0; i < N; i++)
            CHECK_AT((round % 2 ? in : heap)[i] == (long)pattern(left_of(1), i, (int)round), round);
        shmem_barrier_all();
    }
    if (!up)
        MPI_Finalize();
    shmem_free(heap);
    return check_end();
}
