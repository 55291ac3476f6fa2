/* SPDX-License-Identifier: BSD-3-Clause */
/* What all topologies share, Cartesian ones and graphs that each endpoint gives as a whole (MPI 7.5.1 to 7.5.3, 7.5.5 to
 * 7.5.8). Graphs are never reordered: index and edges say nothing of how much is sent along which edge. */
#include <limits.h>

#include "api/topology.h"

static const char *topology_name_of(int kind)
{
    if (kind == MPI_CART)
        return "Cartesian";
    return kind == MPI_GRAPH ? "graph" : "distributed graph";
}

int check_topology(struct where *w, ep_comm comm, int kind, struct topology **t)
{
    int rc = check_comm(w, comm);
    if (rc)
        return rc;
    *t = topology_of(w->view);
    if (!*t)
        return raise_error(*w, MPI_ERR_TOPOLOGY, "argument comm has no topology");
    if ((*t)->kind != kind)
        return raise_error(*w, MPI_ERR_TOPOLOGY, "argument comm has a %s topology: it must be a %s one",
                           topology_name_of((*t)->kind), topology_name_of(kind));
    return MPI_SUCCESS;
}

int topology_create(struct where w, int color, int key, struct topology *t, ep_comm *newcomm)
{
    if (!t && color != MPI_UNDEFINED)
        return derive_refuse(w, raise_error(w, MPI_ERR_NO_MEM, "no memory for the topology"));
    int rc = derive_split(w, color, key, true, newcomm);
    if (rc != MPI_SUCCESS || !*newcomm || !topology_attach(*newcomm, t)) /* there is room for it */
        topology_drop(t);
    return rc;
}

static int topology_kind(ep_comm view)
{
    struct topology *t = topology_of(view);
    return t ? t->kind : MPI_UNDEFINED;
}

static int check_node(struct where w, int rank)
{
    if (rank >= 0 && rank < w.view->size)
        return MPI_SUCCESS;
    return raise_error(w, MPI_ERR_RANK, "argument rank is %d: it must be in 0..%d", rank, w.view->size - 1);
}

/* ---- Cartesian ---- */

static int balance_dims(struct where w, int nnodes, int ndims, int dims[])
{
    if (cart_balance(nnodes, ndims, dims))
        return MPI_SUCCESS;
    return raise_error(w, MPI_ERR_DIMS, "argument nnodes is %d: no product of the given dims", nnodes);
}

/* The grid that a user describes: its size, if comm_old has that many endpoints. */
static int check_grid(struct where w, int ndims, const int dims[], const int periods[], int *size)
{
    int rc = check_least(w, MPI_ERR_DIMS, 0, ndims, "ndims");
    if (rc || (rc = check_array(w, dims, ndims, "dims")) ||
        (rc = check_array(w, periods, ndims, "periods")) ||
        (rc = check_entries(w, MPI_ERR_DIMS, 1, dims, (size_t)ndims, "dims")))
        return rc;
    *size = cart_size(ndims, dims, w.view->size);
    if (*size < 0)
        return raise_error(w, MPI_ERR_ARG, "argument dims is a grid larger than comm, which has %d endpoints",
                           w.view->size);
    return MPI_SUCCESS;
}

/* The rank of the caller in the grid t, at least its size if it gets none; -1 without memory. */
static int place_in(const struct topology *t, ep_comm view, int reorder)
{
    if (!t)
        return -1;
    return reorder ? cart_place(&t->cart, &view->comm->map, view->rank) : view->rank;
}

static int create_grid(struct where w, struct topology *t, int size, int reorder, ep_comm *comm_cart)
{
    int place = place_in(t, w.view, reorder);
    if (place < 0) {
        topology_drop(t);
        t = NULL;
    }
    return topology_create(w, place < size ? 0 : MPI_UNDEFINED, place, t, comm_cart);
}

static int map_grid(struct where w, struct topology *t, int ndims, int size, int *newrank)
{
    int place = place_in(t, w.view, 1);
    topology_drop(t);
    if (place < 0)
        return raise_error(w, MPI_ERR_NO_MEM, "no memory for a grid of %d dimensions", ndims);
    *newrank = place < size ? place : MPI_UNDEFINED;
    return MPI_SUCCESS;
}

/* The dimensions that remain; the new grid is no larger than the old one. */
static struct topology *sub_grid(const struct cart *g, const int remain[])
{
    struct topology *t = topology_cart(g->ndims, g->dims, g->periods);
    if (!t)
        return NULL;
    struct cart *sub = &t->cart;
    sub->ndims = 0;
    for (int i = 0; i < g->ndims; i++)
        if (remain[i]) {
            sub->dims[sub->ndims] = g->dims[i];
            sub->periods[sub->ndims++] = g->periods[i];
        }
    sub->size = cart_size(sub->ndims, sub->dims, INT_MAX);
    return t;
}

static int create_sub_grid(struct where w, const struct cart *g, const int remain[], ep_comm *newcomm)
{
    int piece, rank;
    cart_cut(g, remain, w.view->rank, &piece, &rank);
    return topology_create(w, piece, rank, sub_grid(g, remain), newcomm);
}

static int check_maxdims(struct where w, const struct cart *g, int maxdims)
{
    if (maxdims >= g->ndims)
        return MPI_SUCCESS;
    return raise_error(w, MPI_ERR_ARG,
                       "argument maxdims is %d: it must be at least %d, the dimensions of the grid", maxdims,
                       g->ndims);
}

static int get_grid(const struct cart *g, int rank, int dims[], int periods[], int coords[])
{
    for (int i = 0; i < g->ndims; i++) {
        dims[i] = g->dims[i];
        periods[i] = g->periods[i];
    }
    cart_coords(g, rank, coords);
    return MPI_SUCCESS;
}

static int rank_in_grid(struct where w, const struct cart *g, const int coords[], int *rank)
{
    int at = cart_rank(g, coords);
    for (int i = 0; at < 0; i++)
        if (!g->periods[i] && (coords[i] < 0 || coords[i] >= g->dims[i]))
            return raise_error(w, MPI_ERR_ARG,
                               "coords[%d] is %d: it must be in 0..%d, this dimension is not periodic", i,
                               coords[i], g->dims[i] - 1);
    *rank = at;
    return MPI_SUCCESS;
}

static int check_direction(struct where w, const struct cart *g, int direction)
{
    if (direction >= 0 && direction < g->ndims)
        return MPI_SUCCESS;
    return raise_error(w, MPI_ERR_ARG, "argument direction is %d: the grid has %d dimensions", direction,
                       g->ndims);
}

/* ---- graphs ---- */

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

static int create_graph(struct where w, int nnodes, const int index[], const int edges[], ep_comm *comm_graph)
{
    bool member = w.view->rank < nnodes;
    return topology_create(w, member ? 0 : MPI_UNDEFINED, w.view->rank,
                           member ? topology_graph(nnodes, index, edges) : NULL, comm_graph);
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

static int give_neighbours(struct where w, const struct graph *g, int rank, int to[], int max)
{
    int degree;
    const int *from = graph_neighbours(g, rank, &degree);
    return graph_give(w, from, degree, to, max, "neighbors", "maxneighbors");
}

#include "api/topology.inc"
