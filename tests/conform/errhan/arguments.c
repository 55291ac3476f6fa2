/* SPDX-License-Identifier: BSD-3-Clause */
/* Wrong arguments of messages and collective operations: which class each error has. */
#include "conform.h"

#include <stddef.h>

static int size, value;

static void sends(MPI_Comm comm)
{
    MPI_Request request;
    MPI_Datatype open;

    FAILS(MPI_ERR_RANK, MPI_Send(&value, 1, MPI_INT, size, 0, comm));
    FAILS(MPI_ERR_RANK, MPI_Send(&value, 1, MPI_INT, -80, 0, comm));
    FAILS(MPI_ERR_RANK, MPI_Send(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, comm));
    FAILS(MPI_ERR_TAG, MPI_Send(&value, 1, MPI_INT, 0, -80, comm));
    FAILS(MPI_ERR_TAG, MPI_Send(&value, 1, MPI_INT, 0, MPI_ANY_TAG, comm));
    FAILS(MPI_ERR_COUNT, MPI_Send(&value, -1, MPI_INT, 0, 0, comm));
    FAILS(MPI_ERR_TYPE, MPI_Send(&value, 1, MPI_DATATYPE_NULL, 0, 0, comm));
    FAILS(MPI_ERR_COMM, MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_NULL));
    FAILS(MPI_ERR_RANK, MPI_Isend(&value, 1, MPI_INT, size, 0, comm, &request));
    FAILS(MPI_ERR_RANK, MPI_Ssend(&value, 1, MPI_INT, size, 0, comm));
    FAILS(MPI_ERR_RANK, MPI_Rsend(&value, 1, MPI_INT, size, 0, comm));
    FAILS(MPI_ERR_RANK, MPI_Bsend(&value, 1, MPI_INT, size, 0, comm));
    FAILS(MPI_ERR_TAG, MPI_Send_init(&value, 1, MPI_INT, 0, -80, comm, &request));
    MPI_Type_contiguous(2, MPI_INT, &open);
    FAILS(MPI_ERR_TYPE, MPI_Send(&value, 1, open, 0, 0, comm));
    MPI_Type_free(&open);
}

static void receives(MPI_Comm comm)
{
    MPI_Request request;
    MPI_Status status;
    int flag;

    FAILS(MPI_ERR_RANK, MPI_Recv(&value, 1, MPI_INT, size, 0, comm, &status));
    FAILS(MPI_ERR_TAG, MPI_Recv(&value, 1, MPI_INT, 0, -80, comm, &status));
    FAILS(MPI_ERR_COUNT, MPI_Recv(&value, -1, MPI_INT, 0, 0, comm, &status));
    FAILS(MPI_ERR_TYPE, MPI_Irecv(&value, 1, MPI_DATATYPE_NULL, 0, 0, comm, &request));
    FAILS(MPI_ERR_RANK, MPI_Iprobe(size, 0, comm, &flag, &status));
    FAILS(MPI_ERR_RANK, MPI_Probe(-80, 0, comm, &status));
    FAILS(MPI_ERR_RANK, MPI_Sendrecv(&value, 1, MPI_INT, size, 0, &flag, 1, MPI_INT, 0, 0, comm, &status));
}

static void collectives(MPI_Comm comm)
{
    int other[64];

    FAILS(MPI_ERR_ROOT, MPI_Bcast(&value, 1, MPI_INT, size, comm));
    FAILS(MPI_ERR_ROOT, MPI_Bcast(&value, 1, MPI_INT, -80, comm));
    FAILS(MPI_ERR_COUNT, MPI_Bcast(&value, -1, MPI_INT, 0, comm));
    FAILS(MPI_ERR_TYPE, MPI_Bcast(&value, 1, MPI_DATATYPE_NULL, 0, comm));
    FAILS(MPI_ERR_OP, MPI_Allreduce(&value, other, 1, MPI_INT, MPI_OP_NULL, comm));
    FAILS(MPI_ERR_ROOT, MPI_Reduce(&value, other, 1, MPI_INT, MPI_SUM, size, comm));
    FAILS(MPI_ERR_OP, MPI_Allreduce(&value, other, 1, MPI_DOUBLE, MPI_BAND, comm));
    FAILS(MPI_ERR_ROOT, MPI_Gather(&value, 1, MPI_INT, other, 1, MPI_INT, size, comm));
}

int main(int argc, char **argv)
{
    MPI_Comm comm;

    conform_init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    sends(MPI_COMM_WORLD);
    receives(MPI_COMM_WORLD);
    collectives(MPI_COMM_WORLD);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    sends(comm);
    receives(comm);
    collectives(comm);
    MPI_Comm_free(&comm);
    return conform_end(0);
}
