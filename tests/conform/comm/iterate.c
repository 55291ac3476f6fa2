/* SPDX-License-Identifier: BSD-3-Clause */
/* Every sort of communicator: rank, size, remote size, and a sum over it. */
#include "conform.h"

static void sum_over(MPI_Comm comm, int is_inter)
{
    int inter, rank, size, remote, one = 1, all = 0;

    CALL(MPI_Comm_test_inter(comm, &inter));
    CHECK(inter == is_inter);
    CALL(MPI_Comm_rank(comm, &rank));
    CALL(MPI_Comm_size(comm, &size));
    CHECK(rank >= 0 && rank < size);
    remote = size;
    if (inter)
        CALL(MPI_Comm_remote_size(comm, &remote));
    CALL(MPI_Allreduce(&one, &all, 1, MPI_INT, MPI_SUM, comm));
    if (all != remote)
        conform_error("%s: sum %d, not %d", conform_comm_name(), all, remote);
}

int main(int argc, char **argv)
{
    MPI_Comm comm;
    int is_inter;

    conform_init(&argc, &argv);
    while (conform_comm(&comm, &is_inter)) {
        if (comm == MPI_COMM_NULL)
            continue;
        sum_over(comm, is_inter);
        conform_free_comm(&comm);
    }
    return conform_end(0);
}
