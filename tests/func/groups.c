/* SPDX-License-Identifier: BSD-3-Clause */
/* groups.c: groups of endpoints against a plain model and against MPI's own groups. Nothing here communicates:
 * every endpoint does all of it on its own, at the same time as the others. */
#include "harness.h"
#include <stdlib.h>

enum { MOST = 64, SLOTS = 6, RANGES = 4 };

/* ---- A group and what it should be ---- */

/* Members are numbers: rank in the team's communicator, or MOST/2 + rank in a second one. */
struct model {
    ep_group g;
    int n, member[MOST];
    int me; /* the endpoint it belongs to, -1: none */
};

static int place_of(const struct model *m, int member)
{
    for (int i = 0; i < m->n; i++)
        if (m->member[i] == member)
            return i;
    return MPI_UNDEFINED;
}

/* base: the groups of both communicators. */
static void check(const struct model *m, const struct model base[2])
{
    int size = -1, rank = -1, ranks[MOST], found[MOST];
    EXPECT((m->g == EP_GROUP_EMPTY) == (m->n == 0));
    EXPECT_OK(ep_group_size(m->g, &size));
    EXPECT_EQ(size, m->n);
    EXPECT_OK(ep_group_rank(m->g, &rank));
    EXPECT_EQ(rank, place_of(m, m->me));
    for (int i = 0; i < MOST; i++)
        ranks[i] = i;
    for (int b = 0; b < 2; b++) {
        EXPECT_OK(ep_group_translate_ranks(m->g, m->n, ranks, base[b].g, found));
        for (int i = 0; i < m->n; i++)
            EXPECT_EQ(found[i], place_of(&base[b], m->member[i]));
        EXPECT_OK(ep_group_translate_ranks(base[b].g, base[b].n, ranks, m->g, found));
        for (int i = 0; i < base[b].n; i++)
            EXPECT_EQ(found[i], place_of(m, base[b].member[i]));
    }
}

static int model_compare(const struct model *a, const struct model *b)
{
    if (a->n != b->n)
        return MPI_UNEQUAL;
    int result = MPI_IDENT;
    for (int i = 0; i < a->n; i++) {
        if (place_of(b, a->member[i]) == MPI_UNDEFINED)
            return MPI_UNEQUAL;
        if (a->member[i] != b->member[i])
            result = MPI_SIMILAR;
    }
    return result;
}

static void add(struct model *m, int member)
{
    m->member[m->n++] = member;
}

/* An empty group belongs to no endpoint any more. */
static void inherit(struct model *m, const struct model *a, const struct model *b)
{
    m->me = m->n == 0 ? -1 : a->me >= 0 ? a->me : b->me;
}

enum operation { UNION, INTERSECTION, DIFFERENCE, INCL, EXCL, RANGE_INCL, RANGE_EXCL, OPERATIONS };

typedef int ep_two(ep_group, ep_group, ep_group *);
static ep_two *const ep_twos[] = {ep_group_union, ep_group_intersection, ep_group_difference};

static void set_operation(enum operation op, const struct model *a, const struct model *b,
                          struct model *result)
{
    result->n = 0;
    for (int i = 0; i < a->n; i++)
        if (op == UNION || (place_of(b, a->member[i]) != MPI_UNDEFINED) == (op == INTERSECTION))
            add(result, a->member[i]);
    for (int i = 0; i < b->n && op == UNION; i++)
        if (place_of(a, b->member[i]) == MPI_UNDEFINED)
            add(result, b->member[i]);
    inherit(result, a, b);
    EXPECT_OK(ep_twos[op](a->g, b->g, &result->g));
}

/* The members with these ranks, or the others. Returns the error that MPI wants. */
static int model_select(const struct model *a, int n, const int ranks[], int others, struct model *result)
{
    int taken[MOST] = {0};
    result->n = 0;
    for (int i = 0; i < n; i++) {
        if (ranks[i] < 0 || ranks[i] >= a->n || taken[ranks[i]])
            return MPI_ERR_RANK;
        taken[ranks[i]] = 1;
        if (!others)
            add(result, a->member[ranks[i]]);
    }
    for (int i = 0; i < a->n && others; i++)
        if (!taken[i])
            add(result, a->member[i]);
    inherit(result, a, a);
    return MPI_SUCCESS;
}

