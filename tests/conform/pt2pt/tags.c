/* SPDX-License-Identifier: BSD-3-Clause */
/* Tags from 0 to MPI_TAG_UB tell messages apart; receives in an order of their own. */
#include "../expect.h"

static void tags_of(MPI_Comm comm, int rank, int last, int upper)
{
    const int tags[] = {0, 1, 32767, upper, upper - 1, upper / 2, 12345};
    enum { TAGS = sizeof tags / sizeof *tags };
    MPI_Request requests[TAGS];
    MPI_Status status;
    int data[TAGS];

    if (rank == 0) {
        for (int i = 0; i < TAGS; i++) {
            data[i] = i;
            CALL(MPI_Isend(&data[i], 1, MPI_INT, last, tags[i], comm, &requests[i]));
        }
        CALL(MPI_Waitall(TAGS, requests, MPI_STATUSES_IGNORE));
    } else if (rank == last) {
        for (int i = TAGS - 1; i >= 0; i--) {
            CALL(MPI_Recv(&data[i], 1, MPI_INT, MPI_ANY_SOURCE, tags[i], comm, &status));
            expect_status("message", &status, 0, tags[i], 1);
            expect_int("data", data[i], i);
        }
    }
}

static void bad_tags(MPI_Comm comm, int upper)
{
    int data = 0;

    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    FAILS(MPI_ERR_TAG, MPI_Send(&data, 1, MPI_INT, 0, -5, comm));
    if (upper < 2147483647)
        FAILS(MPI_ERR_TAG, MPI_Send(&data, 1, MPI_INT, 0, upper + 1, comm));
    FAILS(MPI_ERR_TAG, MPI_Send(&data, 1, MPI_INT, 0, MPI_ANY_TAG, comm));
    FAILS(MPI_ERR_TAG, MPI_Recv(&data, 1, MPI_INT, 0, -50, comm, MPI_STATUS_IGNORE));
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_ARE_FATAL);
}

int main(int argc, char **argv)
{
    int *upper, flag;

    conform_init(&argc, &argv);
    CALL(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &upper, &flag));
    CHECK(flag && *upper >= 32767);
    tags_of(MPI_COMM_WORLD, rank_of(MPI_COMM_WORLD), size_of(MPI_COMM_WORLD) - 1, *upper);
    bad_tags(MPI_COMM_WORLD, *upper);
    return conform_end(0);
}
