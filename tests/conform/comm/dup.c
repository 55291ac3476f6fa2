/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Comm_dup of every sort: congruent, and messages of one do not reach the other. */
#include "conform.h"

static void isolated(MPI_Comm one, MPI_Comm two, int size, int rank)
{
    int to = (rank + 1) % size, from = (rank + size - 1) % size, out[2] = {1, 2}, in[2] = {0, 0};
    MPI_Request requests[4];

    MPI_Irecv(&in[0], 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, two, &requests[0]);
    MPI_Irecv(&in[1], 1, MPI_INT, from, 5, one, &requests[1]);
    MPI_Isend(&out[0], 1, MPI_INT, to, 5, one, &requests[2]);
    MPI_Isend(&out[1], 1, MPI_INT, to, 5, two, &requests[3]);
    CALL(MPI_Waitall(4, requests, MPI_STATUSES_IGNORE));
    if (in[0] != 2 || in[1] != 1)
        conform_error("%s: messages crossed: %d %d", conform_comm_name(), in[0], in[1]);
}

static void duplicate(MPI_Comm comm, int is_inter)
{
    int result, inter, size, rank;
    MPI_Comm copy, again;

    CALL(MPI_Comm_dup(comm, &copy));
    CALL(MPI_Comm_compare(comm, copy, &result));
    CHECK(result == MPI_CONGRUENT);
    CALL(MPI_Comm_compare(copy, copy, &result));
    CHECK(result == MPI_IDENT);
    CALL(MPI_Comm_test_inter(copy, &inter));
    CHECK(inter == is_inter);
    CALL(MPI_Comm_dup(copy, &again));
    CALL(MPI_Comm_free(&copy));
    CHECK(copy == MPI_COMM_NULL);
    CALL(MPI_Comm_compare(again, comm, &result));
    CHECK(result == MPI_CONGRUENT);
    if (!is_inter) {
        MPI_Comm_size(comm, &size);
        MPI_Comm_rank(comm, &rank);
        isolated(comm, again, size, rank);
    }
    CALL(MPI_Comm_free(&again));
}

int main(int argc, char **argv)
{
    MPI_Comm comm;
    int is_inter;

    conform_init(&argc, &argv);
    while (conform_comm(&comm, &is_inter)) {
        if (comm != MPI_COMM_NULL)
            duplicate(comm, is_inter);
        conform_free_comm(&comm);
    }
    return conform_end(0);
}
