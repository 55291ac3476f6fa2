/* SPDX-License-Identifier: BSD-3-Clause */
/* cart.c: Cartesian topologies: creation, coordinates, messages along shifts, sub-grids, locality. */
#include "harness.h"
#include <stdlib.h>
#include <string.h>

enum { DIMS = 3, MOST = 64 };

/* A grid of n endpoints: ndims dimensions, as even as can be; bit i of periods: dimension i is periodic. */
struct grid {
    int ndims, size, dims[DIMS], periods[DIMS];
};

static struct grid grid_of(int size, int ndims, int periods)
{
    struct grid g = {.ndims = ndims, .size = size};
    EXPECT_OK(ep_dims_create(size, ndims, g.dims));
    for (int i = 0; i < ndims; i++)
        g.periods[i] = periods >> i & 1;
    return g;
}

static ep_comm create(ep_comm comm, const struct grid *g, int reorder)
{
    ep_comm cart = EP_COMM_NULL;
    int periods[DIMS] = {0};
    for (int i = 0; i < g->ndims; i++)
        periods[i] = g->periods[i] * (3 * i - 1); /* any number but 0 is true */
    EXPECT_OK(ep_cart_create(comm, g->ndims, g->dims, periods, reorder, &cart));
    return cart;
}

/* The model: counts through all coordinates, the last fastest. */
static void model_coords(const struct grid *g, int rank, int coords[])
{
    memset(coords, 0, DIMS * sizeof *coords);
    while (rank-- > 0)
        for (int i = g->ndims - 1; i >= 0 && ++coords[i] == g->dims[i]; i--)
            coords[i] = 0;
}

static int model_rank(const struct grid *g, const int coords[])
{
    int at[DIMS];
    for (int rank = 0; rank < g->size; rank++) {
        model_coords(g, rank, at);
        if (memcmp(at, coords, (size_t)g->ndims * sizeof *at) == 0)
            return rank;
    }
    return -1;
}

/* One step at a time. */
static int model_shift(const struct grid *g, int rank, int direction, int disp)
{
    int coords[DIMS], d = g->dims[direction];
    model_coords(g, rank, coords);
    for (int step = disp < 0 ? -1 : 1; disp; disp -= step) {
        coords[direction] += step;
        if (coords[direction] < 0 || coords[direction] >= d) {
            if (!g->periods[direction])
                return MPI_PROC_NULL;
            coords[direction] = step < 0 ? d - 1 : 0;
        }
    }
    return model_rank(g, coords);
}

static void check_grid(ep_comm cart, const struct grid *g)
{
    int rank = -1, size = -1, ndims = -1, kind = -1;
    int dims[DIMS] = {0}, periods[DIMS] = {0}, coords[DIMS] = {0}, want[DIMS] = {0};
    EXPECT_OK(ep_comm_rank(cart, &rank));
    EXPECT_OK(ep_comm_size(cart, &size));
    EXPECT_OK(ep_topo_test(cart, &kind));
    EXPECT_OK(ep_cartdim_get(cart, &ndims));
    EXPECT_OK(ep_cart_get(cart, DIMS, dims, periods, coords));
    EXPECT_EQ(size, g->size);
    EXPECT_EQ(kind, MPI_CART);
    EXPECT_EQ(ndims, g->ndims);
    model_coords(g, rank, want);
    for (int i = 0; i < g->ndims; i++) {
        EXPECT_EQ(dims[i], g->dims[i]);
        EXPECT_EQ(periods[i], g->periods[i]);
        EXPECT_EQ(coords[i], want[i]);
    }
    for (int other = 0; other < size; other++) {
        int got = -1;
        model_coords(g, other, want);
        EXPECT_OK(ep_cart_coords(cart, other, g->ndims, coords));
        EXPECT(memcmp(coords, want, (size_t)g->ndims * sizeof *want) == 0);
        EXPECT_OK(ep_cart_rank(cart, want, &got));
        EXPECT_EQ(got, other);
    }
}

