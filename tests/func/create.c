/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * create.c: ep_comm_create and ep_comm_create_group.
 *
 * Catches: groups taken in the order of the parent, non-members that get a communicator or wait for one, members that
 * disagree and hang, calls of create_group with different tags that meet each other.
 */
#include "traffic.h"
#include <stdlib.h>
#include <string.h>

static ep_group group_of(const team_t *t, const int members[], int n)
{
    ep_group all = EP_GROUP_NULL, group = EP_GROUP_NULL;
    EXPECT_OK(ep_comm_group(t->comm, &all));
    EXPECT_OK(ep_group_incl(all, n, members, &group));
    EXPECT_OK(ep_group_free(&all));
    return group;
}

static void free_group(ep_group *g)
{
    if (*g != EP_GROUP_NULL && *g != EP_GROUP_EMPTY)
        EXPECT_OK(ep_group_free(g));
}

/* What I gave was members; what came must be that, if I am one. */
static void check_and_free(team_t *t, ep_comm *c, const int members[], int n, int depth)
{
    if (find(members, n, t->rank) < 0) {
        EXPECT(*c == EP_COMM_NULL);
        return;
    }
    if (expect_members(t, *c, members, n, NULL, 0))
        traffic(t, *c, members, depth);
    EXPECT_OK(ep_comm_free(c));
}

static void create_checked(team_t *t, const int members[], int n, int depth)
{
    ep_group g = group_of(t, members, n);
    ep_comm c = (ep_comm)(uintptr_t)0x123;
    if (EXPECT_OK(ep_comm_create(t->comm, g, &c)))
        check_and_free(t, &c, members, n, depth);
    free_group(&g);
}

static int every_second(int size, int first, int backwards, int members[])
{
    int n = 0;
    for (int r = first; r < size; r += 2)
        members[n++] = r;
    for (int i = 0; backwards && i < n / 2; i++) {
        int other = members[n - 1 - i];
        members[n - 1 - i] = members[i];
        members[i] = other;
    }
    return n;
}

/* n different ranks in any order. */
static void draw(uint64_t *random, int size, int n, int members[])
{
    int all[TRAFFIC_MAX];
    for (int r = 0; r < size; r++)
        all[r] = r;
    for (int i = 0; i < n; i++) {
        int k = i + random_below(random, size - i), chosen = all[k];
        all[k] = all[i];
        members[i] = all[i] = chosen;
    }
}

/* ---- create ---- */

static void one_group(team_t *t, void *arg)
{
    int members[TRAFFIC_MAX], n = every_second(t->size, 0, 1, members);
    (void)arg;
    create_checked(t, members, n, TRAFFIC_LONG); /* the others give it too and get nothing */
    for (int r = 0; r < t->size; r++)
        members[r] = t->size - 1 - r;
    create_checked(t, members, t->size, TRAFFIC_LONG);
}

static void disjoint_groups(team_t *t, void *arg)
{
    int members[TRAFFIC_MAX], n = every_second(t->size, t->rank % 2, t->rank % 2, members);
    (void)arg;
    create_checked(t, members, n, TRAFFIC_LONG);
}

/* Endpoints in no group give the empty one, some made by other means. */
static void empty_groups(team_t *t, void *arg)
{
    int members[TRAFFIC_MAX] = {0}, n = 0;
    (void)arg;
    create_checked(t, members, 0, TRAFFIC_SHORT);
    for (int r = t->size - 1; r >= 0; r--)
        if (r % 3 == 0)
            members[n++] = r;
    if (t->rank % 3 == 0) {
        create_checked(t, members, n, TRAFFIC_SHORT);
    } else {
        ep_comm c = (ep_comm)(uintptr_t)0x123;
        EXPECT_OK(ep_comm_create(t->comm, EP_GROUP_EMPTY, &c));
        EXPECT(c == EP_COMM_NULL);
    }
}

