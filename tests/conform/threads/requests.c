/* SPDX-License-Identifier: BSD-3-Clause */
/* One thread starts operations that another one completes; collective and point-to-point at the same time. */
#include "conform.h"

#include <pthread.h>
#include <stddef.h>

enum { N = 64 };

static MPI_Request requests[2 * N];
static MPI_Comm other;
static int rank, size, in[N], out[N];

static void *complete(void *arg)
{
    (void)arg;
    CALL(MPI_Waitall(2 * N, requests, MPI_STATUSES_IGNORE));
    return NULL;
}

static void *collect(void *arg)
{
    int i, sum, one = 1;

    (void)arg;
    for (i = 0; i < 50; i++) {
        CALL(MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, other));
        CHECK(sum == size);
        CALL(MPI_Barrier(other));
    }
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t collector, completer;
    int i;

    conform_init_thread(&argc, &argv, MPI_THREAD_MULTIPLE);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_dup(MPI_COMM_WORLD, &other);
    pthread_create(&collector, NULL, collect, NULL);
    for (i = 0; i < N; i++) {
        CALL(MPI_Irecv(&in[i], 1, MPI_INT, (rank + size - 1) % size, i, MPI_COMM_WORLD, &requests[i]));
    }
    for (i = 0; i < N; i++) {
        out[i] = rank + i;
        CALL(MPI_Isend(&out[i], 1, MPI_INT, (rank + 1) % size, i, MPI_COMM_WORLD, &requests[N + i]));
    }
    pthread_create(&completer, NULL, complete, NULL);
    pthread_join(completer, NULL);
    for (i = 0; i < N; i++)
        CHECK(in[i] == (rank + size - 1) % size + i);
    pthread_join(collector, NULL);
    MPI_Comm_free(&other);
    return conform_end(0);
}
