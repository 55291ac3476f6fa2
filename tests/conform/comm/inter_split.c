/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Comm_split and MPI_Comm_create of intercommunicators. */
#include "conform.h"

static int rank, size;

static MPI_Comm halves(void)
{
    int low = rank < size / 2;
    MPI_Comm side, inter;

    MPI_Comm_split(MPI_COMM_WORLD, low, rank, &side);
    MPI_Intercomm_create(side, 0, MPI_COMM_WORLD, low ? size / 2 : 0, 1, &inter);
    MPI_Comm_free(&side);
    return inter;
}

/* One colour per local rank: pairs, where both sides have that rank. */
static void split_pairs(MPI_Comm inter)
{
    MPI_Comm pair;
    int mine, remote, n, in = -1, flag;

    MPI_Comm_rank(inter, &mine);
    MPI_Comm_remote_size(inter, &remote);
    CALL(MPI_Comm_split(inter, mine, 0, &pair));
    if (mine >= remote) {
        CHECK(pair == MPI_COMM_NULL);
        return;
    }
    CALL(MPI_Comm_test_inter(pair, &flag));
    CHECK(flag);
    CALL(MPI_Comm_size(pair, &n));
    CHECK(n == 1);
    CALL(MPI_Comm_remote_size(pair, &n));
    CHECK(n == 1);
    CALL(MPI_Sendrecv(&rank, 1, MPI_INT, 0, 0, &in, 1, MPI_INT, 0, 0, pair, MPI_STATUS_IGNORE));
    CHECK(in == (rank < size / 2 ? rank + size / 2 : rank - size / 2));
    CALL(MPI_Comm_free(&pair));
}

/* A colour that only one side has, and MPI_UNDEFINED, give MPI_COMM_NULL. */
static void split_one_side(MPI_Comm inter)
{
    MPI_Comm part = MPI_COMM_WORLD;

    CALL(MPI_Comm_split(inter, rank < size / 2 ? 1 : 2, 0, &part));
    CHECK(part == MPI_COMM_NULL);
    part = MPI_COMM_WORLD;
    CALL(MPI_Comm_split(inter, MPI_UNDEFINED, 0, &part));
    CHECK(part == MPI_COMM_NULL);
}

/* The first rank of each side only. */
static void create_of_first(MPI_Comm inter)
{
    MPI_Comm part = MPI_COMM_WORLD;
    MPI_Group local, first;
    int zero = 0, mine, n;

    MPI_Comm_rank(inter, &mine);
    MPI_Comm_group(inter, &local);
    MPI_Group_incl(local, 1, &zero, &first);
    CALL(MPI_Comm_create(inter, first, &part));
    MPI_Group_free(&local);
    MPI_Group_free(&first);
    CHECK((part == MPI_COMM_NULL) == (mine != 0));
    if (part == MPI_COMM_NULL)
        return;
    CALL(MPI_Comm_remote_size(part, &n));
    CHECK(n == 1);
    CALL(MPI_Comm_free(&part));
}

int main(int argc, char **argv)
{
    MPI_Comm inter;

    conform_init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (size > 1) {
        inter = halves();
        split_pairs(inter);
        split_one_side(inter);
        create_of_first(inter);
        MPI_Comm_free(&inter);
    }
    return conform_end(0);
}
