/* SPDX-License-Identifier: BSD-3-Clause */
/* Graphs of which each endpoint knows, or brings, a part (MPI 7.5.4, 7.5.5). Ranks are never reordered, and
 * info says nothing that ep would use. */
#include <stdlib.h>
#include <string.h>

#include "api/topology.h"

/* Weights are told apart by pointer, as MPI does: none at all, or none because there are no edges. */
static bool is_weighted(const int weights[])
{
    return weights != MPI_UNWEIGHTED;
}

static int check_weights(struct where w, const char *name, size_t n, const int weights[])
{
    if (!is_weighted(weights) || n == 0)
        return MPI_SUCCESS;
    if (weights == MPI_WEIGHTS_EMPTY || !weights)
        return raise_error(w, MPI_ERR_ARG, "argument %s is %s, but there are %zu edges", name,
                           weights ? "MPI_WEIGHTS_EMPTY" : "a null pointer", n);
    return check_entries(w, MPI_ERR_ARG, 0, weights, n, name);
}

static int check_ranks(struct where w, const char *name, size_t n, const int ranks[])
{
    int rc = n ? check_pointer(w, ranks, name) : MPI_SUCCESS;
    if (rc)
        return rc;
    for (size_t i = 0; i < n; i++)
        if (ranks[i] < 0 || ranks[i] >= w.view->size)
            return raise_error(w, MPI_ERR_RANK, "%s[%zu] is %d: it must be in 0..%d", name, i, ranks[i],
                               w.view->size - 1);
    return MPI_SUCCESS;
}

/* ---- Each endpoint knows its own edges ---- */

/* The edges that come, or those that go. */
static int check_ends(struct where w, int degree, const char *degree_name, const int ranks[],
                      const char *ranks_name, const int weights[], const char *weights_name)
{
    int rc = check_least(w, MPI_ERR_ARG, 0, degree, degree_name);
    if (rc || (rc = check_ranks(w, ranks_name, (size_t)degree, ranks)))
        return rc;
    return check_weights(w, weights_name, (size_t)degree, weights);
}

static void dist_graph_fill(struct neighbours *to, const int ranks[], const int weights[], bool weighted)
{
    for (int i = 0; i < to->degree; i++) {
        to->ranks[i] = ranks[i];
        to->weights[i] = weighted ? weights[i] : EDGE_UNWEIGHTED;
    }
}

static int check_weighted(struct where w, const int sourceweights[], const int destweights[])
{
    if (is_weighted(sourceweights) == is_weighted(destweights))
        return MPI_SUCCESS;
    return raise_error(w, MPI_ERR_ARG, "only one of sourceweights and destweights is MPI_UNWEIGHTED");
}

static int create_adjacent(struct where w, int indegree, const int sources[], const int sourceweights[],
                           int outdegree, const int destinations[], const int destweights[],
                           ep_comm *comm_dist_graph)
{
    bool weighted = is_weighted(sourceweights);
    struct topology *t = topology_dist_graph(indegree, outdegree, weighted);
    if (t) {
        dist_graph_fill(&t->dist.in, sources, sourceweights, weighted);
        dist_graph_fill(&t->dist.out, destinations, destweights, weighted);
    }
    return topology_create(w, 0, w.view->rank, t, comm_dist_graph);
}

/* ---- Each endpoint brings some edges of the graph ---- */

static int check_edges(struct where w, int n, const int sources[], const int degrees[],
                       const int destinations[], const int weights[], size_t *nedges)
{
    int rc = check_least(w, MPI_ERR_ARG, 0, n, "n");
    if (rc || (rc = check_array(w, degrees, n, "degrees")) ||
        (rc = check_ranks(w, "sources", (size_t)n, sources)) ||
        (rc = check_entries(w, MPI_ERR_ARG, 0, degrees, (size_t)n, "degrees")))
        return rc;
    *nedges = 0;
    for (int i = 0; i < n; i++)
        *nedges += (size_t)degrees[i];
    if ((rc = check_ranks(w, "destinations", *nedges, destinations)))
        return rc;
    return check_weights(w, "weights", *nedges, weights);
}

/* NULL without memory. */
static struct edge *list_edges(int n, const int sources[], const int degrees[], const int destinations[],
                               const int weights[], size_t nedges)
{
    struct edge *list = malloc((nedges + 1) * sizeof *list); /* never of size 0 */
    size_t k = 0;
    for (int i = 0; i < n && list; i++)
        for (int j = 0; j < degrees[i]; j++, k++)
            list[k] = (struct edge){sources[i], destinations[k],
                                    is_weighted(weights) ? weights[k] : EDGE_UNWEIGHTED};
    return list;
}

