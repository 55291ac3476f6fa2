/* SPDX-License-Identifier: BSD-3-Clause */
/* Distributed arrays: block and cyclic parts of a grid of ranks make up the array once (MPI 4.1.4). */
#include "../expect.h"

enum { ROWS = 10, COLUMNS = 9, RANKS = 4 };

/* Whose element i of n is, for p ranks of one dimension. */
static int owner(int distribution, int argument, int i, int n, int p)
{
    if (distribution == MPI_DISTRIBUTE_NONE)
        return 0;
    if (distribution == MPI_DISTRIBUTE_BLOCK)
        return i / (argument == MPI_DISTRIBUTE_DFLT_DARG ? (n + p - 1) / p : argument);
    return i / (argument == MPI_DISTRIBUTE_DFLT_DARG ? 1 : argument) % p;
}

static void check_part(int place, const int *distributions, const int *arguments, const int *grid)
{
    int sizes[2] = {ROWS, COLUMNS}, data[ROWS * COLUMNS], got[ROWS * COLUMNS], position = 0, size, n = 0;
    MPI_Datatype type;

    CALL(MPI_Type_create_darray(grid[0] * grid[1], place, 2, sizes, distributions, arguments, grid,
                                MPI_ORDER_C, MPI_INT, &type));
    CALL(MPI_Type_commit(&type));
    fill(data, ROWS * COLUMNS, 0);
    CALL(MPI_Type_size(type, &size));
    CALL(MPI_Pack(data, 1, type, got, sizeof got, &position, MPI_COMM_SELF));
    expect_int("packed", position, size);
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++)
            if (owner(distributions[0], arguments[0], i, ROWS, grid[0]) == place / grid[1] &&
                owner(distributions[1], arguments[1], j, COLUMNS, grid[1]) == place % grid[1]) {
                expect_int("element", got[n], data[i * COLUMNS + j]);
                n++;
            }
    expect_int("elements", size, n * (int)sizeof(int));
    MPI_Type_free(&type);
}

int main(int argc, char **argv)
{
    static const int cases[][6] = {
        {MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_DFLT_DARG, MPI_DISTRIBUTE_DFLT_DARG, 2,
         2},
        {MPI_DISTRIBUTE_CYCLIC, MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_DFLT_DARG, MPI_DISTRIBUTE_DFLT_DARG, 2,
         2},
        {MPI_DISTRIBUTE_CYCLIC, MPI_DISTRIBUTE_CYCLIC, 3, 2, 2, 2},
        {MPI_DISTRIBUTE_NONE, MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_DFLT_DARG, MPI_DISTRIBUTE_DFLT_DARG, 1, 4},
        {MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_NONE, 5, MPI_DISTRIBUTE_DFLT_DARG, 4, 1},
        {MPI_DISTRIBUTE_CYCLIC, MPI_DISTRIBUTE_NONE, 1, MPI_DISTRIBUTE_DFLT_DARG, 4, 1},
    };

    conform_init(&argc, &argv);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int place = 0; place < RANKS; place++)
            check_part(place, &cases[i][0], &cases[i][2], &cases[i][4]);
    return conform_end(0);
}
