/* SPDX-License-Identifier: BSD-3-Clause */
/* conform: status 5 */
/* exit(5) of one rank only, from a function, after MPI_Finalize. */
#include <mpi.h>
#include <stdlib.h>

static void leave(int rank)
{
    if (rank == 0)
        exit(5);
}

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Finalize();
    leave(rank);
    return 0;
}
