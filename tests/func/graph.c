/* SPDX-License-Identifier: BSD-3-Clause */
/* graph.c: graph topologies, of which all endpoints give the whole, and messages along their edges. */
#include "harness.h"
#include <string.h>

enum { NODES = 16, DEGREE = 5, EDGES = NODES * DEGREE };

/* Of any shape: loops, several edges between two nodes, edges in one direction only, nodes without edges. */
struct graph {
    int nnodes, nedges, index[NODES], edges[EDGES];
};

/* The same in all endpoints that come with the same state. */
static struct graph random_graph(int nnodes, uint64_t *state)
{
    struct graph g = {.nnodes = nnodes};
    for (int node = 0; node < nnodes; node++) {
        for (int k = random_below(state, DEGREE + 1); k > 0; k--)
            g.edges[g.nedges++] = random_below(state, nnodes);
        g.index[node] = g.nedges;
    }
    return g;
}

static int first_edge(const struct graph *g, int node)
{
    return node ? g->index[node - 1] : 0;
}

static void check_graph(ep_comm comm, const struct graph *g)
{
    int size = -1, kind = -1, nnodes = -1, nedges = -1, index[NODES], edges[EDGES];
    EXPECT_OK(ep_comm_size(comm, &size));
    EXPECT_OK(ep_topo_test(comm, &kind));
    EXPECT_OK(ep_graphdims_get(comm, &nnodes, &nedges));
    EXPECT_EQ(size, g->nnodes);
    EXPECT_EQ(kind, MPI_GRAPH);
    EXPECT_EQ(nnodes, g->nnodes);
    EXPECT_EQ(nedges, g->nedges);
    EXPECT_OK(ep_graph_get(comm, NODES, EDGES, index, edges));
    EXPECT(memcmp(index, g->index, (size_t)g->nnodes * sizeof *index) == 0);
    EXPECT(memcmp(edges, g->edges, (size_t)g->nedges * sizeof *edges) == 0);
    for (int node = 0; node < g->nnodes; node++) {
        int degree = -1, neighbours[DEGREE], first = first_edge(g, node);
        EXPECT_OK(ep_graph_neighbors_count(comm, node, &degree));
        EXPECT_EQ(degree, g->index[node] - first);
        EXPECT_OK(ep_graph_neighbors(comm, node, degree, neighbours));
        for (int k = 0; k < degree && degree <= DEGREE; k++)
            EXPECT_EQ(neighbours[k], g->edges[first + k]);
    }
}

/* A message along each edge, with the number of the edge. */
static void check_messages(ep_comm comm, const struct graph *g)
{
    int rank = -1, n = 0, number[EDGES], got[EDGES];
    ep_request requests[2 * EDGES];
    EXPECT_OK(ep_comm_rank(comm, &rank));
    for (int from = 0, k = 0; from < g->nnodes; from++)
        for (; k < g->index[from]; k++) {
            number[k] = k;
            got[k] = -1;
            if (from == rank)
                EXPECT_OK(ep_isend(&number[k], 1, MPI_INT, g->edges[k], k, comm, &requests[n++]));
            if (g->edges[k] == rank)
                EXPECT_OK(ep_irecv(&got[k], 1, MPI_INT, from, k, comm, &requests[n++]));
        }
    EXPECT_OK(ep_waitall(n, requests, EP_STATUSES_IGNORE));
    for (int k = 0; k < g->nedges; k++)
        EXPECT_EQ(got[k], g->edges[k] == rank ? k : -1);
}

