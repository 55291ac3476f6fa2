/* SPDX-License-Identifier: BSD-3-Clause */
/* The variables of a program's libraries belong to one rank, and all that use them see the same. */
#include <mpi.h>
#include <stdio.h>

extern int one_count;
int two(void);

int main(int argc, char **argv)
{
    int rank, sum = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 2; i++) {
        MPI_Barrier(MPI_COMM_WORLD);
        sum = two();
    }
    MPI_Barrier(MPI_COMM_WORLD);
    printf("%s: %d\n", sum == 3 * rank ? "own libraries" : "shared libraries", one_count);
    MPI_Finalize();
    return 0;
}
