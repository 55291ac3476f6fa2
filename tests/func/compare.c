/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * compare.c: ep_comm_compare, and endpoints that stay the same members through everything that is derived.
 *
 * Catches: comparison of sizes or ranks alone, groups whose members are known by their rank in the parent, endpoints of
 * different creations taken for the same.
 */
#include "inter_plan.h"
#include <stdlib.h>
#include <string.h>

static int relation(ep_comm a, ep_comm b)
{
    int result = -1, mirrored = -1;
    EXPECT_OK(ep_comm_compare(a, b, &result));
    EXPECT_OK(ep_comm_compare(b, a, &mirrored));
    EXPECT_EQ(result, mirrored);
    return result;
}

static ep_comm split(ep_comm c, int color, int key)
{
    ep_comm d = EP_COMM_NULL;
    EXPECT_OK(ep_comm_split(c, color, key, &d));
    return d;
}

static void free_all(ep_comm c[], int n)
{
    for (int i = 0; i < n; i++)
        if (c[i] != EP_COMM_NULL)
            EXPECT_OK(ep_comm_free(&c[i]));
}

static void intra(team_t *t, void *arg)
{
    enum { DUP, SAME, BACK, SWAPPED, HALF, HALF_BACK, ALONE, ALONE_TOO, N };
    ep_comm c[N] = {0}, w = t->comm;
    int half = t->rank % 2, first_two = t->rank < 2 ? 1 - t->rank : t->rank;
    (void)arg;
    EXPECT_OK(ep_comm_dup(w, &c[DUP]));
    c[SAME] = split(w, 0, 0);
    c[BACK] = split(w, 0, -t->rank);
    c[SWAPPED] = split(w, 0, first_two);
    c[HALF] = split(w, half, 0);
    c[HALF_BACK] = split(c[BACK], half, 0);
    c[ALONE] = split(w, t->rank, 0);
    c[ALONE_TOO] = split(c[HALF], t->rank, 0);
    EXPECT_EQ(relation(w, w), MPI_IDENT);
    EXPECT_EQ(relation(c[BACK], c[BACK]), MPI_IDENT);
    EXPECT_EQ(relation(w, c[DUP]), MPI_CONGRUENT);
    EXPECT_EQ(relation(w, c[SAME]), MPI_CONGRUENT);
    EXPECT_EQ(relation(c[DUP], c[SAME]), MPI_CONGRUENT);
    EXPECT_EQ(relation(w, c[BACK]), MPI_SIMILAR);
    EXPECT_EQ(relation(w, c[SWAPPED]), MPI_SIMILAR);
    EXPECT_EQ(relation(c[SWAPPED], c[BACK]), MPI_SIMILAR);
    EXPECT_EQ(relation(w, c[HALF]), MPI_UNEQUAL);
    EXPECT_EQ(relation(c[HALF], c[HALF_BACK]), MPI_SIMILAR);
    EXPECT_EQ(relation(c[ALONE], c[ALONE_TOO]), MPI_CONGRUENT);
    EXPECT_EQ(relation(c[ALONE], c[HALF]), MPI_UNEQUAL);
    free_all(c, N);
}

/* Parts of one size with other members. */
static void same_size(team_t *t, void *arg)
{
    ep_comm c[2] = {split(t->comm, t->rank / 2, 0), split(t->comm, (t->rank + 1) % t->size / 2, 0)};
    int a = -1, b = -1;
    (void)arg;
    EXPECT_OK(ep_comm_size(c[0], &a));
    EXPECT_OK(ep_comm_size(c[1], &b));
    if (a == 2 && b == 2)
        EXPECT_EQ(relation(c[0], c[1]), MPI_UNEQUAL);
    free_all(c, 2);
}

static void self(team_t *t, void *arg)
{
    ep_comm alone = split(t->comm, t->rank, 0), twin = split(t->comm, t->rank, 0);
    (void)arg;
    EXPECT_OK(ep_thread_bind(t->comm));
    EXPECT_OK(ep_comm_set_errhandler(EP_COMM_SELF, EP_ERRORS_RETURN));
    EXPECT_EQ(relation(EP_COMM_WORLD, t->comm), MPI_IDENT);
    EXPECT_EQ(relation(EP_COMM_SELF, EP_COMM_SELF), MPI_IDENT);
    EXPECT_EQ(relation(EP_COMM_SELF, alone), MPI_CONGRUENT);
    EXPECT_EQ(relation(alone, twin), MPI_CONGRUENT);
    EXPECT_EQ(relation(EP_COMM_SELF, t->comm), MPI_UNEQUAL);
    EXPECT_OK(ep_thread_bind(EP_COMM_NULL));
    EXPECT_OK(ep_comm_free(&alone));
    EXPECT_OK(ep_comm_free(&twin));
}

