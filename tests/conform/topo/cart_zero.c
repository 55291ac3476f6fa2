/* SPDX-License-Identifier: BSD-3-Clause */
/* Cartesian communicators of no dimension. */
#include "conform.h"

int main(int argc, char **argv)
{
    int rank, size, kind, n, dims[1] = {5}, periods[1] = {1}, coords[1] = {7};
    MPI_Comm point, line, sub;
    int remain[1] = {0};

    conform_init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    CALL(MPI_Cart_create(MPI_COMM_WORLD, 0, dims, periods, 0, &point));
    CHECK((point == MPI_COMM_NULL) == (rank != 0));
    if (point != MPI_COMM_NULL) {
        CALL(MPI_Comm_size(point, &n));
        CHECK(n == 1);
        CALL(MPI_Topo_test(point, &kind));
        CHECK(kind == MPI_CART);
        CALL(MPI_Cartdim_get(point, &n));
        CHECK(n == 0);
        CALL(MPI_Cart_get(point, 0, dims, periods, coords));
        CALL(MPI_Cart_rank(point, coords, &n));
        CHECK(n == 0);
        CALL(MPI_Cart_coords(point, 0, 0, coords));
        CHECK(dims[0] == 5 && periods[0] == 1 && coords[0] == 7);
        CALL(MPI_Comm_free(&point));
    }
    dims[0] = size;
    CALL(MPI_Cart_create(MPI_COMM_WORLD, 1, dims, periods, 0, &line));
    CALL(MPI_Cart_sub(line, remain, &sub));
    CHECK(sub != MPI_COMM_NULL);
    CALL(MPI_Comm_size(sub, &n));
    CHECK(n == 1);
    CALL(MPI_Cartdim_get(sub, &n));
    CHECK(n == 0);
    CALL(MPI_Comm_free(&sub));
    CALL(MPI_Comm_free(&line));
    return conform_end(0);
}
