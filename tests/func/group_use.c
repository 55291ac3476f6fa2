/* SPDX-License-Identifier: BSD-3-Clause */
/* group_use.c: wrong arguments of group functions; how long groups live; groups used by many threads; groups of
 * derived communicators. */
#include "harness.h"
#include <stdint.h>
#include <stdlib.h>

enum { MOST = 64 };

/* ---- Errors ---- */

/* rc is the class, and its text names the call and the argument. */
static void refused(int rc, int want, const char *call, const char *argument)
{
    char text[MPI_MAX_ERROR_STRING] = "";
    int length = -1;
    if (!EXPECT_RC(rc, want))
        return;
    EXPECT_OK(ep_error_string(rc, text, &length));
    EXPECT_CONTAINS(text, call);
    EXPECT_CONTAINS(text, argument);
}

static void refused_handles(ep_group good, ep_group bad, const char *what)
{
    int x = 0, ranges[1][3] = {{0, 0, 1}};
    ep_group group = good, given = bad;
    refused(ep_group_size(bad, &x), MPI_ERR_GROUP, "ep_group_size", what);
    refused(ep_group_rank(bad, &x), MPI_ERR_GROUP, "ep_group_rank", what);
    refused(ep_group_translate_ranks(bad, 1, &x, good, &x), MPI_ERR_GROUP, "translate_ranks", "group1");
    refused(ep_group_translate_ranks(good, 1, &x, bad, &x), MPI_ERR_GROUP, "translate_ranks", "group2");
    refused(ep_group_compare(bad, good, &x), MPI_ERR_GROUP, "ep_group_compare", "group1");
    refused(ep_group_compare(good, bad, &x), MPI_ERR_GROUP, "ep_group_compare", "group2");
    refused(ep_group_union(bad, good, &group), MPI_ERR_GROUP, "ep_group_union", "group1");
    refused(ep_group_union(good, bad, &group), MPI_ERR_GROUP, "ep_group_union", "group2");
    refused(ep_group_intersection(bad, good, &group), MPI_ERR_GROUP, "ep_group_intersection", what);
    refused(ep_group_intersection(good, bad, &group), MPI_ERR_GROUP, "ep_group_intersection", what);
    refused(ep_group_difference(bad, good, &group), MPI_ERR_GROUP, "ep_group_difference", what);
    refused(ep_group_difference(good, bad, &group), MPI_ERR_GROUP, "ep_group_difference", what);
    refused(ep_group_incl(bad, 1, &x, &group), MPI_ERR_GROUP, "ep_group_incl", what);
    refused(ep_group_excl(bad, 1, &x, &group), MPI_ERR_GROUP, "ep_group_excl", what);
    refused(ep_group_range_incl(bad, 1, ranges, &group), MPI_ERR_GROUP, "ep_group_range_incl", what);
    refused(ep_group_range_excl(bad, 1, ranges, &group), MPI_ERR_GROUP, "ep_group_range_excl", what);
    refused(ep_group_free(&given), MPI_ERR_GROUP, "ep_group_free", what);
    EXPECT(group == good && given == bad);
}

static void refused_pointers(ep_group g)
{
    int x = 0, ranges[1][3] = {{0, 0, 1}};
    ep_group group;
    refused(ep_group_size(g, NULL), MPI_ERR_ARG, "ep_group_size", "size");
    refused(ep_group_rank(g, NULL), MPI_ERR_ARG, "ep_group_rank", "rank");
    refused(ep_group_translate_ranks(g, 1, NULL, g, &x), MPI_ERR_ARG, "translate_ranks", "ranks1");
    refused(ep_group_translate_ranks(g, 1, &x, g, NULL), MPI_ERR_ARG, "translate_ranks", "ranks2");
    refused(ep_group_compare(g, g, NULL), MPI_ERR_ARG, "ep_group_compare", "result");
    refused(ep_group_union(g, g, NULL), MPI_ERR_ARG, "ep_group_union", "newgroup");
    refused(ep_group_intersection(g, g, NULL), MPI_ERR_ARG, "ep_group_intersection", "newgroup");
    refused(ep_group_difference(g, g, NULL), MPI_ERR_ARG, "ep_group_difference", "newgroup");
    refused(ep_group_incl(g, 1, NULL, &group), MPI_ERR_ARG, "ep_group_incl", "ranks");
    refused(ep_group_excl(g, 1, NULL, &group), MPI_ERR_ARG, "ep_group_excl", "ranks");
    refused(ep_group_range_incl(g, 1, NULL, &group), MPI_ERR_ARG, "ep_group_range_incl", "ranges");
    refused(ep_group_range_excl(g, 1, NULL, &group), MPI_ERR_ARG, "ep_group_range_excl", "ranges");
    refused(ep_group_incl(g, 1, &x, NULL), MPI_ERR_ARG, "ep_group_incl", "newgroup");
    refused(ep_group_excl(g, 1, &x, NULL), MPI_ERR_ARG, "ep_group_excl", "newgroup");
    refused(ep_group_range_incl(g, 1, ranges, NULL), MPI_ERR_ARG, "ep_group_range_incl", "newgroup");
    refused(ep_group_range_excl(g, 1, ranges, NULL), MPI_ERR_ARG, "ep_group_range_excl", "newgroup");
    refused(ep_group_free(NULL), MPI_ERR_ARG, "ep_group_free", "group");
}

