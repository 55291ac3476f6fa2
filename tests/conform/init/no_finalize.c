/* SPDX-License-Identifier: BSD-3-Clause */
/* conform: status nonzero */
/* A rank that ends with a status of its own before MPI_Finalize ends the job, even if others wait for it. */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        exit(4);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