static void graphs(team_t *t, void *arg)
{
    uint64_t state = harness_seed();
    (void)arg;
    for (int round = 0; round < 12; round++) {
        struct graph g = random_graph(1 + random_below(&state, t->size), &state);
        ep_comm comm = EP_COMM_NULL, copy = EP_COMM_NULL;
        int map = -1, rank = -1;
        EXPECT_OK(ep_graph_map(t->comm, g.nnodes, g.index, g.edges, &map));
        EXPECT_OK(ep_graph_create(t->comm, g.nnodes, g.index, g.edges, round & 1, &comm));
        if (!EXPECT((comm != EP_COMM_NULL) == (t->rank < g.nnodes)))
            return;
        EXPECT_EQ(map != MPI_UNDEFINED, comm != EP_COMM_NULL);
        if (comm == EP_COMM_NULL)
            continue;
        EXPECT_OK(ep_comm_rank(comm, &rank));
        EXPECT_EQ(rank, map);
        check_graph(comm, &g);
        check_messages(comm, &g);
        EXPECT_OK(ep_comm_dup(comm, &copy));
        EXPECT_OK(ep_comm_free(&comm));
        check_graph(copy, &g);
        check_messages(copy, &g);
        EXPECT_OK(ep_comm_free(&copy));
    }
}

static void empty(team_t *t, void *arg)
{
    ep_comm comm = t->comm;
    int map = -1, none[1] = {0}, nnodes = -1, nedges = -1;
    (void)arg;
    EXPECT_OK(ep_graph_create(t->comm, 0, NULL, NULL, 0, &comm));
    EXPECT(comm == EP_COMM_NULL);
    EXPECT_OK(ep_graph_map(t->comm, 0, NULL, NULL, &map));
    EXPECT_EQ(map, MPI_UNDEFINED);
    EXPECT_OK(ep_graph_create(t->comm, 1, none, NULL, 0, &comm)); /* a node alone */
    EXPECT_EQ(comm != EP_COMM_NULL, t->rank == 0);
    if (comm == EP_COMM_NULL)
        return;
    EXPECT_OK(ep_graphdims_get(comm, &nnodes, &nedges));
    EXPECT(nnodes == 1 && nedges == 0);
    EXPECT_OK(ep_graph_get(comm, 1, 0, none, NULL));
    EXPECT_OK(ep_graph_neighbors(comm, 0, 0, NULL));
    EXPECT_OK(ep_comm_free(&comm));
}

/* Three communicators with different graphs in different subsets, all at the same time. */
static void subsets(team_t *t, void *arg)
{
    ep_comm part = EP_COMM_NULL;
    int size = -1;
    uint64_t state = harness_seed() + (uint64_t)t->rank % 3;
    (void)arg;
    EXPECT_OK(ep_comm_split(t->comm, t->rank % 3, -t->rank, &part));
    if (!EXPECT(part != EP_COMM_NULL))
        return;
    EXPECT_OK(ep_comm_size(part, &size));
    for (int round = 0; round < 5; round++) {
        struct graph g = random_graph(size, &state);
        ep_comm comm = EP_COMM_NULL;
        EXPECT_OK(ep_graph_create(part, size, g.index, g.edges, 0, &comm));
        if (!EXPECT(comm != EP_COMM_NULL))
            break;
        check_graph(comm, &g);
        check_messages(comm, &g);
        EXPECT_OK(ep_comm_free(&comm));
    }
    EXPECT_OK(ep_comm_free(&part));
}

/* Equal graphs may be stored together: freeing one must not touch the others, in any order. */
static void many(team_t *t, void *arg)
{
    enum { MANY = 8 };
    ep_comm comms[MANY];
    uint64_t state = harness_seed() + 5;
    struct graph g[2];
    (void)arg;
    g[0] = random_graph(t->size, &state);
    g[1] = random_graph(t->size, &state);
    for (int i = 0; i < MANY; i++) {
        const struct graph *one = &g[i & 1];
        comms[i] = EP_COMM_NULL;
        EXPECT_OK(ep_graph_create(t->comm, one->nnodes, one->index, one->edges, 0, &comms[i]));
        if (!EXPECT(comms[i] != EP_COMM_NULL))
            return;
    }
    for (int i = 0; i < MANY; i++) {
        int at = (i + t->rank) % MANY; /* every endpoint in its own order */
        check_graph(comms[at], &g[at & 1]);
        EXPECT_OK(ep_comm_free(&comms[at]));
    }
}

