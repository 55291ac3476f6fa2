/* SPDX-License-Identifier: BSD-3-Clause */
/* A wait for a send that was cancelled ends although nobody receives (MPI 3.8.4); to the rank itself. */
#include "../expect.h"

enum { LARGEST = 100000 };

static int out[LARGEST], in[LARGEST];

static void cancel_one(MPI_Comm comm, int rank, int count, int synchronous)
{
    MPI_Request request;
    MPI_Status status;
    int flag;

    fill(out, count, 2);
    if (synchronous)
        CALL(MPI_Issend(out, count, MPI_INT, rank, 1, comm, &request));
    else
        CALL(MPI_Isend(out, count, MPI_INT, rank, 1, comm, &request));
    CALL(MPI_Cancel(&request));
    CALL(MPI_Wait(&request, &status));
    CALL(MPI_Test_cancelled(&status, &flag));
    if (flag) {
        CALL(MPI_Iprobe(rank, 1, comm, &flag, MPI_STATUS_IGNORE));
        CHECK(!flag);
        return;
    }
    CALL(MPI_Recv(in, count, MPI_INT, rank, 1, comm, &status));
    expect_int("first difference", differs(in, count, 2), -1);
}

int main(int argc, char **argv)
{
    static const int sizes[] = {0, 1, 3000, LARGEST};

    conform_init(&argc, &argv);
    for (int i = 0; i < 8; i++) {
        cancel_one(MPI_COMM_WORLD, rank_of(MPI_COMM_WORLD), sizes[i / 2], i % 2);
        cancel_one(MPI_COMM_SELF, 0, sizes[i / 2], i % 2);
    }
    return conform_end(0);
}
