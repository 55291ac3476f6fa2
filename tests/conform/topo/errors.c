/* SPDX-License-Identifier: BSD-3-Clause */
/* Topology calls with communicators that have none, or another one; dimensions and ranks that are not there. */
#include "conform.h"

int main(int argc, char **argv)
{
    int size, n, dims[2], periods[2] = {0, 0}, coords[2] = {0, 0};
    MPI_Comm grid, other;

    conform_init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    FAILS(MPI_ERR_TOPOLOGY, MPI_Cartdim_get(MPI_COMM_WORLD, &n));
    FAILS(MPI_ERR_TOPOLOGY, MPI_Cart_rank(MPI_COMM_WORLD, coords, &n));
    FAILS(MPI_ERR_TOPOLOGY, MPI_Cart_shift(MPI_COMM_WORLD, 0, 1, &n, coords));
    FAILS(MPI_ERR_TOPOLOGY, MPI_Graphdims_get(MPI_COMM_WORLD, &n, coords));
    FAILS(MPI_ERR_TOPOLOGY, MPI_Graph_neighbors_count(MPI_COMM_WORLD, 0, &n));
    CHECK(MPI_Topo_test(MPI_COMM_NULL, &n) != MPI_SUCCESS);
    dims[0] = size + 1;
    dims[1] = 1;
    CHECK(MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &other) != MPI_SUCCESS);
    dims[0] = size;
    CALL(MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &grid));
    CHECK(MPI_Graphdims_get(grid, &n, coords) != MPI_SUCCESS);
    CHECK(MPI_Cart_shift(grid, -1, 1, &n, coords) != MPI_SUCCESS);
    coords[0] = size;
    coords[1] = 0;
    CHECK(MPI_Cart_rank(grid, coords, &n) != MPI_SUCCESS);
    CALL(MPI_Comm_free(&grid));
    return conform_end(0);
}
