/* SPDX-License-Identifier: BSD-3-Clause */
/* Collectives of some MiB per rank, in place and not, of doubles and of a derived type. */
#include "../expect.h"

enum { COUNT = 300007 };

static double *out, *in;

static void put(double *data, int seed)
{
    for (int i = 0; i < COUNT; i++)
        data[i] = seed + i % 1000;
}

static void expect_all(const char *what, int factor, int sum)
{
    for (int i = 0; i < COUNT; i++)
        if (in[i] != sum + factor * (i % 1000)) {
            conform_error("%s: element %d is %g", what, i, in[i]);
            return;
        }
}

static void reductions(MPI_Comm comm, int rank, int size)
{
    int sum = size * (size - 1) / 2;

    put(out, rank);
    CALL(MPI_Allreduce(out, in, COUNT, MPI_DOUBLE, MPI_SUM, comm));
    expect_all("allreduce", size, sum);
    put(in, rank);
    CALL(MPI_Allreduce(MPI_IN_PLACE, in, COUNT, MPI_DOUBLE, MPI_SUM, comm));
    expect_all("allreduce in place", size, sum);
    CALL(MPI_Reduce(out, in, COUNT, MPI_DOUBLE, MPI_MAX, size - 1, comm));
    if (rank == size - 1)
        expect_all("reduce", 1, size - 1);
    CALL(MPI_Scan(out, in, COUNT, MPI_DOUBLE, MPI_SUM, comm));
    expect_all("scan", rank + 1, rank * (rank + 1) / 2);
}

static void moves(MPI_Comm comm, int rank, int size)
{
    MPI_Datatype row;
    int rows = COUNT / 1001;

    MPI_Type_vector(1000, 1, 1, MPI_DOUBLE, &row);
    MPI_Type_commit(&row);
    put(in, rank == 1 % size ? 5 : 0);
    CALL(MPI_Bcast(in, COUNT, MPI_DOUBLE, 1 % size, comm));
    expect_all("bcast", 1, 5);
    put(in, rank);
    put(out, rank);
    CALL(MPI_Bcast(out, rows, row, size - 1, comm));
    for (int i = 0; i < COUNT; i++)
        if (out[i] != (i < rows * 1000 ? size - 1 : rank) + i % 1000) {
            conform_error("bcast of rows: element %d is %g", i, out[i]);
            break;
        }
    MPI_Type_free(&row);
}

int main(int argc, char **argv)
{
    conform_init(&argc, &argv);
    out = malloc(COUNT * sizeof(double));
    in = malloc(COUNT * sizeof(double));
    reductions(MPI_COMM_WORLD, rank_of(MPI_COMM_WORLD), size_of(MPI_COMM_WORLD));
    moves(MPI_COMM_WORLD, rank_of(MPI_COMM_WORLD), size_of(MPI_COMM_WORLD));
    reductions(MPI_COMM_SELF, 0, 1);
    free(out);
    free(in);
    return conform_end(0);
}
