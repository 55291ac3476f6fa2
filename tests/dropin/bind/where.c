/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints "rank: CPUs" for each rank in order: of the thread that calls main, and of one that it starts. */
#define _GNU_SOURCE
#include <mpi.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>

static void *get(void *set)
{
    CPU_ZERO((cpu_set_t *)set);
    sched_getaffinity(0, sizeof(cpu_set_t), set);
    return NULL;
}

static void print(int rank, const cpu_set_t *set)
{
    char text[CPU_SETSIZE * 6];
    int n = snprintf(text, sizeof text, "%d:", rank);
    for (int i = 0; i < CPU_SETSIZE; i++)
        if (CPU_ISSET(i, set))
            n += snprintf(text + n, sizeof text - (size_t)n, " %d", i);
    puts(text);
}

int main(int argc, char **argv)
{
    cpu_set_t mine, child;
    pthread_t thread;
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    get(&mine);
    if (pthread_create(&thread, NULL, get, &child) == 0)
        pthread_join(thread, NULL);
    if (memcmp(&mine, &child, sizeof mine) != 0)
        printf("%d: its thread runs elsewhere\n", rank);
    for (int i = 0; i < size; i++) {
        if (i == rank)
            print(rank, &mine);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
