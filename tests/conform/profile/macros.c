/* SPDX-License-Identifier: BSD-3-Clause */
/* A program that counts calls by macros with the names of functions, as libraries do for their logs. */
/* conform: flags -Werror */
#include "conform.h"

#include <string.h>

static int calls;

static int counted(void)
{
    calls++;
    return MPI_SUCCESS;
}

#define MPI_Send(...) (counted() || MPI_Send(__VA_ARGS__))
#define MPI_Recv(buf, count, type, source, tag, comm, status) \
    (counted() || MPI_Recv((buf), (count), (type), (source), (tag), (comm), (status)))
#define MPI_Allreduce(a, b, c, d, e, f) (counted() || PMPI_Allreduce((a), (b), (c), (d), (e), (f)))
#define MPI_Barrier my_barrier

static int my_barrier(MPI_Comm comm)
{
    counted();
#undef MPI_Barrier
    return MPI_Barrier(comm);
}

#define TEXT(x) TEXT_OF(x)
#define TEXT_OF(x) #x

/* What is no function of MPI may have such a name. */
struct table {
    int MPI_Send;
    int (*MPI_Wait)(MPI_Request *, MPI_Status *);
};

int main(int argc, char **argv)
{
    const struct table t = {.MPI_Send = 1, .MPI_Wait = MPI_Wait};
    int (*send)(const void *, int, MPI_Datatype, int, int, MPI_Comm) = MPI_Send;
    int rank, size, in = -1, sum = 0;
    MPI_Request request;
    extern int MPI_Comm_rank();

    conform_init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Irecv(&in, 1, MPI_INT, (rank + size - 1) % size, 0, MPI_COMM_WORLD, &request);
    CALL(MPI_Send(&rank, 1, MPI_INT, (rank + 1) % size, 0, MPI_COMM_WORLD));
    CALL(t.MPI_Wait(&request, MPI_STATUS_IGNORE));
    CHECK(in == (rank + size - 1) % size);
    MPI_Isend(&rank, 1, MPI_INT, (rank + 1) % size, 1, MPI_COMM_WORLD, &request);
    CALL(MPI_Recv(&in, 1, MPI_INT, (rank + size - 1) % size, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    CALL(MPI_Wait(&request, MPI_STATUS_IGNORE));
    CALL(MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    CHECK(sum == size * (size - 1) / 2);
    CALL(my_barrier(MPI_COMM_WORLD));
    MPI_Irecv(&in, 1, MPI_INT, 0, 2, MPI_COMM_SELF, &request);
    CALL(send(&size, 1, MPI_INT, 0, 2, MPI_COMM_SELF));
    CALL(MPI_Wait(&request, MPI_STATUS_IGNORE));
    CHECK(in == size && t.MPI_Send == 1);
    CHECK(calls == 4);
    CHECK(strcmp(TEXT(MPI_Wait), "MPI_Wait") == 0);
    return conform_end(0);
}
