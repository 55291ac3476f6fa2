/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Intercomm_merge: order by high, equal highs, of a dup, chains of merges. */
#include "conform.h"

static int rank, size;

/* Is every rank of low (by its rank in the world) where it should be? */
static void merge(MPI_Comm inter, int first, int high_low, int high_high)
{
    MPI_Comm merged;
    int low = rank < first, mine, n, expected, sum;

    CALL(MPI_Intercomm_merge(inter, low ? high_low : high_high, &merged));
    CALL(MPI_Comm_rank(merged, &mine));
    CALL(MPI_Comm_size(merged, &n));
    CHECK(n == size);
    expected = high_low && !high_high ? (low ? size - first + rank : rank - first) : rank;
    if (!!high_low != !!high_high)
        CHECK(mine == expected);
    CALL(MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, merged));
    CHECK(sum == size * (size - 1) / 2);
    CALL(MPI_Bcast(&mine, 1, MPI_INT, 0, merged));
    CHECK(mine == 0);
    CALL(MPI_Comm_free(&merged));
}

/* Add one rank after the other: at the end everybody is in. */
static void grow(void)
{
    MPI_Comm comm, inter, more;
    int n;

    CALL(MPI_Comm_dup(MPI_COMM_SELF, &comm));
    for (n = 1; n < size; n++) {
        int in = rank < n;

        if (rank > n)
            continue;
        CALL(MPI_Intercomm_create(comm, 0, MPI_COMM_WORLD, in ? n : 0, n, &inter));
        CALL(MPI_Intercomm_merge(inter, !in, &more));
        CALL(MPI_Comm_free(&inter));
        CALL(MPI_Comm_free(&comm));
        comm = more;
    }
    CALL(MPI_Comm_compare(comm, MPI_COMM_WORLD, &n));
    CHECK(n == MPI_CONGRUENT);
    CALL(MPI_Comm_free(&comm));
}

int main(int argc, char **argv)
{
    MPI_Comm side, inter, copy;
    int first;

    conform_init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (first = 1; first < size; first++) {
        int low = rank < first;

        MPI_Comm_split(MPI_COMM_WORLD, low, rank, &side);
        CALL(MPI_Intercomm_create(side, 0, MPI_COMM_WORLD, low ? first : 0, 1, &inter));
        merge(inter, first, 0, 1);
        merge(inter, first, 1, 0);
        merge(inter, first, 0, 0);
        merge(inter, first, 1, 1);
        merge(inter, first, 0, 17);
        CALL(MPI_Comm_dup(inter, &copy));
        CALL(MPI_Comm_free(&inter));
        merge(copy, first, 1, 0);
        CALL(MPI_Comm_free(&copy));
        MPI_Comm_free(&side);
    }
    grow();
    return conform_end(0);
}