/* arg: endpoints of another creation; they are others, though threads and processes are the same. */
static void other_creation_body(team_t *t, void *arg)
{
    ep_comm other = ((ep_comm *)arg)[t->index];
    ep_group a = EP_GROUP_NULL, b = EP_GROUP_NULL;
    int zero = 0, got = 0, result = -1;
    EXPECT_OK(ep_comm_set_errhandler(other, EP_ERRORS_RETURN));
    EXPECT_EQ(relation(t->comm, other), MPI_UNEQUAL);
    EXPECT_OK(ep_comm_group(t->comm, &a));
    EXPECT_OK(ep_comm_group(other, &b));
    EXPECT_OK(ep_group_translate_ranks(a, 1, &zero, b, &got));
    EXPECT_EQ(got, MPI_UNDEFINED);
    EXPECT_OK(ep_group_compare(a, b, &result));
    EXPECT_EQ(result, MPI_UNEQUAL);
    EXPECT_OK(ep_group_free(&a));
    EXPECT_OK(ep_group_free(&b));
    team_barrier(t);
    EXPECT_OK(ep_comm_free(&other));
}

static void other_creation(void)
{
    int n = team_local_count();
    ep_comm *comms = xmalloc(2 * (size_t)n * sizeof *comms);
    int ok = EXPECT_OK(ep_comm_create_endpoints(MPI_COMM_WORLD, n, MPI_INFO_NULL, comms));
    ok &= EXPECT_OK(ep_comm_create_endpoints(MPI_COMM_WORLD, n, MPI_INFO_NULL, comms + n));
    if (ok)
        team_run_on(comms, n, 0, other_creation_body, comms + n);
    free(comms);
}

/* ---- Intercommunicators ---- */

static void inter(team_t *t, void *arg)
{
    inter_plan b[3];
    (void)arg;
    for (int rule = 0; rule < side_rule_count; rule++) {
        ep_comm d = EP_COMM_NULL;
        if (!inter_by_rule(t, &b[0], side_rules[rule]))
            continue;
        b[1] = b[2] = b[0];
        for (int r = 0; r < t->size; r++)
            b[1].key[r] = b[0].side[r] == 1 ? -r : r; /* one side in another order */
        int ok = inter_build(t, &b[0]);
        ok &= inter_build(t, &b[1]);
        ok &= inter_build(t, &b[2]);
        if (ok) {
            EXPECT_OK(ep_comm_dup(b[0].inter, &d));
            EXPECT_EQ(relation(b[0].inter, b[0].inter), MPI_IDENT);
            EXPECT_EQ(relation(b[0].inter, d), MPI_CONGRUENT);
            EXPECT_EQ(relation(b[0].inter, b[2].inter), MPI_CONGRUENT);
            EXPECT_EQ(relation(b[0].inter, b[1].inter), b[0].n[1] > 1 ? MPI_SIMILAR : MPI_CONGRUENT);
            EXPECT_EQ(relation(b[0].inter, b[0].local), MPI_UNEQUAL);
            EXPECT_EQ(relation(b[0].inter, t->comm), MPI_UNEQUAL);
            EXPECT_OK(ep_comm_free(&d));
        }
        for (int i = 0; i < 3; i++)
            inter_free(&b[i]);
    }
}

/* Same sizes, other members. */
static void other_sides(team_t *t, void *arg)
{
    inter_plan b[2];
    int even = t->size & ~1, side[TRAFFIC_MAX];
    (void)arg;
    for (int k = 0; k < 2; k++) {
        for (int r = 0; r < t->size; r++)
            side[r] = r >= even ? NEITHER : k ? r % 2 : r >= even / 2;
        inter_set_sides(t, &b[k], side);
        inter_build(t, &b[k]);
    }
    if (t->rank < even)
        EXPECT_EQ(relation(b[0].inter, b[1].inter), MPI_UNEQUAL);
    inter_free(&b[0]);
    inter_free(&b[1]);
}

/* ---- Identity ---- */

enum { GROUPS = 6 };

