/* SPDX-License-Identifier: BSD-3-Clause */
/* A user operator is given the datatype of the call, as its own rank knows it. */
#include "conform.h"

enum { MOST = 3000 };

static MPI_Datatype pair;
static int strange, rank, size, data[2 * MOST], result[2 * MOST], counts[64];

/* Complex numbers of integers: their product, which is not the product of the parts. */
static void multiply(void *in, void *inout, int *n, MPI_Datatype *type)
{
    int i, *a = in, *b = inout, real;

    strange += *type != pair;
    for (i = 0; i < *n; i++, a += 2, b += 2) {
        real = a[0] * b[0] - a[1] * b[1];
        b[1] = a[0] * b[1] + a[1] * b[0];
        b[0] = real;
    }
}

/* Are the n numbers there the imaginary unit to this power? */
static void is_power(int n, int power, int line)
{
    static const int real[4] = {1, 0, -1, 0}, imaginary[4] = {0, 1, 0, -1};
    int i;

    for (i = 0; i < n; i++)
        if (result[2 * i] != real[power % 4] || result[2 * i + 1] != imaginary[power % 4]) {
            conform_error("line %d: element %d of %d is (%d, %d), power %d", line, i, n, result[2 * i],
                          result[2 * i + 1], power);
            return;
        }
}

static void reductions(int n, MPI_Op op)
{
    CALL(MPI_Allreduce(data, result, n, pair, op, MPI_COMM_WORLD));
    is_power(n, size, __LINE__);
    CALL(MPI_Reduce(data, result, n, pair, op, 0, MPI_COMM_WORLD));
    if (rank == 0)
        is_power(n, size, __LINE__);
    CALL(MPI_Scan(data, result, n, pair, op, MPI_COMM_WORLD));
    is_power(n, rank + 1, __LINE__);
    CALL(MPI_Exscan(data, result, n, pair, op, MPI_COMM_WORLD));
    if (rank > 0)
        is_power(n, rank, __LINE__);
    CALL(MPI_Reduce_scatter_block(data, result, n / size, pair, op, MPI_COMM_WORLD));
    is_power(n / size, size, __LINE__);
    CALL(MPI_Reduce_scatter(data, result, counts, pair, op, MPI_COMM_WORLD));
    is_power(counts[rank], size, __LINE__);
}

int main(int argc, char **argv)
{
    int i, n, commute;
    MPI_Op op;

    conform_init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Type_contiguous(2, MPI_INT, &pair);
    MPI_Type_commit(&pair);
    for (i = 0; i < 64; i++)
        counts[i] = i % 3;
    for (i = 0; i < MOST; i++)
        data[2 * i + 1] = 1;
    for (commute = 0; commute < 2 && size <= 64; commute++) {
        CALL(MPI_Op_create(multiply, commute, &op));
        for (n = 1; n <= MOST; n = n * 7 + 1)
            reductions(n, op);
        CALL(MPI_Op_free(&op));
    }
    CHECK(strange == 0);
    MPI_Type_free(&pair);
    return conform_end(0);
}
