/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Comm_idup: several at once, mixed with other operations, completed by Wait, Test and Waitall. */
#include "conform.h"

static void use(MPI_Comm comm)
{
    int rank, all;

    CALL(MPI_Comm_rank(comm, &rank));
    CALL(MPI_Allreduce(&rank, &all, 1, MPI_INT, MPI_MAX, comm));
    CHECK(all >= 0);
}

static void one_by_test(MPI_Comm comm)
{
    MPI_Comm copy;
    MPI_Request request;
    int done = 0, result;

    CALL(MPI_Comm_idup(comm, &copy, &request));
    CHECK(request != MPI_REQUEST_NULL);
    while (!done)
        CALL(MPI_Test(&request, &done, MPI_STATUS_IGNORE));
    CHECK(request == MPI_REQUEST_NULL);
    CALL(MPI_Comm_compare(comm, copy, &result));
    CHECK(result == MPI_CONGRUENT);
    use(copy);
    CALL(MPI_Comm_free(&copy));
}

static void many_at_once(void)
{
    enum { N = 12 };
    MPI_Comm copies[N];
    MPI_Request requests[N + 1];
    int rank, i, max = -1;

    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (i = 0; i < N; i++)
        CALL(MPI_Comm_idup(MPI_COMM_WORLD, &copies[i], &requests[i]));
    CALL(MPI_Iallreduce(&rank, &max, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD, &requests[N]));
    CALL(MPI_Waitall(N + 1, requests, MPI_STATUSES_IGNORE));
    CHECK(max > 0 || rank == 0);
    for (i = N - 1; i >= 0; i--)
        use(copies[i]);
    for (i = 0; i < N; i++)
        CALL(MPI_Comm_free(&copies[i]));
}

/* While it is under way, the parent serves other messages. */
static void behind_messages(void)
{
    int rank, size, in = -1;
    MPI_Comm copy;
    MPI_Request request;

    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 0 && size > 1)
        CALL(MPI_Recv(&in, 1, MPI_INT, size - 1, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    CALL(MPI_Comm_idup(MPI_COMM_WORLD, &copy, &request));
    if (rank == size - 1 && size > 1)
        CALL(MPI_Send(&rank, 1, MPI_INT, 0, 3, MPI_COMM_WORLD));
    CALL(MPI_Wait(&request, MPI_STATUS_IGNORE));
    use(copy);
    CALL(MPI_Comm_free(&copy));
}

int main(int argc, char **argv)
{
    MPI_Comm comm;
    int is_inter;

    conform_init(&argc, &argv);
    while (conform_comm(&comm, &is_inter)) {
        if (comm != MPI_COMM_NULL && !is_inter)
            one_by_test(comm);
        conform_free_comm(&comm);
    }
    many_at_once();
    behind_messages();
    return conform_end(0);
}
