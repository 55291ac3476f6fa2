/* SPDX-License-Identifier: BSD-3-Clause */
#include "comm/topology.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "comm/comm.h"

static struct table graphs; /* all that live, by hash; under graphs_lock, and the references of graphs, too */
static struct lock graphs_lock = LOCK_FREE(GRAPHS);

static struct topology *topology_new(int kind, size_t ints)
{
    struct topology *t = malloc(sizeof *t + ints * sizeof *t->data);
    if (t) {
        memset(t, 0, sizeof *t);
        t->refs = 1;
        t->kind = kind;
    }
    return t;
}

/* Copy n ints; returns where the next ones go. from may be null if n is 0. */
static int *topology_put(int *to, const int from[], size_t n)
{
    if (n)
        memcpy(to, from, n * sizeof *to);
    return to + n;
}

struct topology *topology_cart(int ndims, const int dims[], const int periods[])
{
    size_t n = (size_t)ndims;
    struct topology *t = topology_new(MPI_CART, 2 * n);
    if (!t)
        return NULL;
    struct cart *g = &t->cart;
    g->ndims = ndims;
    g->size = cart_size(ndims, dims, INT_MAX);
    g->dims = t->data;
    g->periods = topology_put(g->dims, dims, n);
    for (size_t i = 0; i < n; i++)
        g->periods[i] = periods[i] != 0;
    return t;
}

static bool graph_equal(const struct graph *g, int nnodes, const int index[], const int edges[])
{
    int nedges = index[nnodes - 1];
    return g->nnodes == nnodes && memcmp(g->index, index, (size_t)nnodes * sizeof *index) == 0 &&
           (nedges == 0 || memcmp(g->edges, edges, (size_t)nedges * sizeof *edges) == 0);
}

static uint64_t hash_ints(uint64_t hash, const int list[], int n)
{
    for (int i = 0; i < n; i++)
        hash = (hash ^ (unsigned)list[i]) * 0x100000001b3u;
    return hash;
}

static uint64_t graph_hash(int nnodes, const int index[], const int edges[])
{
    return hash_ints(hash_ints(0xcbf29ce484222325u, index, nnodes), edges, index[nnodes - 1]);
}

static struct topology *graph_find(uint64_t hash, int nnodes, const int index[], const int edges[])
{
    for (struct table_link *l = table_find(&graphs, hash); l; l = table_next(l->next, hash)) {
        struct topology *t = container_of(l, struct topology, kept);
        if (graph_equal(&t->graph, nnodes, index, edges))
            return t;
    }
    return NULL;
}

static struct topology *graph_new(int nnodes, const int index[], const int edges[])
{
    int nedges = index[nnodes - 1];
    struct topology *t = topology_new(MPI_GRAPH, (size_t)nnodes + (size_t)nedges);
    if (!t)
        return NULL;
    struct graph *g = &t->graph;
    g->nnodes = nnodes;
    g->nedges = nedges;
    g->index = t->data;
    g->edges = topology_put(g->index, index, (size_t)nnodes);
    topology_put(g->edges, edges, (size_t)nedges);
    return t;
}

struct topology *topology_graph(int nnodes, const int index[], const int edges[])
{
    uint64_t hash = graph_hash(nnodes, index, edges);
    lock_acquire(&graphs_lock);
    struct topology *t = graph_find(hash, nnodes, index, edges);
    if (t)
        add_relaxed(&t->refs, 1);
    else if ((t = graph_new(nnodes, index, edges)))
        table_add(&graphs, &t->kept, hash);
    lock_release(&graphs_lock);
    return t;
}

struct topology *topology_dist_graph(int indegree, int outdegree, bool weighted)
{
    size_t in = (size_t)indegree, out = (size_t)outdegree;
    struct topology *t = topology_new(MPI_DIST_GRAPH, 2 * (in + out));
    if (!t)
        return NULL;
    struct dist_graph *g = &t->dist;
    g->weighted = weighted;
    g->in = (struct neighbours){indegree, t->data, t->data + in};
    g->out = (struct neighbours){outdegree, t->data + 2 * in, t->data + 2 * in + out};
    return t;
}

struct topology *topology_hold(struct topology *t)
{
    if (t)
        add_relaxed(&t->refs, 1);
    return t;
}

/* With the lock no other endpoint finds the graph between its last drop and its removal. */
static void graph_drop(struct topology *t)
{
    lock_acquire(&graphs_lock);
    bool last = sub_acq_rel(&t->refs, 1) == 1;
    if (last)
        table_remove(&graphs, &t->kept);
    lock_release(&graphs_lock);
    if (last)
        free(t);
}

void topology_drop(struct topology *t)
{
    if (!t)
        return;
    if (t->kind == MPI_GRAPH)
        graph_drop(t);
    else if (sub_acq_rel(&t->refs, 1) == 1)
        free(t);
}

struct topology *topology_of(ep_comm view)
{
    /* Other calls may be making the extras of a communicator that has no topology. */
    lock_acquire(&view->lock);
    struct extras *x = view->extras;
    lock_release(&view->lock);
    return x ? x->topology : NULL;
}

bool topology_attach(ep_comm view, struct topology *t)
{
    struct extras *x = view_extras(view);
    if (x)
        x->topology = t;
    return x != NULL;
}

/* ---- graphs ---- */

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
