/* SPDX-License-Identifier: BSD-3-Clause */
/* A rank ends in a task, beside another that is blocked. The argument says how. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int overflow(int n)
{
    volatile char space[4096];
    space[n % 4096] = 1;
    return overflow(n + 1) + space[0];
}

static void at_exit(void)
{
    puts("at exit");
}

static void end(const char *way)
{
    exit(strcmp(way, "overflow") == 0 ? overflow(1) : atoi(way));
}

int main(int argc, char **argv)
{
    int provided, rank;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    atexit(at_exit);
#pragma omp parallel
#pragma omp single
    {
#pragma omp task
        MPI_Recv(&(int){0}, 1, MPI_INT, rank, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#pragma omp task
        end(argv[1]);
    }
    return 1;
}
