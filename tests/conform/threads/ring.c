/* SPDX-License-Identifier: BSD-3-Clause */
/* Threads of each rank exchange with the same thread of the next one, on MPI_COMM_WORLD, told apart by tags. */
#include "conform.h"

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

enum { THREADS = 4, TURNS = 200 };

static int rank, size;

static void *run(void *arg)
{
    int me = (int)(intptr_t)arg, i, in, out, seen, here;
    MPI_Status status;

    CALL(MPI_Comm_rank(MPI_COMM_WORLD, &here));
    CHECK(here == rank);
    for (i = 0; i < TURNS; i++) {
        out = 10000 * rank + 1000 * me + i;
        CALL(MPI_Sendrecv(&out, 1, MPI_INT, (rank + 1) % size, me, &in, 1, MPI_INT, MPI_ANY_SOURCE, me,
                          MPI_COMM_WORLD, &status));
        seen = 10000 * ((rank + size - 1) % size) + 1000 * me + i;
        if (in != seen)
            conform_error("thread %d, turn %d: %d, not %d", me, i, in, seen);
    }
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t threads[THREADS];
    intptr_t i;

    conform_init_thread(&argc, &argv, MPI_THREAD_MULTIPLE);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (i = 1; i < THREADS; i++)
        pthread_create(&threads[i], NULL, run, (void *)i);
    run((void *)0);
    for (i = 1; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    return conform_end(0);
}
