/* SPDX-License-Identifier: BSD-3-Clause */
/* dist_graph.c: graphs of which each endpoint knows, or brings, a part, and messages along their edges. */
#include "harness.h"
#include <stdlib.h>
#include <string.h>

enum { MOST = 96 };

/* MPI_UNWEIGHTED and MPI_WEIGHTS_EMPTY. gcc must not see that they are numbers: it takes them for arrays that
 * are too small. */
static int *volatile no_weights, *volatile empty_weights;

struct edge {
    int from, to, weight, brought_by;
};

struct graph {
    int n;
    struct edge edges[MOST];
};

/* Of any shape: loops, several edges between two ranks. The same in all endpoints with the same state. */
static struct graph random_graph(int size, uint64_t *state)
{
    struct graph g = {.n = random_below(state, MOST + 1)};
    int near = 1 + random_below(state, size); /* few ranks: many parallel edges */
    for (int k = 0; k < g.n; k++)
        g.edges[k] = (struct edge){random_below(state, near), random_below(state, size), 1000 + k,
                                   random_below(state, size)};
    return g;
}

/* What an endpoint gives and gets: ends of edges and their weights. */
struct ends {
    int n, ranks[MOST], weights[MOST];
};

static void add(struct ends *e, int rank, int weight)
{
    e->ranks[e->n] = rank;
    e->weights[e->n++] = weight;
}

/* The model: the edges of one rank. */
static void ends_of(const struct graph *g, int rank, struct ends *in, struct ends *out)
{
    in->n = out->n = 0;
    for (int k = 0; k < g->n; k++) {
        if (g->edges[k].to == rank)
            add(in, g->edges[k].from, g->edges[k].weight);
        if (g->edges[k].from == rank)
            add(out, g->edges[k].to, g->edges[k].weight);
    }
}

static void query(ep_comm comm, struct ends *in, struct ends *out, int want_weighted)
{
    int weighted = -1, kind = -1;
    memset(in, -1, sizeof *in);
    memset(out, -1, sizeof *out);
    EXPECT_OK(ep_topo_test(comm, &kind));
    EXPECT_EQ(kind, MPI_DIST_GRAPH);
    EXPECT_OK(ep_dist_graph_neighbors_count(comm, &in->n, &out->n, &weighted));
    EXPECT_EQ(weighted, want_weighted);
    EXPECT_OK(ep_dist_graph_neighbors(comm, in->n, in->ranks, in->weights, out->n, out->ranks, out->weights));
}

static void same_ends(const struct ends *got, const struct ends *want, int weighted)
{
    EXPECT_EQ(got->n, want->n);
    for (int i = 0; i < want->n && got->n == want->n; i++) {
        EXPECT_EQ(got->ranks[i], want->ranks[i]);
        EXPECT_EQ(got->weights[i], weighted ? want->weights[i] : -1); /* else not touched */
    }
}

/* The weights here are numbers of edges, each there once: sorting by them tells sets apart. */
static void same_set(const struct ends *got, const struct ends *want)
{
    EXPECT_EQ(got->n, want->n);
    for (int i = 0; i < want->n && got->n == want->n; i++) {
        int at = 0;
        while (at < got->n && got->weights[at] != want->weights[i])
            at++;
        if (EXPECT(at < got->n))
            EXPECT_EQ(got->ranks[at], want->ranks[i]);
    }
}

/* Each sends along its edges in the order it got them, each receives in the order it got them: so the weights
 * of several edges between two ranks agree only if both list these in the same order. */
static void check_messages(ep_comm comm, const struct ends *in, const struct ends *out)
{
    ep_request requests[2 * MOST];
    int got[MOST], n = 0;
    for (int i = 0; i < in->n; i++)
        EXPECT_OK(ep_irecv(&got[i], 1, MPI_INT, in->ranks[i], 0, comm, &requests[n++]));
    for (int i = 0; i < out->n; i++)
        EXPECT_OK(ep_isend(&out->weights[i], 1, MPI_INT, out->ranks[i], 0, comm, &requests[n++]));
    EXPECT_OK(ep_waitall(n, requests, EP_STATUSES_IGNORE));
    for (int i = 0; i < in->n; i++)
        EXPECT_EQ(got[i], in->weights[i]);
}

