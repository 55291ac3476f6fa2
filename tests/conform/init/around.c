/* SPDX-License-Identifier: BSD-3-Clause */
/* What may be called before MPI_Init and after MPI_Finalize. */
#include "conform.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void outside(int initialized, int finalized)
{
    int flag = 7, version = 0, subversion = -1, length = -1;
    char text[MPI_MAX_LIBRARY_VERSION_STRING];

    MPI_Initialized(&flag);
    if (flag != initialized) {
        printf("MPI_Initialized: %d, not %d\n", flag, initialized);
        exit(1);
    }
    MPI_Finalized(&flag);
    if (flag != finalized) {
        printf("MPI_Finalized: %d, not %d\n", flag, finalized);
        exit(1);
    }
    MPI_Get_version(&version, &subversion);
    if (version != MPI_VERSION || subversion != MPI_SUBVERSION || version < 3) {
        printf("MPI_Get_version: %d.%d\n", version, subversion);
        exit(1);
    }
    MPI_Get_library_version(text, &length);
    if (length <= 0 || length >= MPI_MAX_LIBRARY_VERSION_STRING || (int)strlen(text) > length) {
        printf("MPI_Get_library_version: length %d\n", length);
        exit(1);
    }
}

int main(int argc, char **argv)
{
    int rank;

    outside(0, 0);
    MPI_Init(&argc, &argv);
    outside(1, 0);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    outside(1, 1);
    if (rank == 0)
        printf(" No Errors\n");
    return 0;
}
