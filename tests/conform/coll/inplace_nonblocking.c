/* SPDX-License-Identifier: BSD-3-Clause */
/* Non-blocking collectives in place, and the remaining ones: v forms with roots, iexscan, ireduce_scatter. */
#include "../expect.h"

enum { MOST = 64 };

static int data[MOST], more[MOST], counts[MOST], displs[MOST];

static void reset(int rank, int size)
{
    for (int i = 0; i < size; i++) {
        data[i] = rank * 100 + i;
        more[i] = -1;
        counts[i] = 1;
        displs[i] = size - 1 - i;
    }
}

static int sum(int size, int i)
{
    return size * (size - 1) / 2 * 100 + size * i;
}

static void finish(MPI_Request *request)
{
    CALL(MPI_Wait(request, MPI_STATUS_IGNORE));
    CHECK(*request == MPI_REQUEST_NULL);
}

static void rooted(MPI_Comm comm, int rank, int size, int root)
{
    MPI_Request r;

    reset(rank, size);
    CALL(MPI_Ireduce(rank == root ? MPI_IN_PLACE : data, rank == root ? data : NULL, size, MPI_INT, MPI_SUM,
                     root, comm, &r));
    finish(&r);
    for (int i = 0; rank == root && i < size; i++)
        expect_int("ireduce", data[i], sum(size, i));
    reset(rank, size);
    CALL(MPI_Igather(rank == root ? MPI_IN_PLACE : data, 1, MPI_INT, data, 1, MPI_INT, root, comm, &r));
    finish(&r);
    for (int i = 0; rank == root && i < size; i++)
        expect_int("igather", data[i], i * 100 + (i == root ? root : 0));
    reset(rank, size);
    CALL(MPI_Igatherv(data, 1, MPI_INT, more, counts, displs, MPI_INT, root, comm, &r));
    finish(&r);
    for (int i = 0; rank == root && i < size; i++)
        expect_int("igatherv", more[size - 1 - i], i * 100);
    CALL(MPI_Iscatterv(data, counts, displs, MPI_INT, rank == root ? MPI_IN_PLACE : more, 1, MPI_INT, root,
                       comm, &r));
    finish(&r);
    if (rank != root)
        expect_int("iscatterv", more[0], root * 100 + size - 1 - rank);
}

static void all(MPI_Comm comm, int rank, int size)
{
    MPI_Request r;

    reset(rank, size);
    CALL(MPI_Iallreduce(MPI_IN_PLACE, data, size, MPI_INT, MPI_SUM, comm, &r));
    finish(&r);
    expect_int("iallreduce", data[size - 1], sum(size, size - 1));
    reset(rank, size);
    CALL(MPI_Ialltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, data, 1, MPI_INT, comm, &r));
    finish(&r);
    for (int i = 0; i < size; i++)
        expect_int("ialltoall", data[i], i * 100 + rank);
    reset(rank, size);
    CALL(MPI_Iallgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, data, 1, MPI_INT, comm, &r));
    finish(&r);
    for (int i = 0; i < size; i++)
        expect_int("iallgather", data[i], i * 100 + i);
    reset(rank, size);
    CALL(MPI_Ireduce_scatter(MPI_IN_PLACE, data, counts, MPI_INT, MPI_SUM, comm, &r));
    finish(&r);
    expect_int("ireduce_scatter", data[0], sum(size, rank));
    reset(rank, size);
    CALL(MPI_Iscan(MPI_IN_PLACE, data, size, MPI_INT, MPI_SUM, comm, &r));
    finish(&r);
    expect_int("iscan", data[size - 1], sum(rank + 1, size - 1));
    reset(rank, size);
    CALL(MPI_Iexscan(MPI_IN_PLACE, data, size, MPI_INT, MPI_SUM, comm, &r));
    finish(&r);
    if (rank > 0)
        expect_int("iexscan", data[size - 1], sum(rank, size - 1));
}

int main(int argc, char **argv)
{
    MPI_Comm comm;
    int is_inter;

    conform_init(&argc, &argv);
    while (size_of(MPI_COMM_WORLD) <= MOST && conform_comm(&comm, &is_inter)) {
        if (comm != MPI_COMM_NULL && !is_inter) {
            for (int root = 0; root < size_of(comm); root++)
                rooted(comm, rank_of(comm), size_of(comm), root);
            all(comm, rank_of(comm), size_of(comm));
        }
        conform_free_comm(&comm);
    }
    return conform_end(0);
}
