/* SPDX-License-Identifier: BSD-3-Clause */
/* test_topology.c: grids and graphs as pure computing, against models by brute force. No messages. */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

#include "comm/topology.h"
#include "unit.h"

enum { MOST_DIMS = 4, MOST_NODES = 200 };

/* ---- dims ---- */

/* The first of all ways, in lexical order, to write n as k factors in falling order of at most limit: tries
 * every number. */
static int first_factors(int n, int k, int limit, int out[])
{
    if (k == 0)
        return n == 1;
    for (int d = 1; d <= limit && d <= n; d++)
        if (n % d == 0 && first_factors(n / d, k - 1, d, out + 1)) {
            out[0] = d;
            return 1;
        }
    return 0;
}

START_TEST(dims_are_balanced)
{
    for (int k = 1; k <= MOST_DIMS; k++)
        for (int n = 1; n <= 400; n++) {
            int dims[MOST_DIMS] = {0}, want[MOST_DIMS] = {0};
            ck_assert(cart_balance(n, k, dims));
            ck_assert(first_factors(n, k, n, want));
            for (int i = 0; i < k; i++)
                ck_assert_msg(dims[i] == want[i], "%d in %d dims: [%d] is %d, not %d", n, k, i, dims[i],
                              want[i]);
        }
}
END_TEST

START_TEST(dims_given_are_kept)
{
    int dims[] = {0, 3, 0, 2, 0};
    ck_assert(cart_balance(6 * 60, 5, dims));
    const int want[] = {5, 3, 4, 2, 3};
    ck_assert_mem_eq(dims, want, sizeof want);
    int full[] = {4, 2}, none[] = {0};
    ck_assert(cart_balance(8, 2, full));
    ck_assert(!cart_balance(16, 2, full)); /* nothing is left to set */
    ck_assert(!cart_balance(4, 2, full));
    ck_assert(cart_balance(1, 0, none));
    ck_assert(!cart_balance(2, 0, none));
    int odd[] = {3, 0};
    ck_assert(!cart_balance(8, 2, odd));
    ck_assert_int_eq(odd[1], 0);
}
END_TEST

START_TEST(dims_of_large_numbers)
{
    static const int numbers[] = {2147483647, 2147483646, 2147483640, 2095133040, 1073741824,
                                  2147395600, 1000000007, 1745944200, 1999999973, 1162261467};
    for (size_t j = 0; j < sizeof numbers / sizeof *numbers; j++)
        for (int k = 1; k <= 40; k++) {
            int dims[40] = {0};
            long long product = 1;
            ck_assert(cart_balance(numbers[j], k, dims));
            for (int i = 0; i < k; i++) {
                ck_assert(dims[i] >= 1 && (i == 0 || dims[i] <= dims[i - 1]));
                product *= dims[i];
            }
            ck_assert_int_eq(product, numbers[j]);
        }
    int square[2] = {0}; /* 46340 * 46340 */
    ck_assert(cart_balance(2147395600, 2, square));
    ck_assert_int_eq(square[0], square[1]);
}
END_TEST

/* ---- Grids ---- */

struct grid {
    struct cart cart;
    int dims[MOST_DIMS], periods[MOST_DIMS];
};

static void make_grid(struct grid *g, int ndims, const int dims[], int periods)
{
    memset(g, 0, sizeof *g);
    for (int i = 0; i < ndims; i++) {
        g->dims[i] = dims[i];
        g->periods[i] = periods >> i & 1;
    }
    g->cart = (struct cart){ndims, cart_size(ndims, dims, 1 << 20), g->dims, g->periods};
}

/* Call check with many grids. */
static void for_grids(void (*check)(const struct cart *g))
{
    static const int shapes[][1 + MOST_DIMS] = {{0},          {1, 1},       {1, 7},          {2, 1, 5},
                                                {2, 4, 4},    {2, 3, 7},    {2, 7, 3},       {2, 2, 2},
                                                {3, 2, 3, 4}, {3, 5, 1, 3}, {3, 4, 4, 4},    {4, 2, 2, 2, 2},
                                                {2, 12, 2},   {3, 6, 4, 3}, {4, 3, 2, 4, 2}, {2, 5, 30}};
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++)
        for (int periods = 0; periods < 1 << shapes[s][0]; periods++) {
            struct grid g;
            make_grid(&g, shapes[s][0], shapes[s] + 1, periods);
            check(&g.cart);
        }
}

/* The next coordinates, the last dimension fastest. */
static void count_up(const struct cart *g, int coords[])
{
    for (int i = g->ndims - 1; i >= 0 && ++coords[i] == g->dims[i]; i--)
        coords[i] = 0;
}

