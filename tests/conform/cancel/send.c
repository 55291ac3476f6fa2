/* SPDX-License-Identifier: BSD-3-Clause */
/* Cancelling sends (MPI 3.8.4): either the message is not there, or it arrives as a whole. Its receive is
 * made at the same time, since not every library ends the wait for a large one that cannot be cancelled. */
#include "../expect.h"

enum { LARGEST = 50000 };

typedef int isend(const void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);

static int data[LARGEST];

static void sender(MPI_Comm comm, isend *send, int last, int count)
{
    MPI_Request request;
    MPI_Status status;
    int cancelled = -1;

    fill(data, count, 1);
    CALL(send(data, count, MPI_INT, last, 1, comm, &request));
    CALL(MPI_Cancel(&request));
    CALL(MPI_Wait(&request, &status));
    CALL(MPI_Test_cancelled(&status, &cancelled));
    CHECK(cancelled == 0 || cancelled == 1);
    CALL(MPI_Send(&cancelled, 1, MPI_INT, last, 2, comm));
    CALL(MPI_Recv(NULL, 0, MPI_INT, last, 3, comm, MPI_STATUS_IGNORE));
}

static void receiver(MPI_Comm comm, int count)
{
    int cancelled = 0, flag = 1;
    MPI_Request request;
    MPI_Status status;

    memset(data, 0, sizeof data);
    CALL(MPI_Irecv(data, count, MPI_INT, 0, 1, comm, &request));
    CALL(MPI_Recv(&cancelled, 1, MPI_INT, 0, 2, comm, MPI_STATUS_IGNORE));
    if (cancelled) {
        for (int i = 0; i < 100; i++) {
            CALL(MPI_Test(&request, &flag, &status));
            CHECK(!flag);
        }
        CALL(MPI_Cancel(&request));
    }
    CALL(MPI_Wait(&request, &status));
    CALL(MPI_Test_cancelled(&status, &flag));
    CHECK(flag == cancelled);
    CALL(MPI_Send(NULL, 0, MPI_INT, 0, 3, comm));
    if (cancelled)
        return;
    expect_status("not cancelled", &status, 0, 1, count);
    expect_int("first difference", differs(data, count, 1), -1);
}

/* To nobody who waits, the receiver matched before: never cancelled. */
static void matched(MPI_Comm comm, int rank)
{
    MPI_Request requests[2];
    MPI_Status statuses[2];
    int out = rank, in = -1, flag;

    CALL(MPI_Irecv(&in, 1, MPI_INT, rank, 3, comm, &requests[0]));
    CALL(MPI_Isend(&out, 1, MPI_INT, rank, 3, comm, &requests[1]));
    CALL(MPI_Wait(&requests[0], &statuses[0]));
    CALL(MPI_Cancel(&requests[1]));
    CALL(MPI_Wait(&requests[1], &statuses[1]));
    CALL(MPI_Test_cancelled(&statuses[1], &flag));
    CHECK(!flag && in == rank);
}

int main(int argc, char **argv)
{
    static isend *const sends[] = {MPI_Isend, MPI_Ibsend, MPI_Issend};
    static const int sizes[] = {0, 1, 2000, LARGEST};
    int rank, last, size = LARGEST * (int)sizeof(int) + MPI_BSEND_OVERHEAD;
    void *buffer = malloc((size_t)size);

    conform_init(&argc, &argv);
    rank = rank_of(MPI_COMM_WORLD);
    last = size_of(MPI_COMM_WORLD) - 1;
    for (int i = 0; last > 0 && i < 12; i++) {
        CALL(MPI_Buffer_attach(buffer, size));
        if (rank == 0)
            sender(MPI_COMM_WORLD, sends[i / 4], last, sizes[i % 4]);
        else if (rank == last)
            receiver(MPI_COMM_WORLD, sizes[i % 4]);
        CALL(MPI_Buffer_detach(&buffer, &size));
    }
    matched(MPI_COMM_WORLD, rank);
    matched(MPI_COMM_SELF, 0);
    free(buffer);
    return conform_end(0);
}
