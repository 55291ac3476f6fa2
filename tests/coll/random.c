/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * random.c: collectives of all kinds and sizes on many communicators, blocking or not, in an order by chance that is
 * the same in all endpoints; what is under way is completed in an order of everybody's own. EP_TEST_SEED repeats
 * a run.
 */
#include "inter_plan.h"
#include "sweeps.h"
#include <stdlib.h>

enum { COMMS = 8, WINDOW = 24 };

typedef struct {
    coll_call call;
    ep_request request; /* EP_REQUEST_NULL: a free place */
    int open;
} pending;

typedef struct {
    team_t *t;
    uint64_t shared; /* the same sequence in all endpoints */
    inter_plan plan;
    seat seats[COMMS]; /* comm may be EP_COMM_NULL */
    pending window[WINDOW];
    int open;
} game;

static void make_comms(game *g)
{
    team_t *t = g->t;
    ep_comm c[COMMS] = {t->comm};
    int half = t->rank < t->size / 2, apart = random_below(&g->shared, t->size);
    EXPECT_OK(ep_comm_dup(t->comm, &c[1]));
    EXPECT_OK(ep_comm_split(t->comm, 0, -t->rank, &c[2]));
    EXPECT_OK(ep_comm_split(t->comm, half, (int)(mix(g->shared, (uint64_t)t->rank) % 100), &c[3]));
    EXPECT_OK(ep_comm_split(t->comm, t->rank == apart ? MPI_UNDEFINED : 1, t->index, &c[4]));
    EXPECT_OK(ep_comm_split_type(t->comm, EP_COMM_TYPE_PROCESS, -t->rank, MPI_INFO_NULL, &c[5]));
    EXPECT_OK(ep_comm_split(c[2], (t->size - 1 - t->rank) % 3, 0, &c[6]));
    for (int i = 0; i < COMMS - 1; i++)
        if (c[i] != EP_COMM_NULL)
            g->seats[i] = seat_on(c[i]);
    if (inter_by_rule(t, &g->plan, side_rules[random_below(&g->shared, side_rule_count)]) &&
        inter_build(t, &g->plan))
        g->seats[COMMS - 1] = seat_across(g->plan.inter, g->plan.mine);
}

static void free_comms(game *g)
{
    for (int i = 1; i < COMMS - 1; i++)
        if (g->seats[i].comm != EP_COMM_NULL)
            EXPECT_OK(ep_comm_free(&g->seats[i].comm));
    if (g->plan.size)
        inter_free(&g->plan);
}

static void close_place(game *g, pending *p)
{
    call_check(&p->call);
    call_free(&p->call);
    p->open = 0;
    g->open--;
}

static void complete_one(game *g, int wait)
{
    int i = random_below(&g->t->random, WINDOW), flag = 1;
    while (!g->window[i].open)
        i = (i + 1) % WINDOW;
    if (wait)
        EXPECT_OK(ep_wait(&g->window[i].request, EP_STATUS_IGNORE));
    else
        EXPECT_OK(ep_test(&g->window[i].request, &flag, EP_STATUS_IGNORE));
    if (flag)
        close_place(g, &g->window[i]);
}

static void begin(game *g, const seat *s, const coll_plan *p)
{
    pending *place = g->window;
    while (g->open == WINDOW)
        complete_one(g, 1);
    while (place->open)
        place++;
    call_prepare(&place->call, p, s);
    EXPECT_OK(call_start(&place->call, &place->request));
    place->open = 1;
    g->open++;
}

static void step(game *g)
{
    static const int sizes[8] = {0, 1, 4, 40, 200, 600, 3000, 12000};
    const seat *s = &g->seats[random_below(&g->shared, COMMS)];
    int kind = random_below(&g->shared, KINDS), units = sizes[random_below(&g->shared, 8)];
    int blocking = random_below(&g->shared, 3) == 0;
    uint64_t seed = random_next(&g->shared);
    if (s->comm == EP_COMM_NULL || (s->inter && kind >= SCAN))
        return;
    coll_plan p = random_plan(s, (coll_kind)kind, seed, units);
    if (blocking)
        collective(s, &p);
    else
        begin(g, s, &p);
    for (int i = random_below(&g->t->random, 3); i > 0 && g->open; i--)
        complete_one(g, 0);
}

static void play(team_t *t, void *arg)
{
    game *g = xmalloc(sizeof *g);
    *g = (game){.t = t, .shared = harness_seed()};
    (void)arg;
    make_comms(g);
    for (int i = 0; i < 600 / harness_slowness() + 60; i++)
        step(g);
    while (g->open)
        complete_one(g, 1);
    free_comms(g);
    free(g);
}

/* Calls that block, one after the other, with no more waiting than they do themselves: of sizes about those from which they are done in
 * another way (docs/collectives.md). */
static void rush(team_t *t, void *arg)
{
    static const int sizes[] = {0, 1, 7, 13, 14, 15, 27, 28, 29, 300, 1024, 2047, 4095, 4096, 4097, 8192, 8193, 9000, 16400};
    game *g = xmalloc(sizeof *g);
    *g = (game){.t = t, .shared = harness_seed() + 1};
    (void)arg;
    make_comms(g);
    for (int i = 0; i < 900 / harness_slowness() + 60; i++) {
        const seat *s = &g->seats[random_below(&g->shared, COMMS)];
        int kind = random_below(&g->shared, KINDS), units = sizes[random_below(&g->shared, (int)(sizeof sizes / sizeof sizes[0]))];
        uint64_t seed = random_next(&g->shared);
        if (s->comm == EP_COMM_NULL || (s->inter && kind >= SCAN))
            continue;
        coll_plan p = random_plan(s, (coll_kind)kind, seed, units);
        collective(s, &p);
    }
    free_comms(g);
    free(g);
}

static void run_rush(void)
{
    oracle_open();
    team_run(rush, NULL);
    oracle_close();
}

static void run_play(void)
{
    oracle_open();
    team_run(play, NULL);
    oracle_close();
}

static const harness_test tests[] = {{"play", NULL, run_play}, {"rush", NULL, run_rush}};

int main(int argc, char **argv)
{
    return HARNESS_MAIN(argc, argv, "coll_random", tests);
}
