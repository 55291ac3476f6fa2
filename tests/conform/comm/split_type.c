/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Comm_split_type: shared memory, MPI_UNDEFINED, keys. */
#include "conform.h"

static int rank, size;

static void shared(MPI_Comm comm, int key, int reversed)
{
    MPI_Comm node;
    int mine, n, first;

    CALL(MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, key, MPI_INFO_NULL, &node));
    CALL(MPI_Comm_rank(node, &mine));
    CALL(MPI_Comm_size(node, &n));
    CHECK(n >= 1 && n <= size);
    first = rank;
    CALL(MPI_Bcast(&first, 1, MPI_INT, 0, node));
    CHECK(reversed ? first >= rank : first <= rank);
    CALL(MPI_Comm_free(&node));
}

int main(int argc, char **argv)
{
    MPI_Comm comm, dup;
    MPI_Info info;

    conform_init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    shared(MPI_COMM_WORLD, rank, 0);
    shared(MPI_COMM_WORLD, -rank, 1);
    shared(MPI_COMM_SELF, 0, 0);
    CALL(MPI_Comm_dup(MPI_COMM_WORLD, &dup));
    shared(dup, 0, 0);
    CALL(MPI_Comm_free(&dup));

    comm = MPI_COMM_WORLD;
    CALL(MPI_Comm_split_type(MPI_COMM_WORLD, MPI_UNDEFINED, 0, MPI_INFO_NULL, &comm));
    CHECK(comm == MPI_COMM_NULL);
    CALL(MPI_Comm_split_type(MPI_COMM_WORLD, rank == 0 ? MPI_UNDEFINED : MPI_COMM_TYPE_SHARED, 0,
                             MPI_INFO_NULL, &comm));
    CHECK((comm == MPI_COMM_NULL) == (rank == 0));
    conform_free_comm(&comm);

    CALL(MPI_Info_create(&info));
    CALL(MPI_Info_set(info, "any", "hint"));
    CALL(MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, info, &comm));
    CALL(MPI_Info_free(&info));
    conform_free_comm(&comm);
    return conform_end(0);
}