static void random_groups(team_t *t, void *arg)
{
    uint64_t random = harness_seed();
    int rounds = 60 / harness_slowness();
    (void)arg;
    for (int i = 0; i < rounds; i++) {
        int order[TRAFFIC_MAX], n = 1 + random_below(&random, t->size), cut = random_below(&random, n);
        draw(&random, t->size, n, order);
        if (find(order, cut, t->rank) >= 0) /* two groups; those in none give the second */
            create_checked(t, order, cut, TRAFFIC_SHORT);
        else
            create_checked(t, order + cut, n - cut, TRAFFIC_SHORT);
    }
}

/* On a communicator that is itself a part, in another order than its parent. */
static void of_a_part(team_t *t, void *arg)
{
    int part[TRAFFIC_MAX], members[TRAFFIC_MAX], n = every_second(t->size, t->rank % 2, 1, part), m = 0;
    ep_comm c = EP_COMM_NULL, d = (ep_comm)(uintptr_t)0x123;
    (void)arg;
    if (!EXPECT_OK(ep_comm_split(t->comm, t->rank % 2, -t->rank, &c)))
        return;
    for (int i = n - 1; i >= 0; i -= 2)
        members[m++] = part[i];
    ep_group g = group_of(t, members, m);
    if (EXPECT_OK(ep_comm_create(c, g, &d)))
        check_and_free(t, &d, members, m, TRAFFIC_SHORT);
    free_group(&g);
    EXPECT_OK(ep_comm_free(&c));
}

/* ---- create: errors ---- */

/* The first two do not agree about their group, in two ways; the rest makes a good one meanwhile. */
static void members_disagree(team_t *t, void *arg)
{
    static const int order[2][2] = {{0, 1}, {1, 0}}, rest_from = 2;
    int all[TRAFFIC_MAX], n = t->size;
    (void)arg;
    for (int r = 0; r < n; r++)
        all[r] = r;
    for (int way = 0; way < 2; way++) {
        ep_comm c = EP_COMM_NULL;
        ep_group g;
        if (t->rank >= rest_from) {
            create_checked(t, all + rest_from, n - rest_from, TRAFFIC_SHORT);
            continue;
        }
        if (way == 1 && t->rank == 1) { /* does not know that it is a member */
            g = EP_GROUP_EMPTY;
            ep_comm_create(t->comm, g, &c);
        } else {
            g = group_of(t, order[t->rank], 2);
            EXPECT_RC(ep_comm_create(t->comm, g, &c), MPI_ERR_GROUP);
        }
        EXPECT(c == EP_COMM_NULL);
        free_group(&g);
    }
    traffic(t, t->comm, all, TRAFFIC_SHORT);
}

static void not_in_parent(team_t *t, void *arg)
{
    int members[2] = {0, 1}, all[TRAFFIC_MAX];
    ep_comm evens = EP_COMM_NULL, c = EP_COMM_NULL;
    (void)arg;
    every_second(t->size, 0, 0, all);
    if (!EXPECT_OK(ep_comm_split(t->comm, t->rank % 2 ? MPI_UNDEFINED : 0, 0, &evens)))
        return;
    ep_group g = group_of(t, members, 2);
    EXPECT_RC(ep_comm_create(t->comm, EP_GROUP_NULL, &c), MPI_ERR_GROUP);
    if (evens != EP_COMM_NULL) {
        EXPECT_RC(ep_comm_create(evens, g, &c), MPI_ERR_GROUP);
        EXPECT(c == EP_COMM_NULL);
        if (t->rank == 0)
            EXPECT_RC(ep_comm_create_group(evens, g, 0, &c), MPI_ERR_GROUP);
        traffic(t, evens, all, TRAFFIC_SHORT);
        EXPECT_OK(ep_comm_free(&evens));
    }
    free_group(&g);
}

/* ---- create_group ---- */