static void check_coordinates(const struct cart *g)
{
    int want[MOST_DIMS] = {0};
    for (int rank = 0; rank < g->size; rank++, count_up(g, want)) {
        int got[MOST_DIMS] = {0};
        cart_coords(g, rank, got);
        ck_assert_mem_eq(got, want, sizeof want);
        ck_assert_int_eq(cart_rank(g, want), rank);
        for (int i = 0; i < g->ndims; i++)
            for (int turns = -3; turns <= 3; turns++) {
                got[i] = want[i] + turns * g->dims[i];
                ck_assert_int_eq(cart_rank(g, got), g->periods[i] || turns == 0 ? rank : -1);
                got[i] = want[i];
            }
    }
}

START_TEST(coordinates)
{
    for_grids(check_coordinates);
    const int dims[] = {1 << 15, 1 << 15, 2};
    ck_assert_int_eq(cart_size(3, dims, 2147483647), -1);
    ck_assert_int_eq(cart_size(2, dims, 2147483647), 1 << 30);
    ck_assert_int_eq(cart_size(2, dims, (1 << 30) - 1), -1);
    ck_assert_int_eq(cart_size(0, NULL, 1), 1);
}
END_TEST

/* Steps one at a time; -1 where it fell off. */
static int walk(const struct cart *g, int rank, int direction, int disp)
{
    int coords[MOST_DIMS];
    cart_coords(g, rank, coords);
    for (int step = disp < 0 ? -1 : 1; disp; disp -= step) {
        coords[direction] += step;
        if (coords[direction] >= 0 && coords[direction] < g->dims[direction])
            continue;
        if (!g->periods[direction])
            return MPI_PROC_NULL;
        coords[direction] = step < 0 ? g->dims[direction] - 1 : 0;
    }
    return cart_rank(g, coords);
}

static void check_neighbours(const struct cart *g)
{
    for (int rank = 0; rank < g->size; rank++)
        for (int i = 0; i < g->ndims; i++)
            for (int disp = -9; disp <= 9; disp++)
                ck_assert_int_eq(cart_neighbour(g, rank, i, disp), walk(g, rank, i, disp));
}

START_TEST(neighbours)
{
    for_grids(check_neighbours);
    struct grid g;
    const int dims[] = {4, 5};
    make_grid(&g, 2, dims, 2);
    ck_assert_int_eq(cart_neighbour(&g.cart, 7, 0, INT64_C(2147483648)), MPI_PROC_NULL);
    ck_assert_int_eq(cart_neighbour(&g.cart, 7, 1, INT64_C(2147483648)), 5); /* 2^31 mod 5 is 3; 2 + 3 */
    ck_assert_int_eq(cart_neighbour(&g.cart, 7, 1, -INT64_C(2147483648)), 9);
}
END_TEST

/* Two ranks are in one piece exactly if they agree in what was dropped; ranks there are those of what
 * remains. */
static void check_cuts(const struct cart *g)
{
    for (int mask = 0; mask < 1 << g->ndims; mask++) {
        int remain[MOST_DIMS] = {0}, members[MOST_NODES] = {0};
        for (int i = 0; i < g->ndims; i++)
            remain[i] = (mask >> i & 1) * 7; /* any number but 0 means true */
        for (int rank = 0; rank < g->size; rank++) {
            int piece, place, first = rank, coords[MOST_DIMS], other, there;
            cart_cut(g, remain, rank, &piece, &place);
            ck_assert(piece >= 0 && piece < g->size);
            ck_assert_int_eq(place, members[piece]++); /* row-major: in the order of ranks */
            cart_coords(g, rank, coords);
            for (int i = 0; i < g->ndims; i++)
                if (remain[i])
                    coords[i] = 0;
            first = cart_rank(g, coords);
            cart_cut(g, remain, first, &other, &there);
            ck_assert_int_eq(other, piece);
            ck_assert_int_eq(there, 0);
        }
    }
}

START_TEST(cuts)
{
    for_grids(check_cuts);
}
END_TEST

/* ---- Locality ---- */

/* Steps of +1, around the ends where periodic, between ranks that are not in one process. proc: by rank
 * of g. */
static int far_edges(const struct cart *g, const int proc[])
{
    int far = 0;
    for (int rank = 0; rank < g->size; rank++)
        for (int i = 0; i < g->ndims; i++) {
            int to = cart_neighbour(g, rank, i, 1);
            far += to != MPI_PROC_NULL && proc[to] != proc[rank];
        }
    return far;
}

