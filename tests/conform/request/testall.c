/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Testall with a part done changes nothing; MPI_Request_get_status leaves the request. */
#include "../expect.h"

enum { N = 5 };

static void receiver(MPI_Comm comm, int last)
{
    MPI_Request requests[N];
    MPI_Status statuses[N], status;
    int in[N], flag;

    for (int i = 0; i < N; i++)
        CALL(MPI_Irecv(&in[i], 1, MPI_INT, 0, i, comm, &requests[i]));
    CALL(MPI_Send(NULL, 0, MPI_INT, 0, 0, comm));
    CALL(MPI_Wait(&requests[2], &status));
    expect_status("first", &status, 0, 2, 1);
    CALL(MPI_Recv(NULL, 0, MPI_INT, 0, 100, comm, MPI_STATUS_IGNORE));
    do
        CALL(MPI_Request_get_status(requests[0], &flag, &status));
    while (!flag);
    CHECK(requests[0] != MPI_REQUEST_NULL);
    expect_status("get_status", &status, 0, 0, 1);
    CALL(MPI_Testall(N, requests, &flag, statuses));
    CHECK(!flag);
    for (int i = 0; i < N; i++)
        CHECK((requests[i] == MPI_REQUEST_NULL) == (i == 2));
    CALL(MPI_Request_get_status(requests[4], &flag, &status));
    CHECK(!flag);
    CALL(MPI_Request_get_status(requests[0], &flag, MPI_STATUS_IGNORE));
    CHECK(flag);
    CALL(MPI_Send(NULL, 0, MPI_INT, 0, 1, comm));
    do
        CALL(MPI_Testall(N, requests, &flag, statuses));
    while (!flag);
    for (int i = 0; i < N; i++) {
        CHECK(requests[i] == MPI_REQUEST_NULL);
        if (i == 2)
            expect_empty("completed before", &statuses[i]);
        else
            expect_status("testall", &statuses[i], 0, i, 1);
        expect_int("data", in[i], last + i);
    }
}

static void sender(MPI_Comm comm, int last)
{
    static const int order[] = {2, 0, 1, 3, 4};
    int data[N];

    CALL(MPI_Recv(NULL, 0, MPI_INT, last, 0, comm, MPI_STATUS_IGNORE));
    for (int n = 0; n < N; n++) {
        data[n] = last + order[n];
        if (n == 2) {
            CALL(MPI_Send(NULL, 0, MPI_INT, last, 100, comm));
            CALL(MPI_Recv(NULL, 0, MPI_INT, last, 1, comm, MPI_STATUS_IGNORE));
        }
        CALL(MPI_Send(&data[n], 1, MPI_INT, last, order[n], comm));
    }
}

int main(int argc, char **argv)
{
    int rank, last;

    conform_init(&argc, &argv);
    rank = rank_of(MPI_COMM_WORLD);
    last = size_of(MPI_COMM_WORLD) - 1;
    if (last > 0 && rank == 0)
        sender(MPI_COMM_WORLD, last);
    else if (last > 0 && rank == last)
        receiver(MPI_COMM_WORLD, last);
    return conform_end(0);
}
