/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * split.c: ep_comm_split against a model that sorts what all endpoints gave, ep_comm_split_type, and many splits at
 * the same time.
 *
 * Catches: keys that act inside a process only, ties that are not stable, keys compared by subtraction, colors mixed up,
 * calls of disjoint communicators that wait for each other.
 */
#include "traffic.h"
#include <limits.h>
#include <stdlib.h>

typedef struct {
    const char *name;
    void (*make)(const team_t *t, uint64_t *random, int *color, int *key);
} rule;

static void same(const team_t *t, uint64_t *random, int *color, int *key)
{
    (void)t;
    (void)random;
    *color = *key = 0;
}

static void reversed(const team_t *t, uint64_t *random, int *color, int *key)
{
    (void)random;
    *color = 4;
    *key = -t->rank;
}

/* Neighbours in the new order are in different processes. */
static void interleaved(const team_t *t, uint64_t *random, int *color, int *key)
{
    (void)random;
    *color = 0;
    *key = 1000 * t->index + t->process;
}

static void shuffled(const team_t *t, uint64_t *random, int *color, int *key)
{
    (void)t;
    *color = 0;
    *key = (int)random_next(random);
}

static void many_ties(const team_t *t, uint64_t *random, int *color, int *key)
{
    (void)t;
    *color = 1;
    *key = random_below(random, 3) - 1;
}

static void extreme_keys(const team_t *t, uint64_t *random, int *color, int *key)
{
    static const int keys[] = {INT_MAX, 0, INT_MIN, -1, INT_MIN + 1, 1};
    (void)random;
    *color = INT_MAX;
    *key = keys[t->rank % 6];
}

static void each_alone(const team_t *t, uint64_t *random, int *color, int *key)
{
    (void)random;
    *color = t->rank;
    *key = 5;
}

static void pairs(const team_t *t, uint64_t *random, int *color, int *key)
{
    (void)random;
    *color = t->rank / 2;
    *key = -t->rank;
}

/* Partners from both ends: far where there are two processes. */
static void far_pairs(const team_t *t, uint64_t *random, int *color, int *key)
{
    (void)random;
    *color = t->rank < t->size / 2 ? t->rank : t->size - 1 - t->rank;
    *key = t->rank;
}

static void by_parity(const team_t *t, uint64_t *random, int *color, int *key)
{
    (void)random;
    *color = t->rank % 2;
    *key = t->rank % 2 ? -t->rank : t->rank;
}

static void by_index(const team_t *t, uint64_t *random, int *color, int *key)
{
    (void)random;
    *color = 1000000 * t->index;
    *key = -t->process;
}

static void by_process(const team_t *t, uint64_t *random, int *color, int *key)
{
    (void)random;
    *color = t->process;
    *key = -t->index;
}

static void some_left_out(const team_t *t, uint64_t *random, int *color, int *key)
{
    (void)random;
    *color = t->rank % 3 == 0 ? MPI_UNDEFINED : t->rank % 2;
    *key = -t->rank;
}

static void all_left_out(const team_t *t, uint64_t *random, int *color, int *key)
{
    (void)t;
    (void)random;
    *color = MPI_UNDEFINED;
    *key = 0;
}

static void only_one(const team_t *t, uint64_t *random, int *color, int *key)
{
    (void)random;
    *color = t->rank == t->size - 1 ? 0 : MPI_UNDEFINED;
    *key = 0;
}

static void anything(const team_t *t, uint64_t *random, int *color, int *key)
{
    *color = random_below(random, t->size + 1) - 1;
    if (*color < 0)
        *color = MPI_UNDEFINED;
    *key = random_below(random, 5) - 2;
}

static const rule rules[] = {
    {"same", same},
    {"reversed", reversed},
    {"interleaved", interleaved},
    {"shuffled", shuffled},
    {"many ties", many_ties},
    {"extreme keys", extreme_keys},
    {"alone", each_alone},
    {"pairs", pairs},
    {"far pairs", far_pairs},
    {"parity", by_parity},
    {"index", by_index},
    {"process", by_process},
    {"some out", some_left_out},
    {"all out", all_left_out},
    {"only one", only_one},
    {"anything", anything},
};
enum { RULES = sizeof rules / sizeof *rules };

