/* SPDX-License-Identifier: BSD-3-Clause */
/* shmem: env SHMEM_SYMMETRIC_SIZE=900T */
/* A heap that no machine has: all PEs learn of it, by what the handler of MPI_COMM_WORLD gets and what is returned; nothing is left, so
 * that it may be tried again. */
#include <mpi.h>

#include "check.h"

static int handled;

static void handle(MPI_Comm *comm, int *code, ...)
{
    char text[MPI_MAX_ERROR_STRING];
    int length;
    (void)comm;
    MPI_Error_string(*code, text, &length);
    handled += strstr(text, "SHMEM_SYMMETRIC_SIZE") != NULL;
}

int main(int argc, char **argv)
{
    MPI_Errhandler handler;
    int provided, rank, mine, all;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_create_errhandler(handle, &handler);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
    for (int round = 1; round <= 3; round++) {
        mine = shmem_init_thread(SHMEM_THREAD_SINGLE, &provided) != 0 && handled == round;
        MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    }
    MPI_Errhandler_free(&handler);
    if (rank == 0)
        printf(all ? " No Errors\n" : "an attempt did not fail as it must\n");
    MPI_Finalize();
    return !all;
}
