/* SPDX-License-Identifier: BSD-3-Clause */
/* Threads duplicate MPI_COMM_SELF and dups of it, idup and wait, while others wait for messages. */
#include "conform.h"

#include <pthread.h>
#include <stddef.h>

enum { THREADS = 4, TURNS = 25 };

static int rank, size;

static void *duplicate(void *arg)
{
    MPI_Comm self = *(MPI_Comm *)arg, copy, again;
    MPI_Request request;
    int i, n;

    for (i = 0; i < TURNS; i++) {
        CALL(MPI_Comm_dup(self, &copy));
        CALL(MPI_Comm_idup(copy, &again, &request));
        CALL(MPI_Wait(&request, MPI_STATUS_IGNORE));
        CALL(MPI_Comm_size(again, &n));
        CHECK(n == 1);
        CALL(MPI_Comm_free(&copy));
        CALL(MPI_Comm_free(&again));
    }
    return NULL;
}

static void *wait_for(void *arg)
{
    int in = -1;

    CALL(MPI_Recv(&in, 1, MPI_INT, MPI_ANY_SOURCE, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    CHECK(in == (rank + size - 1) % size);
    return arg;
}

int main(int argc, char **argv)
{
    pthread_t threads[THREADS], waiting;
    MPI_Comm selves[THREADS];
    int i;

    conform_init_thread(&argc, &argv, MPI_THREAD_MULTIPLE);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    pthread_create(&waiting, NULL, wait_for, NULL);
    for (i = 0; i < THREADS; i++) {
        CALL(MPI_Comm_dup(MPI_COMM_SELF, &selves[i]));
        pthread_create(&threads[i], NULL, duplicate, &selves[i]);
    }
    for (i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        CALL(MPI_Comm_free(&selves[i]));
    }
    CALL(MPI_Send(&rank, 1, MPI_INT, (rank + 1) % size, 8, MPI_COMM_WORLD));
    pthread_join(waiting, NULL);
    return conform_end(0);
}
