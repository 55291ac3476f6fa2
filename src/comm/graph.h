/* SPDX-License-Identifier: BSD-3-Clause */
/* Graphs: the whole one in every endpoint (MPI 7.5.3), and each endpoint's own edges (7.5.4). Pure
 * computing. */
#ifndef EP_COMM_GRAPH_H
#define EP_COMM_GRAPH_H

#include <stdbool.h>
#include <stddef.h>

/* Node i's neighbours are edges[index[i-1]] .. edges[index[i]-1]; node 0's start at 0. */
struct graph {
    int nnodes, nedges;
    int *index, *edges;
};

struct neighbours {
    int degree;
    int *ranks, *weights; /* [degree] */
};

struct dist_graph {
    bool weighted; /* else the weights mean nothing */
    struct neighbours in, out;
};

struct edge {
    int source, destination;
    int weight; /* EDGE_UNWEIGHTED, or 0 or more */
};

enum { EDGE_UNWEIGHTED = -1 };

/* Neighbours of a node; *degree: how many. */
const int *graph_neighbours(const struct graph *g, int node, int *degree);

/* What is wrong with a graph that a user gives: the position of the first bad entry, -1 if there is none.
 * index must not fall, from 0 on; edges must be nodes. */
int graph_bad_index(int nnodes, const int index[]);
int graph_bad_edge(int nnodes, const int index[], const int edges[]);

/* The position of the first edge that has a weight where edge 0 has none, or the other way round; n if
 * there is none. */
size_t edges_mixed(const struct edge e[], size_t n);
/* How many of n edges end at a rank (in) and start there (out). False: more than an int can count. */
bool edges_count(const struct edge e[], size_t n, int rank, int *in, int *out);
/* Take them over, in the order given. Both ends of several edges between two ranks so see them in one
 * order. The degrees are set to what was counted, and there is room. */
void edges_pick(const struct edge e[], size_t n, int rank, struct dist_graph *g);

#endif
