/* SPDX-License-Identifier: BSD-3-Clause */
/* grid.c: who has which cells. */
#include "halo.h"
#include <stdio.h>
#include <stdlib.h>

MPI_Comm grid_comm = MPI_COMM_NULL;
int global[2], local[2], first[2];

static int start_of(int cells, int parts, int part)
{
    return (int)((long)cells * part / parts);
}

void grid_create(MPI_Comm parent, int across, int along)
{
    int size, rank, dims[2] = {0, 0}, coords[2], periods[2];
    periods[ACROSS] = 0;
    periods[ALONG] = 1;
    global[ACROSS] = across;
    global[ALONG] = along;
    MPI_Comm_size(parent, &size);
    MPI_Dims_create(size, 2, dims);
    if (across < dims[ACROSS] || along < dims[ALONG]) {
        fprintf(stderr, "halo: %dx%d cells are too few for %dx%d processes\n", across, along, dims[ACROSS],
                dims[ALONG]);
        MPI_Abort(parent, 2);
    }
    MPI_Cart_create(parent, 2, dims, periods, 1, &grid_comm);
    MPI_Comm_rank(grid_comm, &rank);
    MPI_Cart_coords(grid_comm, rank, 2, coords);
    for (int d = 0; d < 2; d++) {
        first[d] = start_of(global[d], dims[d], coords[d]);
        local[d] = start_of(global[d], dims[d], coords[d] + 1) - first[d];
    }
}

void grid_destroy(void)
{
    MPI_Comm_free(&grid_comm);
}

double *field_create(void)
{
    double *u = calloc((size_t)(local[ACROSS] + 2) * (size_t)(local[ALONG] + 2), sizeof *u);
    if (u == NULL) {
        perror("halo: memory for a field");
        MPI_Abort(grid_comm, 2);
    }
    return u;
}