static void check_wrapping(ep_comm cart, const struct grid *g)
{
    int rank = -1, coords[DIMS], got;
    EXPECT_OK(ep_comm_rank(cart, &rank));
    model_coords(g, rank, coords);
    for (int i = 0; i < g->ndims; i++)
        for (int turns = -2; turns <= 2; turns++) {
            int held = coords[i];
            coords[i] += turns * g->dims[i];
            EXPECT_RC(ep_cart_rank(cart, coords, &got),
                      turns == 0 || g->periods[i] ? MPI_SUCCESS : MPI_ERR_ARG);
            if (turns == 0 || g->periods[i])
                EXPECT_EQ(got, rank);
            coords[i] = held;
        }
}

/* What is sent along a shift arrives where the model says. */
static void check_shifts(ep_comm cart, const struct grid *g)
{
    int rank = -1;
    EXPECT_OK(ep_comm_rank(cart, &rank));
    for (int i = 0; i < g->ndims; i++)
        for (int disp = -g->dims[i] - 1; disp <= g->dims[i] + 1; disp += disp < -2 || disp > 1 ? 2 : 1) {
            int source = -77, dest = -77, got = -1;
            if (!EXPECT_OK(ep_cart_shift(cart, i, disp, &source, &dest)))
                return;
            EXPECT_EQ(dest, model_shift(g, rank, i, disp));
            EXPECT_EQ(source, model_shift(g, rank, i, -disp));
            EXPECT_OK(
                ep_sendrecv(&rank, 1, MPI_INT, dest, 3, &got, 1, MPI_INT, source, 3, cart, EP_STATUS_IGNORE));
            EXPECT_EQ(got, source == MPI_PROC_NULL ? -1 : source);
        }
}

static void grids(team_t *t, void *arg)
{
    (void)arg;
    for (int size = t->size > 1 ? t->size - 1 : 1; size <= t->size; size++)
        for (int ndims = 1; ndims <= DIMS; ndims++)
            for (int periods = 0; periods < 1 << ndims; periods += ndims == DIMS ? 5 : 1) {
                struct grid g = grid_of(size, ndims, periods);
                ep_comm cart = create(t->comm, &g, 0);
                int rank = -1;
                if (!EXPECT((cart != EP_COMM_NULL) == (t->rank < size)) || t->rank >= size)
                    continue;
                EXPECT_OK(ep_comm_rank(cart, &rank));
                EXPECT_EQ(rank, t->rank); /* no reordering: as in comm_old */
                check_grid(cart, &g);
                check_wrapping(cart, &g);
                check_shifts(cart, &g);
                EXPECT_OK(ep_comm_free(&cart));
            }
}

static void no_dimensions(team_t *t, void *arg)
{
    struct grid g = {.ndims = 0, .size = 1};
    ep_comm cart = create(t->comm, &g, 1), sub = EP_COMM_NULL;
    int source, dest, rank = -1, none[1] = {7};
    (void)arg;
    EXPECT_EQ(cart != EP_COMM_NULL, t->rank == 0);
    if (cart == EP_COMM_NULL)
        return;
    check_grid(cart, &g);
    EXPECT_OK(ep_cart_get(cart, 0, NULL, NULL, NULL));
    EXPECT_OK(ep_cart_coords(cart, 0, 0, NULL));
    EXPECT_OK(ep_cart_rank(cart, NULL, &rank));
    EXPECT_EQ(rank, 0);
    EXPECT_RC(ep_cart_shift(cart, 0, 1, &source, &dest), MPI_ERR_ARG);
    EXPECT_OK(ep_cart_sub(cart, none, &sub));
    check_grid(sub, &g);
    EXPECT_OK(ep_comm_free(&sub));
    EXPECT_OK(ep_comm_free(&cart));
}

/* ---- Sub-grids ---- */

