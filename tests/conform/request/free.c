/* SPDX-License-Identifier: BSD-3-Clause */
/* Requests given up before their operations are over, which go on by themselves (MPI 3.7.3). */
#include "../expect.h"

enum { N = 10, LARGEST = 40000 };

int main(int argc, char **argv)
{
    static int out[N][LARGEST], in[LARGEST];
    int rank, size, next, before, count;
    MPI_Request request;
    MPI_Comm comm;

    conform_init(&argc, &argv);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    rank = rank_of(comm);
    size = size_of(comm);
    next = (rank + 1) % size;
    before = (rank + size - 1) % size;
    for (int i = 0; i < N; i++) {
        count = i % 2 ? LARGEST : 10;
        fill(out[i], count, rank + i);
        CALL(MPI_Isend(out[i], count, MPI_INT, next, i, comm, &request));
        CALL(MPI_Request_free(&request));
        CHECK(request == MPI_REQUEST_NULL);
    }
    for (int i = N - 1; i >= 0; i--) {
        MPI_Status status;

        count = i % 2 ? LARGEST : 10;
        CALL(MPI_Recv(in, LARGEST, MPI_INT, before, i, comm, &status));
        expect_status("message", &status, before, i, count);
        expect_int("first difference", differs(in, count, before + i), -1);
    }
    memset(in, 0, sizeof in);
    CALL(MPI_Irecv(in, 10, MPI_INT, before, 99, comm, &request));
    CALL(MPI_Request_free(&request));
    CALL(MPI_Ssend(out[0], 10, MPI_INT, next, 99, comm));
    CALL(MPI_Barrier(comm));
    CALL(MPI_Ssend(NULL, 0, MPI_INT, MPI_PROC_NULL, 99, comm));
    CALL(
        MPI_Sendrecv(&rank, 1, MPI_INT, next, 100, &count, 1, MPI_INT, before, 100, comm, MPI_STATUS_IGNORE));
    expect_int("first difference", differs(in, 10, before), -1);
    CALL(MPI_Comm_free(&comm));
    return conform_end(0);
}