/* Members that a split of t->comm, where I give color and key, must have. */
static int model(team_t *t, int color, int key, int members[])
{
    int mine[2] = {color, key}, all[TRAFFIC_MAX][2], colors[TRAFFIC_MAX], keys[TRAFFIC_MAX];
    gather(t->comm, mine, 2, all[0]);
    for (int r = 0; r < t->size; r++) {
        colors[r] = all[r][0];
        keys[r] = all[r][1];
    }
    return color == MPI_UNDEFINED ? 0 : in_order(t->size, colors, keys, color, members);
}

/* What one rule gives, checked; EP_COMM_NULL where that is right or where nothing came. */
static ep_comm split_by(team_t *t, const rule *r, int depth)
{
    int color, key, members[TRAFFIC_MAX], n;
    ep_comm c = (ep_comm)(uintptr_t)0x123;
    r->make(t, &t->random, &color, &key);
    n = model(t, color, key, members);
    if (!EXPECT_OK(ep_comm_split(t->comm, color, key, &c)))
        return EP_COMM_NULL;
    if (!n)
        EXPECT(c == EP_COMM_NULL);
    else if (expect_members(t, c, members, n, NULL, 0))
        traffic(t, c, members, depth);
    return n ? c : EP_COMM_NULL;
}

static void every_rule(team_t *t, void *arg)
{
    (void)arg;
    for (int i = 0; i < RULES; i++) {
        ep_comm c = split_by(t, &rules[i], TRAFFIC_SHORT);
        if (c != EP_COMM_NULL)
            EXPECT_OK(ep_comm_free(&c));
        EXPECT(c == EP_COMM_NULL);
    }
}

/* All kinds of messages on orders that have little to do with processes. */
static void irregular_orders(team_t *t, void *arg)
{
    static const rule orders[] = {
        {"reversed", reversed}, {"interleaved", interleaved}, {"shuffled", shuffled}, {"parity", by_parity}};
    (void)arg;
    for (int i = 0; i < 4; i++) {
        ep_comm c = split_by(t, &orders[i], TRAFFIC_LONG);
        if (c != EP_COMM_NULL)
            EXPECT_OK(ep_comm_free(&c));
    }
}

static void random_splits(team_t *t, void *arg)
{
    static const rule any = {"anything", anything};
    int rounds = 60 / harness_slowness();
    (void)arg;
    for (int i = 0; i < rounds; i++) {
        ep_comm c = split_by(t, &any, TRAFFIC_SHORT);
        if (c != EP_COMM_NULL)
            EXPECT_OK(ep_comm_free(&c));
    }
}

/* All splits alive at once, on top of the world: nothing said on one is heard on another. */
static void siblings_apart(team_t *t, void *arg)
{
    static const int chosen[] = {0, 1, 2, 7, 9, 10, 12};
    enum { N = 8 };
    ep_comm comms[N];
    (void)arg;
    comms[0] = t->comm;
    for (int i = 1; i < N; i++)
        comms[i] = split_by(t, &rules[chosen[i - 1]], TRAFFIC_SHORT);
    expect_apart(t, comms, N);
    for (int i = 1; i < N; i++)
        if (comms[i] != EP_COMM_NULL)
            EXPECT_OK(ep_comm_free(&comms[i]));
}

/* Halves of halves down to single endpoints, with keys that turn the order round each time. */
static void nested(team_t *t, void *arg)
{
    enum { LEVELS = 8 };
    ep_comm level[LEVELS] = {t->comm};
    int members[LEVELS][TRAFFIC_MAX], sizes[LEVELS] = {t->size}, depth = 0;
    (void)arg;
    for (int r = 0; r < t->size; r++)
        members[0][r] = r;
    for (; sizes[depth] > 1 && depth + 1 < LEVELS; depth++) {
        int n = sizes[depth], rank = find(members[depth], n, t->rank), half = rank >= n / 2;
        int lo = half ? n / 2 : 0, hi = half ? n : n / 2;
        if (!EXPECT_OK(ep_comm_split(level[depth], half, -rank, &level[depth + 1])))
            return;
        for (int i = lo; i < hi; i++)
            members[depth + 1][hi - 1 - i] = members[depth][i];
        sizes[depth + 1] = hi - lo;
        if (!expect_members(t, level[depth + 1], members[depth + 1], hi - lo, NULL, 0))
            return;
        traffic(t, level[depth + 1], members[depth + 1], TRAFFIC_SHORT);
    }
    for (int d = 0; d <= depth; d++)
        traffic(t, level[d], members[d], TRAFFIC_SHORT);
    for (int i = 1; i <= depth; i++) /* every other one from above, then the rest */
        EXPECT_OK(ep_comm_free(&level[i * 2 <= depth ? i * 2 : (i - depth / 2) * 2 - 1]));
}

