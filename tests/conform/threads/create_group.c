/* SPDX-License-Identifier: BSD-3-Clause */
/* Threads make communicators of the same parent at the same time, told apart by the tag alone. */
#include "conform.h"

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

enum { THREADS = 4, TURNS = 8 };

static int rank, size;

static void *run(void *arg)
{
    int me = (int)(intptr_t)arg, i, sum, n;
    MPI_Group whole, part;
    MPI_Comm comm;
    int range[1][3] = {{rank % 2, size - 1, 2}};

    CALL(MPI_Comm_group(MPI_COMM_WORLD, &whole));
    CALL(MPI_Group_range_incl(whole, 1, range, &part));
    for (i = 0; i < TURNS; i++) {
        CALL(MPI_Comm_create_group(MPI_COMM_WORLD, me % 2 ? whole : part, me, &comm));
        CALL(MPI_Comm_size(comm, &n));
        CHECK(n == (me % 2 ? size : (size + 1 - rank % 2) / 2));
        CALL(MPI_Allreduce(&me, &sum, 1, MPI_INT, MPI_SUM, comm));
        CHECK(sum == n * me);
        CALL(MPI_Comm_free(&comm));
    }
    CALL(MPI_Group_free(&whole));
    CALL(MPI_Group_free(&part));
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t threads[THREADS];
    intptr_t i;

    conform_init_thread(&argc, &argv, MPI_THREAD_MULTIPLE);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, run, (void *)i);
    for (i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    return conform_end(0);
}
