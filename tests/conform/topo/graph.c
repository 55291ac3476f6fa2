/* SPDX-License-Identifier: BSD-3-Clause */
/* Graph communicators: what they tell, neighbours given twice and oneself, fewer nodes than ranks, dup, map. */
#include "conform.h"

static int rank, size;

/* A ring in which node 0 has an edge to itself, too, and one to node 1 twice. */
static void ring(void)
{
    int index[64], edges[200], n = 0, i, nodes, count, got_index[64], got_edges[200], kind, neighbors[8];
    MPI_Comm graph, copy;

    for (i = 0; i < size; i++) {
        edges[n++] = (i + size - 1) % size;
        edges[n++] = (i + 1) % size;
        if (i == 0) {
            edges[n++] = 0;
            edges[n++] = 1 % size;
        }
        index[i] = n;
    }
    CALL(MPI_Graph_create(MPI_COMM_WORLD, size, index, edges, 0, &graph));
    CALL(MPI_Comm_dup(graph, &copy));
    CALL(MPI_Comm_free(&graph));
    CALL(MPI_Topo_test(copy, &kind));
    CHECK(kind == MPI_GRAPH);
    CALL(MPI_Graphdims_get(copy, &nodes, &count));
    CHECK(nodes == size && count == n);
    CALL(MPI_Graph_get(copy, size, n, got_index, got_edges));
    for (i = 0; i < size; i++)
        CHECK(got_index[i] == index[i]);
    for (i = 0; i < n; i++)
        CHECK(got_edges[i] == edges[i]);
    CALL(MPI_Graph_neighbors_count(copy, 0, &count));
    CHECK(count == 4);
    CALL(MPI_Graph_neighbors(copy, 0, 4, neighbors));
    CHECK(neighbors[0] == size - 1 && neighbors[1] == 1 % size && neighbors[2] == 0 &&
          neighbors[3] == 1 % size);
    CALL(MPI_Graph_neighbors_count(copy, size - 1, &count));
    CHECK(size == 1 || count == 2);
    CALL(MPI_Graph_map(copy, size, index, edges, &i));
    CHECK(i >= 0 && i < size);
    CALL(MPI_Comm_free(&copy));
}

static void small(void)
{
    int index[2] = {1, 2}, edges[2] = {1, 0}, mine, n;
    MPI_Comm graph;

    CALL(MPI_Graph_create(MPI_COMM_WORLD, 2, index, edges, 1, &graph));
    if (graph == MPI_COMM_NULL)
        return;
    CALL(MPI_Comm_size(graph, &n));
    CHECK(n == 2);
    CALL(MPI_Comm_rank(graph, &mine));
    CALL(MPI_Graph_neighbors(graph, mine, 1, &n));
    CHECK(n == 1 - mine);
    CALL(MPI_Comm_free(&graph));
}

static void without_edges(void)
{
    int index[64] = {0}, edges[1] = {0}, n;
    MPI_Comm graph;

    CALL(MPI_Graph_create(MPI_COMM_WORLD, size, index, edges, 0, &graph));
    CALL(MPI_Graph_neighbors_count(graph, rank, &n));
    CHECK(n == 0);
    CALL(MPI_Comm_free(&graph));
}

int main(int argc, char **argv)
{
    conform_init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (size <= 64) {
        ring();
        without_edges();
    }
    if (size > 1)
        small();
    return conform_end(0);
}
