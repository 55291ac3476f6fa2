/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Type_match_size and the parameterised Fortran types (MPI 17.1.9), where the library has Fortran. */
#include "../expect.h"

static void matched(int class, int size)
{
    MPI_Datatype type = MPI_DATATYPE_NULL;
    int got = -1;

    CALL(MPI_Type_match_size(class, size, &type));
    if (type != MPI_DATATYPE_NULL)
        MPI_Type_size(type, &got);
    expect_int("size", got, size);
}

static void fortran(void)
{
    MPI_Datatype type, again;
    int got[4], numbers[2];
    MPI_Aint places[1];
    MPI_Datatype inner[1];

    CALL(MPI_Type_create_f90_real(10, MPI_UNDEFINED, &type));
    CALL(MPI_Type_create_f90_real(10, MPI_UNDEFINED, &again));
    CHECK(type == again);
    MPI_Type_size(type, &got[0]);
    expect_int("size of a real of 10 digits", got[0], 8);
    CALL(MPI_Type_get_envelope(type, &got[0], &got[1], &got[2], &got[3]));
    CHECK(got[3] == MPI_COMBINER_F90_REAL && got[0] == 2 && got[1] == 0 && got[2] == 0);
    CALL(MPI_Type_get_contents(type, 2, 0, 0, numbers, places, inner));
    CHECK(numbers[0] == 10 && numbers[1] == MPI_UNDEFINED);
    CALL(MPI_Type_create_f90_integer(8, &type));
    MPI_Type_size(type, &got[0]);
    expect_int("size of an integer of 8 digits", got[0], 4);
    CALL(MPI_Type_create_f90_complex(10, MPI_UNDEFINED, &type));
    MPI_Type_size(type, &got[0]);
    expect_int("size of a complex of 10 digits", got[0], 16);
}

int main(int argc, char **argv)
{
    conform_init(&argc, &argv);
    if (MPI_INTEGER != MPI_DATATYPE_NULL && MPI_REAL != MPI_DATATYPE_NULL) {
        for (int size = 1; size <= 8; size *= 2)
            matched(MPI_TYPECLASS_INTEGER, size);
        matched(MPI_TYPECLASS_REAL, 4);
        matched(MPI_TYPECLASS_REAL, 8);
        matched(MPI_TYPECLASS_COMPLEX, 8);
        matched(MPI_TYPECLASS_COMPLEX, 16);
        fortran();
    }
    return conform_end(0);
}
