/* SPDX-License-Identifier: BSD-3-Clause */
/* A rank sends to itself: non-blocking, buffered, by sendrecv, with probes, also large. */
#include "../expect.h"

enum { LARGEST = 300000 };

static int out[LARGEST], in[LARGEST];

static void nonblocking(MPI_Comm comm, int rank, int count)
{
    MPI_Request requests[2];
    MPI_Status statuses[2];

    fill(out, count, count);
    memset(in, 0, sizeof in);
    CALL(MPI_Irecv(in, count, MPI_INT, rank, 3, comm, &requests[0]));
    CALL(MPI_Send(out, count, MPI_INT, rank, 3, comm));
    CALL(MPI_Wait(&requests[0], &statuses[0]));
    expect_status("posted", &statuses[0], rank, 3, count);
    expect_int("first difference", differs(in, count, count), -1);
    memset(in, 0, sizeof in);
    CALL(MPI_Issend(out, count, MPI_INT, rank, 4, comm, &requests[0]));
    CALL(MPI_Irecv(in, LARGEST, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &requests[1]));
    CALL(MPI_Waitall(2, requests, statuses));
    expect_status("unexpected", &statuses[1], rank, 4, count);
    expect_int("first difference", differs(in, count, count), -1);
}

static void sendrecv(MPI_Comm comm, int rank, int count)
{
    MPI_Status status;

    memset(in, 0, sizeof in);
    CALL(MPI_Sendrecv(out, count, MPI_INT, rank, 9, in, LARGEST, MPI_INT, rank, 9, comm, &status));
    expect_status("sendrecv", &status, rank, 9, count);
    expect_int("first difference", differs(in, count, count), -1);
    CALL(MPI_Sendrecv_replace(in, count, MPI_INT, rank, 8, rank, 8, comm, &status));
    expect_status("sendrecv_replace", &status, rank, 8, count);
    expect_int("first difference", differs(in, count, count), -1);
}

static void probed(MPI_Comm comm, int rank, int count)
{
    MPI_Request request;
    MPI_Status status;
    int flag = 0;

    CALL(MPI_Isend(out, count, MPI_INT, rank, 5, comm, &request));
    CALL(MPI_Probe(MPI_ANY_SOURCE, 5, comm, &status));
    expect_status("probe", &status, rank, 5, count);
    CALL(MPI_Iprobe(rank, MPI_ANY_TAG, comm, &flag, &status));
    CHECK(flag);
    CALL(MPI_Recv(in, count, MPI_INT, rank, 5, comm, &status));
    expect_status("receive", &status, rank, 5, count);
    CALL(MPI_Wait(&request, MPI_STATUS_IGNORE));
}

static void buffered(MPI_Comm comm, int rank)
{
    char space[4000 + MPI_BSEND_OVERHEAD];
    void *buffer;
    int size;

    CALL(MPI_Buffer_attach(space, sizeof space));
    CALL(MPI_Bsend(out, 1000, MPI_INT, rank, 6, comm));
    CALL(MPI_Recv(in, 1000, MPI_INT, rank, 6, comm, MPI_STATUS_IGNORE));
    CALL(MPI_Buffer_detach(&buffer, &size));
    CHECK(buffer == space && size == (int)sizeof space);
}

int main(int argc, char **argv)
{
    static const int sizes[] = {0, 1, 1000, 20000, LARGEST};
    MPI_Comm comm;
    int is_inter;

    conform_init(&argc, &argv);
    while (conform_comm(&comm, &is_inter)) {
        for (int i = 0; comm != MPI_COMM_NULL && !is_inter && i < 5; i++) {
            int rank = rank_of(comm);

            nonblocking(comm, rank, sizes[i]);
            sendrecv(comm, rank, sizes[i]);
            probed(comm, rank, sizes[i]);
            buffered(comm, rank);
        }
        conform_free_comm(&comm);
    }
    return conform_end(0);
}
