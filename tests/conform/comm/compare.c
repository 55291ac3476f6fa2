/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Comm_compare in all its results. */
#include "conform.h"

static void expect(MPI_Comm one, MPI_Comm two, int expected, int line)
{
    int result = -1;

    CALL(MPI_Comm_compare(one, two, &result));
    if (result != expected)
        conform_error("line %d: %d, not %d", line, result, expected);
    CALL(MPI_Comm_compare(two, one, &result));
    if (result != expected)
        conform_error("line %d, exchanged: %d, not %d", line, result, expected);
}

static void intercommunicators(int rank, int size)
{
    MPI_Comm side, inter, copy, merged, swapped;

    MPI_Comm_split(MPI_COMM_WORLD, rank < size / 2, rank, &side);
    CALL(MPI_Intercomm_create(side, 0, MPI_COMM_WORLD, rank < size / 2 ? size / 2 : 0, 1, &inter));
    CALL(MPI_Comm_dup(inter, &copy));
    expect(inter, inter, MPI_IDENT, __LINE__);
    expect(inter, copy, MPI_CONGRUENT, __LINE__);
    expect(inter, side, MPI_UNEQUAL, __LINE__);
    expect(inter, MPI_COMM_WORLD, MPI_UNEQUAL, __LINE__);
    CALL(MPI_Intercomm_merge(inter, rank >= size / 2, &merged));
    expect(merged, MPI_COMM_WORLD, MPI_CONGRUENT, __LINE__);
    CALL(MPI_Comm_free(&merged));
    CALL(MPI_Intercomm_merge(inter, rank < size / 2, &swapped));
    expect(swapped, MPI_COMM_WORLD, MPI_SIMILAR, __LINE__);
    CALL(MPI_Comm_free(&swapped));
    CALL(MPI_Comm_free(&copy));
    CALL(MPI_Comm_free(&inter));
    CALL(MPI_Comm_free(&side));
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Comm copy, reversed, half;

    conform_init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    expect(MPI_COMM_WORLD, MPI_COMM_WORLD, MPI_IDENT, __LINE__);
    expect(MPI_COMM_SELF, MPI_COMM_SELF, MPI_IDENT, __LINE__);
    expect(MPI_COMM_WORLD, MPI_COMM_SELF, size == 1 ? MPI_CONGRUENT : MPI_UNEQUAL, __LINE__);
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    expect(MPI_COMM_WORLD, copy, MPI_CONGRUENT, __LINE__);
    if (size > 1) {
        MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &reversed);
        expect(MPI_COMM_WORLD, reversed, MPI_SIMILAR, __LINE__);
        expect(copy, reversed, MPI_SIMILAR, __LINE__);
        MPI_Comm_free(&reversed);
        MPI_Comm_split(MPI_COMM_WORLD, rank % 2, 0, &half);
        expect(MPI_COMM_WORLD, half, MPI_UNEQUAL, __LINE__);
        MPI_Comm_free(&half);
        intercommunicators(rank, size);
    }
    MPI_Comm_free(&copy);
    return conform_end(0);
}