/* After an error the result is untouched. */
static int expect_result(int rc, int want, struct model *result)
{
    EXPECT_RC(rc, want);
    EXPECT((result->g == EP_GROUP_NULL) == (want != MPI_SUCCESS));
    return want == MPI_SUCCESS;
}

/* Some ranks, once in a while wrong ones. Returns whether there is a result. */
static int select_ranks(team_t *t, enum operation op, const struct model *a, struct model *result)
{
    int ranks[MOST], n = random_below(&t->random, a->n + 1), wrong = random_below(&t->random, 4) == 0;
    for (int i = 0; i < a->n; i++)
        ranks[i] = i;
    for (int i = 0; i < n; i++) {
        int j = i + random_below(&t->random, a->n - i), held = ranks[i];
        ranks[i] = ranks[j];
        ranks[j] = held;
    }
    if (wrong && n > 0)
        ranks[random_below(&t->random, n)] = random_below(&t->random, a->n + 2) - 1;
    int want = model_select(a, n, ranks, op == EXCL, result);
    int rc =
        op == INCL ? ep_group_incl(a->g, n, ranks, &result->g) : ep_group_excl(a->g, n, ranks, &result->g);
    return expect_result(rc, want, result);
}

/* Write a range's ranks down, as MPI 6.3.2 says. Returns how many, or minus an error class. */
static int expand(const int range[3], int size, int ranks[])
{
    int first = range[0], last = range[1], stride = range[2], n = 0;
    if (stride == 0 || (last > first && stride < 0) || (last < first && stride > 0))
        return -MPI_ERR_ARG;
    for (int r = first; stride > 0 ? r <= last : r >= last; r += stride) {
        if (r < 0 || r >= size)
            return -MPI_ERR_RANK;
        ranks[n++] = r;
    }
    return n;
}

/* The ranks of all ranges up to the first that is wrong; *wrong: what is wrong with it, if it is not that a rank was
 * given before. */
static int expand_all(const struct model *a, int n, int ranges[][3], int ranks[], int *wrong)
{
    int count = 0;
    struct model ignored;
    *wrong = MPI_SUCCESS;
    for (int i = 0; i < n; i++) {
        if (model_select(a, count, ranks, 0, &ignored))
            return count;
        int more = expand(ranges[i], a->n, ranks + count);
        if (more < 0) {
            *wrong = -more;
            return count;
        }
        count += more;
    }
    return count;
}

static int select_ranges(team_t *t, enum operation op, const struct model *a, struct model *result)
{
    int ranges[RANGES][3], ranks[2 * MOST], wrong, n = random_below(&t->random, RANGES + 1);
    for (int i = 0; i < n; i++) {
        ranges[i][0] = random_below(&t->random, a->n + 2) - 1;
        ranges[i][1] = random_below(&t->random, a->n + 3) - 2;
        ranges[i][2] = random_below(&t->random, 4) * (ranges[i][1] < ranges[i][0] ? -1 : 1);
        if (random_below(&t->random, 8) == 0)
            ranges[i][2] = -ranges[i][2];
    }
    int count = expand_all(a, n, ranges, ranks, &wrong);
    int want = wrong ? wrong : model_select(a, count, ranks, op == RANGE_EXCL, result);
    int rc = op == RANGE_INCL ? ep_group_range_incl(a->g, n, ranges, &result->g)
                              : ep_group_range_excl(a->g, n, ranges, &result->g);
    return expect_result(rc, want, result);
}

static int random_operation(team_t *t, const struct model *a, const struct model *b, struct model *result)
{
    enum operation op = (enum operation)random_below(&t->random, OPERATIONS);
    result->g = EP_GROUP_NULL;
    if (op >= RANGE_INCL)
        return select_ranges(t, op, a, result);
    if (op >= INCL)
        return select_ranks(t, op, a, result);
    set_operation(op, a, b, result);
    return 1;
}

