/* SPDX-License-Identifier: BSD-3-Clause */
/* test_group_map.c: lists of endpoints against plain arrays; how little memory the regular ones take. */
#include <stdlib.h>

#include "comm/group_map.h"
#include "unit.h"

enum { ORIGINS = 3, MOST = 120, MILLION = 1000000 };
static const uint64_t origins[ORIGINS] = {1, 0x8000000000000001, UINT64_MAX};

/* Up to MOST different members: regular pieces of any stride and direction, or in any order. Returns their
 * number. */
static int random_members(struct identity members[])
{
    int numbers[MOST], n = below(MOST + 1), mixed = below(3), step = 1 + below(4);
    for (int i = 0; i < n; i++)
        numbers[i] = i;
    if (mixed == 0)
        shuffle(numbers, n);
    else if (mixed == 1) /* every step-th, then the rest the same way, backwards */
        for (int i = 0, start = 0, at = n - 1; i < n; i++, at -= step) {
            if (at < 0)
                at = n - 1 - ++start;
            numbers[i] = at;
        }
    int kinds = 1 + below(ORIGINS);
    for (int i = 0; i < n; i++)
        members[i] = (struct identity){origins[numbers[i] % kinds], numbers[i] / kinds * (1 + n % 3)};
    return n;
}

static int position(const struct identity members[], int n, struct identity who)
{
    for (int i = 0; i < n; i++)
        if (identity_equal(members[i], who))
            return i;
    return -1;
}

START_TEST(same_as_array)
{
    for (int round = 0; round < 1000; round++) {
        struct identity members[MOST];
        int n = random_members(members), at = 0, wrong = 0;
        struct group_map *r = group_map_make(members, n);
        ck_assert_ptr_nonnull(r);
        ck_assert_int_eq(r->size, n);
        for (int k = 0; k < r->nruns; k++) {
            wrong += r->run[k].at != at || r->run[k].count < 1;
            wrong += r->run[k].count == 1 && r->run[k].stride != 1;
            at += r->run[k].count;
        }
        ck_assert_int_eq(at, n);
        for (int i = 0; i < n; i++)
            wrong += !identity_equal(group_map_at(r, i), members[i]);
        for (int b = 0; b < ORIGINS; b++)
            for (int rank = 0; rank < 3 * MOST; rank++) {
                struct identity who = {origins[b], rank};
                wrong += group_map_find(r, who) != position(members, n, who);
            }
        ck_assert_int_eq(wrong, 0);
        ck_assert_int_eq(group_map_find(r, (struct identity){4711, 0}), -1);
        group_map_drop(r);
    }
}
END_TEST

START_TEST(locate)
{
    bool sorted = false, direct = false;
    for (int round = 0; round < 1000; round++) {
        struct identity a[MOST], b[MOST];
        int n = random_members(a), m = random_members(b), at[MOST], wrong = 0;
        struct group_map *of = group_map_make(a, n), *in = group_map_make(b, m);
        group_map_locate(of, in, at);
        for (int i = 0; i < n; i++)
            wrong += at[i] != position(b, m, a[i]);
        ck_assert_int_eq(wrong, 0);
        sorted |= n > 20 && in->nruns > 20;
        direct |= in->nruns == 1;
        group_map_drop(of);
        group_map_drop(in);
    }
    ck_assert(sorted && direct); /* both ways were gone */
}
END_TEST

static struct group_map *every(int stride, int first, int count)
{
    struct identity *members = malloc((size_t)count * sizeof *members);
    for (int i = 0; i < count; i++)
        members[i] = (struct identity){origins[0], first + i * stride};
    struct group_map *r = group_map_make(members, count);
    free(members);
    return r;
}