static void create_group_checked(team_t *t, ep_comm comm, const int members[], int n, int tag, int depth)
{
    ep_group g = group_of(t, members, n);
    ep_comm c = EP_COMM_NULL;
    if (EXPECT_OK(ep_comm_create_group(comm, g, tag, &c)))
        check_and_free(t, &c, members, n, depth);
    free_group(&g);
}

/* Only members call, the others go on to something else. */
static void members_only(team_t *t, void *arg)
{
    int members[TRAFFIC_MAX], n = every_second(t->size, 1, 1, members), all[TRAFFIC_MAX];
    (void)arg;
    if (t->rank % 2)
        for (int i = 0; i < 3; i++) /* one tag again and again is fine, one after the other */
            create_group_checked(t, t->comm, members, n, 5, i ? TRAFFIC_SHORT : TRAFFIC_LONG);
    for (int r = 0; r < t->size; r++)
        all[r] = (r + t->size / 2) % t->size;
    create_group_checked(t, t->comm, all, t->size, 32767, TRAFFIC_LONG);
    create_group_checked(t, t->comm, &t->rank, 1, 0, TRAFFIC_SHORT);
}

static void random_members(team_t *t, void *arg)
{
    uint64_t random = harness_seed() + 1;
    int rounds = 80 / harness_slowness();
    (void)arg;
    for (int i = 0; i < rounds; i++) {
        int members[TRAFFIC_MAX], n = 1 + random_below(&random, t->size), tag = random_below(&random, 32768);
        draw(&random, t->size, n, members);
        if (find(members, n, t->rank) >= 0)
            create_group_checked(t, t->comm, members, n, tag, TRAFFIC_SHORT);
    }
}

typedef struct {
    team_t *t;
    ep_comm comm;
    int members[2], tag, rounds;
} duty;

static void *do_duty(void *arg)
{
    duty *d = arg;
    team_adopt(d->t);
    for (int i = 0; i < d->rounds; i++)
        create_group_checked(d->t, d->comm, d->members, 2, d->tag, TRAFFIC_SHORT);
    return NULL;
}

/* A ring of pairs: each endpoint makes one with its next and one with its predecessor, from two threads at once. */
static void ring_of_pairs(team_t *t, void *arg)
{
    int next = (t->rank + 1) % t->size, before = (t->rank + t->size - 1) % t->size;
    int rounds = 20 / harness_slowness() + 1;
    duty up = {t, t->comm, {t->rank, next}, t->rank, rounds},
         down = {t, t->comm, {before, t->rank}, before, rounds};
    (void)arg;
    if (t->size >= 3)
        side_by_side(do_duty, &down, &up);
}

/* Two threads of every endpoint make the same group at once; only the tags tell them apart. */
static void same_group_twice(team_t *t, void *arg)
{
    int partner = t->rank ^ 1, rounds = 20 / harness_slowness() + 1;
    int low = t->rank < partner ? t->rank : partner, high = t->rank + partner - low;
    duty one = {t, t->comm, {low, high}, 1, rounds}, two = {t, t->comm, {high, low}, 2, rounds};
    (void)arg;
    if (high < t->size)
        side_by_side(do_duty, t->rank % 2 ? &two : &one, t->rank % 2 ? &one : &two);
}

