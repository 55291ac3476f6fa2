/* SPDX-License-Identifier: BSD-3-Clause */
/* Topologies are kept by dup and lost by split; neighbours of topologies whose parents are gone; no nodes. */
#include "conform.h"

static int kind_of(MPI_Comm comm)
{
    int kind = -5;

    CALL(MPI_Topo_test(comm, &kind));
    return kind;
}

static void lost(MPI_Comm comm, int kind)
{
    MPI_Comm copy, part;
    MPI_Group group;

    CHECK(kind_of(comm) == kind);
    CALL(MPI_Comm_dup(comm, &copy));
    CHECK(kind_of(copy) == kind);
    CALL(MPI_Comm_split(comm, 0, 0, &part));
    CHECK(kind_of(part) == MPI_UNDEFINED);
    CALL(MPI_Comm_free(&part));
    CALL(MPI_Comm_group(copy, &group));
    CALL(MPI_Comm_create(copy, group, &part));
    CHECK(kind_of(part) == MPI_UNDEFINED);
    CALL(MPI_Comm_free(&part));
    CALL(MPI_Group_free(&group));
    CALL(MPI_Comm_free(&copy));
}

int main(int argc, char **argv)
{
    int size, rank, dims[1], periods[1] = {0}, index[64], edges[64], i, next, degree = 1;
    MPI_Comm comm;

    conform_init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (size > 64)
        return conform_end(0);
    dims[0] = size;
    CALL(MPI_Cart_create(MPI_COMM_WORLD, 1, dims, periods, 1, &comm));
    lost(comm, MPI_CART);
    CALL(MPI_Comm_free(&comm));
    for (i = 0; i < size; i++) {
        index[i] = i + 1;
        edges[i] = (i + 1) % size;
    }
    CALL(MPI_Graph_create(MPI_COMM_WORLD, size, index, edges, 1, &comm));
    lost(comm, MPI_GRAPH);
    CALL(MPI_Comm_free(&comm));
    next = (rank + 1) % size;
    CALL(MPI_Dist_graph_create(MPI_COMM_WORLD, 1, &rank, &degree, &next, MPI_UNWEIGHTED, MPI_INFO_NULL, 1,
                               &comm));
    lost(comm, MPI_DIST_GRAPH);
    CALL(MPI_Comm_free(&comm));
    comm = MPI_COMM_WORLD;
    CALL(MPI_Graph_create(MPI_COMM_WORLD, 0, index, edges, 0, &comm));
    CHECK(comm == MPI_COMM_NULL);
    return conform_end(0);
}
