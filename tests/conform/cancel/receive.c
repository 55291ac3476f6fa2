/* SPDX-License-Identifier: BSD-3-Clause */
/* Cancelling receives (MPI 3.8.4): one that nothing matches is cancelled, one that is over is not. */
#include "../expect.h"

static void pending(MPI_Comm comm)
{
    MPI_Request request, requests[3];
    MPI_Status status, statuses[3];
    int in[3] = {7, 7, 7}, flag = 0;

    CALL(MPI_Irecv(in, 3, MPI_INT, MPI_ANY_SOURCE, 55, comm, &request));
    CALL(MPI_Cancel(&request));
    CHECK(request != MPI_REQUEST_NULL);
    CALL(MPI_Wait(&request, &status));
    CHECK(request == MPI_REQUEST_NULL);
    CALL(MPI_Test_cancelled(&status, &flag));
    CHECK(flag);
    for (int i = 0; i < 3; i++)
        CALL(MPI_Irecv(&in[i], 1, MPI_INT, 0, 56, comm, &requests[i]));
    for (int i = 0; i < 3; i++)
        CALL(MPI_Cancel(&requests[i]));
    CALL(MPI_Waitall(3, requests, statuses));
    for (int i = 0; i < 3; i++) {
        CALL(MPI_Test_cancelled(&statuses[i], &flag));
        CHECK(flag && in[i] == 7);
    }
    CALL(MPI_Irecv(in, 3, MPI_INT, 0, 57, comm, &request));
    CALL(MPI_Cancel(&request));
    CALL(MPI_Request_free(&request));
    CHECK(request == MPI_REQUEST_NULL);
}

static void over(MPI_Comm comm)
{
    MPI_Request request;
    MPI_Status status;
    int rank = rank_of(comm), in = 0, flag = 0;

    CALL(MPI_Irecv(&in, 1, MPI_INT, rank, 58, comm, &request));
    CALL(MPI_Send(&rank, 1, MPI_INT, rank, 58, comm));
    do
        CALL(MPI_Request_get_status(request, &flag, &status));
    while (!flag);
    CALL(MPI_Cancel(&request));
    CALL(MPI_Wait(&request, &status));
    CALL(MPI_Test_cancelled(&status, &flag));
    CHECK(!flag);
    expect_status("received", &status, rank, 58, 1);
    expect_int("data", in, rank);
}

/* A message goes to the receive that was not cancelled, in between two that were. */
static void between(MPI_Comm comm)
{
    MPI_Request requests[3];
    MPI_Status statuses[3];
    int rank = rank_of(comm), size = size_of(comm), in[3] = {0}, flag, before = (rank + size - 1) % size;

    for (int i = 0; i < 3; i++)
        CALL(MPI_Irecv(&in[i], 1, MPI_INT, before, 59, comm, &requests[i]));
    CALL(MPI_Cancel(&requests[0]));
    CALL(MPI_Cancel(&requests[2]));
    MPI_Barrier(comm);
    CALL(MPI_Send(&rank, 1, MPI_INT, (rank + 1) % size, 59, comm));
    CALL(MPI_Waitall(3, requests, statuses));
    for (int i = 0; i < 3; i++) {
        CALL(MPI_Test_cancelled(&statuses[i], &flag));
        CHECK(flag == (i != 1));
    }
    expect_int("data", in[1], before);
}

int main(int argc, char **argv)
{
    MPI_Comm comm;
    int is_inter;

    conform_init(&argc, &argv);
    while (conform_comm(&comm, &is_inter)) {
        if (comm != MPI_COMM_NULL) {
            pending(comm);
            if (!is_inter) {
                over(comm);
                between(comm);
            }
        }
        conform_free_comm(&comm);
    }
    return conform_end(0);
}