/* Receives of anything and messages of the same tag pend while the group is made. */
static void messages_undisturbed(team_t *t, void *arg)
{
    int next = (t->rank + 1) % t->size, before = (t->rank + t->size - 1) % t->size;
    int in[2] = {-1, -1}, all[TRAFFIC_MAX], flag = -1;
    ep_request r[3];
    ep_status s;
    (void)arg;
    EXPECT_OK(ep_isend(&t->rank, 1, MPI_INT, next, 5, t->comm, &r[0]));
    EXPECT_OK(ep_recv(&in[0], 1, MPI_INT, MPI_ANY_SOURCE, 5, t->comm, EP_STATUS_IGNORE));
    EXPECT_EQ(in[0], before);
    EXPECT_OK(ep_wait(&r[0], EP_STATUS_IGNORE));
    team_barrier(t);
    EXPECT_OK(ep_irecv(&in[0], 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, t->comm, &r[1]));
    EXPECT_OK(ep_irecv(&in[1], 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, t->comm, &r[2]));
    team_barrier(t);
    for (int k = 0; k < t->size; k++)
        all[k] = k;
    create_group_checked(t, t->comm, all, t->size, 5, TRAFFIC_SHORT);
    create_checked(t, all, t->size, TRAFFIC_SHORT);
    EXPECT_OK(ep_test(&r[1], &flag, EP_STATUS_IGNORE));
    EXPECT_EQ(flag, 0);
    team_barrier(t);
    for (int k = 1; k <= 2; k++) {
        int value = 10 * t->rank + k;
        EXPECT_OK(ep_isend(&value, 1, MPI_INT, next, 5, t->comm, &r[0]));
        EXPECT_OK(ep_wait(&r[k], &s));
        EXPECT_OK(ep_wait(&r[0], EP_STATUS_IGNORE));
        EXPECT_EQ(in[k - 1], 10 * before + k);
        EXPECT_EQ(s.MPI_SOURCE, before);
        EXPECT_EQ(s.MPI_TAG, 5);
    }
}

static void group_errors(team_t *t, void *arg)
{
    int members[TRAFFIC_MAX], n = every_second(t->size, t->rank % 2, 0, members);
    int *tag_ub = NULL, flag = 0;
    ep_comm c = EP_COMM_NULL;
    ep_group g = group_of(t, members, n);
    (void)arg;
    EXPECT_RC(ep_comm_create_group(t->comm, g, -1, &c), MPI_ERR_TAG);
    EXPECT_OK(ep_comm_get_attr(t->comm, MPI_TAG_UB, &tag_ub, &flag));
    if (flag && *tag_ub < 0x7fffffff)
        EXPECT_RC(ep_comm_create_group(t->comm, g, *tag_ub + 1, &c), MPI_ERR_TAG);
    EXPECT_RC(ep_comm_create_group(t->comm, EP_GROUP_NULL, 0, &c), MPI_ERR_GROUP);
    EXPECT(c == EP_COMM_NULL);
    c = (ep_comm)(uintptr_t)0x123;
    EXPECT_OK(ep_comm_create_group(t->comm, EP_GROUP_EMPTY, 0, &c)); /* local */
    EXPECT(c == EP_COMM_NULL);
    create_group_checked(t, t->comm, members, n, 8, TRAFFIC_SHORT);
    free_group(&g);
}

/* All call with one group, and those that are not in it return at once, without an error. */
static void not_a_member(team_t *t, void *arg)
{
    int members[TRAFFIC_MAX], n = every_second(t->size, 1, 0, members);
    ep_comm c = (ep_comm)(uintptr_t)0x123;
    ep_group g = group_of(t, members, n);
    (void)arg;
    if (t->rank % 2)
        create_group_checked(t, t->comm, members, n, 3, TRAFFIC_SHORT);
    else if (EXPECT_OK(ep_comm_create_group(t->comm, g, 3, &c)))
        EXPECT(c == EP_COMM_NULL);
    free_group(&g);
}

static const harness_test tests[] = {
    {"one group", one_group, NULL},
    {"disjoint groups", disjoint_groups, NULL},
    {"empty groups", empty_groups, NULL},
    {"random groups", random_groups, NULL},
    {"of a part", of_a_part, NULL},
    {"members disagree", members_disagree, NULL},
    {"not in parent", not_in_parent, NULL},
    {"members only", members_only, NULL},
    {"random members", random_members, NULL},
    {"ring of pairs", ring_of_pairs, NULL},
    {"same group twice", same_group_twice, NULL},
    {"messages undisturbed", messages_undisturbed, NULL},
    {"not a member", not_a_member, NULL},
    {"group errors", group_errors, NULL},
};

int main(int argc, char **argv)
{
    return HARNESS_MAIN(argc, argv, "create", tests);
}
