/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Intercomm_create: groups of different sizes, any leaders, over world or a dup, tags; what it tells. */
#include "conform.h"

static int rank, size;

/* With the one of the same rank on the other side. */
static void exchange(MPI_Comm inter)
{
    int in = -1, mine;
    MPI_Status status;

    CALL(MPI_Comm_rank(inter, &mine));
    CALL(MPI_Sendrecv(&rank, 1, MPI_INT, mine, 4, &in, 1, MPI_INT, MPI_ANY_SOURCE, 4, inter, &status));
    CHECK(status.MPI_SOURCE == mine && in != rank && in >= 0);
}

static void check_groups(MPI_Comm inter, int local, int remote)
{
    MPI_Group here, there, both, all;
    int n, result, mine;

    CALL(MPI_Comm_size(inter, &n));
    CHECK(n == local);
    CALL(MPI_Comm_remote_size(inter, &n));
    CHECK(n == remote);
    CALL(MPI_Comm_group(inter, &here));
    CALL(MPI_Comm_remote_group(inter, &there));
    CALL(MPI_Group_intersection(here, there, &both));
    CALL(MPI_Group_size(both, &n));
    CHECK(n == 0);
    CALL(MPI_Group_compare(both, MPI_GROUP_EMPTY, &result));
    CHECK(result == MPI_IDENT);
    CALL(MPI_Group_union(here, there, &all));
    CALL(MPI_Group_size(all, &n));
    CHECK(n == size);
    CALL(MPI_Group_rank(there, &n));
    CHECK(n == MPI_UNDEFINED);
    CALL(MPI_Group_rank(here, &n));
    CALL(MPI_Comm_rank(inter, &mine));
    CHECK(n == mine);
    CALL(MPI_Group_free(&here));
    CALL(MPI_Group_free(&there));
    if (both != MPI_GROUP_EMPTY)
        CALL(MPI_Group_free(&both));
    CALL(MPI_Group_free(&all));
}

/* first ranks against the others; the last of each side leads if last is set. */
static void connect_groups(int first, int last, MPI_Comm peer)
{
    int low = rank < first, local = low ? first : size - first, remote = size - local;
    int leader = last ? local - 1 : 0, other = low ? (last ? size - 1 : first) : (last ? first - 1 : 0);
    MPI_Comm side, inter;

    CALL(MPI_Comm_split(MPI_COMM_WORLD, low, rank, &side));
    CALL(MPI_Intercomm_create(side, leader, peer, other, 10 + first, &inter));
    CALL(MPI_Comm_free(&side));
    check_groups(inter, local, remote);
    if (local == remote)
        exchange(inter);
    CALL(MPI_Comm_free(&inter));
    CHECK(inter == MPI_COMM_NULL);
}

int main(int argc, char **argv)
{
    MPI_Comm copy;
    int first;

    conform_init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    for (first = 1; first < size; first++) {
        connect_groups(first, 0, MPI_COMM_WORLD);
        connect_groups(first, 1, MPI_COMM_WORLD);
        connect_groups(first, 0, copy);
    }
    MPI_Comm_free(&copy);
    return conform_end(0);
}