/* Far edges of the best tiling by equal blocks: tries all. */
static int best_tiling(const struct cart *g, int volume, int block[], int i)
{
    int best = 1 << 30, proc[MOST_NODES];
    if (i < g->ndims) {
        for (int b = 1; b <= g->dims[i]; b++)
            if (g->dims[i] % b == 0 && volume % b == 0) {
                block[i] = b;
                int far = best_tiling(g, volume / b, block, i + 1);
                best = far < best ? far : best;
            }
        return best;
    }
    if (volume != 1)
        return best;
    for (int rank = 0; rank < g->size; rank++) {
        int coords[MOST_DIMS];
        cart_coords(g, rank, coords);
        proc[rank] = 0;
        for (int j = 0; j < g->ndims; j++)
            proc[rank] = proc[rank] * 100 + coords[j] / block[j];
    }
    return far_edges(g, proc);
}

static void check_place(const struct cart *g, const struct rankmap *m, int each)
{
    int before[MOST_NODES], after[MOST_NODES], index, block[MOST_DIMS];
    memset(after, -1, sizeof after);
    for (int rank = 0; rank < g->size; rank++) {
        int place = cart_place(g, m, rank);
        before[rank] = rankmap_proc(m, rank, &index);
        ck_assert(place >= 0 && place < g->size);
        ck_assert_int_eq(after[place], -1); /* a permutation */
        after[place] = before[rank];
    }
    int tiled = best_tiling(g, each, block, 0), kept = far_edges(g, before);
    ck_assert_int_eq(far_edges(g, after), tiled < kept ? tiled : kept);
}

static void check_places(const struct cart *g)
{
    for (int nproc = 1; nproc <= g->size; nproc++) {
        int proc_of[MOST_NODES], counts[MOST_NODES];
        struct rankmap m;
        if (g->size % nproc)
            continue;
        for (int rank = 0; rank < g->size; rank++) {
            counts[rank] = g->size / nproc;
            proc_of[rank] = rank % nproc;
        }
        ck_assert(rankmap_blocks(&m, counts, nproc));
        check_place(g, &m, g->size / nproc);
        rankmap_free(&m);
        ck_assert(rankmap_list(&m, proc_of, g->size, nproc));
        check_place(g, &m, g->size / nproc);
        rankmap_free(&m);
    }
}

START_TEST(places)
{
    for_grids(check_places);
    for (int n = 0; n < 60; n++) {
        struct grid g;
        int dims[MOST_DIMS], ndims = 1 + below(MOST_DIMS), room = MOST_NODES;
        for (int i = 0; i < ndims; room /= dims[i++])
            dims[i] = 1 + below(room < 12 ? room : 12);
        make_grid(&g, ndims, dims, below(1 << MOST_DIMS));
        check_places(&g.cart);
    }
}
END_TEST

/* Where processes are unequal or some endpoints are left over, ranks stay. */
START_TEST(places_stay)
{
    static const int counts[] = {3, 0, 2}, equal[] = {8, 8};
    const int line[] = {5}, square[] = {3, 5};
    struct grid g;
    struct rankmap m;
    make_grid(&g, 1, line, 1);
    ck_assert(rankmap_blocks(&m, counts, 3));
    for (int rank = 0; rank < 5; rank++)
        ck_assert_int_eq(cart_place(&g.cart, &m, rank), rank);
    rankmap_free(&m);
    make_grid(&g, 2, square, 0);
    ck_assert(rankmap_blocks(&m, equal, 2));
    for (int rank = 0; rank < 16; rank++)
        ck_assert_int_eq(cart_place(&g.cart, &m, rank), rank);
    rankmap_free(&m);
}
END_TEST

/* ---- Graphs ---- */

START_TEST(graphs)
{
    int index[] = {2, 3, 3, 6}, edges[] = {1, 3, 0, 0, 2, 3}, degree;
    struct graph g = {4, 6, index, edges};
    static const int first[] = {0, 2, 3, 3}, degrees[] = {2, 1, 0, 3};
    for (int node = 0; node < 4; node++) {
        ck_assert_ptr_eq(graph_neighbours(&g, node, &degree), edges + first[node]);
        ck_assert_int_eq(degree, degrees[node]);
    }
    ck_assert_int_eq(graph_bad_index(4, index), -1);
    ck_assert_int_eq(graph_bad_edge(4, index, edges), -1);
    ck_assert_int_eq(graph_bad_edge(3, index, edges), 1);
    ck_assert_int_eq(graph_bad_edge(0, NULL, NULL), -1);
    edges[4] = -1;
    ck_assert_int_eq(graph_bad_edge(4, index, edges), 4);
    index[2] = 2;
    ck_assert_int_eq(graph_bad_index(4, index), 2);
    index[0] = -1;
    ck_assert_int_eq(graph_bad_index(4, index), 0);
}
END_TEST

