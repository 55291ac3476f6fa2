/* SPDX-License-Identifier: BSD-3-Clause */
/* test_group.c: groups where memory is short, and how little the regular ones take. What the operations mean is
 * tested through the public functions (func/groups.c). */
#include <stdlib.h>

#include "comm/group.h"
#include "unit.h"

enum { SMALL = 60, MILLION = 1000000, ORIGIN = 7 };

static ep_group make(const int ranks[], int n)
{
    struct identity *members = malloc((size_t)n * sizeof *members);
    for (int i = 0; i < n; i++)
        members[i] = (struct identity){ORIGIN, ranks[i]};
    ep_group g = group_new(group_map_make(members, n), members[0], true);
    free(members);
    return g;
}

static ep_group make_shuffled(int first, int n)
{
    int ranks[SMALL];
    for (int i = 0; i < n; i++)
        ranks[i] = first + i;
    shuffle(ranks, n);
    return make(ranks, n);
}

static ep_group make_range(int first, int count)
{
    return group_new(group_map_range(ORIGIN, first, count), (struct identity){ORIGIN, first}, true);
}

typedef ep_group operation(ep_group a, ep_group b);

static const int some[] = {3, 1, 4, 15, 9, 2, 6, 5};

static ep_group include(ep_group a, ep_group b)
{
    (void)b;
    return group_incl(a, some, 8);
}

static ep_group exclude(ep_group a, ep_group b)
{
    (void)b;
    return group_excl(a, some, 8);
}

/* Without a group to give, the one that says it is done. */
static ep_group compare(ep_group a, ep_group b)
{
    int result;
    return group_compare(a, b, &result) ? EP_GROUP_EMPTY : EP_GROUP_NULL;
}

static ep_group translate(ep_group a, ep_group b)
{
    int found[8];
    return group_translate(a, 8, some, b, found) ? EP_GROUP_EMPTY : EP_GROUP_NULL;
}

static ep_group hold(ep_group a, ep_group b)
{
    (void)b;
    return group_new(group_map_hold(group_get_map(a)), (struct identity){0}, false);
}

static int references(ep_group g)
{
    return load_relaxed(&group_get_map(g)->refs);
}

/* Fail each allocation of it in turn. Afterwards both groups are as before. Returns how many there were. */
static int starve(operation *f, ep_group a, ep_group b)
{
    for (int n = 0;; n++) {
        fail_allocation(n);
        ep_group made = f(a, b);
        bool failed = allocation_failed();
        fail_allocation(-1);
        ck_assert(made != EP_GROUP_NULL || failed); /* it may do without: members are then looked up one by one */
        if (made && made != EP_GROUP_EMPTY)
            group_delete(made);
        ck_assert(group_is_valid(a) && group_is_valid(b));
        ck_assert_int_eq(references(a) + references(b), 2);
        if (!failed)
            return n;
    }
}

START_TEST(without_memory)
{
    static operation *const operations[] = {
        group_union, group_intersection, group_difference, include, exclude, compare, translate};
    ep_group a = make_shuffled(0, SMALL), b = make_shuffled(SMALL / 2, SMALL);
    for (size_t i = 0; i < sizeof operations / sizeof *operations; i++)
        ck_assert_int_ge(starve(operations[i], a, b), 2);
    ck_assert_ptr_eq(group_new(NULL, (struct identity){0}, false), EP_GROUP_NULL);
    /* The pool of handles runs dry too. */
    ep_group held[5000];
    int n = 0, grown = 0;
    while (n < 5000 && grown < 2) {
        fail_allocation(0);
        held[n] = hold(a, b);
        bool failed = allocation_failed();
        fail_allocation(-1);
        ck_assert_int_eq(held[n] == EP_GROUP_NULL, failed);
        if (failed)
            held[n] = hold(a, b);
        grown += failed;
        ck_assert(group_is_valid(held[n++]));
    }
    ck_assert_int_eq(grown, 2);
    while (n > 0)
        group_delete(held[--n]);
    ck_assert_int_eq(references(a), 1);
    group_delete(a);
    group_delete(b);
}
END_TEST

static int runs(ep_group g)
{
    return group_get_map(g)->nruns;
}

/* Whatever regular way a million endpoints are cut and put together, memory does not grow with them. */
START_TEST(a_million)
{
    int *even = malloc(MILLION / 2 * sizeof *even), result, last = MILLION - 1, found = -1;
    for (int i = 0; i < MILLION / 2; i++)
        even[i] = 2 * i;
    ep_group all = make_range(0, MILLION), low = make_range(0, MILLION / 2);
    ep_group high = group_difference(all, low), both = group_union(low, high);
    ep_group evens = group_incl(all, even, MILLION / 2), odds = group_excl(all, even, MILLION / 2);
    ep_group low_evens = group_intersection(evens, low), rest = group_excl(all, &last, 1);
    ep_group mixed = group_union(evens, odds);
    ck_assert_int_eq(runs(all), 1);
    ck_assert_int_eq(runs(high), 1);
    ck_assert_int_eq(runs(both), 1);
    ck_assert_int_eq(runs(evens), 1);
    ck_assert_int_eq(runs(odds), 1);
    ck_assert_int_eq(runs(low_evens), 1);
    ck_assert_int_eq(runs(rest), 1);
    ck_assert_int_eq(runs(mixed), 2);
    ck_assert_int_eq(group_get_map(low_evens)->size, MILLION / 4);
    ck_assert(group_compare(all, both, &result));
    ck_assert_int_eq(result, MPI_IDENT);
    ck_assert(group_compare(all, mixed, &result));
    ck_assert_int_eq(result, MPI_SIMILAR);
    ck_assert(group_translate(all, 1, &last, odds, &found));
    ck_assert_int_eq(found, MILLION / 2 - 1);
    ep_group made[] = {all, low, high, both, evens, odds, low_evens, rest, mixed};
    for (size_t i = 0; i < sizeof made / sizeof *made; i++)
        group_delete(made[i]);
    free(even);
}
END_TEST

/* What does not change is not copied. */
START_TEST(shared)
{
    ep_group all = make_shuffled(0, SMALL), low = make_shuffled(0, SMALL / 2);
    ep_group made[] = {group_union(all, low), group_intersection(all, all),
                       group_difference(all, EP_GROUP_EMPTY), group_excl(all, NULL, 0),
                       group_union(EP_GROUP_EMPTY, all)};
    for (int i = 0; i < 5; i++) {
        ck_assert_ptr_eq(group_get_map(made[i]), group_get_map(all));
        ck_assert_int_eq(group_rank(made[i]), group_rank(all));
        group_delete(made[i]);
    }
    ck_assert_int_eq(references(all), 1);
    ck_assert_ptr_eq(group_difference(low, all), EP_GROUP_EMPTY);
    ck_assert_ptr_eq(group_incl(low, NULL, 0), EP_GROUP_EMPTY);
    group_delete(all);
    group_delete(low);
    ck_assert(!group_is_valid(all) && !group_is_valid(low));
}
END_TEST

START_TEST(handles_are_used_again)
{
    ep_group first = make_range(0, 5);
    group_delete(first);
    for (int i = 0; i < 10000; i++) {
        ep_group g = make_range(i, 5);
        ck_assert_ptr_eq(g, first);
        group_delete(g);
    }
}
END_TEST

int main(void)
{
    const TTest *tests[] = {without_memory, a_million, shared, handles_are_used_again};
    return UNIT_MAIN("group", tests);
}
