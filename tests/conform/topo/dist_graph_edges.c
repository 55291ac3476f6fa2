/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Dist_graph_create where each rank gives edges of the next one: as sets, with weights. */
#include "conform.h"

static int rank, size;

/* The weight of the edge from one to another. */
static int weight(int from, int to)
{
    return 10 * from + to + 1;
}

static void sorted(int n, int ranks[], int weights[])
{
    int i, j, keep;

    for (i = 0; i < n; i++)
        for (j = i + 1; j < n; j++)
            if (ranks[j] < ranks[i]) {
                keep = ranks[i], ranks[i] = ranks[j], ranks[j] = keep;
                keep = weights[i], weights[i] = weights[j], weights[j] = keep;
            }
}

int main(int argc, char **argv)
{
    int next, degree, destinations[64], weights[64], n = 0, m = 0, weighted, i, in[64], out[64],
                                                     in_weights[64], out_weights[64];
    MPI_Comm graph;
    MPI_Info info;

    conform_init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (size > 64)
        return conform_end(0);
    /* From next to all ranks not below it. */
    next = (rank + 1) % size;
    degree = size - next;
    for (i = 0; i < degree; i++) {
        destinations[i] = size - 1 - i;
        weights[i] = weight(next, destinations[i]);
    }
    MPI_Info_create(&info);
    CALL(MPI_Dist_graph_create(MPI_COMM_WORLD, 1, &next, &degree, destinations, weights, info, 0, &graph));
    MPI_Info_free(&info);
    CALL(MPI_Dist_graph_neighbors_count(graph, &n, &m, &weighted));
    CHECK(n == rank + 1 && m == size - rank && weighted);
    CALL(MPI_Dist_graph_neighbors(graph, n, in, in_weights, m, out, out_weights));
    sorted(n, in, in_weights);
    sorted(m, out, out_weights);
    for (i = 0; i < n; i++)
        CHECK(in[i] == i && in_weights[i] == weight(i, rank));
    for (i = 0; i < m; i++)
        CHECK(out[i] == rank + i && out_weights[i] == weight(rank, rank + i));
    MPI_Comm_free(&graph);
    return conform_end(0);
}
