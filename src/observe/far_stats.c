/* SPDX-License-Identifier: BSD-3-Clause */
/* The tables of all processes become one. */
#include "observe/stats.h"

#include <stdio.h>
#include <stdlib.h>

static void print_own(void)
{
    int n;
    char of[64];
    struct stats_row *rows = stats_collect(&n);
    snprintf(of, sizeof of, " of process %d", process.rank);
    stats_print(rows, n, of);
    free(rows);
}

/* At process 0: bytes that each sends, where they go, and room for them all. NULL without memory. */
static struct stats_row *far_stats_make_room(const int rows[], int size, int bytes[], int at[], int *n)
{
    long sum = 0;
    for (int p = 0; p < size; p++) {
        at[p] = (int)(sum * (long)sizeof(struct stats_row));
        bytes[p] = rows[p] * (int)sizeof(struct stats_row);
        sum += rows[p];
    }
    *n = (int)sum;
    return malloc(((size_t)sum + 1) * sizeof(struct stats_row));
}

static void print_all(void)
{
    int rank, size, n, sum = 0, ok = 1;
    struct stats_row *mine = stats_collect(&n), *all = NULL;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int *counts = malloc(3 * (size_t)size * sizeof *counts); /* looked at by process 0 alone */
    int *bytes = counts ? counts + size : NULL, *at = counts ? counts + 2 * size : NULL;
    ok = counts != NULL;
    MPI_Bcast(&ok, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (ok) {
        MPI_Gather(&n, 1, MPI_INT, counts, 1, MPI_INT, 0, MPI_COMM_WORLD);
        if (rank == 0)
            ok = (all = far_stats_make_room(counts, size, bytes, at, &sum)) != NULL;
        MPI_Bcast(&ok, 1, MPI_INT, 0, MPI_COMM_WORLD);
    }
    if (ok)
        MPI_Gatherv(mine, n * (int)sizeof *mine, MPI_BYTE, all, bytes, at, MPI_BYTE, 0, MPI_COMM_WORLD);
    if (ok && rank == 0)
        stats_print(all, sum, "");
    free(all);
    free(counts);
    free(mine);
}

void stats_end(bool everybody)
{
    mpi_enter(); /* a helper thread may still poll */
    if (everybody)
        print_all();
    else
        print_own();
    mpi_leave();
}
