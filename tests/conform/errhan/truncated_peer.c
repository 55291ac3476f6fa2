/* SPDX-License-Identifier: BSD-3-Clause */
/* Truncation between ranks: the receiver is told, the sender goes on, later messages are as always. */
#include "conform.h"

static int rank, size;

static void ring(MPI_Comm comm, int sent, int room)
{
    static int out[100000], in[100000];
    int to = (rank + 1) % size, from = (rank + size - 1) % size, i, code, class, later = -1;
    MPI_Request request;
    MPI_Status status;

    for (i = 0; i < sent; i++)
        out[i] = 1000 * rank + i;
    in[room] = -5;
    CALL(MPI_Isend(out, sent, MPI_INT, to, 1, comm, &request));
    status.MPI_ERROR = MPI_SUCCESS;
    code = MPI_Recv(in, room, MPI_INT, from, 1, comm, &status);
    MPI_Error_class(code, &class);
    CHECK(class == MPI_ERR_TRUNCATE);
    CHECK(in[room] == -5);
    CALL(MPI_Wait(&request, MPI_STATUS_IGNORE));
    CALL(MPI_Sendrecv(&rank, 1, MPI_INT, to, 1, &later, 1, MPI_INT, from, 1, comm, MPI_STATUS_IGNORE));
    CHECK(later == from);
}

int main(int argc, char **argv)
{
    MPI_Comm comm;

    conform_init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    ring(comm, 2, 1);
    ring(comm, 1000, 10);
    ring(comm, 50000, 10);
    ring(comm, 100000, 0);
    MPI_Comm_free(&comm);
    return conform_end(0);
}
