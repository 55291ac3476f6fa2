/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages wait in their own communicator: sent in one order, received in another; probes see only theirs. */
#include "conform.h"

int main(int argc, char **argv)
{
    enum { N = 8 };
    MPI_Comm comms[N];
    MPI_Request requests[N];
    int rank, size, i, flag, in, out[N];
    MPI_Status status;

    conform_init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (i = 0; i < N; i++)
        MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]);
    for (i = 0; i < N; i++) {
        out[i] = 100 * rank + i;
        CALL(MPI_Isend(&out[i], 1, MPI_INT, (rank + 1) % size, 1, comms[i], &requests[i]));
    }
    CALL(MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, comms[N - 1], &status));
    CALL(MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, &status));
    CHECK(!flag);
    for (i = N - 1; i >= 0; i--) {
        CALL(MPI_Recv(&in, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, comms[i], &status));
        CHECK(in == 100 * ((rank + size - 1) % size) + i);
        CHECK(status.MPI_SOURCE == (rank + size - 1) % size && status.MPI_TAG == 1);
        CALL(MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, comms[i], &flag, MPI_STATUS_IGNORE));
        CHECK(!flag);
    }
    CALL(MPI_Waitall(N, requests, MPI_STATUSES_IGNORE));
    for (i = 0; i < N; i++)
        MPI_Comm_free(&comms[i]);
    return conform_end(0);
}