/* With one endpoint in every process MPI's own functions must say the same. */
static void as_mpi(team_t *t, void *arg)
{
    uint64_t state = harness_seed() + 9;
    (void)arg;
    for (int p = 0; p < t->processes; p++)
        if (t->counts[p] != 1)
            return;
    for (int round = 0; round < 4; round++) {
        struct graph g = random_graph(t->size, &state);
        MPI_Comm classic;
        ep_comm comm = EP_COMM_NULL;
        int dims[2][2] = {{-1, -1}, {-2, -2}}, degree[2], neighbours[2][DEGREE] = {{0}};
        MPI_Graph_create(MPI_COMM_WORLD, g.nnodes, g.index, g.edges, 0, &classic);
        EXPECT_OK(ep_graph_create(t->comm, g.nnodes, g.index, g.edges, 0, &comm));
        MPI_Graphdims_get(classic, &dims[0][0], &dims[0][1]);
        EXPECT_OK(ep_graphdims_get(comm, &dims[1][0], &dims[1][1]));
        EXPECT(memcmp(dims[0], dims[1], sizeof dims[0]) == 0);
        for (int node = 0; node < g.nnodes; node++) {
            MPI_Graph_neighbors_count(classic, node, &degree[0]);
            EXPECT_OK(ep_graph_neighbors_count(comm, node, &degree[1]));
            EXPECT_EQ(degree[0], degree[1]);
            MPI_Graph_neighbors(classic, node, DEGREE, neighbours[0]);
            EXPECT_OK(ep_graph_neighbors(comm, node, DEGREE, neighbours[1]));
            EXPECT(memcmp(neighbours[0], neighbours[1], (size_t)degree[0] * sizeof(int)) == 0);
        }
        MPI_Comm_free(&classic);
        EXPECT_OK(ep_comm_free(&comm));
    }
}

static void bad_graphs(team_t *t, void *arg)
{
    ep_comm comm = EP_COMM_NULL;
    int index[2] = {1, 2}, edges[2] = {0, 1}, falling[2] = {1, 0}, negative[2] = {-1, 2}, map, length;
    int outside[2] = {0, t->size}, below[2] = {-1, 0}, nnodes = t->size < 2 ? 1 : 2;
    char text[MPI_MAX_ERROR_STRING];
    (void)arg;
    EXPECT_RC(ep_graph_create(t->comm, t->size + 1, index, edges, 0, &comm), MPI_ERR_ARG);
    EXPECT_RC(ep_graph_create(t->comm, -1, index, edges, 0, &comm), MPI_ERR_ARG);
    EXPECT_RC(ep_graph_create(t->comm, 2, falling, edges, 0, &comm), MPI_ERR_ARG);
    EXPECT_RC(ep_graph_create(t->comm, nnodes, negative, edges, 0, &comm), MPI_ERR_ARG);
    EXPECT_RC(ep_graph_create(t->comm, nnodes, index, below, 0, &comm), MPI_ERR_ARG);
    EXPECT_RC(ep_graph_create(t->comm, 2, index, outside, 0, &comm), MPI_ERR_ARG);
    ep_error_string(MPI_ERR_ARG, text, &length);
    EXPECT_CONTAINS(text, "ep_graph_create");
    EXPECT_CONTAINS(text, t->size < 2 ? "nnodes" : "edges[1]");
    EXPECT_RC(ep_graph_create(t->comm, nnodes, NULL, edges, 0, &comm), MPI_ERR_ARG);
    EXPECT_RC(ep_graph_create(t->comm, nnodes, index, NULL, 0, &comm), MPI_ERR_ARG);
    EXPECT_RC(ep_graph_create(t->comm, nnodes, index, edges, 0, NULL), MPI_ERR_ARG);
    EXPECT_RC(ep_graph_map(t->comm, t->size + 1, index, edges, &map), MPI_ERR_ARG);
    EXPECT_RC(ep_graph_map(t->comm, nnodes, index, below, &map), MPI_ERR_ARG);
    EXPECT_RC(ep_graph_map(t->comm, nnodes, index, edges, NULL), MPI_ERR_ARG);
    EXPECT(comm == EP_COMM_NULL);
}

