/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints how many ranks each process has, then the arguments. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void print(const int *pids, int size, int argc, char **argv)
{
    /* Ranks of a process are consecutive; a process without ranks is not seen. */
    for (int i = 0, n; i < size; i += n) {
        for (n = 1; i + n < size && pids[i + n] == pids[i];)
            n++;
        printf("%s%d", i ? " " : "", n);
    }
    for (int i = 1; i < argc; i++)
        printf(" %s", argv[i]);
    putchar('\n');
}

int main(int argc, char **argv)
{
    int rank, size, pid = (int)getpid();
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int *pids = malloc((size_t)size * sizeof *pids);
    MPI_Gather(&pid, 1, MPI_INT, pids, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (rank == 0)
        print(pids, size, argc, argv);
    free(pids);
    MPI_Finalize();
    return 0;
}