/* The piece that holds coords: what remains of the dimensions, and the world ranks in it. */
static struct grid model_sub(const struct grid *g, const int remain[], const int coords[], int members[])
{
    struct grid sub = {.size = 0};
    for (int i = 0; i < g->ndims; i++)
        if (remain[i]) {
            sub.dims[sub.ndims] = g->dims[i];
            sub.periods[sub.ndims++] = g->periods[i];
        }
    for (int rank = 0; rank < g->size; rank++) {
        int at[DIMS], same = 1;
        model_coords(g, rank, at);
        for (int i = 0; i < g->ndims; i++)
            same &= remain[i] || at[i] == coords[i];
        if (same)
            members[sub.size++] = rank;
    }
    return sub;
}

/* Everybody tells everybody in comm its number; they must be those in want[], by rank. */
static void check_members(ep_comm comm, int number, const int want[], int n)
{
    for (int other = 0; other < n; other++) {
        int got = -1, rank = -1;
        ep_comm_rank(comm, &rank);
        int to = (rank + other) % n, from = (rank + n - other) % n;
        EXPECT_OK(ep_sendrecv(&number, 1, MPI_INT, to, 9, &got, 1, MPI_INT, from, 9, comm, EP_STATUS_IGNORE));
        EXPECT_EQ(got, want[from]);
    }
}

static void sub_grids(team_t *t, void *arg)
{
    struct grid g = grid_of(t->size, DIMS, 2);
    ep_comm cart = create(t->comm, &g, 0);
    int coords[DIMS], members[MOST];
    (void)arg;
    if (!EXPECT(cart != EP_COMM_NULL))
        return;
    model_coords(&g, t->rank, coords);
    for (int mask = 0; mask < 1 << DIMS; mask++) {
        int remain[DIMS];
        for (int i = 0; i < DIMS; i++)
            remain[i] = (mask >> i & 1) * (i + 1); /* true is any number but 0 */
        struct grid want = model_sub(&g, remain, coords, members);
        ep_comm sub = EP_COMM_NULL;
        EXPECT_OK(ep_cart_sub(cart, remain, &sub));
        if (!EXPECT(sub != EP_COMM_NULL))
            break;
        check_grid(sub, &want);
        check_members(sub, t->rank, members, want.size);
        check_shifts(sub, &want);
        if (want.ndims == 2) { /* and again: lines of a plane */
            int last[2] = {0, 1};
            ep_comm line = EP_COMM_NULL;
            EXPECT_OK(ep_cart_sub(sub, last, &line));
            struct grid row = {1, want.dims[1], {want.dims[1]}, {want.periods[1]}};
            check_grid(line, &row);
            EXPECT_OK(ep_comm_free(&line));
        }
        EXPECT_OK(ep_comm_free(&sub));
    }
    EXPECT_OK(ep_comm_free(&cart));
}

/* Odd and even ranks make different grids at the same time, and a dup outlives its original. */
static void subsets(team_t *t, void *arg)
{
    ep_comm half = EP_COMM_NULL, copy = EP_COMM_NULL;
    int size = -1, kind = -1;
    (void)arg;
    EXPECT_OK(ep_comm_split(t->comm, t->rank & 1, -t->rank, &half));
    if (!EXPECT(half != EP_COMM_NULL))
        return;
    EXPECT_OK(ep_topo_test(half, &kind));
    EXPECT_EQ(kind, MPI_UNDEFINED);
    EXPECT_OK(ep_comm_size(half, &size));
    for (int i = 0; i < (t->rank & 1 ? 4 : 7); i++) {
        struct grid g = grid_of(size, t->rank & 1 ? 2 : 1 + i % 3, i);
        ep_comm cart = create(half, &g, i & 1);
        check_grid(cart, &g);
        check_shifts(cart, &g);
        EXPECT_OK(ep_comm_dup(cart, &copy));
        EXPECT_OK(ep_comm_free(&cart));
        check_grid(copy, &g);
        check_shifts(copy, &g);
        EXPECT_OK(ep_comm_free(&copy));
    }
    EXPECT_OK(ep_comm_free(&half));
}

/* ---- Locality ---- */

