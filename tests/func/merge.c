/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * merge.c: ep_intercomm_merge.
 *
 * Catches: orders by `high` that are right in some of its four combinations only, groups that come in the order of
 * processes, merged communicators that hear what is said on the intercommunicator.
 */
#include "inter_plan.h"
#include <string.h>

/* Who comes first? 0 or 1 as `high` says; if it does not, whichever is there. */
static int first_side(const inter_plan *b, const team_t *t, ep_comm merged, const int high[2])
{
    int rank = -1, place = find(b->ranks[b->mine], b->n[b->mine], t->rank);
    if (!high[0] != !high[1])
        return !!high[0];
    EXPECT_OK(ep_comm_rank(merged, &rank));
    if (rank == place && b->n[!b->mine] > 0) /* members of the second group have higher ranks */
        return b->mine;
    return !b->mine;
}

static void merge_checked(team_t *t, inter_plan *b, int high0, int high1, int depth)
{
    int high[2] = {high0, high1}, members[TRAFFIC_MAX], first[TRAFFIC_MAX * 2];
    ep_comm merged = EP_COMM_NULL;
    if (!EXPECT_OK(ep_intercomm_merge(b->inter, high[b->mine], &merged)))
        return;
    int mine = first_side(b, t, merged, high), n = inter_merged(b, mine, members);
    if (expect_members(t, merged, members, n, NULL, 0)) {
        gather(merged, &mine, 1, first);
        for (int i = 0; i < n; i++) /* all think the same */
            EXPECT_EQ(first[i], mine);
        traffic(t, merged, members, depth);
    }
    EXPECT_OK(ep_comm_free(&merged));
}

static void four_ways(team_t *t, void *arg)
{
    (void)arg;
    for (int rule = 0; rule < side_rule_count; rule++)
        for (int turned = 0; turned < 2; turned++) {
            inter_plan b;
            if (!inter_by_rule(t, &b, side_rules[rule]))
                continue;
            for (int r = 0; r < t->size; r++)
                b.key[r] = turned ? -r : r;
            if (inter_build(t, &b)) {
                merge_checked(t, &b, 0, 1, TRAFFIC_LONG);
                merge_checked(t, &b, 1, 0, TRAFFIC_LONG);
                merge_checked(t, &b, 0, 0, TRAFFIC_SHORT);
                merge_checked(t, &b, 1, 1, TRAFFIC_SHORT);
                merge_checked(t, &b, -7, 0, TRAFFIC_SHORT); /* any value that is not 0 is true */
                merge_checked(t, &b, 0, 42, TRAFFIC_SHORT);
                traffic(t, b.inter, inter_peers(&b), TRAFFIC_SHORT);
            }
            inter_free(&b);
        }
}

/* The same intercommunicator merged twice, with what it came from: four communicators that hear each other not. */
static void apart(team_t *t, void *arg)
{
    (void)arg;
    for (int rule = 0; rule < side_rule_count; rule++) {
        inter_plan b;
        ep_comm c[5] = {t->comm};
        if (!inter_by_rule(t, &b, side_rules[rule]))
            continue;
        if (inter_build(t, &b)) {
            EXPECT_OK(ep_intercomm_merge(b.inter, b.mine, &c[1]));
            EXPECT_OK(ep_intercomm_merge(b.inter, !b.mine, &c[2]));
        }
        c[3] = b.inter;
        c[4] = b.local;
        expect_apart(t, c, 5);
        for (int i = 1; i < 5; i++)
            if (c[i] != EP_COMM_NULL)
                EXPECT_OK(ep_comm_free(&c[i]));
    }
}

/* A way to cut n members in two: even and odd ranks, or lower and upper half. */
static int side_of(int alternate, int n, int rank)
{
    return alternate ? rank % 2 : rank >= n / 2;
}

/* Rank in the whole of the first or last member of a side, and in its half. */
static int leading(int alternate, int n, int side, int last, int *rank_in_half)
{
    int found = -1;
    *rank_in_half = -1;
    for (int r = 0, k = 0; r < n; r++)
        if (side_of(alternate, n, r) == side && (k++ == 0 || last)) {
            found = r;
            *rank_in_half = k - 1;
        }
    return found;
}

