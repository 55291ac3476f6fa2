/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Scan, MPI_Exscan, MPI_Reduce_scatter and its block form, in place too. */
#include "../expect.h"

static int *out, *in;

static void put(int *data, int count, int rank)
{
    for (int i = 0; i < count; i++)
        data[i] = rank + i;
}

static void expect_sum(const char *what, const int *got, int count, int ranks, int offset)
{
    for (int i = 0; i < count; i++)
        if (got[i] != ranks * (ranks - 1) / 2 + ranks * (i + offset)) {
            conform_error("%s: element %d of %d is %d", what, i, count, got[i]);
            return;
        }
}

static void scans(MPI_Comm comm, int rank, int count)
{
    put(out, count, rank);
    CALL(MPI_Scan(out, in, count, MPI_INT, MPI_SUM, comm));
    expect_sum("scan", in, count, rank + 1, 0);
    put(in, count, rank);
    CALL(MPI_Scan(MPI_IN_PLACE, in, count, MPI_INT, MPI_SUM, comm));
    expect_sum("scan in place", in, count, rank + 1, 0);
    put(in, count, 500);
    CALL(MPI_Exscan(out, in, count, MPI_INT, MPI_SUM, comm));
    if (rank > 0)
        expect_sum("exscan", in, count, rank, 0);
    put(in, count, rank);
    CALL(MPI_Exscan(MPI_IN_PLACE, in, count, MPI_INT, MPI_SUM, comm));
    if (rank > 0)
        expect_sum("exscan in place", in, count, rank, 0);
}

/* Block i has i % 3 times count elements. */
static void scattered(MPI_Comm comm, int rank, int size, int count)
{
    int *counts = malloc((size_t)size * sizeof(int)), total = 0, before = 0;

    for (int i = 0; i < size; i++) {
        counts[i] = i % 3 * count;
        before += i < rank ? counts[i] : 0;
        total += counts[i];
    }
    put(out, total, rank);
    CALL(MPI_Reduce_scatter(out, in, counts, MPI_INT, MPI_SUM, comm));
    expect_sum("reduce_scatter", in, counts[rank], size, before);
    put(in, total, rank);
    CALL(MPI_Reduce_scatter(MPI_IN_PLACE, in, counts, MPI_INT, MPI_SUM, comm));
    expect_sum("reduce_scatter in place", in, counts[rank], size, before);
    put(out, size * count, rank);
    CALL(MPI_Reduce_scatter_block(out, in, count, MPI_INT, MPI_SUM, comm));
    expect_sum("reduce_scatter_block", in, count, size, rank * count);
    put(in, size * count, rank);
    CALL(MPI_Reduce_scatter_block(MPI_IN_PLACE, in, count, MPI_INT, MPI_SUM, comm));
    expect_sum("reduce_scatter_block in place", in, count, size, rank * count);
    free(counts);
}

int main(int argc, char **argv)
{
    static const int sizes[] = {1, 0, 10, 700, 20000};
    MPI_Comm comm;
    int is_inter, ranks;

    conform_init(&argc, &argv);
    ranks = size_of(MPI_COMM_WORLD);
    out = malloc(2 * (size_t)ranks * 20000 * sizeof(int));
    in = malloc(2 * (size_t)ranks * 20000 * sizeof(int));
    while (conform_comm(&comm, &is_inter)) {
        for (int i = 0; comm != MPI_COMM_NULL && !is_inter && i < 5; i++) {
            scans(comm, rank_of(comm), sizes[i]);
            scattered(comm, rank_of(comm), size_of(comm), sizes[i]);
        }
        conform_free_comm(&comm);
    }
    free(out);
    free(in);
    return conform_end(0);
}
