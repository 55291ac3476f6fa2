/* SPDX-License-Identifier: BSD-3-Clause */
/* Matched probes take the message out of the queue: later receives and probes do not see it (MPI 3.8.2). */
#include "../expect.h"

enum { N = 6 };

static int length(int i)
{
    return i == 3 ? 50000 : i == 4 ? 0 : 10 * i;
}

/* All messages are taken first and received in reverse. */
static void reversed(MPI_Comm comm)
{
    MPI_Message messages[N];
    MPI_Request requests[N];
    MPI_Status statuses[N], status;
    int *data[N], flag;

    for (int i = 0; i < N; i++) {
        if (i % 2)
            CALL(MPI_Mprobe(0, MPI_ANY_TAG, comm, &messages[i], &statuses[i]));
        else
            do
                CALL(MPI_Improbe(MPI_ANY_SOURCE, 5, comm, &flag, &messages[i], &statuses[i]));
            while (!flag);
        CHECK(messages[i] != MPI_MESSAGE_NULL && messages[i] != MPI_MESSAGE_NO_PROC);
        expect_status("probe", &statuses[i], 0, 5, length(i));
    }
    CALL(MPI_Iprobe(0, 5, comm, &flag, &status));
    CHECK(!flag);
    for (int i = N - 1; i >= 0; i--) {
        data[i] = malloc(((size_t)length(i) + 1) * sizeof(int));
        if (i % 2) {
            CALL(MPI_Imrecv(data[i], length(i), MPI_INT, &messages[i], &requests[i]));
        } else {
            CALL(MPI_Mrecv(data[i], length(i), MPI_INT, &messages[i], &status));
            requests[i] = MPI_REQUEST_NULL;
            expect_status("mrecv", &status, 0, 5, length(i));
        }
        CHECK(messages[i] == MPI_MESSAGE_NULL);
    }
    CALL(MPI_Waitall(N, requests, statuses));
    for (int i = 0; i < N; i++) {
        if (i % 2)
            expect_status("imrecv", &statuses[i], 0, 5, length(i));
        expect_int("first difference", differs(data[i], length(i), i), -1);
        free(data[i]);
    }
}

static void sender(MPI_Comm comm)
{
    MPI_Request requests[N];
    int *data[N];

    for (int to = 1; to < size_of(comm); to++) {
        for (int i = 0; i < N; i++) {
            data[i] = malloc(((size_t)length(i) + 1) * sizeof(int));
            fill(data[i], length(i), i);
            CALL(MPI_Isend(data[i], length(i), MPI_INT, to, 5, comm, &requests[i]));
        }
        CALL(MPI_Waitall(N, requests, MPI_STATUSES_IGNORE));
        for (int i = 0; i < N; i++)
            free(data[i]);
    }
}

/* A synchronous send is not over by the probe alone, and too little room is an error of the receive. */
static void synchronous(MPI_Comm comm)
{
    MPI_Request request;
    MPI_Message message;
    MPI_Status status;
    int rank = rank_of(comm), flag, out[4] = {1, 2, 3, 4}, in[4] = {0};

    CALL(MPI_Improbe(rank, 6, comm, &flag, &message, &status));
    CHECK(!flag);
    CALL(MPI_Issend(out, 4, MPI_INT, rank, 6, comm, &request));
    CALL(MPI_Mprobe(rank, 6, comm, &message, MPI_STATUS_IGNORE));
    FAILS(MPI_ERR_TRUNCATE, MPI_Mrecv(in, 2, MPI_INT, &message, &status));
    CALL(MPI_Wait(&request, MPI_STATUS_IGNORE));
    expect_int("behind the room", in[2], 0);
}

int main(int argc, char **argv)
{
    conform_init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    if (rank_of(MPI_COMM_WORLD) == 0)
        sender(MPI_COMM_WORLD);
    else
        reversed(MPI_COMM_WORLD);
    synchronous(MPI_COMM_WORLD);
    return conform_end(0);
}
