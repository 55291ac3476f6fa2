/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Comm_create_group: only members call; in turns with different tags; overlapping groups. */
#include "conform.h"

static int rank, size;
static MPI_Group whole;

static int sum_of(MPI_Comm comm)
{
    int sum = -1;

    CALL(MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, comm));
    return sum;
}

static MPI_Comm make(int first, int last, int step, int tag)
{
    int range[1][3] = {{first, last, step}};
    MPI_Group part;
    MPI_Comm comm = MPI_COMM_NULL;

    CALL(MPI_Group_range_incl(whole, 1, range, &part));
    CALL(MPI_Comm_create_group(MPI_COMM_WORLD, part, tag, &comm));
    CALL(MPI_Group_free(&part));
    CHECK(comm != MPI_COMM_NULL);
    return comm;
}

static void halves(void)
{
    int half = size / 2, low = rank < half;
    MPI_Comm comm = low ? make(0, half - 1, 1, 1) : make(half, size - 1, 1, 2);

    CHECK(sum_of(comm) == (low ? half * (half - 1) / 2 : size * (size - 1) / 2 - half * (half - 1) / 2));
    CALL(MPI_Comm_free(&comm));
}

/* Neighbours in a ring, pair after pair: even pairs first, then odd ones, without anybody else. */
static void pairs(void)
{
    int turn, first;

    for (turn = 0; turn < 2; turn++) {
        first = rank - (rank + turn) % 2;
        if (first >= 0 && first + 1 < size) {
            MPI_Comm comm = make(first, first + 1, 1, 10 + turn);

            CHECK(sum_of(comm) == 2 * first + 1);
            CALL(MPI_Comm_free(&comm));
        }
    }
}

/* The group is that of a communicator that is freed meanwhile; the parent is a split one, reversed. */
static void of_a_split(void)
{
    MPI_Comm parent, comm = MPI_COMM_NULL;
    MPI_Group group, part;
    int zero = 0, mine;

    CALL(MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &parent));
    CALL(MPI_Comm_group(parent, &group));
    CALL(MPI_Group_excl(group, size > 1, &zero, &part));
    if (rank != size - 1 || size == 1)
        CALL(MPI_Comm_create_group(parent, part, 0, &comm));
    CALL(MPI_Comm_free(&parent));
    if (comm != MPI_COMM_NULL) {
        CALL(MPI_Comm_rank(comm, &mine));
        CHECK(size == 1 || mine == size - 2 - rank);
        CALL(MPI_Barrier(comm));
        CALL(MPI_Comm_free(&comm));
    }
    CALL(MPI_Group_free(&group));
    CALL(MPI_Group_free(&part));
}

int main(int argc, char **argv)
{
    MPI_Comm comm;

    conform_init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_group(MPI_COMM_WORLD, &whole);
    if (size > 1) {
        halves();
        pairs();
    }
    comm = make(rank, rank, 1, 5);
    CHECK(sum_of(comm) == rank);
    CALL(MPI_Comm_free(&comm));
    if (rank == 0) {
        comm = make(0, 0, 1, 6);
        CALL(MPI_Comm_free(&comm));
    }
    of_a_split();
    CALL(MPI_Group_free(&whole));
    return conform_end(0);
}
