/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * neighbors.c: neighbourhood collectives on grids, graphs and distributed graphs.
 *
 * Catches: blocks of the wrong neighbour, above all where one is a neighbour several times (a ring of one or two,
 * multiple edges), neighbours beyond the edge of a grid that block or get a block.
 */
#include "area.h"
#include <stdlib.h>
#include <string.h>

enum { MOST = 64, DIMS_MOST = 4 };

/* An edge as both ends know it: block `slot` of those that `rank` sends. */
typedef struct {
    int rank, slot; /* MPI_PROC_NULL: nobody */
} source;

/* What an endpoint has to know of its neighbourhood. */
typedef struct {
    ep_comm comm;
    int rank, in, out;
    source from[MOST]; /* of each block received */
    int to[MOST];
} hood;

typedef enum { ALLGATHER, ALLGATHERV, ALLTOALL, ALLTOALLV, ALLTOALLW, KINDS } kind;

/* ---- One call ---- */

/* Units that a rank sends in one of its blocks. */
static int units_of(kind k, int rank, int slot, int units)
{
    uint64_t x = mix((uint64_t)rank, k == ALLGATHERV ? 99 : (uint64_t)slot);
    return k == ALLGATHER || k == ALLTOALL ? units : (int)(x % (uint64_t)(units + 1));
}

static uint64_t key_of(kind k, int rank, int slot)
{
    return mix((uint64_t)rank * 7 + 1, k <= ALLGATHERV ? 0 : (uint64_t)slot);
}

static spacing how_spread(kind k)
{
    return k == ALLTOALLW ? SPREAD_BYTES : k == ALLGATHERV || k == ALLTOALLV ? SPREAD : DENSE;
}

static void make_send(const hood *h, kind k, int units, area *a)
{
    int n = k <= ALLGATHERV ? 1 : h->out, sizes[MOST];
    for (int i = 0; i < n; i++)
        sizes[i] = units_of(k, h->rank, i, units);
    area_make(a, n, sizes, (unsigned)h->rank, k == ALLGATHERV ? DENSE : how_spread(k), (uint64_t)units);
    for (int i = 0; i < n; i++)
        area_fill(a, i, key_of(k, h->rank, i));
}

static void make_recv(const hood *h, kind k, int units, area *a)
{
    int sizes[MOST];
    for (int i = 0; i < h->in; i++)
        sizes[i] = h->from[i].rank == MPI_PROC_NULL && how_spread(k) != DENSE
                       ? 2
                       : units_of(k, h->from[i].rank, h->from[i].slot, units);
    area_make(a, h->in, sizes, (unsigned)h->rank + 1, how_spread(k), (uint64_t)units + 7);
    for (int i = 0; i < h->in; i++)
        if (h->from[i].rank != MPI_PROC_NULL)
            area_expect(a, i, key_of(k, h->from[i].rank, h->from[i].slot));
}

static int run(kind k, ep_comm c, const area *s, const area *r, const MPI_Aint sd[], const MPI_Aint rd[])
{
    switch (k) {
    case ALLGATHER:
        return ep_neighbor_allgather(s->buf, s->count, s->type, r->buf, r->count, r->type, c);
    case ALLGATHERV:
        return ep_neighbor_allgatherv(s->buf, s->count, s->type, r->buf, r->counts, r->displs, r->type, c);
    case ALLTOALL:
        return ep_neighbor_alltoall(s->buf, s->count, s->type, r->buf, r->count, r->type, c);
    case ALLTOALLV:
        return ep_neighbor_alltoallv(s->buf, s->counts, s->displs, s->type, r->buf, r->counts, r->displs,
                                     r->type, c);
    default:
        return ep_neighbor_alltoallw(s->buf, s->counts, sd, s->types, r->buf, r->counts, rd, r->types, c);
    }
}

