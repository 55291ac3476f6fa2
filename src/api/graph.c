/* SPDX-License-Identifier: BSD-3-Clause */
/* Graph topologies, of which each endpoint gives the whole (MPI 7.5.3, 7.5.5, 7.5.8). Ranks are never
 * reordered: index and edges say nothing of how much is sent along which edge. */
#include "api/topology.h"

/* The graph that a user describes. */
static int check_graph(struct where w, int nnodes, const int index[], const int edges[])
{
    if (nnodes < 0 || nnodes > w.view->size)
        return raise_error(w, MPI_ERR_ARG, "argument nnodes is %d: it must be in 0..%d, the size of comm",
                           nnodes, w.view->size);
    int bad, rc = check_array(w, index, nnodes, "index");
    if (rc)
        return rc;
    if ((bad = graph_bad_index(nnodes, index)) >= 0)
        return raise_error(w, MPI_ERR_ARG, "index[%d] is %d: it must be at least %d", bad, index[bad],
                           bad ? index[bad - 1] : 0);
    if (nnodes && (rc = check_array(w, edges, index[nnodes - 1], "edges")))
        return rc;
    if ((bad = graph_bad_edge(nnodes, index, edges)) >= 0)
        return raise_error(w, MPI_ERR_ARG, "edges[%d] is %d: it must be a node, 0..%d", bad, edges[bad],
                           nnodes - 1);
    return MPI_SUCCESS;
}

int ep_graph_create(ep_comm comm_old, int nnodes, const int index[], const int edges[], int reorder,
                    ep_comm *comm_graph)
{
    struct where w = {NULL, "ep_graph_create"};
    int rc = check_comm_old(&w, comm_old);
    if (rc)
        return rc;
    if ((rc = check_new(w, comm_graph, "comm_graph")) || (rc = check_graph(w, nnodes, index, edges)))
        return derive_refuse(w, rc);
    (void)reorder;
    bool member = w.view->rank < nnodes;
    return topology_create(w, member ? 0 : MPI_UNDEFINED, w.view->rank,
                           member ? topology_graph(nnodes, index, edges) : NULL, comm_graph);
}

int ep_graph_map(ep_comm comm, int nnodes, const int index[], const int edges[], int *newrank)
{
    struct where w = {NULL, "ep_graph_map"};
    int rc = check_comm_old(&w, comm);
    if (rc || (rc = check_pointer(w, newrank, "newrank")) || (rc = check_graph(w, nnodes, index, edges)))
        return rc;
    *newrank = w.view->rank < nnodes ? w.view->rank : MPI_UNDEFINED;
    return MPI_SUCCESS;
}

int ep_graphdims_get(ep_comm comm, int *nnodes, int *nedges)
{
    struct where w = {NULL, "ep_graphdims_get"};
    struct topology *t;
    int rc = check_topology(&w, comm, MPI_GRAPH, &t);
    if (rc || (rc = check_pointer(w, nnodes, "nnodes")) || (rc = check_pointer(w, nedges, "nedges")))
        return rc;
    *nnodes = t->graph.nnodes;
    *nedges = t->graph.nedges;
    return MPI_SUCCESS;
}

/* Copy n numbers into an array of the user's that has room for max. */
static int graph_give(struct where w, const int from[], int n, int to[], int max, const char *array,
                      const char *limit)
{
    if (max < n)
        return raise_error(w, MPI_ERR_ARG, "argument %s is %d: it must be at least %d", limit, max, n);
    int rc = check_array(w, to, n, array);
    for (int i = 0; i < n && rc == MPI_SUCCESS; i++)
        to[i] = from[i];
    return rc;
}

int ep_graph_get(ep_comm comm, int maxindex, int maxedges, int index[], int edges[])
{
    struct where w = {NULL, "ep_graph_get"};
    struct topology *t;
    int rc = check_topology(&w, comm, MPI_GRAPH, &t);
    if (rc)
        return rc;
    const struct graph *g = &t->graph;
    rc = graph_give(w, g->index, g->nnodes, index, maxindex, "index", "maxindex");
    return rc ? rc : graph_give(w, g->edges, g->nedges, edges, maxedges, "edges", "maxedges");
}

int ep_graph_neighbors_count(ep_comm comm, int rank, int *nneighbors)
{
    struct where w = {NULL, "ep_graph_neighbors_count"};
    struct topology *t;
    int rc = check_topology(&w, comm, MPI_GRAPH, &t);
    if (rc || (rc = check_node(w, rank)) || (rc = check_pointer(w, nneighbors, "nneighbors")))
        return rc;
    graph_neighbours(&t->graph, rank, nneighbors);
    return MPI_SUCCESS;
}

int ep_graph_neighbors(ep_comm comm, int rank, int maxneighbors, int neighbors[])
{
    struct where w = {NULL, "ep_graph_neighbors"};
    struct topology *t;
    int degree, rc = check_topology(&w, comm, MPI_GRAPH, &t);
    if (rc || (rc = check_node(w, rank)))
        return rc;
    const int *from = graph_neighbours(&t->graph, rank, &degree);
    return graph_give(w, from, degree, neighbors, maxneighbors, "neighbors", "maxneighbors");
}
