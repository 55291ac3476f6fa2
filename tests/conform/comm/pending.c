/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Comm_free with collective operations under way. */
#include "conform.h"

static int rank, size;

static void collectives_under_way(void)
{
    MPI_Comm comm;
    MPI_Request requests[3];
    int sum = -1, root = rank == 0 ? 42 : 0;

    CALL(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    CALL(MPI_Ibarrier(comm, &requests[0]));
    CALL(MPI_Iallreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, comm, &requests[1]));
    CALL(MPI_Ibcast(&root, 1, MPI_INT, 0, comm, &requests[2]));
    CALL(MPI_Comm_free(&comm));
    CHECK(comm == MPI_COMM_NULL);
    CALL(MPI_Waitall(3, requests, MPI_STATUSES_IGNORE));
    CHECK(sum == size * (size - 1) / 2 && root == 42);
}

int main(int argc, char **argv)
{
    int i;

    conform_init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (i = 0; i < 10; i++)
        collectives_under_way();
    return conform_end(0);
}
