/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Group_compare, MPI_Group_rank, groups that outlive their communicators, the predefined handles. */
#include "conform.h"

static void expect(MPI_Group one, MPI_Group two, int expected, int line)
{
    int result = -1;

    CALL(MPI_Group_compare(one, two, &result));
    if (result != expected)
        conform_error("line %d: %d, not %d", line, result, expected);
    CALL(MPI_Group_compare(two, one, &result));
    if (result != expected)
        conform_error("line %d, exchanged: %d, not %d", line, result, expected);
}

int main(int argc, char **argv)
{
    static MPI_Group at_file_scope = MPI_GROUP_NULL, nobody = MPI_GROUP_EMPTY;
    MPI_Group whole, again, back, part;
    MPI_Comm comm;
    int rank, size, mine, range[1][3];

    conform_init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    CHECK(at_file_scope == MPI_GROUP_NULL && MPI_GROUP_NULL != MPI_GROUP_EMPTY);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_group(MPI_COMM_WORLD, &whole);
    MPI_Comm_group(comm, &again);
    MPI_Comm_free(&comm);
    expect(whole, whole, MPI_IDENT, __LINE__);
    expect(whole, again, MPI_IDENT, __LINE__);
    expect(nobody, MPI_GROUP_EMPTY, MPI_IDENT, __LINE__);
    expect(whole, nobody, MPI_UNEQUAL, __LINE__);
    if (size > 1) {
        range[0][0] = size - 1;
        range[0][1] = 0;
        range[0][2] = -1;
        MPI_Group_range_incl(whole, 1, range, &back);
        expect(whole, back, MPI_SIMILAR, __LINE__);
        CALL(MPI_Group_rank(back, &mine));
        CHECK(mine == size - 1 - rank);
        MPI_Group_incl(back, 1, &mine, &part);
        expect(part, back, MPI_UNEQUAL, __LINE__);
        MPI_Group_free(&back);
        MPI_Group_rank(part, &mine);
        CHECK(mine == 0);
        MPI_Group_free(&part);
        mine = (rank + 1) % size;
        MPI_Group_incl(whole, 1, &mine, &part);
        MPI_Group_rank(part, &mine);
        CHECK(mine == MPI_UNDEFINED);
        MPI_Group_free(&part);
    }
    MPI_Group_free(&again);
    MPI_Group_free(&whole);
    CHECK(whole == MPI_GROUP_NULL && again == MPI_GROUP_NULL);
    return conform_end(0);
}