static void refused_numbers(ep_group g, int size)
{
    int out[] = {0, size}, twice[] = {0, 0}, negative = -5, x = 0;
    int no_stride[][3] = {{0, 0, 1}, {0, 0, 0}}, wrong_way[][3] = {{0, size, -1}},
        too_far[][3] = {{0, size, 1}};
    int far_away[][3] = {{0, INT32_MAX, INT32_MAX}, {INT32_MIN, INT32_MAX, 1}},
        again[][3] = {{0, 0, 7}, {0, 0, 1}};
    ep_group group;
    refused(ep_group_translate_ranks(g, -1, &x, g, &x), MPI_ERR_ARG, "translate_ranks", "n is -1");
    refused(ep_group_incl(g, -2, &x, &group), MPI_ERR_ARG, "ep_group_incl", "n is -2");
    refused(ep_group_excl(g, -2, &x, &group), MPI_ERR_ARG, "ep_group_excl", "n is -2");
    refused(ep_group_range_incl(g, -2, no_stride, &group), MPI_ERR_ARG, "ep_group_range_incl", "n is -2");
    refused(ep_group_range_excl(g, -2, no_stride, &group), MPI_ERR_ARG, "ep_group_range_excl", "n is -2");
    refused(ep_group_translate_ranks(g, 2, out, g, twice), MPI_ERR_RANK, "translate_ranks", "ranks1[1]");
    refused(ep_group_translate_ranks(g, 1, &negative, g, &x), MPI_ERR_RANK, "translate_ranks", "is -5");
    refused(ep_group_translate_ranks(EP_GROUP_EMPTY, 1, &x, g, &x), MPI_ERR_RANK, "translate_ranks", "empty");
    refused(ep_group_incl(g, 2, out, &group), MPI_ERR_RANK, "ep_group_incl", "ranks[1]");
    refused(ep_group_incl(g, 2, twice, &group), MPI_ERR_RANK, "ep_group_incl", "ranks[0]");
    refused(ep_group_excl(g, 1, &negative, &group), MPI_ERR_RANK, "ep_group_excl", "is -5");
    refused(ep_group_excl(g, 2, twice, &group), MPI_ERR_RANK, "ep_group_excl", "ranks[1]");
    refused(ep_group_range_incl(g, 2, no_stride, &group), MPI_ERR_ARG, "range_incl",
            "ranges[1] has stride 0");
    refused(ep_group_range_excl(g, 1, wrong_way, &group), MPI_ERR_ARG, "range_excl", "stride -1");
    refused(ep_group_range_incl(g, 1, too_far, &group), MPI_ERR_RANK, "range_incl", "ranges[0]");
    refused(ep_group_range_excl(g, 1, far_away + 1, &group), MPI_ERR_RANK, "range_excl", "ranges[0]");
    refused(ep_group_range_incl(g, 2, again, &group), MPI_ERR_RANK, "range_incl", "ranges[1]");
    far_away[0][2] = INT32_MAX - 1; /* reaches 0 and that: too far */
    refused(ep_group_range_incl(g, 1, far_away, &group), MPI_ERR_RANK, "range_incl", "ranges[0]");
}

