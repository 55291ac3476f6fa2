/* SPDX-License-Identifier: BSD-3-Clause */
/* Own MPI_Init, MPI_Finalize and MPI_Comm_dup around PMPI_: a tool that says at the end what it saw. */
#include "conform.h"

#include <stdio.h>

static int inits, finalizes, dups;

int MPI_Init(int *argc, char ***argv)
{
    inits++;
    return PMPI_Init(argc, argv);
}

int MPI_Comm_dup(MPI_Comm comm, MPI_Comm *copy)
{
    int code = PMPI_Comm_dup(comm, copy);

    if (code == MPI_SUCCESS)
        PMPI_Comm_set_name(*copy, "a copy");
    dups++;
    return code;
}

int MPI_Finalize(void)
{
    int rank, bad = inits != 1 || dups != 2, all = 1;

    finalizes++;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    PMPI_Reduce(&bad, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0 && all == 0 && finalizes == 1)
        printf(" No Errors\n");
    return PMPI_Finalize();
}

int main(int argc, char **argv)
{
    char name[MPI_MAX_OBJECT_NAME];
    int length;
    MPI_Comm copy, again;

    MPI_Init(&argc, &argv);
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    MPI_Comm_dup(copy, &again);
    MPI_Comm_get_name(again, name, &length);
    MPI_Comm_free(&copy);
    MPI_Comm_free(&again);
    MPI_Finalize();
    return finalizes != 1 || length != 6;
}
