/* SPDX-License-Identifier: BSD-3-Clause */
/* Distributed graphs: adjacent and by edges given anywhere; weights, order, neighbourhood exchanges, dup. */
#include "conform.h"

static int rank, size;

static void exchange(MPI_Comm graph, const int sources[], int n, const int destinations[], int m)
{
    int in[8] = {0}, out[8], i;

    for (i = 0; i < m; i++)
        out[i] = 100 * rank + destinations[i];
    CALL(MPI_Neighbor_alltoall(out, 1, MPI_INT, in, 1, MPI_INT, graph));
    for (i = 0; i < n; i++)
        CHECK(in[i] == 100 * sources[i] + rank);
    CALL(MPI_Neighbor_allgather(&rank, 1, MPI_INT, in, 1, MPI_INT, graph));
    for (i = 0; i < n; i++)
        CHECK(in[i] == sources[i]);
}

static void adjacent(void)
{
    int sources[2] = {(rank + size - 1) % size, (rank + size - 2 + size) % size};
    int destinations[2] = {(rank + 1) % size, (rank + 2) % size}, in_weights[2] = {7, 8},
        out_weights[2] = {7, 8};
    int got_in[2], got_out[2], weights_in[2] = {0}, weights_out[2] = {0}, n, m, weighted, kind;
    MPI_Comm graph, copy;

    CALL(MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 2, sources, in_weights, 2, destinations, out_weights,
                                        MPI_INFO_NULL, 0, &graph));
    CALL(MPI_Comm_dup(graph, &copy));
    CALL(MPI_Comm_free(&graph));
    CALL(MPI_Topo_test(copy, &kind));
    CHECK(kind == MPI_DIST_GRAPH);
    CALL(MPI_Dist_graph_neighbors_count(copy, &n, &m, &weighted));
    CHECK(n == 2 && m == 2 && weighted);
    CALL(MPI_Dist_graph_neighbors(copy, 2, got_in, weights_in, 2, got_out, weights_out));
    for (n = 0; n < 2; n++) {
        CHECK(got_in[n] == sources[n] && got_out[n] == destinations[n]);
        CHECK(weights_in[n] == 7 + n && weights_out[n] == 7 + n);
    }
    if (size > 2)
        exchange(copy, sources, 2, destinations, 2);
    CALL(MPI_Comm_free(&copy));
}

/* Rank 0 gives all edges: a star. Without weights. */
static void star(void)
{
    int sources[1] = {0}, degrees[1], destinations[64], n, m, weighted, i, got[64], none[1];
    MPI_Comm graph;

    degrees[0] = size - 1;
    for (i = 1; i < size; i++)
        destinations[i - 1] = i;
    CALL(MPI_Dist_graph_create(MPI_COMM_WORLD, rank == 0 && size > 1, sources, degrees, destinations,
                               MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &graph));
    CALL(MPI_Dist_graph_neighbors_count(graph, &n, &m, &weighted));
    CHECK(!weighted);
    CHECK(n == (rank > 0) && m == (rank == 0 ? size - 1 : 0));
    CALL(MPI_Dist_graph_neighbors(graph, n, rank == 0 ? none : got, MPI_UNWEIGHTED, m, rank == 0 ? got : none,
                                  MPI_UNWEIGHTED));
    if (rank > 0)
        CHECK(got[0] == 0);
    CALL(MPI_Comm_free(&graph));
}

static void nothing(void)
{
    int n, m, weighted, none[1] = {0};
    MPI_Comm graph;

    CALL(
        MPI_Dist_graph_create(MPI_COMM_WORLD, 0, none, none, none, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &graph));
    CALL(MPI_Dist_graph_neighbors_count(graph, &n, &m, &weighted));
    CHECK(n == 0 && m == 0);
    CALL(MPI_Neighbor_allgather(&rank, 1, MPI_INT, none, 1, MPI_INT, graph));
    CALL(MPI_Comm_free(&graph));
    CALL(MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 0, none, MPI_WEIGHTS_EMPTY, 0, none,
                                        MPI_WEIGHTS_EMPTY, MPI_INFO_NULL, 1, &graph));
    CALL(MPI_Dist_graph_neighbors_count(graph, &n, &m, &weighted));
    CHECK(n == 0 && m == 0);
    CALL(MPI_Comm_free(&graph));
}

int main(int argc, char **argv)
{
    conform_init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    adjacent();
    if (size <= 64)
        star();
    nothing();
    return conform_end(0);
}