static ep_comm create_adjacent(ep_comm comm, const struct ends *in, const struct ends *out, int weighted)
{
    ep_comm made = EP_COMM_NULL;
    int rank = -1, old = -1;
    EXPECT_OK(ep_dist_graph_create_adjacent(comm, in->n, in->ranks, weighted ? in->weights : no_weights,
                                            out->n, out->ranks, weighted ? out->weights : no_weights,
                                            MPI_INFO_NULL, 0, &made));
    EXPECT_OK(ep_comm_rank(comm, &old));
    if (EXPECT(made != EP_COMM_NULL)) {
        EXPECT_OK(ep_comm_rank(made, &rank));
        EXPECT_EQ(rank, old);
    }
    return made;
}

static void adjacent(team_t *t, void *arg)
{
    uint64_t state = harness_seed();
    (void)arg;
    for (int round = 0; round < 10; round++) {
        struct graph g = random_graph(t->size, &state);
        struct ends in, out, got_in, got_out;
        ep_comm copy = EP_COMM_NULL;
        ends_of(&g, t->rank, &in, &out);
        ep_comm comm = create_adjacent(t->comm, &in, &out, round & 1);
        query(comm, &got_in, &got_out, round & 1);
        same_ends(&got_in, &in, round & 1);
        same_ends(&got_out, &out, round & 1);
        check_messages(comm, &in, &out);
        EXPECT_OK(ep_comm_dup(comm, &copy));
        EXPECT_OK(ep_comm_free(&comm));
        query(copy, &got_in, &got_out, round & 1);
        same_ends(&got_in, &in, round & 1);
        EXPECT_OK(ep_comm_free(&copy));
    }
}

/* Make g by the general function: each endpoint brings its edges, one source or several at a time. */
static ep_comm create_general(ep_comm comm, const struct graph *g, int weighted, int grouped)
{
    int n = 0, nedges = 0, rank = -1, sources[MOST], degrees[MOST], destinations[MOST], weights[MOST];
    ep_comm made = EP_COMM_NULL;
    EXPECT_OK(ep_comm_rank(comm, &rank));
    for (int k = 0; k < g->n; k++) {
        const struct edge *e = &g->edges[k];
        if (e->brought_by != rank)
            continue;
        if (!(grouped && n && sources[n - 1] == e->from)) {
            sources[n] = e->from;
            degrees[n++] = 0;
        }
        degrees[n - 1]++;
        destinations[nedges] = e->to;
        weights[nedges++] = e->weight;
    }
    const int *given = !weighted ? no_weights : nedges ? weights : empty_weights;
    EXPECT_OK(ep_dist_graph_create(comm, n, sources, degrees, destinations, given, MPI_INFO_NULL, 0, &made));
    EXPECT(made != EP_COMM_NULL);
    return made;
}

static void check_general(ep_comm comm, const struct graph *g)
{
    struct ends in, out, got_in, got_out;
    int rank = -1;
    EXPECT_OK(ep_comm_rank(comm, &rank));
    ends_of(g, rank, &in, &out);
    query(comm, &got_in, &got_out, 1);
    same_set(&got_in, &in);
    same_set(&got_out, &out);
    check_messages(comm, &got_in, &got_out);
}

static void general(team_t *t, void *arg)
{
    uint64_t state = harness_seed() + 1;
    (void)arg;
    for (int round = 0; round < 10; round++) {
        struct graph g = random_graph(t->size, &state);
        for (int k = 0; k < g.n && round < 4;
             k++) /* one brings all, or everybody what starts or ends at it */
            g.edges[k].brought_by = round == 0   ? t->size - 1
                                    : round == 1 ? g.edges[k].from
                                    : round == 2 ? g.edges[k].to
                                                 : 0;
        ep_comm comm = create_general(t->comm, &g, 1, round & 1);
        if (comm == EP_COMM_NULL)
            return;
        check_general(comm, &g);
        EXPECT_OK(ep_comm_free(&comm));
    }
}

