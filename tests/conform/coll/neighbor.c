/* SPDX-License-Identifier: BSD-3-Clause */
/* Neighbourhood collectives on grids, graphs and distributed graphs, blocking or not (MPI 7.6). */
#include "../expect.h"

enum { MOST = 16 };

/* in[i]: what the i-th source sent, a number per destination. */
static void grid(MPI_Comm comm, int ndims, int waits)
{
    int rank = rank_of(comm), in[MOST], out[MOST], sources[MOST], n = 2 * ndims;
    MPI_Request request;

    for (int i = 0; i < ndims; i++)
        CALL(MPI_Cart_shift(comm, i, 1, &sources[2 * i], &sources[2 * i + 1]));
    for (int i = 0; i < n; i++) {
        in[i] = -7;
        out[i] = rank * 10 + i;
    }
    if (waits) {
        CALL(MPI_Ineighbor_allgather(&rank, 1, MPI_INT, in, 1, MPI_INT, comm, &request));
        CALL(MPI_Wait(&request, MPI_STATUS_IGNORE));
    } else {
        CALL(MPI_Neighbor_allgather(&rank, 1, MPI_INT, in, 1, MPI_INT, comm));
    }
    for (int i = 0; i < n; i++)
        expect_int("neighbor_allgather", in[i], sources[i] == MPI_PROC_NULL ? -7 : sources[i]);
    if (waits) {
        CALL(MPI_Ineighbor_alltoall(out, 1, MPI_INT, in, 1, MPI_INT, comm, &request));
        CALL(MPI_Wait(&request, MPI_STATUS_IGNORE));
    } else {
        CALL(MPI_Neighbor_alltoall(out, 1, MPI_INT, in, 1, MPI_INT, comm));
    }
    /* What comes from below was sent upwards, by the neighbour's opposite place. */
    for (int i = 0; i < n; i++)
        if (sources[i] != MPI_PROC_NULL && sources[i ^ 1] != sources[i])
            expect_int("neighbor_alltoall", in[i], sources[i] * 10 + (i ^ 1));
}

/* Everybody to the next two ranks, blocks of different lengths, by all three v and w forms. */
static void distributed(MPI_Comm world)
{
    int rank = rank_of(world), size = size_of(world),
        sources[2] = {(rank + size - 1) % size, (rank + 2 * size - 2) % size};
    int targets[2] = {(rank + 1) % size, (rank + 2) % size}, in[8], out[8], out_counts[2] = {1, 3},
        displs[2] = {4, 0};
    int in_counts[2] = {1, 3}, same_counts[2] = {2, 2};
    MPI_Aint bytes[2] = {4 * sizeof(int), 0};
    MPI_Datatype types[2] = {MPI_INT, MPI_INT};
    MPI_Comm comm;

    CALL(MPI_Dist_graph_create_adjacent(world, 2, sources, MPI_UNWEIGHTED, 2, targets, MPI_UNWEIGHTED,
                                        MPI_INFO_NULL, 0, &comm));
    for (int i = 0; i < 8; i++)
        out[i] = rank * 100 + i;
    for (int w = 0; w < 2; w++) {
        memset(in, -1, sizeof in);
        if (w)
            CALL(MPI_Neighbor_alltoallw(out, out_counts, bytes, types, in, in_counts, bytes, types, comm));
        else
            CALL(MPI_Neighbor_alltoallv(out, out_counts, displs, MPI_INT, in, in_counts, displs, MPI_INT,
                                        comm));
        CHECK(in[4] == sources[0] * 100 + 4 && in[5] == -1);
        CHECK(in[0] == sources[1] * 100 && in[2] == sources[1] * 100 + 2 && in[3] == -1);
    }
    memset(in, -1, sizeof in);
    CALL(MPI_Neighbor_allgatherv(out, 2, MPI_INT, in, same_counts, displs, MPI_INT, comm));
    CHECK(in[4] == sources[0] * 100 && in[5] == sources[0] * 100 + 1 && in[6] == -1);
    CHECK(in[0] == sources[1] * 100 && in[1] == sources[1] * 100 + 1 && in[2] == -1);
    CALL(MPI_Comm_free(&comm));
}

/* A star: rank 0 in the middle. */
static void graph(MPI_Comm world)
{
    int rank = rank_of(world), size = size_of(world), *index = malloc((size_t)size * sizeof(int));
    int *edges = malloc(2 * (size_t)size * sizeof(int)), *in = malloc((size_t)size * sizeof(int));
    MPI_Comm comm;

    for (int i = 0; i < size; i++) {
        index[i] = size - 1 + i;
        edges[i == 0 ? 2 * size - 1 : i - 1] = i;
        edges[size - 1 + i] = 0;
    }
    CALL(MPI_Graph_create(world, size, index, edges, 0, &comm));
    CALL(MPI_Neighbor_allgather(&rank, 1, MPI_INT, in, 1, MPI_INT, comm));
    for (int i = 1; rank == 0 && i < size; i++)
        expect_int("star", in[i - 1], i);
    if (rank > 0)
        expect_int("ray", in[0], 0);
    CALL(MPI_Comm_free(&comm));
    free(index);
    free(edges);
    free(in);
}

int main(int argc, char **argv)
{
    MPI_Comm comm;
    int periodic[2] = {1, 1}, open[2] = {0, 0}, size;

    conform_init(&argc, &argv);
    size = size_of(MPI_COMM_WORLD);
    for (int ndims = 1; ndims <= 2; ndims++)
        for (int i = 0; i < 4; i++) {
            int dims[2] = {0, 0};

            MPI_Dims_create(size, ndims, dims);
            CALL(MPI_Cart_create(MPI_COMM_WORLD, ndims, dims, i % 2 ? periodic : open, 0, &comm));
            grid(comm, ndims, i / 2);
            CALL(MPI_Comm_free(&comm));
        }
    if (size > 2)
        distributed(MPI_COMM_WORLD);
    graph(MPI_COMM_WORLD);
    return conform_end(0);
}