/* ---- split_type ---- */

static void same_process(team_t *t, void *arg)
{
    int members[TRAFFIC_MAX], first = t->rank - t->index;
    ep_comm c = EP_COMM_NULL;
    (void)arg;
    for (int i = 0; i < t->local; i++)
        members[i] = first + t->local - 1 - i;
    if (!EXPECT_OK(ep_comm_split_type(t->comm, EP_COMM_TYPE_PROCESS, -t->rank, MPI_INFO_NULL, &c)))
        return;
    if (expect_members(t, c, members, t->local, NULL, 0))
        traffic(t, c, members, TRAFFIC_LONG);
    EXPECT_OK(ep_comm_free(&c));
}

/* arg: of each process, the lowest one on the same machine. */
static void same_machine(team_t *t, void *arg)
{
    const int *machine = arg;
    int colors[TRAFFIC_MAX], keys[TRAFFIC_MAX], members[TRAFFIC_MAX], n;
    ep_comm c = EP_COMM_NULL;
    for (int r = 0; r < t->size; r++) {
        colors[r] = machine[team_process_of(t, r)];
        keys[r] = -(r / 2);
    }
    n = in_order(t->size, colors, keys, machine[t->process], members);
    if (!EXPECT_OK(ep_comm_split_type(t->comm, MPI_COMM_TYPE_SHARED, keys[t->rank], MPI_INFO_NULL, &c)))
        return;
    if (expect_members(t, c, members, n, NULL, 0))
        traffic(t, c, members, TRAFFIC_SHORT);
    EXPECT_OK(ep_comm_free(&c));
}

static void same_machine_main(void)
{
    int size, me, *machine;
    MPI_Comm node;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, me, MPI_INFO_NULL, &node);
    MPI_Bcast(&me, 1, MPI_INT, 0, node);
    machine = xmalloc((size_t)size * sizeof *machine);
    MPI_Allgather(&me, 1, MPI_INT, machine, 1, MPI_INT, MPI_COMM_WORLD);
    MPI_Comm_free(&node);
    team_run(same_machine, machine);
    free(machine);
}

static void some_types_undefined(team_t *t, void *arg)
{
    int colors[TRAFFIC_MAX], keys[TRAFFIC_MAX] = {0}, members[TRAFFIC_MAX], n;
    ep_comm c = (ep_comm)(uintptr_t)0x123;
    (void)arg;
    for (int r = 0; r < t->size; r++)
        colors[r] = r % 2 ? team_process_of(t, r) : MPI_UNDEFINED;
    if (!EXPECT_OK(ep_comm_split_type(t->comm, t->rank % 2 ? EP_COMM_TYPE_PROCESS : MPI_UNDEFINED, 0,
                                      MPI_INFO_NULL, &c)))
        return;
    if (t->rank % 2 == 0) {
        EXPECT(c == EP_COMM_NULL);
        return;
    }
    n = in_order(t->size, colors, keys, t->process, members);
    if (expect_members(t, c, members, n, NULL, 0))
        traffic(t, c, members, TRAFFIC_SHORT);
    EXPECT_OK(ep_comm_free(&c));
}

static void type_info(team_t *t, void *arg)
{
    ep_comm c = EP_COMM_NULL;
    MPI_Info info, used = MPI_INFO_NULL;
    char value[64] = "";
    int flag = 0;
    (void)arg;
    MPI_Info_create(&info);
    MPI_Info_set(info, "colour_of_the_sea", "blue");
    if (EXPECT_OK(ep_comm_split_type(t->comm, MPI_COMM_TYPE_SHARED, 0, info, &c)) &&
        EXPECT_OK(ep_comm_get_info(c, &used))) {
        MPI_Info_get(used, "colour_of_the_sea", 60, value, &flag);
        EXPECT(flag);
        EXPECT_STR(value, "blue");
        MPI_Info_free(&used);
        EXPECT_OK(ep_comm_free(&c));
    }
    MPI_Info_free(&info);
}

/* ---- Errors ---- */

