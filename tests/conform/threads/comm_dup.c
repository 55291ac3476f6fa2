/* SPDX-License-Identifier: BSD-3-Clause */
/* Each thread duplicates, splits and uses a communicator of its own, all at the same time. */
#include "conform.h"

#include <pthread.h>
#include <stddef.h>

enum { THREADS = 4, TURNS = 10 };

static void *run(void *arg)
{
    MPI_Comm mine = *(MPI_Comm *)arg, copy, half;
    int rank, size, i, sum, n;

    MPI_Comm_rank(mine, &rank);
    MPI_Comm_size(mine, &size);
    for (i = 0; i < TURNS; i++) {
        CALL(MPI_Comm_dup(mine, &copy));
        CALL(MPI_Comm_split(copy, rank % 2, -rank, &half));
        CALL(MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, copy));
        CHECK(sum == size * (size - 1) / 2);
        CALL(MPI_Comm_free(&copy));
        CALL(MPI_Comm_size(half, &n));
        CHECK(n == (size + 1 - rank % 2) / 2);
        CALL(MPI_Barrier(half));
        CALL(MPI_Comm_free(&half));
    }
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t threads[THREADS];
    MPI_Comm comms[THREADS];
    int i;

    conform_init_thread(&argc, &argv, MPI_THREAD_MULTIPLE);
    for (i = 0; i < THREADS; i++)
        MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]);
    for (i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, run, &comms[i]);
    for (i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    for (i = 0; i < THREADS; i++)
        MPI_Comm_free(&comms[i]);
    return conform_end(0);
}