/* As many runs as there are regular pieces, however long. */
START_TEST(regular_lists_take_one_run)
{
    struct group_map *r = group_map_range(origins[0], 0, MILLION), *same = every(1, 0, MILLION);
    ck_assert_int_eq(r->size, MILLION);
    ck_assert_int_eq(r->nruns, 1);
    ck_assert_int_eq(same->nruns, 1);
    ck_assert_mem_eq(r->run, same->run, sizeof r->run[0]);
    ck_assert_int_eq(group_map_at(r, MILLION - 1).rank, MILLION - 1);
    ck_assert_int_eq(group_map_find(r, (struct identity){origins[0], MILLION - 1}), MILLION - 1);
    ck_assert_int_eq(group_map_find(r, (struct identity){origins[0], MILLION}), -1);
    ck_assert_int_eq(group_map_find(r, (struct identity){origins[1], 5}), -1);
    group_map_drop(r);
    group_map_drop(same);
    r = every(1000, 7, MILLION);
    ck_assert_int_eq(r->nruns, 1);
    ck_assert_int_eq(group_map_find(r, (struct identity){origins[0], 7 + 1000 * 12345}), 12345);
    ck_assert_int_eq(group_map_find(r, (struct identity){origins[0], 8 + 1000 * 12345}), -1);
    group_map_drop(r);
    r = every(-3, 3 * MILLION, MILLION);
    ck_assert_int_eq(r->nruns, 1);
    ck_assert_int_eq(group_map_at(r, MILLION - 1).rank, 3);
    group_map_drop(r);
    r = every(INT32_MAX, 0, 2);
    ck_assert_int_eq(group_map_at(r, 1).rank, INT32_MAX);
    ck_assert_int_eq(group_map_find(r, (struct identity){origins[0], INT32_MAX}), 1);
    group_map_drop(r);
}
END_TEST

START_TEST(small_lists)
{
    struct identity one = {origins[1], 42};
    struct group_map *r = group_map_range(origins[0], 3, 0), *single = group_map_make(&one, 1);
    int at = 77;
    ck_assert_int_eq(r->size + r->nruns, 0);
    ck_assert_int_eq(group_map_find(r, one), -1);
    group_map_locate(r, single, &at);
    ck_assert_int_eq(at, 77); /* nothing asked, nothing written */
    group_map_locate(single, r, &at);
    ck_assert_int_eq(at, -1);
    ck_assert_int_eq(single->run[0].count, 1);
    ck_assert_int_eq(single->run[0].stride, 1);
    group_map_drop(r);
    r = group_map_range(origins[1], 42, 1);
    ck_assert_mem_eq(r->run, single->run, sizeof r->run[0]);
    group_map_drop(r);
    group_map_drop(single);
    group_map_drop(NULL);
    r = group_map_make(NULL, 0);
    ck_assert_ptr_nonnull(r);
    ck_assert_int_eq(r->size, 0);
    ck_assert_ptr_eq(group_map_hold(r), r);
    group_map_drop(r);
    ck_assert_int_eq(r->size, 0); /* still held: the address sanitizer looks */
    group_map_drop(r);
}
END_TEST

static struct group_map *shuffled(int n)
{
    int *ranks = malloc((size_t)n * sizeof *ranks);
    struct identity *members = malloc((size_t)n * sizeof *members);
    for (int i = 0; i < n; i++)
        ranks[i] = i;
    shuffle(ranks, n);
    for (int i = 0; i < n; i++)
        members[i] = (struct identity){origins[0], ranks[i]};
    struct group_map *r = group_map_make(members, n);
    free(ranks);
    free(members);
    return r;
}

/* Without sorting this takes 90,000,000,000 steps: the test's time limit ends it. */
START_TEST(large_irregular_lists)
{
    enum { N = 300000 };
    struct group_map *of = shuffled(N), *in = shuffled(N);
    int *at = malloc(N * sizeof *at);
    ck_assert_int_gt(in->nruns, N / 10);
    group_map_locate(of, in, at);
    int wrong = 0;
    for (int i = 0; i < N; i++)
        wrong += !identity_equal(group_map_at(of, i), group_map_at(in, at[i]));
    ck_assert_int_eq(wrong, 0);
    free(at);
    group_map_drop(of);
    group_map_drop(in);
}
END_TEST

START_TEST(without_memory)
{
    struct group_map *of = shuffled(100), *in = shuffled(100);
    struct identity one = {origins[0], 1};
    int at[100];
    fail_allocation(0);
    ck_assert_ptr_null(group_map_make(&one, 1));
    ck_assert(allocation_failed());
    fail_allocation(0);
    ck_assert_ptr_null(group_map_range(1, 0, 5));
    ck_assert(allocation_failed());
    for (int i = 0; i < of->size; i++)
        at[i] = -2;
    fail_allocation(0);
    group_map_locate(of, in, at);
    ck_assert(allocation_failed());
    for (int i = 0; i < of->size; i++)
        ck_assert_int_eq(at[i], group_map_find(in, group_map_at(of, i)));
    fail_allocation(-1);
    group_map_locate(of, in, at);
    group_map_drop(of);
    group_map_drop(in);
}
END_TEST

int main(void)
{
    const TTest *tests[] = {same_as_array,         locate,        regular_lists_take_one_run, small_lists,
                            large_irregular_lists, without_memory};
    return UNIT_MAIN("group map", tests);
}
