/* SPDX-License-Identifier: BSD-3-Clause */
/* A message longer than the room for it is an error of the receiver; the next one is not touched by it. */
#include "../expect.h"

enum { LARGEST = 100000 };

static int data[LARGEST + 1];

static void receiver(MPI_Comm comm, int count)
{
    MPI_Status status;
    MPI_Request request;

    data[count - 1] = -77;
    FAILS(MPI_ERR_TRUNCATE, MPI_Recv(data, count - 1, MPI_INT, 0, 1, comm, &status));
    if (count <= 100)
        expect_int("behind the buffer", data[count - 1], -77);
    CALL(MPI_Recv(data, count, MPI_INT, 0, 1, comm, &status));
    expect_status("message after it", &status, 0, 1, count);
    expect_int("first difference", differs(data, count, 5), -1);
    CALL(MPI_Irecv(data, count - 1, MPI_INT, 0, 2, comm, &request));
    FAILS(MPI_ERR_TRUNCATE, MPI_Wait(&request, &status));
    CHECK(request == MPI_REQUEST_NULL);
    CALL(MPI_Irecv(data, count - 1, MPI_INT, 0, 2, comm, &request));
    FAILS(MPI_ERR_IN_STATUS, MPI_Waitall(1, &request, &status));
    MPI_Error_class(status.MPI_ERROR, &count);
    expect_int("class", count, MPI_ERR_TRUNCATE);
}

static void sender(MPI_Comm comm, int last, int count)
{
    fill(data, count, 5);
    for (int i = 0; i < 4; i++)
        CALL(MPI_Send(data, count, MPI_INT, last, 1 + i / 2, comm));
}

int main(int argc, char **argv)
{
    static const int sizes[] = {1, 100, 3000, LARGEST};
    MPI_Comm comm;
    int rank, last;

    conform_init(&argc, &argv);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    rank = rank_of(comm);
    last = size_of(comm) - 1;
    for (int i = 0; i < 4 && last > 0; i++)
        if (rank == 0)
            sender(comm, last, sizes[i]);
        else if (rank == last)
            receiver(comm, sizes[i]);
    MPI_Comm_free(&comm);
    return conform_end(0);
}
