/* SPDX-License-Identifier: BSD-3-Clause */
/* A library with a variable that others see. */
#include <mpi.h>
#include <stdio.h>

int one(void);

int one_count = 100;

__attribute__((constructor)) static void begin(void)
{
    one_count++;
}

__attribute__((destructor)) static void end(void)
{
    printf("one ends: %d\n", one_count);
}

int one(void)
{
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    one_count++;
    return rank;
}