static struct model whole(ep_comm comm, int from)
{
    struct model m = {.g = EP_GROUP_NULL};
    EXPECT_OK(ep_comm_group(comm, &m.g));
    EXPECT_OK(ep_comm_size(comm, &m.n));
    EXPECT_OK(ep_comm_rank(comm, &m.me));
    for (int i = 0; i < m.n; i++)
        m.member[i] = from + i;
    m.me += from;
    return m;
}

/* Groups made of groups: any operation on any two, over and over. arg: endpoints of a second communicator. */
static void random_groups(team_t *t, void *arg)
{
    struct model base[2] = {whole(t->comm, 0), whole(((ep_comm *)arg)[t->index], MOST / 2)};
    struct model slot[SLOTS], result;
    int rounds = 400 / harness_slowness();
    for (int i = 0; i < SLOTS; i++)
        slot[i] = whole(i % 2 ? ((ep_comm *)arg)[t->index] : t->comm, i % 2 * MOST / 2);
    for (int i = 0; i < rounds; i++) {
        struct model *a = &slot[random_below(&t->random, SLOTS)], *b = &slot[random_below(&t->random, SLOTS)];
        struct model *out = &slot[random_below(&t->random, SLOTS)];
        int relation = -1;
        EXPECT_OK(ep_group_compare(a->g, b->g, &relation));
        EXPECT_EQ(relation, model_compare(a, b));
        if (!random_operation(t, a, b, &result))
            continue;
        check(&result, base);
        EXPECT_OK(ep_group_free(&out->g));
        *out = result;
        if (out->n == 0) { /* start again */
            EXPECT_OK(ep_group_free(&out->g));
            *out = i % 3 ? whole(t->comm, 0) : (struct model){.g = EP_GROUP_EMPTY, .me = -1};
        }
    }
    for (int i = 0; i < SLOTS; i++)
        EXPECT_OK(ep_group_free(&slot[i].g));
    for (int b = 0; b < 2; b++)
        EXPECT_OK(ep_group_free(&base[b].g));
    EXPECT_OK(ep_comm_free(&((ep_comm *)arg)[t->index]));
}

/* Errors of groups belong to no communicator: the process's default handler gets them. */
static void return_errors(int yes)
{
    EXPECT_OK(ep_comm_set_errhandler(EP_COMM_WORLD, yes ? EP_ERRORS_RETURN : EP_ERRORS_ARE_FATAL));
}

static void two_communicators(void)
{
    int n = team_local_count();
    ep_comm *comms = xmalloc((2 * (size_t)n + 1) * sizeof *comms);
    return_errors(1);
    int ok = EXPECT_OK(ep_comm_create_endpoints(MPI_COMM_WORLD, n, MPI_INFO_NULL, comms));
    ok &= EXPECT_OK(ep_comm_create_endpoints(MPI_COMM_WORLD, n, MPI_INFO_NULL, comms + n));
    if (ok)
        team_run_on(comms, n, 0, random_groups, comms + n);
    return_errors(0);
    free(comms);
}

/* ---- The same as MPI's own groups ---- */

/* Ranks stand for each other: as many endpoints as there are processes, or the other way round. */
struct twins {
    ep_group e;
    MPI_Group m;
};

typedef int mpi_two(MPI_Group, MPI_Group, MPI_Group *);
static mpi_two *const mpi_twos[] = {MPI_Group_union, MPI_Group_intersection, MPI_Group_difference};

static void make_twins(struct twins *w, struct twins all, int n, int ranges[][3], int others)
{
    if (others) {
        EXPECT_OK(ep_group_range_excl(all.e, n, ranges, &w->e));
        MPI_Group_range_excl(all.m, n, ranges, &w->m);
    } else {
        EXPECT_OK(ep_group_range_incl(all.e, n, ranges, &w->e));
        MPI_Group_range_incl(all.m, n, ranges, &w->m);
    }
}

