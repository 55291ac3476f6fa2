/* SPDX-License-Identifier: BSD-3-Clause */
/* Wrong arguments of sends and receives and the classes of their errors; no request comes of them. */
#include "../expect.h"

int main(int argc, char **argv)
{
    MPI_Comm comm;
    int data[2] = {0}, size, flag;
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Status status;

    conform_init(&argc, &argv);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    size = size_of(comm);
    FAILS(MPI_ERR_RANK, MPI_Send(data, 1, MPI_INT, size, 0, comm));
    FAILS(MPI_ERR_RANK, MPI_Send(data, 1, MPI_INT, -7, 0, comm));
    FAILS(MPI_ERR_RANK, MPI_Send(data, 1, MPI_INT, MPI_ANY_SOURCE, 0, comm));
    FAILS(MPI_ERR_RANK, MPI_Recv(data, 1, MPI_INT, size, 0, comm, &status));
    FAILS(MPI_ERR_RANK, MPI_Isend(data, 1, MPI_INT, size, 0, comm, &request));
    FAILS(MPI_ERR_RANK, MPI_Irecv(data, 1, MPI_INT, size + 5, 0, comm, &request));
    FAILS(MPI_ERR_RANK, MPI_Probe(size, 0, comm, &status));
    FAILS(MPI_ERR_RANK, MPI_Iprobe(size, 0, comm, &flag, &status));
    FAILS(MPI_ERR_COUNT, MPI_Send(data, -1, MPI_INT, 0, 0, comm));
    FAILS(MPI_ERR_COUNT, MPI_Irecv(data, -1, MPI_INT, 0, 0, comm, &request));
    FAILS(MPI_ERR_TYPE, MPI_Send(data, 1, MPI_DATATYPE_NULL, 0, 0, comm));
    FAILS(MPI_ERR_TYPE, MPI_Recv(data, 1, MPI_DATATYPE_NULL, 0, 0, comm, &status));
    FAILS(MPI_ERR_COMM, MPI_Send(data, 1, MPI_INT, 0, 0, MPI_COMM_NULL));
    FAILS(MPI_ERR_COMM, MPI_Irecv(data, 1, MPI_INT, 0, 0, MPI_COMM_NULL, &request));
    FAILS(MPI_ERR_COMM, MPI_Comm_rank(MPI_COMM_NULL, &flag));
    FAILS(MPI_ERR_TAG, MPI_Send_init(data, 1, MPI_INT, 0, -3, comm, &request));
    request = MPI_REQUEST_NULL;
    FAILS(MPI_ERR_REQUEST, MPI_Start(&request));
    FAILS(MPI_ERR_REQUEST, MPI_Request_free(&request));
    FAILS(MPI_ERR_REQUEST, MPI_Cancel(&request));
    CALL(MPI_Barrier(comm));
    MPI_Comm_free(&comm);
    return conform_end(0);
}