/* Steps of +1 in all dimensions between endpoints that are not in one process. */
static int far_edges(const team_t *t, ep_comm cart, const struct grid *g)
{
    int ranks[MOST], world[MOST], far = 0;
    ep_group mine, all;
    for (int i = 0; i < g->size; i++)
        ranks[i] = i;
    EXPECT_OK(ep_comm_group(cart, &mine));
    EXPECT_OK(ep_comm_group(t->comm, &all));
    EXPECT_OK(ep_group_translate_ranks(mine, g->size, ranks, all, world));
    EXPECT_OK(ep_group_free(&mine));
    EXPECT_OK(ep_group_free(&all));
    for (int rank = 0; rank < g->size; rank++)
        for (int i = 0; i < g->ndims; i++) {
            int to = model_shift(g, rank, i, 1);
            far += to != MPI_PROC_NULL && team_process_of(t, world[rank]) != team_process_of(t, world[to]);
        }
    return far;
}

/* Make the grid with and without reordering; returns how many far edges that spares. */
static int spared(const team_t *t, ep_comm comm, const struct grid *g)
{
    ep_comm plain = create(comm, g, 0), placed = create(comm, g, 1);
    int rank = -1, map = -1, saved = 0;
    if (EXPECT(plain != EP_COMM_NULL && placed != EP_COMM_NULL)) {
        check_grid(placed, g);
        check_shifts(placed, g);
        EXPECT_OK(ep_cart_map(comm, g->ndims, g->dims, g->periods, &map));
        EXPECT_OK(ep_comm_rank(placed, &rank));
        EXPECT_EQ(map, rank);
        saved = far_edges(t, plain, g) - far_edges(t, placed, g);
        EXPECT(saved >= 0);
        EXPECT_OK(ep_comm_free(&plain));
        EXPECT_OK(ep_comm_free(&placed));
    }
    return saved;
}

static int equal_processes(const team_t *t)
{
    for (int p = 1; p < t->processes; p++)
        if (t->counts[p] != t->counts[0])
            return 0;
    return 1;
}

static void locality(team_t *t, void *arg)
{
    ep_comm cyclic = EP_COMM_NULL;
    (void)arg;
    for (int ndims = 1; ndims <= DIMS; ndims++)
        for (int periods = 0; periods < 1 << ndims; periods++) {
            struct grid g = grid_of(t->size, ndims, periods);
            spared(t, t->comm, &g);
        }
    int together = equal_processes(t) && t->processes > 1 && t->local > 1;
    if (t->size % 2 == 0) { /* two long rows: whole rows per process are the worst */
        struct grid rows = {2, t->size, {2, t->size / 2}, {0, 0}};
        int saved = spared(t, t->comm, &rows);
        if (together && t->processes == 2 && t->local > 2)
            EXPECT(saved > 0);
    }
    EXPECT_OK(ep_comm_split(t->comm, 0, t->index, &cyclic)); /* all neighbours are far */
    struct grid ring = {1, t->size, {t->size}, {1}};
    int saved = spared(t, cyclic, &ring);
    if (together)
        EXPECT_EQ(saved, t->size - t->processes);
    EXPECT_OK(ep_comm_free(&cyclic));
}

static void maps(team_t *t, void *arg)
{
    int rank = -1, one = 1;
    (void)arg;
    for (int size = 1; size < t->size; size++) { /* smaller than comm: ranks stay */
        EXPECT_OK(ep_cart_map(t->comm, 1, &size, &one, &rank));
        EXPECT_EQ(rank, t->rank < size ? t->rank : MPI_UNDEFINED);
    }
    EXPECT_OK(ep_cart_map(t->comm, 0, NULL, NULL, &rank));
    EXPECT_EQ(rank, t->rank == 0 ? 0 : MPI_UNDEFINED);
}

/* ---- MPI itself ---- */