/* A ring with a loop at node 0. */
static struct graph ring(int nnodes)
{
    struct graph g = {.nnodes = nnodes, .nedges = nnodes + 1};
    for (int node = 0; node < nnodes; node++) {
        g.edges[node + 1] = (node + 1) % nnodes;
        g.index[node] = node + 2;
    }
    return g;
}

/* One endpoint is wrong, all are told, and go on. */
static void one_wrong(team_t *t, void *arg)
{
    struct graph g = ring(t->size);
    (void)arg;
    for (int victim = 0; victim < t->size; victim++) {
        ep_comm comm = EP_COMM_NULL;
        int *edge = &g.edges[g.nedges - 1], right = *edge;
        if (t->rank == victim)
            *edge = t->size;
        EXPECT_RC(ep_graph_create(t->comm, g.nnodes, g.index, g.edges, 0, &comm), MPI_ERR_ARG);
        EXPECT(comm == EP_COMM_NULL);
        *edge = right;
    }
}

static void bad_queries(team_t *t, void *arg)
{
    struct graph g = ring(t->size);
    ep_comm comm = EP_COMM_NULL;
    int a[NODES], b[EDGES], c;
    (void)arg;
    EXPECT_OK(ep_graph_create(t->comm, g.nnodes, g.index, g.edges, 0, &comm));
    if (!EXPECT(comm != EP_COMM_NULL))
        return;
    check_messages(comm, &g);
    EXPECT_RC(ep_graph_get(comm, t->size - 1, EDGES, a, b), MPI_ERR_ARG);
    EXPECT_RC(ep_graph_get(comm, t->size, g.nedges - 1, a, b), MPI_ERR_ARG);
    EXPECT_RC(ep_graph_get(comm, t->size, g.nedges, a, NULL), MPI_ERR_ARG);
    EXPECT_RC(ep_graph_neighbors(comm, 0, 1, a), MPI_ERR_ARG);
    EXPECT_RC(ep_graph_neighbors(comm, 0, 2, NULL), MPI_ERR_ARG);
    EXPECT_RC(ep_graph_neighbors(comm, t->size, 2, a), MPI_ERR_RANK);
    EXPECT_RC(ep_graph_neighbors_count(comm, -1, a), MPI_ERR_RANK);
    EXPECT_RC(ep_graph_neighbors_count(comm, 0, NULL), MPI_ERR_ARG);
    EXPECT_RC(ep_graphdims_get(comm, a, NULL), MPI_ERR_ARG);
    EXPECT_RC(ep_cartdim_get(comm, a), MPI_ERR_TOPOLOGY);
    EXPECT_RC(ep_cart_coords(comm, 0, 1, a), MPI_ERR_TOPOLOGY);
    EXPECT_RC(ep_dist_graph_neighbors_count(comm, a, b, &c), MPI_ERR_TOPOLOGY);
    EXPECT_RC(ep_graphdims_get(t->comm, a, b), MPI_ERR_TOPOLOGY);
    EXPECT_RC(ep_graph_neighbors(t->comm, 0, 2, a), MPI_ERR_TOPOLOGY);
    EXPECT_OK(ep_comm_free(&comm));
}

static const harness_test tests[] = {
    {"graphs", graphs, NULL},       {"empty graphs", empty, NULL},      {"subsets", subsets, NULL},
    {"many", many, NULL},           {"as MPI", as_mpi, NULL},           {"bad graphs", bad_graphs, NULL},
    {"one wrong", one_wrong, NULL}, {"bad queries", bad_queries, NULL},
};

int main(int argc, char **argv)
{
    return HARNESS_MAIN(argc, argv, "graph", tests);
}
