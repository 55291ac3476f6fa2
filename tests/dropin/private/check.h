/* SPDX-License-Identifier: BSD-3-Clause */
/* Plain MPI programs in which each rank uses what libc keeps for the whole process, all at the same time. */
#ifndef CHECK_H
#define CHECK_H

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int rank, size, failures;

#define CHECK(condition) check(condition, #condition, __LINE__)

static inline void check(int ok, const char *text, int line)
{
    if (ok)
        return;
    failures++;
    printf("rank %d, line %d: %s\n", rank, line, text);
}

/* All ranks are here, then all go on at once. */
static inline void meet(void)
{
    MPI_Barrier(MPI_COMM_WORLD);
}

static inline void begin(int *argc, char ***argv)
{
    MPI_Init(argc, argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
}

static inline int end(void)
{
    int all = 0;
    MPI_Allreduce(&failures, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0 && all == 0)
        printf("ok, %d ranks\n", size);
    MPI_Finalize();
    return all != 0;
}

#endif