/* All members of each group, translated into each other one, are those with the same rank in the team. */
static void expect_same_endpoints(ep_group g[GROUPS], int world[GROUPS][TRAFFIC_MAX], const int n[])
{
    for (int a = 0; a < GROUPS; a++)
        for (int b = 0; b < GROUPS; b++) {
            int ranks[TRAFFIC_MAX], got[TRAFFIC_MAX];
            for (int i = 0; i < n[a]; i++)
                ranks[i] = i;
            EXPECT_OK(ep_group_translate_ranks(g[a], n[a], ranks, g[b], got));
            for (int i = 0; i < n[a]; i++) {
                int at = find(world[b], n[b], world[a][i]);
                EXPECT_EQ(got[i], at < 0 ? MPI_UNDEFINED : at);
            }
        }
}

static void identities(team_t *t, void *arg)
{
    inter_plan plan, *b = &plan;
    (void)arg;
    for (int rule = 0; rule < side_rule_count; rule++) {
        ep_group g[GROUPS];
        ep_comm merged = EP_COMM_NULL, turned = EP_COMM_NULL;
        int world[GROUPS][TRAFFIC_MAX], n[GROUPS], colors[TRAFFIC_MAX] = {0}, keys[TRAFFIC_MAX];
        if (!inter_by_rule(t, b, side_rules[rule]))
            continue;
        for (int r = 0; r < t->size; r++)
            keys[r] = b->key[r] = (r * 7 + 3) % 5;
        turned = split(t->comm, 0, keys[t->rank]);
        n[1] = in_order(t->size, colors, keys, 0, world[1]);
        n[0] = t->size;
        for (int r = 0; r < t->size; r++)
            world[0][r] = r;
        if (inter_build(t, b) && EXPECT_OK(ep_intercomm_merge(b->inter, b->mine == 0, &merged))) {
            for (int k = 2; k < 5; k++) {
                n[k] = b->n[k == 4 ? !b->mine : b->mine];
                memcpy(world[k], b->ranks[k == 4 ? !b->mine : b->mine], sizeof world[k]);
            }
            n[5] = inter_merged(b, 1, world[5]);
            EXPECT_OK(ep_comm_group(t->comm, &g[0]));
            EXPECT_OK(ep_comm_group(turned, &g[1]));
            EXPECT_OK(ep_comm_group(b->local, &g[2]));
            EXPECT_OK(ep_comm_group(b->inter, &g[3]));
            EXPECT_OK(ep_comm_remote_group(b->inter, &g[4]));
            EXPECT_OK(ep_comm_group(merged, &g[5]));
            if (expect_members(t, merged, world[5], n[5], NULL, 0))
                expect_same_endpoints(g, world, n);
            for (int k = 0; k < GROUPS; k++)
                EXPECT_OK(ep_group_free(&g[k]));
            EXPECT_OK(ep_comm_free(&merged));
        }
        inter_free(b);
        EXPECT_OK(ep_comm_free(&turned));
    }
}

/* ---- Errors ---- */

static void errors_body(team_t *t, void *arg)
{
    int result = -1;
    (void)arg;
    EXPECT_RC(ep_comm_compare(t->comm, EP_COMM_NULL, &result), MPI_ERR_COMM);
    EXPECT_RC(ep_comm_compare(EP_COMM_NULL, t->comm, &result), MPI_ERR_COMM);
    EXPECT_RC(ep_comm_compare(t->comm, t->comm, NULL), MPI_ERR_ARG);
    EXPECT_RC(ep_comm_remote_size(t->comm, &result), MPI_ERR_COMM);
    ep_group g = EP_GROUP_NULL;
    EXPECT_RC(ep_comm_remote_group(t->comm, &g), MPI_ERR_COMM);
    EXPECT_RC(ep_comm_test_inter(EP_COMM_NULL, &result), MPI_ERR_COMM);
}

static void errors(void)
{
    EXPECT_OK(ep_comm_set_errhandler(EP_COMM_WORLD, EP_ERRORS_RETURN));
    team_run(errors_body, NULL);
    EXPECT_OK(ep_comm_set_errhandler(EP_COMM_WORLD, EP_ERRORS_ARE_FATAL));
}

static const harness_test tests[] = {
    {"intra", intra, NULL},
    {"same size", same_size, NULL},
    {"self", self, NULL},
    {"other creation", NULL, other_creation},
    {"inter", inter, NULL},
    {"other sides", other_sides, NULL},
    {"identities", identities, NULL},
    {"errors", NULL, errors},
};

int main(int argc, char **argv)
{
    return HARNESS_MAIN(argc, argv, "compare", tests);
}
