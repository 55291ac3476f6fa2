/* SPDX-License-Identifier: BSD-3-Clause */
/* Threads that call MPI in turns, under a lock of their own rank; the main thread only waits. */
#include "conform.h"

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

enum { THREADS = 4 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int turn, rank, size;

static void *run(void *arg)
{
    int me = (int)(intptr_t)arg, i, in, flag;

    for (i = 0; i < 10; i++) {
        pthread_mutex_lock(&lock);
        while (turn % THREADS != me)
            pthread_cond_wait(&changed, &lock);
        CALL(MPI_Sendrecv(&turn, 1, MPI_INT, (rank + 1) % size, 0, &in, 1, MPI_INT, (rank + size - 1) % size,
                          0, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        CHECK(in == turn);
        CALL(MPI_Is_thread_main(&flag));
        CHECK(!flag);
        turn++;
        pthread_cond_broadcast(&changed);
        pthread_mutex_unlock(&lock);
    }
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t threads[THREADS];
    intptr_t i;

    conform_init_thread(&argc, &argv, MPI_THREAD_SERIALIZED);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, run, (void *)i);
    for (i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    CHECK(turn == 10 * THREADS);
    return conform_end(0);
}