static int compare_ints(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

static void unweighted(team_t *t, void *arg)
{
    uint64_t state = harness_seed() + 2;
    struct graph g = random_graph(t->size, &state);
    struct ends in, out, got_in, got_out;
    ep_comm comm = create_general(t->comm, &g, 0, 0);
    (void)arg;
    if (comm == EP_COMM_NULL)
        return;
    ends_of(&g, t->rank, &in, &out);
    query(comm, &got_in, &got_out, 0);
    qsort(in.ranks, (size_t)in.n, sizeof(int), compare_ints);
    qsort(got_in.ranks, (size_t)got_in.n, sizeof(int), compare_ints);
    same_ends(&got_in, &in, 0);
    qsort(out.ranks, (size_t)out.n, sizeof(int), compare_ints);
    qsort(got_out.ranks, (size_t)got_out.n, sizeof(int), compare_ints);
    same_ends(&got_out, &out, 0);
    EXPECT_OK(ep_comm_free(&comm));
}

/* No edges at all: the pointers alone say whether there are weights. */
static void empty(team_t *t, void *arg)
{
    (void)arg;
    for (int i = 0; i < 4; i++) {
        ep_comm comm = EP_COMM_NULL;
        int in = -1, out = -1, weighted = -1, zero = 0;
        const int *weights = i & 1 ? empty_weights : no_weights;
        if (i < 2)
            EXPECT_OK(ep_dist_graph_create_adjacent(t->comm, 0, NULL, weights, 0, NULL, weights,
                                                    MPI_INFO_NULL, 1, &comm));
        else /* also a source without edges */
            EXPECT_OK(ep_dist_graph_create(t->comm, t->rank & 1, &zero, &zero, NULL, weights, MPI_INFO_NULL,
                                           1, &comm));
        if (!EXPECT(comm != EP_COMM_NULL))
            return;
        EXPECT_OK(ep_dist_graph_neighbors_count(comm, &in, &out, &weighted));
        EXPECT(in == 0 && out == 0);
        EXPECT_EQ(weighted, i & 1);
        EXPECT_OK(ep_dist_graph_neighbors(comm, 0, NULL, no_weights, 0, NULL, no_weights));
        EXPECT_OK(ep_comm_free(&comm));
    }
}

/* Less room than neighbours: the first ones. Weights are given only where the caller wants them. */
static void partial(team_t *t, void *arg)
{
    struct ends in = {.n = 0}, out = {.n = 0};
    int got[3] = {-1, -1, -1}, weights[3] = {-1, -1, -1};
    (void)arg;
    for (int i = 0; i < 3; i++) {
        add(&in, (t->rank + t->size * 3 - i) % t->size, 10 + i);
        add(&out, (t->rank + i) % t->size, 10 + i);
    }
    ep_comm comm = create_adjacent(t->comm, &in, &out, 1);
    EXPECT_OK(ep_dist_graph_neighbors(comm, 2, got, no_weights, 1, got + 2, weights));
    EXPECT(got[0] == in.ranks[0] && got[1] == in.ranks[1] && got[2] == out.ranks[0]);
    EXPECT(weights[0] == 10 && weights[1] == -1);
    weights[0] = -1;
    EXPECT_OK(ep_dist_graph_neighbors(comm, 0, NULL, weights, 3, got, no_weights));
    EXPECT(memcmp(got, out.ranks, sizeof got) == 0);
    EXPECT_EQ(weights[0], -1);
    EXPECT_OK(ep_comm_free(&comm));
}

/* Different graphs in different subsets at the same time. */
static void subsets(team_t *t, void *arg)
{
    ep_comm part = EP_COMM_NULL;
    int size = -1;
    uint64_t state = harness_seed() + 3 + (uint64_t)t->rank % 3;
    (void)arg;
    EXPECT_OK(ep_comm_split(t->comm, t->rank % 3, -t->rank, &part));
    if (!EXPECT(part != EP_COMM_NULL))
        return;
    EXPECT_OK(ep_comm_size(part, &size));
    for (int round = 0; round < 5; round++) {
        struct graph g = random_graph(size, &state);
        ep_comm comm = create_general(part, &g, 1, 1);
        if (comm == EP_COMM_NULL)
            break;
        check_general(comm, &g);
        EXPECT_OK(ep_comm_free(&comm));
    }
    EXPECT_OK(ep_comm_free(&part));
}

/* With one endpoint in every process MPI's own function must find the same edges. */
static void as_mpi(team_t *t, void *arg)
{
    uint64_t state = harness_seed() + 7;
    (void)arg;
    for (int p = 0; p < t->processes; p++)
        if (t->counts[p] != 1)
            return;
    for (int round = 0; round < 4; round++) {
        struct graph g = random_graph(t->size, &state);
        struct ends in, out, theirs_in, theirs_out;
        int n = 0, sources[MOST], degrees[MOST], destinations[MOST], weights[MOST], weighted;
        MPI_Comm classic;
        for (int k = 0; k < g.n; k++)
            if (g.edges[k].brought_by == t->rank) {
                sources[n] = g.edges[k].from;
                degrees[n] = 1;
                destinations[n] = g.edges[k].to;
                weights[n++] = g.edges[k].weight;
            }
        MPI_Dist_graph_create(MPI_COMM_WORLD, n, sources, degrees, destinations, n ? weights : empty_weights,
                              MPI_INFO_NULL, 0, &classic);
        ep_comm comm = create_general(t->comm, &g, 1, 0);
        query(comm, &in, &out, 1);
        MPI_Dist_graph_neighbors_count(classic, &theirs_in.n, &theirs_out.n, &weighted);
        MPI_Dist_graph_neighbors(classic, theirs_in.n, theirs_in.ranks, theirs_in.weights, theirs_out.n,
                                 theirs_out.ranks, theirs_out.weights);
        same_set(&in, &theirs_in);
        same_set(&out, &theirs_out);
        MPI_Comm_free(&classic);
        EXPECT_OK(ep_comm_free(&comm));
    }
}

/* ---- Errors ---- */

static void bad_adjacent(team_t *t, void *arg)
{
    ep_comm comm = EP_COMM_NULL;
    int one[1] = {0}, outside[1] = {t->size}, negative[1] = {-1}, length;
    char text[MPI_MAX_ERROR_STRING];
    (void)arg;
#define ADJACENT(in, sources, sourceweights, out, destinations, destweights)                                 \
    ep_dist_graph_create_adjacent(t->comm, in, sources, sourceweights, out, destinations, destweights,       \
                                  MPI_INFO_NULL, 0, &comm)
    EXPECT_RC(ADJACENT(-1, one, one, 1, one, one), MPI_ERR_ARG);
    EXPECT_RC(ADJACENT(1, one, one, -1, one, one), MPI_ERR_ARG);
    EXPECT_RC(ADJACENT(1, NULL, one, 1, one, one), MPI_ERR_ARG);
    EXPECT_RC(ADJACENT(1, one, one, 1, NULL, one), MPI_ERR_ARG);
    EXPECT_RC(ADJACENT(1, negative, one, 1, one, one), MPI_ERR_RANK);
    EXPECT_RC(ADJACENT(1, one, one, 1, outside, one), MPI_ERR_RANK);
    ep_error_string(MPI_ERR_RANK, text, &length);
    EXPECT_CONTAINS(text, "ep_dist_graph_create_adjacent");
    EXPECT_CONTAINS(text, "destinations[0]");
    EXPECT_RC(ADJACENT(1, one, NULL, 1, one, one), MPI_ERR_ARG);
    EXPECT_RC(ADJACENT(1, one, empty_weights, 1, one, one), MPI_ERR_ARG);
    EXPECT_RC(ADJACENT(1, one, negative, 1, one, one), MPI_ERR_ARG);
    EXPECT_RC(ADJACENT(1, one, no_weights, 1, one, one), MPI_ERR_ARG);
    EXPECT_RC(ADJACENT(1, one, one, 1, one, no_weights), MPI_ERR_ARG);
#undef ADJACENT
    EXPECT_RC(ep_dist_graph_create_adjacent(t->comm, 0, NULL, no_weights, 0, NULL, no_weights, MPI_INFO_NULL,
                                            0, NULL),
              MPI_ERR_ARG);
    EXPECT(comm == EP_COMM_NULL);
}

static void bad_general(team_t *t, void *arg)
{
    ep_comm comm = EP_COMM_NULL;
    int one[1] = {1}, zero[1] = {0}, outside[1] = {t->size}, negative[1] = {-1};
    (void)arg;
#define GENERAL(n, sources, degrees, destinations, weights)                                                  \
    ep_dist_graph_create(t->comm, n, sources, degrees, destinations, weights, MPI_INFO_NULL, 0, &comm)
    EXPECT_RC(GENERAL(-1, zero, one, zero, one), MPI_ERR_ARG);
    EXPECT_RC(GENERAL(1, NULL, one, zero, one), MPI_ERR_ARG);
    EXPECT_RC(GENERAL(1, zero, NULL, zero, one), MPI_ERR_ARG);
    EXPECT_RC(GENERAL(1, zero, one, NULL, one), MPI_ERR_ARG);
    EXPECT_RC(GENERAL(1, zero, one, zero, NULL), MPI_ERR_ARG);
    EXPECT_RC(GENERAL(1, zero, one, zero, empty_weights), MPI_ERR_ARG);
    EXPECT_RC(GENERAL(1, zero, negative, zero, one), MPI_ERR_ARG);
    EXPECT_RC(GENERAL(1, zero, one, zero, negative), MPI_ERR_ARG);
    EXPECT_RC(GENERAL(1, outside, one, zero, one), MPI_ERR_RANK);
    EXPECT_RC(GENERAL(1, zero, one, outside, one), MPI_ERR_RANK);
    EXPECT_RC(GENERAL(1, zero, one, negative, one), MPI_ERR_RANK);
    if (t->size > 1) /* weights in one endpoint only: all are told */
        EXPECT_RC(GENERAL(1, zero, one, zero, t->rank == t->size - 1 ? one : no_weights), MPI_ERR_ARG);
    EXPECT(comm == EP_COMM_NULL);
    EXPECT_OK(GENERAL(1, zero, one, zero, t->rank < t->size ? one : no_weights)); /* and go on */
#undef GENERAL
    EXPECT_OK(ep_comm_free(&comm));
}

/* One endpoint is wrong, all are told, and go on. */
static void one_wrong(team_t *t, void *arg)
{
    struct graph g = {.n = 1, .edges = {{0, t->size - 1, 5, 0}}};
    (void)arg;
    for (int victim = 0; victim<t->size; victim += t->size> 1 ? t->size - 1 : 1) {
        int one = 1, self = t->rank, to = t->rank == victim ? t->size : t->rank;
        ep_comm comm = EP_COMM_NULL;
        EXPECT_RC(
            ep_dist_graph_create_adjacent(t->comm, 1, &self, &one, 1, &to, &one, MPI_INFO_NULL, 0, &comm),
            MPI_ERR_RANK);
        EXPECT_RC(ep_dist_graph_create(t->comm, 1, &self, &one, &to, &one, MPI_INFO_NULL, 0, &comm),
                  MPI_ERR_RANK);
        EXPECT_RC(ep_dist_graph_create(t->comm, t->rank == victim ? -1 : 1, &self, &one, &self, &one,
                                       MPI_INFO_NULL, 0, &comm),
                  MPI_ERR_ARG);
        EXPECT(comm == EP_COMM_NULL);
        comm = create_general(t->comm, &g, 1, 0);
        check_general(comm, &g);
        EXPECT_OK(ep_comm_free(&comm));
    }
}

static void bad_queries(team_t *t, void *arg)
{
    struct ends in = {.n = 0}, out = {.n = 0};
    int a[MOST], b[MOST], c;
    (void)arg;
    add(&in, t->rank, 1);
    add(&out, t->rank, 1);
    ep_comm comm = create_adjacent(t->comm, &in, &out, 1);
    EXPECT_RC(ep_dist_graph_neighbors(comm, -1, a, b, 1, a, b), MPI_ERR_ARG);
    EXPECT_RC(ep_dist_graph_neighbors(comm, 1, a, b, -1, a, b), MPI_ERR_ARG);
    EXPECT_RC(ep_dist_graph_neighbors(comm, 1, NULL, b, 1, a, b), MPI_ERR_ARG);
    EXPECT_RC(ep_dist_graph_neighbors(comm, 1, a, b, 1, a, NULL), MPI_ERR_ARG);
    EXPECT_RC(ep_dist_graph_neighbors_count(comm, a, b, NULL), MPI_ERR_ARG);
    EXPECT_RC(ep_graphdims_get(comm, a, b), MPI_ERR_TOPOLOGY);
    EXPECT_RC(ep_cartdim_get(comm, a), MPI_ERR_TOPOLOGY);
    EXPECT_RC(ep_dist_graph_neighbors_count(t->comm, a, b, &c), MPI_ERR_TOPOLOGY);
    EXPECT_RC(ep_dist_graph_neighbors(t->comm, 1, a, b, 1, a, b), MPI_ERR_TOPOLOGY);
    EXPECT_OK(ep_comm_free(&comm));
}

static const harness_test tests[] = {
    {"adjacent", adjacent, NULL},   {"general", general, NULL},           {"unweighted", unweighted, NULL},
    {"empty", empty, NULL},         {"partial", partial, NULL},           {"subsets", subsets, NULL},
    {"as MPI", as_mpi, NULL},       {"bad adjacent", bad_adjacent, NULL}, {"bad general", bad_general, NULL},
    {"one wrong", one_wrong, NULL}, {"bad queries", bad_queries, NULL},
};

int main(int argc, char **argv)
{
    no_weights = MPI_UNWEIGHTED;
    empty_weights = MPI_WEIGHTS_EMPTY;
    return HARNESS_MAIN(argc, argv, "dist_graph", tests);
}
