/* SPDX-License-Identifier: BSD-3-Clause */
/* Neighbourhood operations of a grid: buffers of neighbours that are not there stay, order of the directions. */
#include "conform.h"

static int rank, size;

static void blocking(MPI_Comm grid, const int near[4])
{
    int out[4], in[4], i, opposite[4] = {1, 0, 3, 2};

    for (i = 0; i < 4; i++) {
        out[i] = 10 * rank + i;
        in[i] = -3;
    }
    CALL(MPI_Neighbor_alltoall(out, 1, MPI_INT, in, 1, MPI_INT, grid));
    for (i = 0; i < 4; i++)
        if (in[i] != (near[i] == MPI_PROC_NULL ? -3 : 10 * near[i] + opposite[i]))
            conform_error("from neighbour %d (rank %d): %d", i, near[i], in[i]);
    for (i = 0; i < 4; i++)
        in[i] = -3;
    CALL(MPI_Neighbor_allgather(&rank, 1, MPI_INT, in, 1, MPI_INT, grid));
    for (i = 0; i < 4; i++)
        CHECK(in[i] == (near[i] == MPI_PROC_NULL ? -3 : near[i]));
}

static void vectors(MPI_Comm grid, const int near[4])
{
    int counts[4] = {1, 2, 3, 1}, displs[4] = {0, 1, 3, 6}, in_counts[4] = {2, 1, 1, 3},
        in_displs[4] = {0, 2, 3, 4};
    int out[8], in[8], i, k;
    MPI_Request request;

    for (i = 0; i < 8; i++) {
        out[i] = rank;
        in[i] = -3;
    }
    CALL(MPI_Ineighbor_alltoallv(out, counts, displs, MPI_INT, in, in_counts, in_displs, MPI_INT, grid,
                                 &request));
    CALL(MPI_Wait(&request, MPI_STATUS_IGNORE));
    for (i = 0; i < 4; i++)
        for (k = 0; k < in_counts[i]; k++)
            CHECK(in[in_displs[i] + k] == (near[i] == MPI_PROC_NULL ? -3 : near[i]));
}

int main(int argc, char **argv)
{
    int dims[2] = {0, 0}, periods[2] = {0, 0}, near[4];
    MPI_Comm grid;

    conform_init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    CALL(MPI_Dims_create(size, 2, dims));
    CALL(MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &grid));
    MPI_Comm_rank(grid, &rank);
    CALL(MPI_Cart_shift(grid, 0, 1, &near[0], &near[1]));
    CALL(MPI_Cart_shift(grid, 1, 1, &near[2], &near[3]));
    blocking(grid, near);
    vectors(grid, near);
    CALL(MPI_Comm_free(&grid));
    return conform_end(0);
}
