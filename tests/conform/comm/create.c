/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Comm_create: subsets, disjoint groups in one call, reordered groups, the empty group. */
#include "conform.h"

static int rank, size;
static MPI_Group whole;

static void subset(void)
{
    MPI_Group part;
    MPI_Comm comm = MPI_COMM_WORLD;
    int range[1][3] = {{0, size - 1, 2}}, n, mine;

    CALL(MPI_Group_range_incl(whole, 1, range, &part));
    CALL(MPI_Comm_create(MPI_COMM_WORLD, part, &comm));
    CALL(MPI_Group_free(&part));
    CHECK((comm == MPI_COMM_NULL) == (rank % 2 == 1));
    if (comm == MPI_COMM_NULL)
        return;
    CALL(MPI_Comm_size(comm, &n));
    CALL(MPI_Comm_rank(comm, &mine));
    CHECK(n == (size + 1) / 2 && mine == rank / 2);
    CALL(MPI_Barrier(comm));
    CALL(MPI_Comm_free(&comm));
}

static void disjoint(void)
{
    MPI_Group part;
    MPI_Comm comm;
    int half = size / 2, low = rank < half, lowest;
    int range[1][3] = {{low ? 0 : half, low ? half - 1 : size - 1, 1}};

    CALL(MPI_Group_range_incl(whole, 1, range, &part));
    CALL(MPI_Comm_create(MPI_COMM_WORLD, part, &comm));
    CALL(MPI_Group_free(&part));
    CHECK(comm != MPI_COMM_NULL);
    CALL(MPI_Allreduce(&rank, &lowest, 1, MPI_INT, MPI_MIN, comm));
    CHECK(lowest == (low ? 0 : half));
    CALL(MPI_Comm_free(&comm));
}

static void reordered(void)
{
    MPI_Group part, got;
    MPI_Comm comm;
    int range[1][3] = {{size - 1, 0, -1}}, mine, result;

    CALL(MPI_Group_range_incl(whole, 1, range, &part));
    CALL(MPI_Comm_create(MPI_COMM_WORLD, part, &comm));
    CALL(MPI_Comm_rank(comm, &mine));
    CHECK(mine == size - 1 - rank);
    CALL(MPI_Comm_group(comm, &got));
    CALL(MPI_Group_compare(part, got, &result));
    CHECK(result == MPI_IDENT);
    CALL(MPI_Comm_compare(comm, MPI_COMM_WORLD, &result));
    CHECK(size == 1 ? result == MPI_CONGRUENT : result == MPI_SIMILAR);
    CALL(MPI_Group_free(&got));
    CALL(MPI_Group_free(&part));
    CALL(MPI_Comm_free(&comm));
}

static void empty(void)
{
    MPI_Comm comm = MPI_COMM_WORLD;

    CALL(MPI_Comm_create(MPI_COMM_WORLD, MPI_GROUP_EMPTY, &comm));
    CHECK(comm == MPI_COMM_NULL);
}

int main(int argc, char **argv)
{
    int alone;

    conform_init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_group(MPI_COMM_WORLD, &whole);
    alone = size < 2;
    subset();
    if (!alone)
        disjoint();
    reordered();
    empty();
    CALL(MPI_Group_free(&whole));
    CHECK(whole == MPI_GROUP_NULL);
    return conform_end(0);
}
