/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * inter.c: collectives on intercommunicators, for groups that share processes in all ways or do not.
 *
 * Catches: data of the own group instead of the other's, roots taken for ranks of the wrong group, calls of endpoints
 * that take no part (MPI_PROC_NULL) and calls that need them.
 */
#include "inter_plan.h"
#include "sweeps.h"
#include <stdlib.h>

typedef void inter_body(team_t *t, inter_plan *b);

/* Run body for each rule of sides that is possible here. */
static void for_rules(team_t *t, inter_body *body)
{
    for (int rule = 0; rule < side_rule_count; rule++) {
        inter_plan b;
        if (!inter_by_rule(t, &b, side_rules[rule]))
            continue;
        if (inter_build(t, &b))
            body(t, &b);
        inter_free(&b);
        team_barrier(t);
    }
}

static void all_forms_body(team_t *t, inter_plan *b)
{
    seat s = seat_across(b->inter, b->mine);
    (void)t;
    sweep_movement(&s, SWEEP_SHORT);
    sweep_reductions(&s, SWEEP_SHORT);
}

static void all_forms(team_t *t, void *arg)
{
    (void)arg;
    for_rules(t, all_forms_body);
}

/* In turn with those of the local communicator, a duplicate, and what is merged from it. */
static void among_others_body(team_t *t, inter_plan *b)
{
    ep_comm copy = EP_COMM_NULL, merged = EP_COMM_NULL;
    (void)t;
    EXPECT_OK(ep_comm_dup(b->inter, &copy));
    EXPECT_OK(ep_intercomm_merge(b->inter, b->mine, &merged));
    seat s[4] = {seat_across(b->inter, b->mine), seat_on(b->local), seat_across(copy, b->mine),
                 seat_on(merged)};
    for (int i = 0; i < 8; i++)
        sweep_once(&s[i % 4], (uint64_t)i, i % 3 ? 40 : 5000);
    EXPECT_OK(ep_comm_free(&copy));
    EXPECT_OK(ep_comm_free(&merged));
}

static void among_others(team_t *t, void *arg)
{
    (void)arg;
    for_rules(t, among_others_body);
}

/* Permuted local ranks. */
static void turned(team_t *t, void *arg)
{
    (void)arg;
    for (int rule = 0; rule < side_rule_count; rule++) {
        inter_plan b;
        if (!inter_by_rule(t, &b, side_rules[rule]))
            continue;
        for (int r = 0; r < t->size; r++)
            b.key[r] = r % 2 ? -r : r;
        if (inter_build(t, &b)) {
            seat s = seat_across(b.inter, b.mine);
            sweep_once(&s, 11, 500);
            sweep_once(&s, 12, 9000);
        }
        inter_free(&b);
    }
}

/* Many started, completed backwards; among them calls in which some take no part. */
static void nonblocking_body(team_t *t, inter_plan *b)
{
    enum { WINDOW = 30 };
    coll_call *c = xmalloc(WINDOW * sizeof *c);
    ep_request r[WINDOW];
    seat s = seat_across(b->inter, b->mine);
    (void)t;
    for (int i = 0; i < WINDOW; i++) {
        coll_plan p = random_plan(&s, (coll_kind)(i * 4 % SCAN), (uint64_t)i, i % 7 ? 300 : 9000);
        call_prepare(&c[i], &p, &s);
        EXPECT_OK(call_start(&c[i], &r[i]));
    }
    for (int i = WINDOW - 1; i >= 0; i--) {
        EXPECT_OK(ep_wait(&r[i], EP_STATUS_IGNORE));
        call_check(&c[i]);
        call_free(&c[i]);
    }
    free(c);
}

static void nonblocking(team_t *t, void *arg)
{
    (void)arg;
    for_rules(t, nonblocking_body);
}

/* A barrier ends when the other group has come. */
static void barrier_body(team_t *t, inter_plan *b)
{
    ep_request r;
    int flag = 1, token = 0, first = b->mine == 0;
    (void)t;
    if (first) {
        EXPECT_OK(ep_ibarrier(b->inter, &r));
        EXPECT_OK(ep_test(&r, &flag, EP_STATUS_IGNORE));
        EXPECT_EQ(flag, 0);
    }
    for (int k = 0; k < b->n[!b->mine]; k++)
        EXPECT_OK(first ? ep_send(&token, 1, MPI_INT, k, 5, b->inter)
                        : ep_recv(&token, 1, MPI_INT, k, 5, b->inter, EP_STATUS_IGNORE));
    if (!first)
        EXPECT_OK(ep_ibarrier(b->inter, &r));
    EXPECT_OK(ep_wait(&r, EP_STATUS_IGNORE));
    EXPECT_OK(ep_barrier(b->inter));
}

static void barriers(team_t *t, void *arg)
{
    (void)arg;
    for_rules(t, barrier_body);
}

static void with_oracle(team_body *test)
{
    oracle_open();
    team_run(test, NULL);
    oracle_close();
}

static void run_all_forms(void)
{
    with_oracle(all_forms);
}

static void run_among_others(void)
{
    with_oracle(among_others);
}

static void run_turned(void)
{
    with_oracle(turned);
}

static void run_nonblocking(void)
{
    with_oracle(nonblocking);
}

static const harness_test tests[] = {
    {"all forms", NULL, run_all_forms}, {"among others", NULL, run_among_others},
    {"turned", NULL, run_turned},       {"nonblocking", NULL, run_nonblocking},
    {"barriers", barriers, NULL},
};

int main(int argc, char **argv)
{
    return HARNESS_MAIN(argc, argv, "inter", tests);
}