/* With one endpoint in every process MPI's own functions must say the same. */
static void compare_queries(ep_comm cart, MPI_Comm classic, const struct grid *g)
{
    int rank = -1, got[2][DIMS] = {{0}}, one[2] = {0, 1};
    for (int i = 0; i < g->ndims; i++)
        for (int disp = -3; disp <= 3; disp++) {
            int ours[2] = {-9, -9}, theirs[2] = {-8, -8};
            EXPECT_OK(ep_cart_shift(cart, i, disp, &ours[0], &ours[1]));
            MPI_Cart_shift(classic, i, disp, &theirs[0], &theirs[1]);
            EXPECT_EQ(ours[0], theirs[0]);
            EXPECT_EQ(ours[1], theirs[1]);
        }
    MPI_Comm_rank(classic, &rank);
    MPI_Cart_coords(classic, rank, DIMS, got[0]);
    EXPECT_OK(ep_cart_coords(cart, rank, DIMS, got[1]));
    EXPECT(memcmp(got[0], got[1], sizeof got[0]) == 0);
    for (int i = 0; i < g->ndims; i++)
        got[0][i] -= g->periods[i] ? 5 * g->dims[i] + 1 : 0;
    MPI_Cart_rank(classic, got[0], &one[0]);
    EXPECT_OK(ep_cart_rank(cart, got[0], &one[1]));
    EXPECT_EQ(one[0], one[1]);
}

static void as_mpi(team_t *t, void *arg)
{
    (void)arg;
    if (t->size != t->processes || !equal_processes(t))
        return;
    for (int ndims = 1; ndims <= DIMS; ndims++)
        for (int periods = 0; periods < 1 << ndims; periods++) {
            struct grid g = grid_of(t->size, ndims, periods);
            MPI_Comm classic, classic_sub;
            ep_comm cart = create(t->comm, &g, 0), sub = EP_COMM_NULL;
            int remain[DIMS] = {1, 0, 1}, ranks[2] = {-1, -2};
            MPI_Cart_create(MPI_COMM_WORLD, ndims, g.dims, g.periods, 0, &classic);
            compare_queries(cart, classic, &g);
            MPI_Cart_sub(classic, remain, &classic_sub);
            EXPECT_OK(ep_cart_sub(cart, remain, &sub));
            MPI_Comm_rank(classic_sub, &ranks[0]);
            EXPECT_OK(ep_comm_rank(sub, &ranks[1]));
            EXPECT_EQ(ranks[0], ranks[1]);
            MPI_Comm_free(&classic_sub);
            MPI_Comm_free(&classic);
            EXPECT_OK(ep_comm_free(&sub));
            EXPECT_OK(ep_comm_free(&cart));
        }
}

/* ---- Errors ---- */

static void bad_grids(team_t *t, void *arg)
{
    ep_comm cart = EP_COMM_NULL;
    int large[2] = {t->size, 2}, huge[2] = {1 << 20, 1 << 20}, zero[2] = {1, 0}, negative[2] = {-1, -1};
    int periods[2] = {0, 0}, rank;
    char text[MPI_MAX_ERROR_STRING];
    (void)arg;
    EXPECT_RC(ep_cart_create(t->comm, 2, large, periods, 0, &cart), MPI_ERR_ARG);
    EXPECT_RC(ep_cart_create(t->comm, 2, huge, periods, 0, &cart), MPI_ERR_ARG);
    EXPECT_RC(ep_cart_create(t->comm, 2, negative, periods, 0, &cart), MPI_ERR_DIMS);
    EXPECT_RC(ep_cart_create(t->comm, 2, zero, periods, 0, &cart), MPI_ERR_DIMS);
    ep_error_string(MPI_ERR_DIMS, text, &rank);
    EXPECT_CONTAINS(text, "ep_cart_create");
    EXPECT_CONTAINS(text, "dims[1] is 0");
    EXPECT_RC(ep_cart_create(t->comm, -1, zero, periods, 0, &cart), MPI_ERR_DIMS);
    EXPECT_RC(ep_cart_create(t->comm, 1, NULL, periods, 0, &cart), MPI_ERR_ARG);
    EXPECT_RC(ep_cart_create(t->comm, 1, large, NULL, 0, &cart), MPI_ERR_ARG);
    EXPECT_RC(ep_cart_create(t->comm, 1, large, periods, 0, NULL), MPI_ERR_ARG);
    EXPECT_RC(ep_cart_map(t->comm, 2, large, periods, &rank), MPI_ERR_ARG);
    EXPECT_RC(ep_cart_map(t->comm, 2, zero, periods, &rank), MPI_ERR_DIMS);
    EXPECT_RC(ep_cart_map(t->comm, 1, large, periods, NULL), MPI_ERR_ARG);
    EXPECT(cart == EP_COMM_NULL);
}

