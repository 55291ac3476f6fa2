/* SPDX-License-Identifier: BSD-3-Clause */
/* ranks.c: an MPI program that knows nothing of endpoints, for trace.py. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size, x = 0;
    char text[1000];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < 3; i++) {
        MPI_Send(text, 10 * (rank + 1) + i, MPI_CHAR, (rank + 1) % size, i, MPI_COMM_WORLD);
        MPI_Recv(text, 1000, MPI_CHAR, MPI_ANY_SOURCE, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Allreduce(&rank, &x, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
