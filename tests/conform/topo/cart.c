/* SPDX-License-Identifier: BSD-3-Clause */
/* Cartesian communicators: coordinates and ranks, shifts at ends and around, fewer places than ranks, dup. */
#include "conform.h"

static int rank, size;

static void inquire(MPI_Comm grid, const int dims[2], const int periods[2])
{
    int got_dims[2], got_periods[2], coords[2], mine, n, back, kind;

    CALL(MPI_Topo_test(grid, &kind));
    CHECK(kind == MPI_CART);
    CALL(MPI_Cartdim_get(grid, &n));
    CHECK(n == 2);
    CALL(MPI_Cart_get(grid, 2, got_dims, got_periods, coords));
    for (n = 0; n < 2; n++)
        CHECK(got_dims[n] == dims[n] && !!got_periods[n] == !!periods[n]);
    CALL(MPI_Comm_rank(grid, &mine));
    CHECK(mine == coords[0] * dims[1] + coords[1]);
    CALL(MPI_Cart_rank(grid, coords, &back));
    CHECK(back == mine);
    CALL(MPI_Cart_coords(grid, mine, 2, got_dims));
    CHECK(got_dims[0] == coords[0] && got_dims[1] == coords[1]);
}

static void shifts(MPI_Comm grid, const int dims[2], const int periods[2])
{
    int mine, coords[2], d, by, from, to, want, place[2];

    MPI_Comm_rank(grid, &mine);
    MPI_Cart_coords(grid, mine, 2, coords);
    for (d = 0; d < 2; d++)
        for (by = -3; by <= 3; by++) {
            CALL(MPI_Cart_shift(grid, d, by, &from, &to));
            place[0] = coords[0];
            place[1] = coords[1];
            place[d] += by;
            want = MPI_PROC_NULL;
            if (periods[d])
                place[d] = (place[d] % dims[d] + dims[d]) % dims[d];
            if (place[d] >= 0 && place[d] < dims[d])
                want = place[0] * dims[1] + place[1];
            if (by == 0)
                CHECK(from == mine && to == mine);
            else if (to != want)
                conform_error("shift by %d in %d of rank %d: to %d, not %d", by, d, mine, to, want);
        }
}

static void wrapped_ranks(MPI_Comm grid, const int dims[2])
{
    int coords[2] = {-1, dims[1] - 1}, mine;

    CALL(MPI_Cart_rank(grid, coords, &mine));
    CHECK(mine == (dims[0] - 1) * dims[1] + dims[1] - 1);
    coords[0] = 2 * dims[0];
    CALL(MPI_Cart_rank(grid, coords, &mine));
    CHECK(mine == dims[1] - 1);
}

static void one(int rows, int columns, int around)
{
    int dims[2] = {rows, columns}, periods[2] = {1, around}, result, in;
    int from, to;
    MPI_Comm grid, copy;

    CALL(MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &grid));
    CHECK((grid == MPI_COMM_NULL) == (rank >= rows * columns));
    if (grid == MPI_COMM_NULL)
        return;
    CALL(MPI_Comm_dup(grid, &copy));
    MPI_Comm_compare(grid, copy, &result);
    CHECK(result == MPI_CONGRUENT);
    CALL(MPI_Comm_free(&grid));
    inquire(copy, dims, periods);
    shifts(copy, dims, periods);
    wrapped_ranks(copy, dims);
    MPI_Cart_shift(copy, 1, 1, &from, &to);
    in = -9;
    CALL(MPI_Sendrecv(&rank, 1, MPI_INT, to, 0, &in, 1, MPI_INT, from, 0, copy, MPI_STATUS_IGNORE));
    CHECK(from == MPI_PROC_NULL ? in == -9 : in == from);
    CALL(MPI_Comm_free(&copy));
}

int main(int argc, char **argv)
{
    int periods = 1, kind, dims = 0;
    MPI_Comm grid;

    conform_init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    one(size, 1, 0);
    one(1, size, 1);
    one(1, 1, 0);
    if (size >= 4) {
        one(2, size / 2, 0);
        one(2, size / 2, 1);
        one(size - 1, 1, 1);
    }
    dims = size;
    CALL(MPI_Cart_create(MPI_COMM_WORLD, 1, &dims, &periods, 1, &grid));
    CALL(MPI_Topo_test(grid, &kind));
    CHECK(kind == MPI_CART);
    MPI_Comm_free(&grid);
    CALL(MPI_Topo_test(MPI_COMM_WORLD, &kind));
    CHECK(kind == MPI_UNDEFINED);
    return conform_end(0);
}
