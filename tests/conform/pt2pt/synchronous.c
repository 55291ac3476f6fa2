/* SPDX-License-Identifier: BSD-3-Clause */
/* A synchronous send is not over before its receive has begun; a standard one of nothing may be. */
#include "../expect.h"

static void sender(MPI_Comm comm, int last, int count, int *data)
{
    MPI_Request request;
    int flag;

    CALL(MPI_Issend(data, count, MPI_INT, last, 1, comm, &request));
    for (int i = 0; i < 1000; i++) {
        CALL(MPI_Test(&request, &flag, MPI_STATUS_IGNORE));
        if (flag)
            break;
    }
    CHECK(!flag);
    CALL(MPI_Send(NULL, 0, MPI_INT, last, 2, comm));
    CALL(MPI_Wait(&request, MPI_STATUS_IGNORE));
}

static void receiver(MPI_Comm comm, int count, int *data)
{
    MPI_Status status;

    CALL(MPI_Recv(NULL, 0, MPI_INT, 0, 2, comm, MPI_STATUS_IGNORE));
    CALL(MPI_Recv(data, count, MPI_INT, 0, 1, comm, &status));
    expect_status("message", &status, 0, 1, count);
    expect_int("first difference", differs(data, count, 3), -1);
}

int main(int argc, char **argv)
{
    static const int sizes[] = {0, 1, 500, 50000};
    static int data[50000];
    int rank, last;

    conform_init(&argc, &argv);
    rank = rank_of(MPI_COMM_WORLD);
    last = size_of(MPI_COMM_WORLD) - 1;
    for (int i = 0; i < 4 && last > 0; i++) {
        fill(data, 50000, rank == 0 ? 3 : 4);
        if (rank == 0)
            sender(MPI_COMM_WORLD, last, sizes[i], data);
        else if (rank == last)
            receiver(MPI_COMM_WORLD, sizes[i], data);
    }
    return conform_end(0);
}
