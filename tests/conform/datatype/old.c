/* SPDX-License-Identifier: BSD-3-Clause */
/* conform: flags -Wno-deprecated-declarations */
/* Names of MPI-1 that MPI-3 removed, where the library still has them: MPI_Address, MPI_Type_struct, ... */
#include "../expect.h"

#if defined(MPICH) || defined(EP_EP_H)
#define OLD_NAMES 1
#else
#define OLD_NAMES 0
#endif

#if OLD_NAMES
static void records(void)
{
    struct {
        int number;
        double values[3];
    } out[2] = {{1, {2, 3, 4}}, {5, {6, 7, 8}}}, in[2];
    int lengths[2] = {1, 3}, size;
    MPI_Aint places[2], start, extent;
    MPI_Datatype types[2] = {MPI_INT, MPI_DOUBLE}, type;

    CALL(MPI_Address(&out[0], &start));
    CALL(MPI_Address(&out[0].number, &places[0]));
    CALL(MPI_Address(out[0].values, &places[1]));
    places[0] -= start;
    places[1] -= start;
    CALL(MPI_Type_struct(2, lengths, places, types, &type));
    CALL(MPI_Type_commit(&type));
    CALL(MPI_Type_extent(type, &extent));
    CHECK(extent == (MPI_Aint)sizeof out[0]);
    MPI_Type_size(type, &size);
    expect_int("size", size, sizeof(int) + 3 * sizeof(double));
    CALL(MPI_Sendrecv(out, 2, type, 0, 1, in, 2, type, 0, 1, MPI_COMM_SELF, MPI_STATUS_IGNORE));
    CHECK(in[1].number == 5 && in[1].values[2] == 8);
    MPI_Type_free(&type);
}

static void others(void)
{
    MPI_Datatype type;
    MPI_Aint lb, ub, place = 8;
    int length = 2;

    CALL(MPI_Type_hvector(2, 1, 16, MPI_INT, &type));
    CALL(MPI_Type_lb(type, &lb));
    CALL(MPI_Type_ub(type, &ub));
    CHECK(lb == 0 && ub == 20);
    MPI_Type_free(&type);
    CALL(MPI_Type_hindexed(1, &length, &place, MPI_INT, &type));
    CALL(MPI_Type_lb(type, &lb));
    CALL(MPI_Type_ub(type, &ub));
    CHECK(lb == 8 && ub == 16);
    MPI_Type_free(&type);
}
#endif

int main(int argc, char **argv)
{
    conform_init(&argc, &argv);
#if OLD_NAMES
    records();
    others();
#endif
    return conform_end(0);
}
