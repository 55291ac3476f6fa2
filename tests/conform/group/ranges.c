/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Group_range_incl and MPI_Group_range_excl: strides of both signs, ends that the stride misses, many. */
#include "conform.h"

static MPI_Group whole;
static int size;

static void members(MPI_Group *group, int n, const int expected[], int line)
{
    MPI_Group other;
    int result, count;

    CALL(MPI_Group_incl(whole, n, (int *)expected, &other));
    CALL(MPI_Group_compare(*group, other, &result));
    if (result != MPI_IDENT) {
        MPI_Group_size(*group, &count);
        conform_error("line %d: compare %d, size %d, expected %d", line, result, count, n);
    }
    if (other != MPI_GROUP_EMPTY)
        CALL(MPI_Group_free(&other));
    if (*group != MPI_GROUP_EMPTY)
        CALL(MPI_Group_free(group));
}

static void of_four(void)
{
    MPI_Group g;
    int even[1][3] = {{0, 3, 2}}, down[1][3] = {{3, 0, -1}}, odd_down[1][3] = {{3, 0, -2}};
    int two[2][3] = {{2, 3, 1}, {0, 1, 5}}, one[1][3] = {{1, 1, 1}}, none[1][3] = {{0, 0, 1}};

    CALL(MPI_Group_range_incl(whole, 1, even, &g));
    members(&g, 2, (int[]){0, 2}, __LINE__);
    CALL(MPI_Group_range_incl(whole, 1, down, &g));
    members(&g, 4, (int[]){3, 2, 1, 0}, __LINE__);
    CALL(MPI_Group_range_incl(whole, 1, odd_down, &g));
    members(&g, 2, (int[]){3, 1}, __LINE__);
    CALL(MPI_Group_range_incl(whole, 2, two, &g));
    members(&g, 3, (int[]){2, 3, 0}, __LINE__);
    CALL(MPI_Group_range_incl(whole, 1, one, &g));
    members(&g, 1, (int[]){1}, __LINE__);
    CALL(MPI_Group_range_incl(whole, 0, none, &g));
    members(&g, 0, (int[]){0}, __LINE__);
    CALL(MPI_Group_range_excl(whole, 1, even, &g));
    members(&g, 2, (int[]){1, 3}, __LINE__);
    CALL(MPI_Group_range_excl(whole, 1, odd_down, &g));
    members(&g, 2, (int[]){0, 2}, __LINE__);
    CALL(MPI_Group_range_excl(whole, 2, two, &g));
    members(&g, 1, (int[]){1}, __LINE__);
    CALL(MPI_Group_range_excl(whole, 1, down, &g));
    members(&g, 0, (int[]){0}, __LINE__);
    CALL(MPI_Group_range_excl(whole, 0, none, &g));
    members(&g, 4, (int[]){0, 1, 2, 3}, __LINE__);
}

static void refused(void)
{
    MPI_Group g;
    int beyond[1][3] = {{0, size, 1}}, still[1][3] = {{0, size - 1, 0}};
    int twice[2][3] = {{0, 0, 1}, {0, 0, 1}}, below[1][3] = {{-1, 0, 1}};

    CHECK(MPI_Group_range_incl(whole, 1, beyond, &g) != MPI_SUCCESS);
    CHECK(MPI_Group_range_incl(whole, 1, still, &g) != MPI_SUCCESS);
    CHECK(MPI_Group_range_incl(whole, 1, below, &g) != MPI_SUCCESS);
    CHECK(MPI_Group_range_incl(whole, 2, twice, &g) != MPI_SUCCESS);
}

int main(int argc, char **argv)
{
    conform_init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_group(MPI_COMM_WORLD, &whole);
    if (size == 4) {
        of_four();
        refused();
    }
    MPI_Group_free(&whole);
    return conform_end(0);
}