/* It is divided and joined again, several times, and its parents are gone each time. */
static void again_and_again(team_t *t, void *arg)
{
    int members[TRAFFIC_MAX], n = t->size;
    ep_comm whole = EP_COMM_NULL;
    (void)arg;
    for (int r = 0; r < n; r++)
        members[r] = r;
    if (!EXPECT_OK(ep_comm_dup(t->comm, &whole)))
        return;
    for (int round = 0; round < 6; round++) {
        int alternate = round % 2, side = side_of(alternate, n, find(members, n, t->rank));
        int lead, unused, next[TRAFFIC_MAX], m = 0;
        int remote = leading(alternate, n, !side, round / 2 % 2 ^ side, &unused);
        ep_comm half = EP_COMM_NULL, inter = EP_COMM_NULL;
        leading(alternate, n, side, round / 2 % 2 ^ !side, &lead);
        EXPECT_OK(ep_comm_split(whole, side, 0, &half));
        EXPECT_OK(ep_intercomm_create(half, lead, whole, remote, round, &inter));
        EXPECT_OK(ep_comm_free(&whole));
        EXPECT_OK(ep_comm_free(&half));
        EXPECT_OK(ep_intercomm_merge(inter, !side, &whole)); /* what was second comes first */
        EXPECT_OK(ep_comm_free(&inter));
        for (int s = 1; s >= 0; s--)
            for (int i = 0; i < n; i++)
                if (side_of(alternate, n, i) == s)
                    next[m++] = members[i];
        memcpy(members, next, sizeof members);
        if (!expect_members(t, whole, members, n, NULL, 0))
            return;
        traffic(t, whole, members, TRAFFIC_SHORT);
    }
    traffic(t, whole, members, TRAFFIC_LONG);
    EXPECT_OK(ep_comm_free(&whole));
}

/* One member of a group gives another value than the rest: an error for all, nobody hangs. */
static void disagreement(team_t *t, void *arg)
{
    (void)arg;
    for (int rule = 0; rule < side_rule_count; rule++) {
        inter_plan b;
        ep_comm c = EP_COMM_NULL;
        if (!inter_by_rule(t, &b, side_rules[rule]))
            continue;
        int ok = inter_build(t, &b), large = b.n[1] > 1;
        if (ok && b.n[large] > 1) {
            int odd_one = b.mine == large && t->rank == b.ranks[large][b.n[large] - 1];
            EXPECT_RC(ep_intercomm_merge(b.inter, b.mine ^ odd_one, &c), MPI_ERR_ARG);
            EXPECT(c == EP_COMM_NULL);
            merge_checked(t, &b, 1, 0, TRAFFIC_SHORT);
        }
        inter_free(&b);
    }
}

/* Merged communicators have the error handler and are good for everything: dup, split, create an intercommunicator. */
static void a_full_communicator(team_t *t, void *arg)
{
    inter_plan b;
    ep_comm merged = EP_COMM_NULL, d = EP_COMM_NULL;
    ep_errhandler handler = EP_ERRHANDLER_NULL;
    int members[TRAFFIC_MAX], relation = -1;
    (void)arg;
    if (!inter_by_rule(t, &b, side_rules[1]) || !inter_build(t, &b))
        return;
    int n = inter_merged(&b, 1, members);
    if (EXPECT_OK(ep_intercomm_merge(b.inter, !b.mine, &merged))) {
        EXPECT_OK(ep_comm_get_errhandler(merged, &handler));
        EXPECT(handler == EP_ERRORS_RETURN);
        EXPECT_OK(ep_comm_compare(merged, t->comm, &relation));
        EXPECT_EQ(relation, MPI_SIMILAR);
        if (EXPECT_OK(ep_comm_dup(merged, &d)) && expect_members(t, d, members, n, NULL, 0))
            traffic(t, d, members, TRAFFIC_LONG);
        EXPECT_OK(ep_comm_free(&d));
        EXPECT_OK(ep_comm_split(merged, 0, t->rank, &d));
        EXPECT_OK(ep_comm_compare(d, t->comm, &relation));
        EXPECT_EQ(relation, MPI_CONGRUENT);
        EXPECT_OK(ep_comm_free(&d));
        EXPECT_OK(ep_comm_free(&merged));
    }
    inter_free(&b);
}

static const harness_test tests[] = {
    {"four ways", four_ways, NULL},
    {"apart", apart, NULL},
    {"again and again", again_and_again, NULL},
    {"disagreement", disagreement, NULL},
    {"a full communicator", a_full_communicator, NULL},
};

int main(int argc, char **argv)
{
    return HARNESS_MAIN(argc, argv, "merge", tests);
}
