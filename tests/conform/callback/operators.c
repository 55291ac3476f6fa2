/* SPDX-License-Identifier: BSD-3-Clause */
/* The calls of a rank's user operator are one at a time: it may have static scratch memory. */
#include "conform.h"

#include <stdlib.h>

enum { MOST = 60000 };

static int scratch[MOST], inside, calls, overlapped;

static void add(void *in, void *inout, int *n, MPI_Datatype *type)
{
    int i, *from = in, *to = inout;

    overlapped += inside++ != 0;
    calls++;
    CHECK(*type == MPI_INT && *n <= MOST);
    for (i = 0; i < *n; i++)
        scratch[i] = from[i] + to[i];
    for (i = 0; i < *n; i++)
        to[i] = scratch[i];
    inside--;
}

static int right(const int *got, int n, int expected)
{
    int i;

    for (i = 0; i < n; i++)
        if (got[i] != expected + i * (expected != 0))
            return 0;
    return 1;
}

int main(int argc, char **argv)
{
    static const int counts[] = {1, 2, 7, 100, 1000, 20000, MOST};
    int rank, size, i, k, n, commute, *data = malloc(MOST * sizeof *data),
                                      *result = malloc(MOST * sizeof *result);
    MPI_Op op;
    MPI_Request request;

    conform_init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (commute = 0; commute < 2; commute++) {
        CALL(MPI_Op_create(add, commute, &op));
        for (k = 0; k < 7; k++) {
            n = counts[k];
            for (i = 0; i < n; i++)
                data[i] = rank == 0 ? 1 + i : 1;
            CALL(MPI_Allreduce(data, result, n, MPI_INT, op, MPI_COMM_WORLD));
            CHECK(right(result, n, size));
            result[0] = 0;
            CALL(MPI_Reduce(data, result, n, MPI_INT, op, size - 1, MPI_COMM_WORLD));
            CHECK(rank != size - 1 || right(result, n, size));
            CALL(MPI_Scan(data, result, n, MPI_INT, op, MPI_COMM_WORLD));
            CHECK(right(result, n, rank + 1));
            CALL(MPI_Iallreduce(data, result, n, MPI_INT, op, MPI_COMM_WORLD, &request));
            CALL(MPI_Wait(&request, MPI_STATUS_IGNORE));
            CHECK(right(result, n, size));
            CALL(MPI_Reduce_local(data, result, n, MPI_INT, op));
        }
        CALL(MPI_Op_free(&op));
    }
    if (overlapped)
        conform_error("of %d calls %d at the same time", calls, overlapped);
    free(data);
    free(result);
    return conform_end(0);
}
