/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Group_translate_ranks: to other orders, to groups that lack the member, MPI_PROC_NULL, no ranks. */
#include "conform.h"

#include <stdlib.h>

static int rank, size;
static MPI_Group whole;

static void reversed(void)
{
    int range[1][3] = {{size - 1, 0, -1}}, i, *from = malloc(size * sizeof *from);
    int *to = malloc(size * sizeof *to);
    MPI_Group back;

    for (i = 0; i < size; i++)
        from[i] = i;
    CALL(MPI_Group_range_incl(whole, 1, range, &back));
    CALL(MPI_Group_translate_ranks(whole, size, from, back, to));
    for (i = 0; i < size; i++)
        CHECK(to[i] == size - 1 - i);
    CALL(MPI_Group_translate_ranks(back, size, to, whole, from));
    for (i = 0; i < size; i++)
        CHECK(from[i] == i);
    CALL(MPI_Group_free(&back));
    free(from);
    free(to);
}

static void nowhere(void)
{
    int from[3] = {0, MPI_PROC_NULL, size - 1}, to[3] = {-7, -7, -7}, last = size - 1;
    MPI_Group part;

    CALL(MPI_Group_excl(whole, 1, &last, &part));
    CALL(MPI_Group_translate_ranks(whole, 3, from, part, to));
    CHECK(to[0] == (size > 1 ? 0 : MPI_UNDEFINED));
    CHECK(to[1] == MPI_PROC_NULL);
    CHECK(to[2] == MPI_UNDEFINED);
    if (part != MPI_GROUP_EMPTY)
        CALL(MPI_Group_free(&part));
    CALL(MPI_Group_translate_ranks(whole, 0, from, whole, to));
    CALL(MPI_Group_translate_ranks(whole, 1, from, MPI_GROUP_EMPTY, to));
    CHECK(to[0] == MPI_UNDEFINED);
}

/* Groups of different communicators, and of MPI_COMM_SELF. */
static void across(void)
{
    MPI_Comm half, copy;
    MPI_Group self, part, other;
    int zero = 0, to, mine;

    CALL(MPI_Comm_group(MPI_COMM_SELF, &self));
    CALL(MPI_Group_translate_ranks(self, 1, &zero, whole, &to));
    CHECK(to == rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    MPI_Comm_group(half, &part);
    MPI_Comm_group(copy, &other);
    MPI_Comm_free(&half);
    MPI_Comm_free(&copy);
    CALL(MPI_Group_rank(part, &mine));
    CHECK(mine == rank / 2);
    CALL(MPI_Group_translate_ranks(part, 1, &mine, other, &to));
    CHECK(to == rank);
    CALL(MPI_Group_translate_ranks(other, 1, &rank, self, &to));
    CHECK(to == 0);
    zero = rank ^ 1;
    if (zero < size) {
        CALL(MPI_Group_translate_ranks(other, 1, &zero, part, &to));
        CHECK(to == MPI_UNDEFINED);
    }
    MPI_Group_free(&self);
    MPI_Group_free(&part);
    MPI_Group_free(&other);
}

int main(int argc, char **argv)
{
    conform_init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_group(MPI_COMM_WORLD, &whole);
    reversed();
    nowhere();
    across();
    MPI_Group_free(&whole);
    return conform_end(0);
}
