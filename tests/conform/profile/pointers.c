/* SPDX-License-Identifier: BSD-3-Clause */
/* Pointers to functions of MPI and PMPI, in tables, as arguments, compared. */
#include "conform.h"

typedef int reduction(const void *, void *, int, MPI_Datatype, MPI_Op, MPI_Comm);
typedef int sender(const void *, int, MPI_Datatype, int, int, MPI_Comm);
typedef int starter(const void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);

static sender *const senders[] = {MPI_Send, MPI_Ssend, PMPI_Send, PMPI_Ssend};
static starter *const starters[] = {MPI_Isend, MPI_Issend, PMPI_Isend, PMPI_Issend};
static double (*const clock_now)(void) = MPI_Wtime;
static int (*const enter)(MPI_Comm) = &MPI_Barrier;

static int reduce_with(reduction *function, int value)
{
    int result = 0;

    CALL(function(&value, &result, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    return result;
}

int main(int argc, char **argv)
{
    int rank, size, i, in;
    MPI_Request requests[2];
    MPI_Request request;

    conform_init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (i = 0; i < 4; i++) {
        MPI_Irecv(&in, 1, MPI_INT, (rank + size - 1) % size, i, MPI_COMM_WORLD, &request);
        CALL(senders[i](&rank, 1, MPI_INT, (rank + 1) % size, i, MPI_COMM_WORLD));
        CALL(MPI_Wait(&request, MPI_STATUS_IGNORE));
        CHECK(in == (rank + size - 1) % size);
        MPI_Irecv(&in, 1, MPI_INT, (rank + size - 1) % size, i, MPI_COMM_WORLD, &requests[0]);
        CALL(starters[i](&rank, 1, MPI_INT, (rank + 1) % size, i, MPI_COMM_WORLD, &requests[1]));
        CALL(PMPI_Waitall(2, requests, MPI_STATUSES_IGNORE));
    }
    CHECK(reduce_with(MPI_Allreduce, rank) == size * (size - 1) / 2);
    CHECK(reduce_with(PMPI_Allreduce, 1) == size);
    CALL(enter(MPI_COMM_WORLD));
    CHECK(clock_now() >= 0);
    CHECK(clock_now != 0 && enter == MPI_Barrier);
    return conform_end(0);
}