static int start(kind k, ep_comm c, const area *s, const area *r, const MPI_Aint sd[], const MPI_Aint rd[],
                 ep_request *q)
{
    switch (k) {
    case ALLGATHER:
        return ep_ineighbor_allgather(s->buf, s->count, s->type, r->buf, r->count, r->type, c, q);
    case ALLGATHERV:
        return ep_ineighbor_allgatherv(s->buf, s->count, s->type, r->buf, r->counts, r->displs, r->type, c,
                                       q);
    case ALLTOALL:
        return ep_ineighbor_alltoall(s->buf, s->count, s->type, r->buf, r->count, r->type, c, q);
    case ALLTOALLV:
        return ep_ineighbor_alltoallv(s->buf, s->counts, s->displs, s->type, r->buf, r->counts, r->displs,
                                      r->type, c, q);
    default:
        return ep_ineighbor_alltoallw(s->buf, s->counts, sd, s->types, r->buf, r->counts, rd, r->types, c, q);
    }
}

/* All ten with this size: the blocking ones while those that do not block are under way. */
static void exchange(const hood *h, int units)
{
    area s[2 * KINDS], r[2 * KINDS];
    MPI_Aint sd[2 * KINDS][MOST], rd[2 * KINDS][MOST];
    ep_request q[KINDS];
    for (int i = 0; i < 2 * KINDS; i++) {
        kind k = (kind)(i % KINDS);
        make_send(h, k, units + i, &s[i]);
        make_recv(h, k, units + i, &r[i]);
        for (int b = 0; b < s[i].blocks; b++)
            sd[i][b] = s[i].at[b];
        for (int b = 0; b < r[i].blocks; b++)
            rd[i][b] = r[i].at[b];
        if (i < KINDS)
            EXPECT_OK(start(k, h->comm, &s[i], &r[i], sd[i], rd[i], &q[i]));
        else
            EXPECT_OK(run(k, h->comm, &s[i], &r[i], sd[i], rd[i]));
    }
    EXPECT_OK(ep_waitall(KINDS, q, EP_STATUSES_IGNORE));
    for (int i = 0; i < 2 * KINDS; i++) {
        EXPECT_EQ(area_differs(&r[i]), -1);
        EXPECT_EQ(area_differs(&s[i]), -1);
        area_free(&s[i]);
        area_free(&r[i]);
    }
}

static void sweep(const hood *h)
{
    static const int sizes[] = {0, 1, 3, 500, 9000};
    for (int i = 0; i < 5; i++)
        exchange(h, sizes[i]);
}

/* ---- Topologies ---- */

/* What goes down in a dimension comes from above. */
static void grid(team_t *t, int ndims, const int dims[], const int periods[])
{
    hood h = {.in = 2 * ndims, .out = 2 * ndims};
    if (!EXPECT_OK(ep_cart_create(t->comm, ndims, dims, periods, ndims % 2, &h.comm)) ||
        h.comm == EP_COMM_NULL)
        return;
    EXPECT_OK(ep_comm_rank(h.comm, &h.rank));
    for (int d = 0; d < ndims; d++) {
        int below, above;
        EXPECT_OK(ep_cart_shift(h.comm, d, 1, &below, &above));
        h.from[2 * d] = (source){below, 2 * d + 1};
        h.from[2 * d + 1] = (source){above, 2 * d};
    }
    sweep(&h);
    EXPECT_OK(ep_comm_free(&h.comm));
}

static void grids(team_t *t, void *arg)
{
    int n = t->size;
    (void)arg;
    grid(t, 1, (int[]){n}, (int[]){1});
    grid(t, 1, (int[]){n}, (int[]){0});
    grid(t, 2, (int[]){2, n / 2}, (int[]){1, 1});
    grid(t, 3, (int[]){1, 2, n / 2}, (int[]){1, 0, 1});
    grid(t, 2, (int[]){1, 1}, (int[]){1, 0});
    grid(t, 3, (int[]){2, 1, 1}, (int[]){1, 1, 0});
}

