/* SPDX-License-Identifier: BSD-3-Clause */
/* Wrong arguments of collectives are found before anybody waits: everybody makes the same mistake. */
#include "../expect.h"

int main(int argc, char **argv)
{
    MPI_Comm comm;
    int data[4] = {0}, in[64], size;
    MPI_Request request = MPI_REQUEST_NULL;

    conform_init(&argc, &argv);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    size = size_of(comm);
    FAILS(MPI_ERR_ROOT, MPI_Bcast(data, 1, MPI_INT, size, comm));
    FAILS(MPI_ERR_ROOT, MPI_Bcast(data, 1, MPI_INT, -9, comm));
    FAILS(MPI_ERR_ROOT, MPI_Reduce(data, in, 1, MPI_INT, MPI_SUM, size, comm));
    FAILS(MPI_ERR_ROOT, MPI_Gather(data, 1, MPI_INT, in, 1, MPI_INT, -9, comm));
    FAILS(MPI_ERR_COUNT, MPI_Bcast(data, -1, MPI_INT, 0, comm));
    FAILS(MPI_ERR_COUNT, MPI_Allreduce(data, in, -1, MPI_INT, MPI_SUM, comm));
    FAILS(MPI_ERR_TYPE, MPI_Bcast(data, 1, MPI_DATATYPE_NULL, 0, comm));
    FAILS(MPI_ERR_OP, MPI_Allreduce(data, in, 1, MPI_INT, MPI_OP_NULL, comm));
    FAILS(MPI_ERR_COMM, MPI_Barrier(MPI_COMM_NULL));
    FAILS(MPI_ERR_COMM, MPI_Bcast(data, 1, MPI_INT, 0, MPI_COMM_NULL));
    FAILS(MPI_ERR_COMM, MPI_Ibarrier(MPI_COMM_NULL, &request));
    FAILS(MPI_ERR_COUNT, MPI_Ibcast(data, -1, MPI_INT, 0, comm, &request));
    CALL(MPI_Barrier(comm));
    CALL(MPI_Allreduce(data, in, 4, MPI_INT, MPI_SUM, comm));
    MPI_Comm_free(&comm);
    return conform_end(0);
}
