/* SPDX-License-Identifier: BSD-3-Clause */
/* Pairs exchange several MiB in both directions at once, in all ways that must not block each other. */
#include "../expect.h"

enum { COUNT = 1000003 };

static int *out, *in;

static void verify(const char *what, int seed)
{
    expect_int(what, differs(in, COUNT, seed), -1);
    memset(in, 0, COUNT * sizeof(int));
}

static void nonblocking(MPI_Comm comm, int rank, int peer)
{
    MPI_Request requests[2];

    CALL(MPI_Isend(out, COUNT, MPI_INT, peer, 1, comm, &requests[0]));
    CALL(MPI_Recv(in, COUNT, MPI_INT, peer, 1, comm, MPI_STATUS_IGNORE));
    CALL(MPI_Wait(&requests[0], MPI_STATUS_IGNORE));
    verify("isend, recv", peer);
    CALL(MPI_Irecv(in, COUNT, MPI_INT, peer, 2, comm, &requests[0]));
    CALL(MPI_Send(out, COUNT, MPI_INT, peer, 2, comm));
    CALL(MPI_Wait(&requests[0], MPI_STATUS_IGNORE));
    verify("irecv, send", peer);
    CALL(MPI_Issend(out, COUNT, MPI_INT, peer, 3, comm, &requests[0]));
    CALL(MPI_Irecv(in, COUNT, MPI_INT, peer, 3, comm, &requests[1]));
    while (rank >= 0) {
        int flag;

        CALL(MPI_Testall(2, requests, &flag, MPI_STATUSES_IGNORE));
        if (flag)
            break;
    }
    verify("issend, irecv", peer);
}

static void combined(MPI_Comm comm, int rank, int peer)
{
    CALL(MPI_Sendrecv(out, COUNT, MPI_INT, peer, 4, in, COUNT, MPI_INT, peer, 4, comm, MPI_STATUS_IGNORE));
    verify("sendrecv", peer);
    memcpy(in, out, COUNT * sizeof(int));
    CALL(MPI_Sendrecv_replace(in, COUNT, MPI_INT, peer, 5, peer, 5, comm, MPI_STATUS_IGNORE));
    verify("sendrecv_replace", peer);
    fill(out, COUNT, rank);
}

int main(int argc, char **argv)
{
    int rank, peer;

    conform_init(&argc, &argv);
    out = malloc(COUNT * sizeof(int));
    in = calloc(COUNT, sizeof(int));
    rank = rank_of(MPI_COMM_WORLD);
    peer = rank ^ 1;
    fill(out, COUNT, rank);
    if (peer < size_of(MPI_COMM_WORLD)) {
        nonblocking(MPI_COMM_WORLD, rank, peer);
        combined(MPI_COMM_WORLD, rank, peer);
    }
    free(out);
    free(in);
    return conform_end(0);
}
