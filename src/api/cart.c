/* SPDX-License-Identifier: BSD-3-Clause */
/* Cartesian topologies (MPI 7.5.1, 7.5.2, 7.5.5 to 7.5.8). */
#include <limits.h>

#include "api/topology.h"

int ep_dims_create(int nnodes, int ndims, int dims[])
{
    struct where w = {NULL, "ep_dims_create"};
    if (nnodes < 1)
        return raise_error(w, MPI_ERR_DIMS, "argument nnodes is %d: it must be 1 or more", nnodes);
    if (ndims < 0)
        return raise_error(w, MPI_ERR_DIMS, "argument ndims is %d: it must be 0 or more", ndims);
    int rc = check_array(w, dims, ndims, "dims");
    if (rc)
        return rc;
    for (int i = 0; i < ndims; i++)
        if (dims[i] < 0)
            return raise_error(w, MPI_ERR_DIMS, "dims[%d] is %d: it must be 0 or more", i, dims[i]);
    if (!cart_balance(nnodes, ndims, dims))
        return raise_error(w, MPI_ERR_DIMS, "argument nnodes is %d: no product of the given dims", nnodes);
    return MPI_SUCCESS;
}

/* The grid that a user describes: its size, if comm_old has that many endpoints. */
static int check_grid(struct where w, int ndims, const int dims[], const int periods[], int *size)
{
    if (ndims < 0)
        return raise_error(w, MPI_ERR_DIMS, "argument ndims is %d: it must be 0 or more", ndims);
    int rc = check_array(w, dims, ndims, "dims");
    if (rc || (rc = check_array(w, periods, ndims, "periods")))
        return rc;
    for (int i = 0; i < ndims; i++)
        if (dims[i] < 1)
            return raise_error(w, MPI_ERR_DIMS, "dims[%d] is %d: it must be 1 or more", i, dims[i]);
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

int ep_cart_create(ep_comm comm_old, int ndims, const int dims[], const int periods[], int reorder,
                   ep_comm *comm_cart)
{
    struct where w = {NULL, "ep_cart_create"};
    int size, rc = check_comm_old(&w, comm_old);
    if (rc)
        return rc;
    if ((rc = check_new(w, comm_cart, "comm_cart")) || (rc = check_grid(w, ndims, dims, periods, &size)))
        return derive_refuse(w, rc);
    struct topology *t = topology_cart(ndims, dims, periods);
    int place = place_in(t, w.view, reorder);
    if (place < 0) {
        topology_drop(t);
        t = NULL;
    }
    return topology_create(w, place < size ? 0 : MPI_UNDEFINED, place, t, comm_cart);
}

int ep_cart_map(ep_comm comm, int ndims, const int dims[], const int periods[], int *newrank)
{
    struct where w = {NULL, "ep_cart_map"};
    int size, rc = check_comm_old(&w, comm);
    if (rc || (rc = check_pointer(w, newrank, "newrank")) ||
        (rc = check_grid(w, ndims, dims, periods, &size)))
        return rc;
    struct topology *t = topology_cart(ndims, dims, periods);
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

int ep_cart_sub(ep_comm comm, const int remain_dims[], ep_comm *newcomm)
{
    struct where w = {NULL, "ep_cart_sub"};
    struct topology *t;
    int piece, rank, rc = check_topology(&w, comm, MPI_CART, &t);
    if (rc)
        return rc;
    if ((rc = check_new(w, newcomm, "newcomm")) ||
        (rc = check_array(w, remain_dims, t->cart.ndims, "remain_dims")))
        return derive_refuse(w, rc);
    cart_cut(&t->cart, remain_dims, w.view->rank, &piece, &rank);
    return topology_create(w, piece, rank, sub_grid(&t->cart, remain_dims), newcomm);
}

int ep_cartdim_get(ep_comm comm, int *ndims)
{
    struct where w = {NULL, "ep_cartdim_get"};
    struct topology *t;
    int rc = check_topology(&w, comm, MPI_CART, &t);
    if (rc || (rc = check_pointer(w, ndims, "ndims")))
        return rc;
    *ndims = t->cart.ndims;
    return MPI_SUCCESS;
}

static int check_maxdims(struct where w, const struct cart *g, int maxdims)
{
    if (maxdims >= g->ndims)
        return MPI_SUCCESS;
    return raise_error(w, MPI_ERR_ARG,
                       "argument maxdims is %d: it must be at least %d, the dimensions of the grid", maxdims,
                       g->ndims);
}

int ep_cart_get(ep_comm comm, int maxdims, int dims[], int periods[], int coords[])
{
    struct where w = {NULL, "ep_cart_get"};
    struct topology *t;
    int rc = check_topology(&w, comm, MPI_CART, &t);
    if (rc || (rc = check_maxdims(w, &t->cart, maxdims)))
        return rc;
    const struct cart *g = &t->cart;
    if ((rc = check_array(w, dims, g->ndims, "dims")) ||
        (rc = check_array(w, periods, g->ndims, "periods")) ||
        (rc = check_array(w, coords, g->ndims, "coords")))
        return rc;
    for (int i = 0; i < g->ndims; i++) {
        dims[i] = g->dims[i];
        periods[i] = g->periods[i];
    }
    cart_coords(g, w.view->rank, coords);
    return MPI_SUCCESS;
}

int ep_cart_rank(ep_comm comm, const int coords[], int *rank)
{
    struct where w = {NULL, "ep_cart_rank"};
    struct topology *t;
    int rc = check_topology(&w, comm, MPI_CART, &t);
    if (rc || (rc = check_array(w, coords, t->cart.ndims, "coords")) || (rc = check_pointer(w, rank, "rank")))
        return rc;
    const struct cart *g = &t->cart;
    int at = cart_rank(g, coords);
    for (int i = 0; at < 0; i++)
        if (!g->periods[i] && (coords[i] < 0 || coords[i] >= g->dims[i]))
            return raise_error(w, MPI_ERR_ARG,
                               "coords[%d] is %d: it must be in 0..%d, this dimension is not periodic", i,
                               coords[i], g->dims[i] - 1);
    *rank = at;
    return MPI_SUCCESS;
}

int ep_cart_coords(ep_comm comm, int rank, int maxdims, int coords[])
{
    struct where w = {NULL, "ep_cart_coords"};
    struct topology *t;
    int rc = check_topology(&w, comm, MPI_CART, &t);
    if (rc || (rc = check_node(w, rank)) || (rc = check_maxdims(w, &t->cart, maxdims)) ||
        (rc = check_array(w, coords, t->cart.ndims, "coords")))
        return rc;
    cart_coords(&t->cart, rank, coords);
    return MPI_SUCCESS;
}

int ep_cart_shift(ep_comm comm, int direction, int disp, int *rank_source, int *rank_dest)
{
    struct where w = {NULL, "ep_cart_shift"};
    struct topology *t;
    int rc = check_topology(&w, comm, MPI_CART, &t);
    if (rc || (rc = check_pointer(w, rank_source, "rank_source")) ||
        (rc = check_pointer(w, rank_dest, "rank_dest")))
        return rc;
    const struct cart *g = &t->cart;
    if (direction < 0 || direction >= g->ndims)
        return raise_error(w, MPI_ERR_ARG, "argument direction is %d: the grid has %d dimensions", direction,
                           g->ndims);
    *rank_source = cart_neighbour(g, w.view->rank, direction, -(int64_t)disp);
    *rank_dest = cart_neighbour(g, w.view->rank, direction, disp);
    return MPI_SUCCESS;
}
