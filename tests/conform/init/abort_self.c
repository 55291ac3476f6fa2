/* SPDX-License-Identifier: BSD-3-Clause */
/* conform: status nonzero */
/* MPI_Abort with MPI_COMM_SELF ends the rank at least, and with it the job. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        MPI_Abort(MPI_COMM_SELF, 9);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
