/* SPDX-License-Identifier: BSD-3-Clause */
/* A probe sees the first message that matches; posted receives come before it. */
#include "../expect.h"

int main(int argc, char **argv)
{
    MPI_Comm comm = MPI_COMM_WORLD;
    MPI_Request request, sends[4];
    MPI_Status status;
    int rank, size, before, next, in[4], out[4][4], flag = 1;

    conform_init(&argc, &argv);
    rank = rank_of(comm);
    size = size_of(comm);
    next = (rank + 1) % size;
    before = (rank + size - 1) % size;
    CALL(MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &flag, MPI_STATUS_IGNORE));
    CHECK(!flag);
    CALL(MPI_Irecv(in, 4, MPI_INT, before, MPI_ANY_TAG, comm, &request));
    MPI_Barrier(comm);
    for (int i = 0; i < 4; i++) {
        fill(out[i], 4, i);
        CALL(MPI_Isend(out[i], i + 1, MPI_INT, next, 10 + i, comm, &sends[i]));
    }
    CALL(MPI_Wait(&request, &status));
    expect_status("posted", &status, before, 10, 1);
    CALL(MPI_Probe(before, 13, comm, &status));
    expect_status("by tag", &status, before, 13, 4);
    CALL(MPI_Probe(before, MPI_ANY_TAG, comm, &status));
    expect_status("any tag", &status, before, 11, 2);
    CALL(MPI_Recv(in, 4, MPI_INT, before, 12, comm, &status));
    expect_status("receive", &status, before, 12, 3);
    CALL(MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &status));
    expect_status("any", &status, before, 11, 2);
    CALL(MPI_Recv(in, 4, MPI_INT, before, MPI_ANY_TAG, comm, &status));
    expect_status("receive", &status, before, 11, 2);
    CALL(MPI_Recv(in, 4, MPI_INT, before, MPI_ANY_TAG, comm, &status));
    expect_status("receive", &status, before, 13, 4);
    CALL(MPI_Iprobe(before, MPI_ANY_TAG, comm, &flag, &status));
    CHECK(!flag);
    CALL(MPI_Waitall(4, sends, MPI_STATUSES_IGNORE));
    return conform_end(0);
}
