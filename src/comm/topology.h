/* SPDX-License-Identifier: BSD-3-Clause */
/* Topologies (MPI 7): what is attached to a communicator. Immutable and shared by reference. */
#ifndef EP_COMM_TOPOLOGY_H
#define EP_COMM_TOPOLOGY_H

#include <ep.h>

#include "base/base.h"
#include "comm/error.h"
#include "comm/rankmap.h"

/* ---- cart.c ---- */

/*
 * Grids: coordinates, neighbours, and how a grid is laid on processes. Pure computing: no messages, no
 * errors raised. Ranks are row-major, as MPI says (7.5): the last coordinate varies fastest.
 */

struct cart {
    int ndims, size; /* size: product of dims, 1 if there are none */
    int *dims, *periods;
};

/* Product of dims, each 1 or more; -1 if it is more than limit. */
int cart_size(int ndims, const int dims[], int limit);
/* -1: outside of the grid in a direction that is not periodic. */
int cart_rank(const struct cart *g, const int coords[]);
void cart_coords(const struct cart *g, int rank, int coords[]);
/* The rank that is disp steps away, MPI_PROC_NULL beyond an end. */
int cart_neighbour(const struct cart *g, int rank, int direction, int64_t disp);
/* Cut along the dimensions that do not remain: which piece a rank is in, and its rank there. */
void cart_cut(const struct cart *g, const int remain[], int rank, int *piece, int *rank_in_piece);

/*
 * The rank in g of the endpoint at `rank` of m, so that neighbours share processes as far as this can be
 * had: a rank beyond the grid if it is to have none, -1 without memory. Depends on g and m alone, so that
 * all agree without a message.
 */
int cart_place(const struct cart *g, const struct rankmap *m, int rank);

/* Replace the zeros in dims so that their product is nnodes: in falling order, with the smallest possible
 * largest one, then the smallest possible second one ... False: nnodes is no multiple of what is given. */
bool cart_balance(int nnodes, int ndims, int dims[]);

/* ---- graphs ---- */

/* Graphs: the whole one in every endpoint (MPI 7.5.3), and each endpoint's own edges (7.5.4). Pure
 * computing. */

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

/* ---- all of them ---- */

struct topology {
    _Atomic int refs;       /* acq_rel topology_drop, graph_drop */
    int kind;               /* MPI_CART, MPI_GRAPH or MPI_DIST_GRAPH */
    struct table_link kept; /* graphs, by what is in them: topology.c */
    union {
        struct cart cart;
        struct graph graph;
        struct dist_graph dist;
    };
    int data[]; /* the arrays of the above */
};

/* New, with one reference; NULL without memory. All arrays are copied. */
struct topology *topology_cart(int ndims, const int dims[], const int periods[]);
/* Equal graphs are kept once in a process, since each endpoint gives the whole. */
struct topology *topology_graph(int nnodes, const int index[], const int edges[]);
/* With room for the edges, which the caller fills in. */
struct topology *topology_dist_graph(int indegree, int outdegree, bool weighted);

struct topology *topology_hold(struct topology *t);
/* NULL is fine. */
void topology_drop(struct topology *t);

/* That of a live view, NULL if it has none; it lives as long as the view. */
struct topology *topology_of(ep_comm view);
/* Give t to a new communicator that no other thread knows yet. False without memory; then t stays the
 * caller's. */
bool topology_attach(ep_comm view, struct topology *t);

#endif
