/* SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int turn1(int n);
int turns_here(void); /* of the library that comes first */

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int steps = turn1(atoi(argv[argc - 1]));
    printf("%d steps, %d here\n", steps, turns_here());
    MPI_Finalize();
    return 0;
}
