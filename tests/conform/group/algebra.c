/* SPDX-License-Identifier: BSD-3-Clause */
/* Union, intersection, difference, incl and excl: members and their order; results that are empty. */
#include "conform.h"

static MPI_Group whole;

/* Are the members of group these ranks of the world? */
static void members(MPI_Group group, int n, const int expected[], int line)
{
    int size, i, mine[16], theirs[16];

    CALL(MPI_Group_size(group, &size));
    if (size != n) {
        conform_error("line %d: %d members, not %d", line, size, n);
        return;
    }
    for (i = 0; i < n; i++)
        mine[i] = i;
    CALL(MPI_Group_translate_ranks(group, n, mine, whole, theirs));
    for (i = 0; i < n; i++)
        if (theirs[i] != expected[i])
            conform_error("line %d: member %d is %d, not %d", line, i, theirs[i], expected[i]);
}

static void is_empty(MPI_Group *group)
{
    int size = -1, rank = -1, result;

    CALL(MPI_Group_size(*group, &size));
    CHECK(size == 0);
    CALL(MPI_Group_rank(*group, &rank));
    CHECK(rank == MPI_UNDEFINED);
    CALL(MPI_Group_compare(*group, MPI_GROUP_EMPTY, &result));
    CHECK(result == MPI_IDENT);
    if (*group != MPI_GROUP_EMPTY)
        CALL(MPI_Group_free(group));
}

static void free_it(MPI_Group *group)
{
    CALL(MPI_Group_free(group));
    CHECK(*group == MPI_GROUP_NULL);
}

static void two_sets(void)
{
    int a[] = {3, 0, 1}, b[] = {1, 2, 3}, ab[] = {3, 0, 1, 2}, ba[] = {1, 2, 3, 0}, zero[] = {0};
    int common[] = {3, 1}, common_b[] = {1, 3};
    MPI_Group ga, gb, g;

    CALL(MPI_Group_incl(whole, 3, a, &ga));
    CALL(MPI_Group_incl(whole, 3, b, &gb));
    members(ga, 3, a, __LINE__);
    CALL(MPI_Group_union(ga, gb, &g));
    members(g, 4, ab, __LINE__);
    free_it(&g);
    CALL(MPI_Group_union(gb, ga, &g));
    members(g, 4, ba, __LINE__);
    free_it(&g);
    CALL(MPI_Group_intersection(ga, gb, &g));
    members(g, 2, common, __LINE__);
    free_it(&g);
    CALL(MPI_Group_intersection(gb, ga, &g));
    members(g, 2, common_b, __LINE__);
    free_it(&g);
    CALL(MPI_Group_difference(ga, gb, &g));
    members(g, 1, zero, __LINE__);
    free_it(&g);
    CALL(MPI_Group_difference(ga, ga, &g));
    is_empty(&g);
    CALL(MPI_Group_excl(ga, 1, zero, &g));
    members(g, 2, a + 1, __LINE__);
    free_it(&g);
    free_it(&ga);
    free_it(&gb);
}

static void with_nothing(int size)
{
    int all[16], i;
    MPI_Group g;

    for (i = 0; i < size; i++)
        all[i] = i;
    CALL(MPI_Group_union(MPI_GROUP_EMPTY, whole, &g));
    members(g, size, all, __LINE__);
    free_it(&g);
    CALL(MPI_Group_union(whole, MPI_GROUP_EMPTY, &g));
    members(g, size, all, __LINE__);
    free_it(&g);
    CALL(MPI_Group_union(MPI_GROUP_EMPTY, MPI_GROUP_EMPTY, &g));
    is_empty(&g);
    CALL(MPI_Group_intersection(whole, MPI_GROUP_EMPTY, &g));
    is_empty(&g);
    CALL(MPI_Group_difference(MPI_GROUP_EMPTY, whole, &g));
    is_empty(&g);
    CALL(MPI_Group_difference(whole, MPI_GROUP_EMPTY, &g));
    members(g, size, all, __LINE__);
    free_it(&g);
    CALL(MPI_Group_incl(whole, 0, all, &g));
    is_empty(&g);
    CALL(MPI_Group_excl(whole, 0, all, &g));
    members(g, size, all, __LINE__);
    free_it(&g);
    CALL(MPI_Group_excl(whole, size, all, &g));
    is_empty(&g);
}

int main(int argc, char **argv)
{
    int size;

    conform_init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_group(MPI_COMM_WORLD, &whole);
    if (size >= 4)
        two_sets();
    if (size <= 16)
        with_nothing(size);
    free_it(&whole);
    return conform_end(0);
}
