/* SPDX-License-Identifier: BSD-3-Clause */
/* Completion calls with null requests, inactive ones and none at all (MPI 3.7.3, 3.7.5). */
#include "../expect.h"

enum { N = 4 };

static void one(MPI_Request *request, const char *what, int null)
{
    MPI_Status status;
    int flag = 0;

    CALL(MPI_Wait(request, &status));
    expect_empty(what, &status);
    CALL(MPI_Test(request, &flag, &status));
    CHECK(flag);
    expect_empty(what, &status);
    if (!null)
        CALL(MPI_Request_get_status(*request, &flag, &status));
    CHECK(flag);
    CHECK((*request == MPI_REQUEST_NULL) == null);
}

static void any_and_some(MPI_Request *requests, int n, const char *what)
{
    MPI_Status status;
    int place = 0, flag = 0, done = 0, indices[N];

    CALL(MPI_Waitany(n, requests, &place, &status));
    expect_int("index of waitany", place, MPI_UNDEFINED);
    expect_empty(what, &status);
    place = 0;
    CALL(MPI_Testany(n, requests, &place, &flag, &status));
    CHECK(flag);
    expect_int("index of testany", place, MPI_UNDEFINED);
    expect_empty(what, &status);
    CALL(MPI_Waitsome(n, requests, &done, indices, MPI_STATUSES_IGNORE));
    expect_int("outcount of waitsome", done, MPI_UNDEFINED);
    done = 0;
    CALL(MPI_Testsome(n, requests, &done, indices, MPI_STATUSES_IGNORE));
    expect_int("outcount of testsome", done, MPI_UNDEFINED);
}

static void all(MPI_Request *requests, int n, const char *what)
{
    MPI_Status statuses[N];
    int flag = 0;

    CALL(MPI_Waitall(n, requests, statuses));
    for (int i = 0; i < n; i++)
        expect_empty(what, &statuses[i]);
    memset(statuses, 0, sizeof statuses);
    CALL(MPI_Testall(n, requests, &flag, statuses));
    CHECK(flag);
    for (int i = 0; i < n; i++)
        expect_empty(what, &statuses[i]);
    CALL(MPI_Waitall(n, requests, MPI_STATUSES_IGNORE));
}

int main(int argc, char **argv)
{
    MPI_Request requests[N];
    int data[2];

    conform_init(&argc, &argv);
    for (int i = 0; i < N; i++)
        requests[i] = MPI_REQUEST_NULL;
    one(&requests[0], "null", 1);
    any_and_some(requests, N, "null requests");
    all(requests, N, "null requests");
    any_and_some(requests, 0, "no requests");
    any_and_some(NULL, 0, "no array");
    all(requests, 0, "no requests");
    CALL(MPI_Send_init(&data[0], 1, MPI_INT, 0, 1, MPI_COMM_SELF, &requests[1]));
    CALL(MPI_Recv_init(&data[1], 1, MPI_INT, 0, 1, MPI_COMM_SELF, &requests[2]));
    one(&requests[1], "inactive", 0);
    any_and_some(requests, N, "inactive requests");
    all(requests, N, "inactive requests");
    CHECK(requests[1] != MPI_REQUEST_NULL && requests[2] != MPI_REQUEST_NULL);
    CALL(MPI_Request_free(&requests[1]));
    CALL(MPI_Request_free(&requests[2]));
    CHECK(requests[1] == MPI_REQUEST_NULL && requests[2] == MPI_REQUEST_NULL);
    return conform_end(0);
}
