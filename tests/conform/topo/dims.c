/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Dims_create: product, decreasing order, balance, given dimensions, none at all, what cannot be. */
#include "conform.h"

static void product(int nodes, int n)
{
    int dims[8] = {0}, i, all = 1;

    CALL(MPI_Dims_create(nodes, n, dims));
    for (i = 0; i < n; i++) {
        CHECK(dims[i] > 0 && (i == 0 || dims[i] <= dims[i - 1]));
        all *= dims[i];
    }
    if (all != nodes)
        conform_error("%d in %d dimensions: product %d", nodes, n, all);
}

static void exactly(int nodes, int n, const int want[])
{
    int dims[8] = {0}, i;

    CALL(MPI_Dims_create(nodes, n, dims));
    for (i = 0; i < n; i++)
        if (dims[i] != want[i])
            conform_error("%d in %d dimensions: dimension %d is %d, not %d", nodes, n, i, dims[i], want[i]);
}

int main(int argc, char **argv)
{
    int nodes, n, given[3] = {0, 3, 0}, full[2] = {2, 3}, wrong[2] = {0, 4}, mixed[4] = {2, 0, 0, 3},
                  negative[2] = {-1, 0};

    conform_init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    for (nodes = 1; nodes <= 130; nodes++)
        for (n = 1; n <= 5; n++)
            product(nodes, n);
    product(1000000, 3);
    product(32749, 2);
    exactly(6, 2, (int[]){3, 2});
    exactly(7, 2, (int[]){7, 1});
    exactly(16, 2, (int[]){4, 4});
    exactly(12, 3, (int[]){3, 2, 2});
    exactly(64, 3, (int[]){4, 4, 4});
    exactly(1, 3, (int[]){1, 1, 1});
    exactly(36, 2, (int[]){6, 6});
    CALL(MPI_Dims_create(6, 3, given));
    CHECK(given[0] == 2 && given[1] == 3 && given[2] == 1);
    CALL(MPI_Dims_create(6, 2, full));
    CHECK(full[0] == 2 && full[1] == 3);
    CALL(MPI_Dims_create(24, 4, mixed));
    CHECK(mixed[0] == 2 && mixed[3] == 3 && mixed[1] * mixed[2] == 4);
    CHECK(MPI_Dims_create(6, 2, wrong) != MPI_SUCCESS);
    CHECK(MPI_Dims_create(6, 2, negative) != MPI_SUCCESS);
    return conform_end(0);
}
