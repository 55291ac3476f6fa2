/* SPDX-License-Identifier: BSD-3-Clause */
/* Topologies (MPI 7): what is attached to a communicator. Immutable and shared by reference. */
#ifndef EP_COMM_TOPOLOGY_H
#define EP_COMM_TOPOLOGY_H

#include <ep.h>

#include "base/base.h"
#include "comm/cart.h"
#include "comm/error.h"
#include "comm/graph.h"

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
