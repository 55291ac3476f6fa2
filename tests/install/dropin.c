/* SPDX-License-Identifier: BSD-3-Clause */
/* Three ranks add 1, 2 and 3. */
#include <TAMPI.h>
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, mine, sum = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    mine = rank + 1;
    TAMPI_Iallreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%d\n", sum);
    return MPI_Finalize();
}
