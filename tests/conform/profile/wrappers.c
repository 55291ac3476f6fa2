/* SPDX-License-Identifier: BSD-3-Clause */
/* A program that brings its own MPI_Send and MPI_Recv, which count and call PMPI_Send and PMPI_Recv. */
#include "conform.h"

static int sends, receives, barriers;

int MPI_Send(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm)
{
    sends++;
    return PMPI_Send(buffer, count, type, to, tag, comm);
}

int MPI_Recv(void *buffer, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Status *status)
{
    receives++;
    return PMPI_Recv(buffer, count, type, from, tag, comm, status);
}

int MPI_Barrier(MPI_Comm comm)
{
    barriers++;
    return PMPI_Barrier(comm);
}

int main(int argc, char **argv)
{
    int rank, size, in = -1, i, n;
    MPI_Status status;
    int (*send)(const void *, int, MPI_Datatype, int, int, MPI_Comm) = MPI_Send;

    conform_init(&argc, &argv);
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    PMPI_Comm_size(MPI_COMM_WORLD, &size);
    for (i = 0; i < 3; i++) {
        if (rank > 0)
            CALL(MPI_Recv(&in, 1, MPI_INT, rank - 1, 0, MPI_COMM_WORLD, &status));
        if (rank + 1 < size)
            CALL(send(&rank, 1, MPI_INT, rank + 1, 0, MPI_COMM_WORLD));
        MPI_Barrier(MPI_COMM_WORLD);
    }
    if (rank > 0) {
        CHECK(in == rank - 1 && receives == 3);
        CALL(PMPI_Get_count(&status, MPI_INT, &n));
        CHECK(n == 1);
    }
    CHECK(sends == (rank + 1 < size ? 3 : 0) && barriers == 3);
    PMPI_Barrier(MPI_COMM_WORLD);
    CHECK(barriers == 3);
    return conform_end(0);
}