static void free_twins(struct twins *w)
{
    EXPECT_OK(ep_group_free(&w->e));
    EXPECT(w->e == EP_GROUP_NULL);
    if (w->m != MPI_GROUP_EMPTY)
        MPI_Group_free(&w->m);
}

static void compare_twins(const struct twins *w, const struct twins *to)
{
    int ranks[MOST + 1], e[MOST + 1], m[MOST + 1], n = -1, want, relation, expected;
    MPI_Group_size(w->m, &want);
    EXPECT_OK(ep_group_size(w->e, &n));
    if (!EXPECT_EQ(n, want) || n > MOST)
        return;
    for (int i = 0; i < n; i++)
        ranks[i] = n - 1 - i;
    ranks[n] = MPI_PROC_NULL;
    MPI_Group_translate_ranks(w->m, n, ranks, to->m, m);
    EXPECT_OK(ep_group_translate_ranks(w->e, n + 1, ranks, to->e, e));
    for (int i = 0; i < n; i++)
        EXPECT_EQ(e[i], m[i]);
    EXPECT_EQ(e[n], MPI_PROC_NULL); /* Open MPI 4.1 gives MPI_UNDEFINED where a group is empty */
    MPI_Group_compare(w->m, to->m, &expected);
    EXPECT_OK(ep_group_compare(w->e, to->e, &relation));
    EXPECT_EQ(relation, expected);
}

/* One or two ranges that have no rank in common. */
static int random_ranges(team_t *t, int size, int ranges[2][3])
{
    int cut = random_below(&t->random, size);
    ranges[0][0] = random_below(&t->random, cut + 1);
    ranges[0][1] = cut;
    ranges[0][2] = 1 + random_below(&t->random, 3);
    if (cut == size - 1)
        return 1;
    ranges[1][0] = size - 1;
    ranges[1][1] = cut + 1;
    ranges[1][2] = -1 - random_below(&t->random, 3);
    return 1 + random_below(&t->random, 2);
}

static void same_as_mpi(team_t *t, void *arg)
{
    int size = t->size < t->processes ? t->size : t->processes, rest[1][3] = {{0, size - 1, 1}}, rank,
        expected;
    struct twins world, all, a, b, c;
    (void)arg;
    MPI_Comm_group(MPI_COMM_WORLD, &world.m);
    EXPECT_OK(ep_comm_group(t->comm, &world.e));
    make_twins(&all, world, 1, rest, 0);
    for (int i = 0; i < 100 / harness_slowness(); i++) {
        int ranges[2][3], n = random_ranges(t, size, ranges);
        make_twins(&a, all, n, ranges, random_below(&t->random, 2));
        n = random_ranges(t, size, ranges);
        make_twins(&b, all, n, ranges, random_below(&t->random, 2));
        int op = random_below(&t->random, INCL);
        EXPECT_OK(ep_twos[op](a.e, b.e, &c.e));
        mpi_twos[op](a.m, b.m, &c.m);
        compare_twins(&a, &b);
        compare_twins(&c, &a);
        compare_twins(&c, &all);
        if (t->rank == t->process) {
            MPI_Group_rank(c.m, &expected);
            EXPECT_OK(ep_group_rank(c.e, &rank));
            EXPECT_EQ(rank, expected);
        }
        free_twins(&a);
        free_twins(&b);
        free_twins(&c);
    }
    free_twins(&all);
    free_twins(&world);
}

/* ---- By hand ---- */

/* The members of group, as ranks of the team. */
static void expect_ranks(team_t *t, ep_group group, int n, const int want[])
{
    int size = -1, ranks[MOST], found[MOST];
    ep_group all;
    EXPECT_OK(ep_group_size(group, &size));
    if (!EXPECT_EQ(size, n))
        return;
    for (int i = 0; i < n; i++)
        ranks[i] = i;
    EXPECT_OK(ep_comm_group(t->comm, &all));
    EXPECT_OK(ep_group_translate_ranks(group, n, ranks, all, found));
    for (int i = 0; i < n; i++)
        EXPECT_EQ(found[i], want[i]);
    EXPECT_OK(ep_group_free(&all));
}

