/* SPDX-License-Identifier: BSD-3-Clause */
/* Datatypes that Fortran made by precision and range, in C (MPI 17.1.9, 4.1.13). */
#include "conform.h"

#include <stddef.h>

int type_wrong(void);
MPI_Fint real_type(void), complex_type(void), integer_type(void), matching(int class, int size);
void contents_of(MPI_Fint type, int integers[2], int *combiner);
void exchange(MPI_Fint comm);

static void made(MPI_Fint number, int combiner, int kind, int p, int r)
{
    MPI_Datatype type = MPI_Type_f2c(number), same = MPI_DATATYPE_NULL;
    int integers[3], n_integers, n_addresses, n_types, was;

    CHECK(type != MPI_DATATYPE_NULL);
    CALL(MPI_Type_get_envelope(type, &n_integers, &n_addresses, &n_types, &was));
    CHECK(was == combiner && n_addresses == 0 && n_types == 0);
    CHECK(n_integers == (combiner == MPI_COMBINER_F90_INTEGER ? 1 : 2));
    CALL(MPI_Type_get_contents(type, n_integers, 0, 0, integers, NULL, NULL));
    CHECK(integers[0] == p && (n_integers == 1 || integers[1] == r));
    contents_of(number, integers, &was);
    CHECK(was == kind && integers[0] == p && (n_integers == 1 || integers[1] == r));
    if (kind == 1)
        CALL(MPI_Type_create_f90_real(p, r, &same));
    else if (kind == 2)
        CALL(MPI_Type_create_f90_complex(p, r, &same));
    else
        CALL(MPI_Type_create_f90_integer(p, &same));
    CHECK(same == type);
}

static void sizes(void)
{
    const int classes[] = {MPI_TYPECLASS_REAL, MPI_TYPECLASS_INTEGER, MPI_TYPECLASS_COMPLEX};

    for (int i = 0; i < 3; i++)
        for (int size = i < 2 ? 4 : 8; size <= 8; size *= 2) {
            MPI_Datatype type;
            int n;
            CALL(MPI_Type_match_size(classes[i], size, &type));
            CHECK(MPI_Type_f2c(matching(i + 1, size)) == type);
            CALL(MPI_Type_size(type, &n));
            CHECK(n == size);
        }
}

int main(int argc, char **argv)
{
    conform_init(&argc, &argv);
    made(real_type(), MPI_COMBINER_F90_REAL, 1, 10, 100);
    made(complex_type(), MPI_COMBINER_F90_COMPLEX, 2, 10, MPI_UNDEFINED);
    made(integer_type(), MPI_COMBINER_F90_INTEGER, 3, 12, 0);
    sizes();
    exchange(MPI_Comm_c2f(MPI_COMM_WORLD));
    CHECK(type_wrong() == 0);
    return conform_end(0);
}