static void errors_body(team_t *t, void *arg)
{
    ep_group all, copy, freed;
    (void)arg;
    EXPECT_OK(ep_comm_group(t->comm, &all));
    refused_handles(all, EP_GROUP_NULL, "EP_GROUP_NULL");
    refused_pointers(all);
    refused_numbers(all, t->size);
    refused(ep_comm_group(EP_COMM_NULL, &copy), MPI_ERR_COMM, "ep_comm_group", "EP_COMM_NULL");
    refused(ep_comm_group(t->comm, NULL), MPI_ERR_ARG, "ep_comm_group", "group");
    refused(ep_comm_remote_group(t->comm, &copy), MPI_ERR_COMM, "ep_comm_remote_group", "intercommunicator");
    refused(ep_comm_remote_group(EP_COMM_NULL, &copy), MPI_ERR_COMM, "ep_comm_remote_group", "EP_COMM_NULL");
    team_barrier(t); /* from here on nobody makes groups: a freed handle stays one */
    EXPECT_OK(ep_comm_group(t->comm, &copy));
    team_barrier(t);
    freed = copy;
    EXPECT_OK(ep_group_free(&copy));
    EXPECT(copy == EP_GROUP_NULL);
    refused_handles(all, freed, "freed");
    team_barrier(t);
    EXPECT_OK(ep_group_free(&all));
}

/* Errors of groups belong to no communicator: the process's default handler gets them. */
static void errors(void)
{
    EXPECT_OK(ep_comm_set_errhandler(EP_COMM_WORLD, EP_ERRORS_RETURN));
    team_run(errors_body, NULL);
    EXPECT_OK(ep_comm_set_errhandler(EP_COMM_WORLD, EP_ERRORS_ARE_FATAL));
}

/* ---- Lifetimes and threads ---- */

/* A group outlives the communicator it is of. */
static void outlives(team_t *t, void *arg)
{
    int size = -1, rank = -1, relation = -1;
    ep_group all, rest;
    (void)arg;
    EXPECT_OK(ep_comm_group(t->comm, &all));
    EXPECT_OK(ep_comm_free(&t->comm));
    EXPECT_OK(ep_group_excl(all, 1, (const int[]){0}, &rest));
    EXPECT_OK(ep_group_size(rest, &size));
    EXPECT_EQ(size, t->size - 1);
    EXPECT_OK(ep_group_rank(all, &rank));
    EXPECT_EQ(rank, t->rank);
    EXPECT_OK(ep_group_rank(rest, &rank));
    EXPECT_EQ(rank, t->rank ? t->rank - 1 : MPI_UNDEFINED);
    EXPECT_OK(ep_group_compare(all, rest, &relation));
    EXPECT_EQ(relation, MPI_UNEQUAL);
    EXPECT_OK(ep_group_free(&rest));
    EXPECT_OK(ep_group_free(&all));
}

/* Each uses all groups of its process; whoever comes next frees its neighbour's. */
static void shared_handles(team_t *t, void *arg)
{
    static ep_group shared[MOST];
    (void)arg;
    for (int round = 0; round < 20; round++) {
        EXPECT_OK(ep_comm_group(t->comm, &shared[t->index]));
        team_barrier(t);
        for (int i = 0; i < t->local; i++) {
            int relation = -1, rank = -1, first = -1;
            ep_group made;
            EXPECT_OK(ep_group_compare(shared[i], shared[t->index], &relation));
            EXPECT_EQ(relation, MPI_IDENT);
            EXPECT_OK(ep_group_rank(shared[i], &rank));
            EXPECT_OK(ep_group_rank(shared[0], &first));
            EXPECT_EQ(rank, first + i);
            EXPECT_OK(ep_group_incl(shared[i], 1, &rank, &made));
            EXPECT_OK(ep_group_rank(made, &rank));
            EXPECT_EQ(rank, 0);
            EXPECT_OK(ep_group_free(&made));
        }
        team_barrier(t);
        EXPECT_OK(ep_group_free(&shared[(t->index + 1) % t->local]));
        team_barrier(t);
    }
}

/* ---- Derived communicators ---- */

static int relation_of(ep_group a, ep_group b)
{
    int relation = -1;
    EXPECT_OK(ep_group_compare(a, b, &relation));
    return relation;
}

