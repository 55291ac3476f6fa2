/* SPDX-License-Identifier: BSD-3-Clause */
/* The smallest MPI program: what starting and ending takes; and do compilers and launchers belong together? */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank, size, length;
    char library[MPI_MAX_LIBRARY_VERSION_STRING];
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Get_library_version(library, &length);
    if (rank == 0)
        printf("ranks %d\n%s\n", size, library);
    MPI_Finalize();
    return 0;
}