/* One endpoint is wrong, all are told, and go on. */
static void one_wrong(team_t *t, void *arg)
{
    (void)arg;
    for (int victim = 0; victim<t->size; victim += t->size> 1 ? t->size - 1 : 1) {
        int wrong = t->rank == victim, dims[1] = {wrong ? 0 : t->size}, periods[1] = {0}, one[1] = {1};
        struct grid g = grid_of(t->size, 1, 0);
        ep_comm cart = EP_COMM_NULL, sub = EP_COMM_NULL;
        EXPECT_RC(ep_cart_create(t->comm, 1, dims, periods, 0, &cart), MPI_ERR_DIMS);
        EXPECT(cart == EP_COMM_NULL);
        cart = create(t->comm, &g, 0);
        EXPECT_RC(ep_cart_sub(cart, wrong ? NULL : one, &sub), MPI_ERR_ARG);
        EXPECT(sub == EP_COMM_NULL);
        EXPECT_OK(ep_cart_sub(cart, one, &sub));
        check_grid(sub, &g);
        EXPECT_OK(ep_comm_free(&sub));
        EXPECT_OK(ep_comm_free(&cart));
    }
}

static void bad_queries(team_t *t, void *arg)
{
    struct grid g = grid_of(t->size, 2, 1);
    ep_comm cart = create(t->comm, &g, 0), sub = t->comm;
    int a[DIMS] = {0}, b[DIMS] = {0}, c[DIMS] = {0}, rank;
    (void)arg;
    EXPECT_RC(ep_cart_get(cart, 1, a, b, c), MPI_ERR_ARG);
    EXPECT_RC(ep_cart_get(cart, 2, a, NULL, c), MPI_ERR_ARG);
    EXPECT_RC(ep_cart_coords(cart, 0, 1, a), MPI_ERR_ARG);
    EXPECT_RC(ep_cart_coords(cart, t->size, 2, a), MPI_ERR_RANK);
    EXPECT_RC(ep_cart_coords(cart, -1, 2, a), MPI_ERR_RANK);
    EXPECT_RC(ep_cart_coords(cart, MPI_PROC_NULL, 2, a), MPI_ERR_RANK);
    EXPECT_RC(ep_cart_shift(cart, 2, 1, a, b), MPI_ERR_ARG);
    EXPECT_RC(ep_cart_shift(cart, -1, 1, a, b), MPI_ERR_ARG);
    EXPECT_RC(ep_cart_shift(cart, 0, 1, a, NULL), MPI_ERR_ARG);
    c[1] = g.dims[1];
    EXPECT_RC(ep_cart_rank(cart, c, &rank), MPI_ERR_ARG);
    c[1] = -1;
    EXPECT_RC(ep_cart_rank(cart, c, &rank), MPI_ERR_ARG);
    EXPECT_RC(ep_cart_sub(cart, NULL, &sub), MPI_ERR_ARG);
    EXPECT(sub == EP_COMM_NULL);
    EXPECT_RC(ep_cart_sub(cart, a, NULL), MPI_ERR_ARG);
    EXPECT_RC(ep_cartdim_get(cart, NULL), MPI_ERR_ARG);
    EXPECT_RC(ep_topo_test(cart, NULL), MPI_ERR_ARG);
    EXPECT_RC(ep_graphdims_get(cart, a, b), MPI_ERR_TOPOLOGY); /* another topology */
    EXPECT_RC(ep_dist_graph_neighbors_count(cart, a, b, c), MPI_ERR_TOPOLOGY);
    EXPECT_RC(ep_cartdim_get(t->comm, a), MPI_ERR_TOPOLOGY); /* none */
    EXPECT_RC(ep_cart_sub(t->comm, a, &sub), MPI_ERR_TOPOLOGY);
    EXPECT_RC(ep_cart_shift(t->comm, 0, 1, a, b), MPI_ERR_TOPOLOGY);
    EXPECT_OK(ep_comm_free(&cart));
}

