/* SPDX-License-Identifier: BSD-3-Clause */
#include "comm/graph.h"

#include <limits.h>

const int *graph_neighbours(const struct graph *g, int node, int *degree)
{
    int first = node ? g->index[node - 1] : 0;
    *degree = g->index[node] - first;
    return g->edges + first;
}

int graph_bad_index(int nnodes, const int index[])
{
    for (int i = 0, before = 0; i < nnodes; before = index[i++])
        if (index[i] < before)
            return i;
    return -1;
}

int graph_bad_edge(int nnodes, const int index[], const int edges[])
{
    int nedges = nnodes ? index[nnodes - 1] : 0;
    for (int i = 0; i < nedges; i++)
        if (edges[i] < 0 || edges[i] >= nnodes)
            return i;
    return -1;
}

size_t edges_mixed(const struct edge e[], size_t n)
{
    for (size_t i = 1; i < n; i++)
        if ((e[i].weight == EDGE_UNWEIGHTED) != (e[0].weight == EDGE_UNWEIGHTED))
            return i;
    return n;
}

bool edges_count(const struct edge e[], size_t n, int rank, int *in, int *out)
{
    size_t sources = 0, destinations = 0;
    for (size_t i = 0; i < n; i++) {
        sources += e[i].destination == rank;
        destinations += e[i].source == rank;
    }
    *in = (int)sources;
    *out = (int)destinations;
    return sources <= INT_MAX && destinations <= INT_MAX;
}

static void graph_add(struct neighbours *to, int *count, int rank, int weight)
{
    to->ranks[*count] = rank;
    to->weights[(*count)++] = weight;
}

void edges_pick(const struct edge e[], size_t n, int rank, struct dist_graph *g)
{
    int in = 0, out = 0;
    for (size_t i = 0; i < n; i++) {
        if (e[i].destination == rank)
            graph_add(&g->in, &in, e[i].source, e[i].weight);
        if (e[i].source == rank)
            graph_add(&g->out, &out, e[i].destination, e[i].weight);
    }
}
