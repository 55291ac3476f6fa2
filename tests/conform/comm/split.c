/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Comm_split: keys, ties, negative keys, MPI_UNDEFINED, one colour per rank, splits of splits. */
#include "conform.h"

#include <limits.h>

static int rank, size;

static void by_key(int key, int expected)
{
    MPI_Comm comm;
    int mine, n;

    CALL(MPI_Comm_split(MPI_COMM_WORLD, 7, key, &comm));
    CALL(MPI_Comm_rank(comm, &mine));
    CALL(MPI_Comm_size(comm, &n));
    CHECK(n == size);
    if (mine != expected)
        conform_error("key %d: rank %d, not %d", key, mine, expected);
    CALL(MPI_Comm_free(&comm));
}

static void some_are_left_out(void)
{
    MPI_Comm comm = MPI_COMM_WORLD;
    int n, mine;

    CALL(MPI_Comm_split(MPI_COMM_WORLD, rank == 0 ? MPI_UNDEFINED : 3, -rank, &comm));
    if (rank == 0) {
        CHECK(comm == MPI_COMM_NULL);
        return;
    }
    CALL(MPI_Comm_size(comm, &n));
    CALL(MPI_Comm_rank(comm, &mine));
    CHECK(n == size - 1);
    CHECK(mine == size - 1 - rank);
    CALL(MPI_Comm_free(&comm));
}

static void nobody(void)
{
    MPI_Comm comm = MPI_COMM_WORLD;

    CALL(MPI_Comm_split(MPI_COMM_WORLD, MPI_UNDEFINED, 0, &comm));
    CHECK(comm == MPI_COMM_NULL);
}

static void each_alone(void)
{
    MPI_Comm comm;
    int result, n;

    CALL(MPI_Comm_split(MPI_COMM_WORLD, rank * 1000, INT_MAX, &comm));
    CALL(MPI_Comm_size(comm, &n));
    CHECK(n == 1);
    CALL(MPI_Comm_compare(comm, MPI_COMM_SELF, &result));
    CHECK(result == MPI_CONGRUENT);
    CALL(MPI_Comm_free(&comm));
}

/* Halve until alone; the sum of the ranks of the world tells who is in. */
static void halve(void)
{
    MPI_Comm comm, half;
    int mine, n, low, sum;

    CALL(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    for (MPI_Comm_size(comm, &n); n > 1; MPI_Comm_size(comm, &n)) {
        MPI_Comm_rank(comm, &mine);
        CALL(MPI_Comm_split(comm, mine < n / 2, mine, &half));
        CALL(MPI_Comm_free(&comm));
        comm = half;
        CALL(MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, comm));
        CALL(MPI_Allreduce(&rank, &low, 1, MPI_INT, MPI_MIN, comm));
        MPI_Comm_size(comm, &n);
        CHECK(sum == n * low + n * (n - 1) / 2);
    }
    CALL(MPI_Comm_free(&comm));
}

int main(int argc, char **argv)
{
    conform_init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    by_key(0, rank);
    by_key(rank, rank);
    by_key(-rank, size - 1 - rank);
    by_key(rank == 0 ? INT_MAX : INT_MIN, rank == 0 ? size - 1 : rank - 1);
    by_key(rank % 2 ? -1 : 1, rank % 2 ? rank / 2 : size / 2 + rank / 2);
    some_are_left_out();
    nobody();
    each_alone();
    halve();
    return conform_end(0);
}
