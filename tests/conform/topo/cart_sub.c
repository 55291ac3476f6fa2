/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Cart_sub: every choice of dimensions of a grid of three. */
#include "conform.h"

static int dims[3], periods[3] = {1, 0, 1}, coords[3];

static void sub(MPI_Comm grid, int mask)
{
    int remain[3], d, n = 0, want_size = 1, want_rank = 0, size, rank, kept[3], sub_dims[3], sub_periods[3],
                      sub_coords[3];
    MPI_Comm part;

    for (d = 0; d < 3; d++) {
        remain[d] = mask >> d & 1;
        if (!remain[d])
            continue;
        kept[n++] = d;
        want_size *= dims[d];
        want_rank = want_rank * dims[d] + coords[d];
    }
    CALL(MPI_Cart_sub(grid, remain, &part));
    CALL(MPI_Comm_size(part, &size));
    CALL(MPI_Comm_rank(part, &rank));
    CHECK(size == want_size && rank == want_rank);
    CALL(MPI_Cartdim_get(part, &d));
    if (CHECK(d == n)) {
        CALL(MPI_Cart_get(part, n, sub_dims, sub_periods, sub_coords));
        for (d = 0; d < n; d++)
            CHECK(sub_dims[d] == dims[kept[d]] && sub_coords[d] == coords[kept[d]] &&
                  !!sub_periods[d] == !!periods[kept[d]]);
    }
    CALL(MPI_Barrier(part));
    CALL(MPI_Comm_free(&part));
}

int main(int argc, char **argv)
{
    MPI_Comm grid;
    int size, rank, mask;

    conform_init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    CALL(MPI_Dims_create(size, 3, dims));
    CALL(MPI_Cart_create(MPI_COMM_WORLD, 3, dims, periods, 0, &grid));
    if (CHECK(grid != MPI_COMM_NULL)) {
        MPI_Comm_rank(grid, &rank);
        CALL(MPI_Cart_coords(grid, rank, 3, coords));
        for (mask = 0; mask < 8; mask++)
            sub(grid, mask);
        CALL(MPI_Comm_free(&grid));
    }
    return conform_end(0);
}