/* A star with one double edge and an edge to itself. */
static void star(team_t *t, void *arg)
{
    int n = t->size, index[MOST], edges[2 * MOST], at = 0;
    hood h = {0};
    (void)arg;
    if (n < 2)
        return;
    edges[at++] = 0;
    edges[at++] = 1;
    for (int r = 1; r < n; r++)
        edges[at++] = r;
    index[0] = at;
    for (int r = 1; r < n; r++) {
        edges[at++] = 0;
        if (r == 1)
            edges[at++] = 0;
        index[r] = at;
    }
    if (!EXPECT_OK(ep_graph_create(t->comm, n, index, edges, 0, &h.comm)))
        return;
    EXPECT_OK(ep_comm_rank(h.comm, &h.rank));
    if (h.rank == 0) { /* 0, 1, 1, 2, 3, ... */
        h.in = h.out = n + 1;
        h.from[0] = (source){0, 0};
        h.from[1] = (source){1, 0};
        for (int i = 2; i <= n; i++)
            h.from[i] = (source){i - 1, i == 2};
    } else {
        h.in = h.out = h.rank == 1 ? 2 : 1;
        h.from[0] = (source){0, h.rank == 1 ? 1 : h.rank + 1};
        h.from[1] = (source){0, 2};
    }
    sweep(&h);
    EXPECT_OK(ep_comm_free(&h.comm));
}

/* Edges by chance, with multiple ones and ones to itself: the m-th from a to b in a's list is the m-th in b's. */
static int edges_between(int a, int b)
{
    static const int many[8] = {0, 0, 0, 1, 1, 2, 3, 0};
    return many[mix((uint64_t)a * 100 + (uint64_t)b, 5) % 8];
}

/* Neighbours of a rank in an order of its own. */
static int list_edges(int rank, int n, int incoming, int list[])
{
    int count = 0;
    for (int i = 0; i < n; i++) {
        int other = (i * (rank % 2 ? 1 : n - 1) + rank) % n;
        int many = incoming ? edges_between(other, rank) : edges_between(rank, other);
        for (int m = 0; m < many && count < MOST; m++)
            list[count++] = other;
    }
    return count;
}

static void distributed(team_t *t, void *arg)
{
    int n = t->size, sources[MOST], destinations[MOST], theirs[MOST];
    hood h = {.rank = t->rank};
    (void)arg;
    if (n > 16)
        return;
    h.in = list_edges(t->rank, n, 1, sources);
    h.out = list_edges(t->rank, n, 0, destinations);
    for (int i = 0; i < h.in; i++) {
        int before = 0, slots = list_edges(sources[i], n, 0, theirs);
        for (int k = 0; k < i; k++)
            before += sources[k] == sources[i];
        for (int k = 0; k < slots; k++)
            if (theirs[k] == t->rank && before-- == 0)
                h.from[i] = (source){sources[i], k};
    }
    if (!EXPECT_OK(ep_dist_graph_create_adjacent(t->comm, h.in, sources, MPI_UNWEIGHTED, h.out, destinations,
                                                 MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &h.comm)))
        return;
    sweep(&h);
    EXPECT_OK(ep_comm_free(&h.comm));
}

/* Nobody has neighbours; without a topology it is an error. */
static void nobody(team_t *t, void *arg)
{
    hood h = {.rank = t->rank};
    int x = 0, y = 0;
    ep_request r;
    (void)arg;
    EXPECT_OK(ep_dist_graph_create_adjacent(t->comm, 0, NULL, MPI_UNWEIGHTED, 0, NULL, MPI_UNWEIGHTED,
                                            MPI_INFO_NULL, 0, &h.comm));
    sweep(&h);
    EXPECT_OK(ep_comm_free(&h.comm));
    EXPECT_RC(ep_neighbor_allgather(&x, 1, MPI_INT, &y, 1, MPI_INT, t->comm), MPI_ERR_TOPOLOGY);
    EXPECT_RC(ep_ineighbor_alltoall(&x, 1, MPI_INT, &y, 1, MPI_INT, t->comm, &r), MPI_ERR_TOPOLOGY);
}

static team_body *const bodies[] = {grids, star, distributed, nobody};

static void with_layouts(int i)
{
    layouts_open();
    team_run(bodies[i], NULL);
    layouts_close();
}

static void run_grids(void)
{
    with_layouts(0);
}

static void run_star(void)
{
    with_layouts(1);
}

static void run_distributed(void)
{
    with_layouts(2);
}

static void run_nobody(void)
{
    with_layouts(3);
}

static const harness_test tests[] = {
    {"grids", NULL, run_grids},
    {"star", NULL, run_star},
    {"distributed", NULL, run_distributed},
    {"nobody", NULL, run_nobody},
};

int main(int argc, char **argv)
{
    return HARNESS_MAIN(argc, argv, "neighbors", tests);
}