/* The members of comm's group, or of its remote one, in rank order: first, first + step, ... as ranks of all. */
static void expect_group(ep_group group, ep_group all, int n, int first, int step)
{
    int size = -1, ranks[MOST], found[MOST];
    EXPECT_OK(ep_group_size(group, &size));
    if (!EXPECT_EQ(size, n))
        return;
    for (int i = 0; i < n; i++)
        ranks[i] = i;
    EXPECT_OK(ep_group_translate_ranks(group, n, ranks, all, found));
    for (int i = 0; i < n; i++)
        EXPECT_EQ(found[i], first + i * step);
}

/* An endpoint is the same member in all of them. */
static void derived(team_t *t, void *arg)
{
    ep_comm same, turned, part;
    ep_group all, group, others;
    int rank = -1, odd = t->rank % 2, odds = t->size / 2, evens = t->size - odds;
    (void)arg;
    EXPECT_OK(ep_comm_group(t->comm, &all));
    EXPECT_OK(ep_comm_dup(t->comm, &same));
    EXPECT_OK(ep_comm_group(same, &group));
    EXPECT_EQ(relation_of(all, group), MPI_IDENT);
    EXPECT_OK(ep_group_free(&group));
    EXPECT_OK(ep_comm_split(same, 3, -t->rank, &turned));
    EXPECT_OK(ep_comm_free(&same));
    EXPECT_OK(ep_comm_group(turned, &group));
    EXPECT_EQ(relation_of(all, group), t->size > 1 ? MPI_SIMILAR : MPI_IDENT);
    expect_group(group, all, t->size, t->size - 1, -1);
    EXPECT_OK(ep_group_free(&group));
    EXPECT_OK(ep_comm_split(turned, odd, t->rank, &part));
    EXPECT_OK(ep_comm_free(&turned));
    EXPECT_OK(ep_comm_group(part, &group));
    expect_group(group, all, odd ? odds : evens, odd, 2);
    EXPECT_OK(ep_group_rank(group, &rank));
    EXPECT_EQ(rank, t->rank / 2);
    EXPECT_OK(ep_group_difference(all, group, &others));
    expect_group(others, all, odd ? evens : odds, !odd, 2);
    EXPECT_OK(ep_group_rank(others, &rank));
    EXPECT_EQ(rank, MPI_UNDEFINED);
    EXPECT_OK(ep_group_free(&others));
    EXPECT_OK(ep_group_free(&group));
    EXPECT_OK(ep_comm_free(&part));
    EXPECT_OK(ep_group_free(&all));
}

static void remote(team_t *t, void *arg)
{
    ep_comm mine, inter;
    ep_group all, group, other, both;
    int half = t->size / 2, upper = t->rank >= half, rank = -1;
    (void)arg;
    EXPECT_OK(ep_comm_group(t->comm, &all));
    EXPECT_OK(ep_comm_split(t->comm, upper, 0, &mine));
    EXPECT_OK(ep_intercomm_create(mine, 0, t->comm, upper ? 0 : half, 5, &inter));
    EXPECT_OK(ep_comm_group(inter, &group));
    EXPECT_OK(ep_comm_remote_group(inter, &other));
    EXPECT_OK(ep_comm_free(&inter));
    EXPECT_OK(ep_comm_free(&mine));
    expect_group(group, all, upper ? t->size - half : half, upper ? half : 0, 1);
    expect_group(other, all, upper ? half : t->size - half, upper ? 0 : half, 1);
    EXPECT_OK(ep_group_rank(group, &rank));
    EXPECT_EQ(rank, t->rank - (upper ? half : 0));
    EXPECT_OK(ep_group_rank(other, &rank));
    EXPECT_EQ(rank, MPI_UNDEFINED);
    EXPECT_OK(ep_group_union(other, group, &both));
    EXPECT_EQ(relation_of(both, all), upper ? MPI_IDENT : MPI_SIMILAR);
    EXPECT_OK(ep_group_rank(both, &rank)); /* it is of this endpoint's communicator */
    EXPECT_EQ(rank, upper ? t->rank : t->rank + t->size - half);
    ep_group made[] = {all, group, other, both};
    for (int i = 0; i < 4; i++)
        EXPECT_OK(ep_group_free(&made[i]));
}

static const harness_test tests[] = {
    {"errors", NULL, errors},
    {"outlives", outlives, NULL},
    {"shared handles", shared_handles, NULL},
    {"derived communicators", derived, NULL},
    {"remote group", remote, NULL},
};

int main(int argc, char **argv)
{
    return HARNESS_MAIN(argc, argv, "group_use", tests);
}