/* The example of MPI 6.3.2, where there are endpoints enough. */
static void standard_example(team_t *t, void *arg)
{
    static const int included[] = {6, 7, 1, 3, 5, 0, 4, 8}, excluded[] = {2, 9};
    int ranges[][3] = {{6, 7, 1}, {1, 6, 2}, {0, 9, 4}}, first[][3] = {{0, 9, 1}};
    ep_group all, ten, in, out;
    (void)arg;
    if (t->size < 10)
        return;
    EXPECT_OK(ep_comm_group(t->comm, &all));
    EXPECT_OK(ep_group_range_incl(all, 1, first, &ten));
    EXPECT_OK(ep_group_range_incl(ten, 3, ranges, &in));
    EXPECT_OK(ep_group_range_excl(ten, 3, ranges, &out));
    expect_ranks(t, in, 8, included);
    expect_ranks(t, out, 2, excluded);
    EXPECT_OK(ep_group_free(&all));
    EXPECT_OK(ep_group_free(&ten));
    EXPECT_OK(ep_group_free(&in));
    EXPECT_OK(ep_group_free(&out));
}

static void empty_group(team_t *t, void *arg)
{
    int n = -1, rank = 0, relation = -1, nobody = MPI_PROC_NULL, found = -77;
    ep_group all, group = EP_GROUP_NULL, handle = EP_GROUP_EMPTY;
    (void)arg;
    EXPECT_OK(ep_comm_group(t->comm, &all));
    EXPECT_OK(ep_group_size(EP_GROUP_EMPTY, &n));
    EXPECT_EQ(n, 0);
    EXPECT_OK(ep_group_rank(EP_GROUP_EMPTY, &rank));
    EXPECT_EQ(rank, MPI_UNDEFINED);
    EXPECT_OK(ep_group_incl(all, 0, NULL, &group));
    EXPECT(group == EP_GROUP_EMPTY);
    EXPECT_OK(ep_group_range_incl(all, 0, NULL, &group));
    EXPECT(group == EP_GROUP_EMPTY);
    EXPECT_OK(ep_group_difference(all, all, &group));
    EXPECT(group == EP_GROUP_EMPTY);
    EXPECT_OK(ep_group_excl(EP_GROUP_EMPTY, 0, NULL, &group));
    EXPECT(group == EP_GROUP_EMPTY);
    EXPECT_OK(ep_group_compare(group, EP_GROUP_EMPTY, &relation));
    EXPECT_EQ(relation, MPI_IDENT);
    EXPECT_OK(ep_group_compare(all, EP_GROUP_EMPTY, &relation));
    EXPECT_EQ(relation, MPI_UNEQUAL);
    EXPECT_OK(ep_group_translate_ranks(EP_GROUP_EMPTY, 1, &nobody, all, &found));
    EXPECT_EQ(found, MPI_PROC_NULL);
    EXPECT_OK(ep_group_translate_ranks(EP_GROUP_EMPTY, 0, NULL, EP_GROUP_EMPTY, NULL));
    EXPECT_OK(ep_group_union(EP_GROUP_EMPTY, all, &group));
    EXPECT_OK(ep_group_rank(group, &rank));
    EXPECT_EQ(rank, t->rank);
    EXPECT_OK(ep_group_free(&group));
    EXPECT_OK(ep_group_free(&handle)); /* allowed */
    EXPECT(handle == EP_GROUP_NULL);
    EXPECT_OK(ep_group_free(&all));
}

static const harness_test tests[] = {
    {"random groups", NULL, two_communicators},
    {"same as MPI", same_as_mpi, NULL},
    {"standard's example", standard_example, NULL},
    {"empty group", empty_group, NULL},
};

int main(int argc, char **argv)
{
    return HARNESS_MAIN(argc, argv, "groups", tests);
}