START_TEST(picked_edges)
{
    static const struct edge e[] = {{0, 1, 5}, {1, 1, 6}, {2, 1, 7}, {0, 1, 8},
                                    {1, 0, 9}, {2, 0, 4}, {1, 1, 3}};
    enum { N = sizeof e / sizeof *e };
    static const int in_ranks[] = {0, 1, 2, 0, 1}, in_weights[] = {5, 6, 7, 8, 3};
    static const int out_ranks[] = {1, 0, 1}, out_weights[] = {6, 9, 3};
    int in, out, ranks[2][N], weights[2][N];
    ck_assert(edges_count(e, N, 1, &in, &out));
    ck_assert_int_eq(in, 5);
    ck_assert_int_eq(out, 3);
    struct dist_graph g = {true, {in, ranks[0], weights[0]}, {out, ranks[1], weights[1]}};
    edges_pick(e, N, 1, &g);
    ck_assert_mem_eq(ranks[0], in_ranks, sizeof in_ranks);
    ck_assert_mem_eq(weights[0], in_weights, sizeof in_weights);
    ck_assert_mem_eq(ranks[1], out_ranks, sizeof out_ranks);
    ck_assert_mem_eq(weights[1], out_weights, sizeof out_weights);
    ck_assert(edges_count(e, N, 3, &in, &out));
    ck_assert(in == 0 && out == 0);
    ck_assert_uint_eq(edges_mixed(e, N), N);
    struct edge mixed[] = {{0, 1, 0}, {1, 0, 2}, {1, 0, EDGE_UNWEIGHTED}};
    ck_assert_uint_eq(edges_mixed(mixed, 3), 2);
    ck_assert_uint_eq(edges_mixed(mixed + 1, 2), 1);
    ck_assert_uint_eq(edges_mixed(mixed, 0), 0);
}
END_TEST

/* ---- Topologies ---- */

START_TEST(graphs_are_shared)
{
    int index[] = {1, 2, 2}, edges[] = {1, 2}, others[] = {1, 1}, uneven[] = {2, 2, 2};
    struct topology *a = topology_graph(3, index, edges), *b = topology_graph(3, index, others);
    struct topology *c = topology_graph(3, index, edges), *d = topology_graph(2, index, edges);
    struct topology *e = topology_graph(3, uneven, edges);
    ck_assert(a && b && d && e);
    ck_assert_ptr_eq(a, c);
    ck_assert(a != b && a != d && a != e && b != d && b != e && d != e);
    topology_drop(e);
    edges[0] = 0; /* the user's arrays are copied */
    ck_assert_int_eq(a->graph.edges[0], 1);
    topology_drop(a);
    ck_assert_int_eq(c->graph.nedges, 2);
    ck_assert_ptr_eq(topology_hold(c), c);
    topology_drop(b);
    topology_drop(c);
    edges[0] = 1;
    a = topology_graph(3, index, edges); /* c is held, so it is found again */
    ck_assert_ptr_eq(a, c);
    topology_drop(a);
    topology_drop(c);
    topology_drop(d);
    topology_drop(NULL);
    b = topology_graph(1, others, edges); /* one loop */
    ck_assert_int_eq(b->graph.nnodes, 1);
    topology_drop(b);
}
END_TEST

START_TEST(without_memory)
{
    static const int counts[] = {4, 4}, dims[] = {4, 2}, index[] = {1, 1}, edges[] = {1};
    struct rankmap m;
    struct grid g;
    int failures = 0;
    make_grid(&g, 2, dims, 0);
    ck_assert(rankmap_blocks(&m, counts, 2));
    bool again = true;
    for (int n = 0; again; n++) {
        fail_allocation(n);
        int place = cart_place(&g.cart, &m, 5);
        again = allocation_failed();
        fail_allocation(-1);
        ck_assert(again ? place == -1 : place >= 0);
        failures += again;
    }
    ck_assert_int_ge(failures, 2);
    rankmap_free(&m);
    for (int kind = 0; kind < 3; kind++) {
        fail_allocation(0);
        struct topology *t = kind == 0   ? topology_cart(2, dims, dims)
                             : kind == 1 ? topology_graph(2, index, edges)
                                         : topology_dist_graph(2, 3, true);
        ck_assert(allocation_failed());
        fail_allocation(-1);
        ck_assert_ptr_null(t);
    }
}
END_TEST

int main(void)
{
    const TTest *tests[] = {dims_are_balanced,
                            dims_given_are_kept,
                            dims_of_large_numbers,
                            coordinates,
                            neighbours,
                            cuts,
                            places,
                            places_stay,
                            graphs,
                            picked_edges,
                            graphs_are_shared,
                            without_memory};
    return UNIT_MAIN("topology", tests);
}