static void intercommunicator(team_t *t, void *arg)
{
    ep_comm half = EP_COMM_NULL, inter = EP_COMM_NULL, cart = EP_COMM_NULL;
    int side = t->rank & 1, one = 1, kind = -1, rank;
    (void)arg;
    if (t->size < 2)
        return;
    EXPECT_OK(ep_comm_split(t->comm, side, 0, &half));
    EXPECT_OK(ep_intercomm_create(half, 0, t->comm, !side, 1, &inter));
    if (!EXPECT(inter != EP_COMM_NULL))
        return;
    EXPECT_RC(ep_cart_create(inter, 1, &one, &one, 0, &cart), MPI_ERR_COMM);
    EXPECT_RC(ep_cart_map(inter, 1, &one, &one, &rank), MPI_ERR_COMM);
    EXPECT_RC(ep_cart_shift(inter, 0, 1, &one, &kind), MPI_ERR_TOPOLOGY);
    EXPECT_OK(ep_topo_test(inter, &kind));
    EXPECT_EQ(kind, MPI_UNDEFINED);
    EXPECT_OK(ep_comm_free(&inter));
    EXPECT_OK(ep_comm_free(&half));
}

/* ep_dims_create belongs to no communicator, so its errors go to the process's handler. */
static void dims(void)
{
    int free_ones[4] = {0, 3, 0, 2}, negative[2] = {0, -1}, full[2] = {2, 3}, odd[2] = {5, 0};
    EXPECT_OK(ep_comm_set_errhandler(EP_COMM_WORLD, EP_ERRORS_RETURN));
    EXPECT_OK(ep_dims_create(72, 4, free_ones));
    EXPECT(free_ones[0] == 4 && free_ones[1] == 3 && free_ones[2] == 3 && free_ones[3] == 2);
    EXPECT_OK(ep_dims_create(6, 2, full));
    EXPECT_OK(ep_dims_create(1, 0, NULL));
    EXPECT_RC(ep_dims_create(12, 2, full), MPI_ERR_DIMS);
    EXPECT_RC(ep_dims_create(12, 2, odd), MPI_ERR_DIMS);
    EXPECT_EQ(odd[1], 0);
    EXPECT_RC(ep_dims_create(4, 2, negative), MPI_ERR_DIMS);
    EXPECT_RC(ep_dims_create(0, 2, odd), MPI_ERR_DIMS);
    EXPECT_RC(ep_dims_create(2, 0, NULL), MPI_ERR_DIMS);
    EXPECT_RC(ep_dims_create(2, -1, odd), MPI_ERR_DIMS);
    EXPECT_RC(ep_dims_create(2, 1, NULL), MPI_ERR_ARG);
    EXPECT_OK(ep_comm_set_errhandler(EP_COMM_WORLD, EP_ERRORS_ARE_FATAL));
}

static const harness_test tests[] = {
    {"dims", NULL, dims},
    {"grids", grids, NULL},
    {"no dimensions", no_dimensions, NULL},
    {"sub-grids", sub_grids, NULL},
    {"subsets", subsets, NULL},
    {"locality", locality, NULL},
    {"maps", maps, NULL},
    {"as MPI", as_mpi, NULL},
    {"bad grids", bad_grids, NULL},
    {"one wrong", one_wrong, NULL},
    {"bad queries", bad_queries, NULL},
    {"intercommunicator", intercommunicator, NULL},
};

int main(int argc, char **argv)
{
    return HARNESS_MAIN(argc, argv, "cart", tests);
}
