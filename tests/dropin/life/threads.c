/* SPDX-License-Identifier: BSD-3-Clause */
/* Threads that a program starts are its rank's. */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <threads.h>

static int world_rank(void)
{
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return rank;
}

static void *ask(void *answer)
{
    *(int *)answer = world_rank();
    return NULL;
}

static void *ask_in_another(void *answer)
{
    pthread_t t;
    pthread_create(&t, NULL, ask, answer);
    pthread_join(t, NULL);
    return NULL;
}

static int ask_c11(void *answer)
{
    ask(answer);
    return 17;
}

static void *leave_early(void *answer)
{
    ask(answer);
    pthread_exit(answer);
}

int main(int argc, char **argv)
{
    int provided, got[5] = {-1, -1, -1, -1, -1}, result = 0;
    void *left;
    pthread_t t[3];
    thrd_t c11;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    int rank = world_rank(), bad = 0;
    pthread_create(&t[0], NULL, ask, &got[0]);
    pthread_create(&t[1], NULL, ask_in_another, &got[1]);
    pthread_create(&t[2], NULL, leave_early, &got[2]);
    thrd_create(&c11, ask_c11, &got[3]);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    pthread_join(t[2], &left);
    thrd_join(c11, &result);
    got[4] = rank;
#pragma omp parallel num_threads(3) reduction(+ : bad)
    bad += world_rank() != rank;
    for (int i = 0; i < 5; i++)
        bad += got[i] != rank;
    bad += left != &got[2];
    bad += result != 17;
    if (bad)
        printf("rank %d: %d wrong\n", rank, bad);
    MPI_Finalize();
    puts("threads");
    return 0;
}
