/* SPDX-License-Identifier: BSD-3-Clause */
/* conform: status nonzero */
/* An error under MPI_ERRORS_ARE_FATAL ends the job; nothing after it is run. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int value = 0;

    MPI_Init(&argc, &argv);
    MPI_Send(&value, 1, MPI_INT, 100000, 0, MPI_COMM_WORLD);
    printf("went on after a fatal error\n");
    MPI_Finalize();
    return 0;
}