/*
 * Every endpoint tells all others its edges. Who cannot, because of rc, tells that by an edge from nowhere,
 * with its rank and the error instead of destination and weight. The caller frees *all.
 */
static int gather_edges(struct where w, int rc, const struct edge *own, size_t nedges, struct edge **all,
                        size_t *n)
{
    struct edge failed = {MPI_PROC_NULL, w.view->rank, rc};
    size_t *offset;
    void *data;
    int failure = derive_allgather(w, rc ? &failed : own, (rc ? 1 : nedges) * sizeof failed, &data, &offset);
    if (failure)
        return failure;
    *all = data;
    *n = offset[w.view->size] / sizeof failed;
    free(offset);
    for (size_t i = 0; i < *n && rc == MPI_SUCCESS; i++)
        if ((*all)[i].source == MPI_PROC_NULL)
            return raise_error(w, (*all)[i].weight, "endpoint %d of those that take part had this error",
                               (*all)[i].destination);
    return rc;
}

/* The edges that concern the caller; NULL without memory. */
static struct topology *own_part(const struct edge *all, size_t n, int rank, bool weighted)
{
    int in, out;
    if (!edges_count(all, n, rank, &in, &out))
        return NULL;
    struct topology *t = topology_dist_graph(in, out, weighted);
    if (t)
        edges_pick(all, n, rank, &t->dist);
    return t;
}

/* Who has an error in its arguments takes part, too. */
static int create_dist_graph(struct where w, int n, const int sources[], const int degrees[],
                             const int destinations[], const int weights[], MPI_Info info,
                             ep_comm *comm_dist_graph)
{
    struct edge *own = NULL, *all = NULL;
    struct topology *t = NULL;
    size_t nedges = 0, nall = 0;
    int rc = check_new(w, comm_dist_graph, "comm_dist_graph");
    if (rc == MPI_SUCCESS && (rc = check_info(w, info)) == MPI_SUCCESS &&
        (rc = check_edges(w, n, sources, degrees, destinations, weights, &nedges)) == MPI_SUCCESS &&
        !(own = list_edges(n, sources, degrees, destinations, weights, nedges)))
        rc = raise_error(w, MPI_ERR_NO_MEM, "no memory for %zu edges", nedges);
    rc = gather_edges(w, rc, own, nedges, &all, &nall);
    free(own);
    if (rc == MPI_SUCCESS && edges_mixed(all, nall) < nall)
        rc = raise_error(w, MPI_ERR_ARG, "argument weights is MPI_UNWEIGHTED in some endpoints only");
    if (rc == MPI_SUCCESS)
        t = own_part(all, nall, w.view->rank, nall ? all[0].weight != EDGE_UNWEIGHTED : is_weighted(weights));
    free(all);
    return rc ? rc : topology_create(w, 0, w.view->rank, t, comm_dist_graph);
}

/* ---- Queries ---- */

/* As many as there is room for, as MPI says (7.5.5). No weights if the user wants none or there are
 * none. */
static void dist_graph_give(const struct neighbours *from, int n, int ranks[], int weights[])
{
    memcpy(ranks, from->ranks, (size_t)n * sizeof *ranks);
    if (is_weighted(weights) && weights != MPI_WEIGHTS_EMPTY)
        memcpy(weights, from->weights, (size_t)n * sizeof *weights);
}

static int get_neighbours(struct where w, const struct dist_graph *g, int maxindegree, int sources[],
                          int sourceweights[], int maxoutdegree, int destinations[], int destweights[])
{
    int in = maxindegree < g->in.degree ? maxindegree : g->in.degree;
    int out = maxoutdegree < g->out.degree ? maxoutdegree : g->out.degree;
    int rc = check_array(w, sources, in, "sources");
    if (rc || (rc = check_array(w, destinations, out, "destinations")) ||
        (g->weighted && ((rc = check_array(w, sourceweights, in, "sourceweights")) ||
                         (rc = check_array(w, destweights, out, "destweights")))))
        return rc;
    if (in)
        dist_graph_give(&g->in, in, sources, g->weighted ? sourceweights : MPI_UNWEIGHTED);
    if (out)
        dist_graph_give(&g->out, out, destinations, g->weighted ? destweights : MPI_UNWEIGHTED);
    return MPI_SUCCESS;
}

#include "api/dist_graph.inc"