/* The communicator can be used afterwards. */
static void bad_colors(team_t *t, void *arg)
{
    int all[TRAFFIC_MAX];
    ep_comm c = EP_COMM_NULL;
    (void)arg;
    EXPECT_RC(ep_comm_split(t->comm, -1, 0, &c), MPI_ERR_ARG);
    EXPECT_RC(ep_comm_split(t->comm, INT_MIN, 0, &c), MPI_ERR_ARG);
    EXPECT(c == EP_COMM_NULL);
    EXPECT_RC(ep_comm_split_type(t->comm, 4711, 0, MPI_INFO_NULL, &c), MPI_ERR_ARG);
    for (int r = 0; r < t->size; r++)
        all[r] = r;
    if (EXPECT_OK(ep_comm_split(t->comm, 0, 0, &c))) {
        traffic(t, c, all, TRAFFIC_SHORT);
        EXPECT_OK(ep_comm_free(&c));
    }
}

/* ---- At the same time ---- */

/* What a set of endpoints does by itself; all of them draw the same numbers. */
static void busy(team_t *t, ep_comm c, const int members[], int n, uint64_t random)
{
    int steps = 1 + random_below(&random, 4), rank = find(members, n, t->rank);
    for (int i = 0; i < steps; i++) {
        ep_comm d = EP_COMM_NULL;
        int colors[TRAFFIC_MAX], keys[TRAFFIC_MAX], positions[TRAFFIC_MAX], some[TRAFFIC_MAX], m = n;
        int what = random_below(&random, 3), parts = 1 + random_below(&random, n);
        for (int r = 0; r < n; r++) {
            colors[r] = random_below(&random, parts);
            keys[r] = random_below(&random, 4);
            some[r] = members[r];
        }
        if (what == 0) {
            EXPECT_OK(ep_comm_dup(c, &d));
        } else {
            m = in_order(n, colors, keys, colors[rank], positions);
            for (int k = 0; k < m; k++)
                some[k] = members[positions[k]];
            EXPECT_OK(ep_comm_split(c, colors[rank], keys[rank], &d));
        }
        if (!expect_members(t, d, some, m, NULL, 0))
            return;
        traffic(t, d, some, TRAFFIC_SHORT);
        if (what == 2 && m > 1)
            busy(t, d, some, m, random + (uint64_t)colors[rank]);
        EXPECT_OK(ep_comm_free(&d));
    }
}

/* Disjoint communicators that share processes dup, split and free, each at its own pace. */
static void at_once(team_t *t, void *arg)
{
    int rounds = 40 / harness_slowness();
    uint64_t common = harness_seed();
    (void)arg;
    for (int i = 0; i < rounds; i++) {
        int colors[TRAFFIC_MAX], keys[TRAFFIC_MAX], members[TRAFFIC_MAX], n,
            parts = 1 + random_below(&common, 4);
        ep_comm c = EP_COMM_NULL;
        for (int r = 0; r < t->size; r++) {
            colors[r] = random_below(&common, parts);
            keys[r] = random_below(&common, 1000);
        }
        n = in_order(t->size, colors, keys, colors[t->rank], members);
        if (!EXPECT_OK(ep_comm_split(t->comm, colors[t->rank], keys[t->rank], &c)) ||
            !expect_members(t, c, members, n, NULL, 0))
            return;
        busy(t, c, members, n, common + (uint64_t)colors[t->rank]);
        EXPECT_OK(ep_comm_free(&c));
    }
}

/* Two communicators with no endpoint in common, but all processes: one makes many, the other few. */
static void fast_and_slow(team_t *t, void *arg)
{
    int fast = t->index % 2, count = fast ? 60 / harness_slowness() : 3;
    ep_comm c = EP_COMM_NULL, d[60];
    (void)arg;
    if (!EXPECT_OK(ep_comm_split(t->comm, fast, 0, &c)))
        return;
    for (int i = 0; i < count; i++)
        if (!EXPECT_OK(ep_comm_dup(c, &d[i])))
            return;
    meet(d[count - 1]);
    for (int i = 0; i < count; i++)
        EXPECT_OK(ep_comm_free(&d[(i + t->rank) % count]));
    EXPECT_OK(ep_comm_free(&c));
}

static const harness_test tests[] = {
    {"every rule", every_rule, NULL},
    {"irregular orders", irregular_orders, NULL},
    {"random splits", random_splits, NULL},
    {"siblings apart", siblings_apart, NULL},
    {"nested", nested, NULL},
    {"type process", same_process, NULL},
    {"type shared", NULL, same_machine_main},
    {"types undefined", some_types_undefined, NULL},
    {"type with info", type_info, NULL},
    {"bad colors", bad_colors, NULL},
    {"disjoint at once", at_once, NULL},
    {"fast and slow", fast_and_slow, NULL},
};

int main(int argc, char **argv)
{
    return HARNESS_MAIN(argc, argv, "split", tests);
}
