/* SPDX-License-Identifier: BSD-3-Clause */
/* Active persistent requests freed and cancelled; the communicator freed before the request. */
#include "../expect.h"

static void cancelled(MPI_Comm comm)
{
    MPI_Request request;
    MPI_Status status;
    int in = 0, out = 4, flag = 0, rank = rank_of(comm);

    CALL(MPI_Recv_init(&in, 1, MPI_INT, rank, 7, comm, &request));
    CALL(MPI_Start(&request));
    CALL(MPI_Cancel(&request));
    CALL(MPI_Wait(&request, &status));
    MPI_Test_cancelled(&status, &flag);
    CHECK(flag && request != MPI_REQUEST_NULL);
    CALL(MPI_Start(&request));
    CALL(MPI_Send(&out, 1, MPI_INT, rank, 7, comm));
    CALL(MPI_Wait(&request, &status));
    MPI_Test_cancelled(&status, &flag);
    CHECK(!flag);
    expect_status("started again", &status, rank, 7, 1);
    expect_int("data", in, 4);
    CALL(MPI_Request_free(&request));
}

static void freed(MPI_Comm comm)
{
    MPI_Request request;
    int rank = rank_of(comm), size = size_of(comm), out = rank, in = -1;

    CALL(MPI_Send_init(&out, 1, MPI_INT, (rank + 1) % size, 8, comm, &request));
    CALL(MPI_Start(&request));
    CALL(MPI_Request_free(&request));
    CHECK(request == MPI_REQUEST_NULL);
    CALL(MPI_Recv(&in, 1, MPI_INT, (rank + size - 1) % size, 8, comm, MPI_STATUS_IGNORE));
    expect_int("data", in, (rank + size - 1) % size);
    MPI_Barrier(comm);
}

/* A communicator lives until what is pending on it is over (MPI 6.4.3). */
static void outlives(void)
{
    MPI_Comm comm;
    MPI_Request requests[2];
    MPI_Status status;
    int rank, size, out, in = -1;

    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    rank = rank_of(comm);
    size = size_of(comm);
    out = rank;
    CALL(MPI_Irecv(&in, 1, MPI_INT, (rank + size - 1) % size, 9, comm, &requests[0]));
    CALL(MPI_Isend(&out, 1, MPI_INT, (rank + 1) % size, 9, comm, &requests[1]));
    CALL(MPI_Comm_free(&comm));
    CHECK(comm == MPI_COMM_NULL);
    CALL(MPI_Wait(&requests[0], &status));
    expect_status("after free", &status, (rank + size - 1) % size, 9, 1);
    expect_int("data", in, (rank + size - 1) % size);
    CALL(MPI_Wait(&requests[1], MPI_STATUS_IGNORE));
}

int main(int argc, char **argv)
{
    conform_init(&argc, &argv);
    cancelled(MPI_COMM_WORLD);
    cancelled(MPI_COMM_SELF);
    freed(MPI_COMM_WORLD);
    outlives();
    return conform_end(0);
}
