/* SPDX-License-Identifier: BSD-3-Clause */
/* Threads take messages of unknown length by MPI_Mprobe and MPI_Mrecv, while the main thread sends. */
#include "conform.h"

#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>

enum { THREADS = 3, MESSAGES = 90, STOP = 99 };

static int rank, size, taken, total;

static void *run(void *arg)
{
    MPI_Message message;
    MPI_Status status;
    int n, i, *data;

    (void)arg;
    for (;;) {
        CALL(MPI_Mprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &message, &status));
        CALL(MPI_Get_count(&status, MPI_INT, &n));
        data = malloc((n + 1) * sizeof *data);
        CALL(MPI_Mrecv(data, n, MPI_INT, &message, &status));
        CHECK(message == MPI_MESSAGE_NULL);
        for (i = 0; i < n; i++)
            CHECK(data[i] == status.MPI_SOURCE + n);
        free(data);
        if (status.MPI_TAG == STOP)
            return NULL;
        __atomic_fetch_add(&taken, 1, __ATOMIC_RELAXED);
        __atomic_fetch_add(&total, n, __ATOMIC_RELAXED);
    }
}

int main(int argc, char **argv)
{
    pthread_t threads[THREADS];
    static int data[MESSAGES];
    int i, k;

    conform_init_thread(&argc, &argv, MPI_THREAD_MULTIPLE);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, run, NULL);
    /* The last to each is synchronous, and was matched after all others of this rank: no message of another rank
     * is overtaken by STOP, which only the barrier would not forbid. */
    for (i = 0; i < MESSAGES; i++) {
        for (k = 0; k < i; k++)
            data[k] = rank + i;
        if (i < MESSAGES - size)
            CALL(MPI_Send(data, i, MPI_INT, (rank + i) % size, i % 7, MPI_COMM_WORLD));
        else
            CALL(MPI_Ssend(data, i, MPI_INT, (rank + i) % size, i % 7, MPI_COMM_WORLD));
    }
    CALL(MPI_Barrier(MPI_COMM_WORLD));
    for (i = 0; i < THREADS; i++)
        CALL(MPI_Send(NULL, 0, MPI_INT, rank, STOP, MPI_COMM_WORLD));
    for (i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    MPI_Allreduce(&taken, &k, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    CHECK(k == MESSAGES * size);
    MPI_Allreduce(&total, &k, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    CHECK(k == size * MESSAGES * (MESSAGES - 1) / 2);
    return conform_end(0);
}
