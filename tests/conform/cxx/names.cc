/* SPDX-License-Identifier: BSD-3-Clause */
/* Names of MPI's functions as members, in namespaces, as template arguments, and as macros around the functions. */
/* conform: flags -Werror */
#include "conform.h"

static int calls;

#define MPI_Sendrecv(...) (calls++, MPI_Sendrecv(__VA_ARGS__))

struct logger {
    int count = 0;
    int MPI_Send(const void *buffer, int n, MPI_Datatype type, int to, int tag, MPI_Comm comm)
    {
        count++;
        return ::MPI_Send(buffer, n, type, to, tag, comm);
    }
};

namespace quiet {
int MPI_Barrier(MPI_Comm)
{
    return 17;
}
} // namespace quiet

template <int (*function)(MPI_Comm, int *)> int asked(MPI_Comm comm)
{
    int value = -1;
    function(comm, &value);
    return value;
}

int main(int argc, char **argv)
{
    logger log;
    int in = -1, other = -1;
    MPI_Request request;

    conform_init(&argc, &argv);
    const int rank = asked<MPI_Comm_rank>(MPI_COMM_WORLD), size = asked<&PMPI_Comm_size>(MPI_COMM_WORLD);
    const int next = (rank + 1) % size, last = (rank + size - 1) % size;
    MPI_Irecv(&in, 1, MPI_INT, last, 0, MPI_COMM_WORLD, &request);
    CALL(log.MPI_Send(&rank, 1, MPI_INT, next, 0, MPI_COMM_WORLD));
    CALL(MPI_Wait(&request, MPI_STATUS_IGNORE));
    CHECK(in == last && log.count == 1);
    CALL(MPI_Sendrecv(&rank, 1, MPI_INT, next, 1, &other, 1, MPI_INT, last, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    CHECK(other == last && calls == 1);
    CHECK(quiet::MPI_Barrier(MPI_COMM_WORLD) == 17);
    CALL(MPI_Barrier(MPI_COMM_WORLD));
    return conform_end(0);
}
