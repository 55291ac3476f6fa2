/* SPDX-License-Identifier: BSD-3-Clause */
/* Operators on real and complex numbers and truth values, by MPI_Reduce and MPI_Scan. */
#include "../expect.h"

#include <complex.h>
#include <stdbool.h>

static void reals(MPI_Comm comm)
{
    int rank = rank_of(comm), size = size_of(comm);
    float f = 0.5f + rank, f_sum = 0;
    double d = 1.5 - rank, d_min = 0, d_max = 0;
    long double l = 2.0L, l_product = 0;

    CALL(MPI_Allreduce(&f, &f_sum, 1, MPI_FLOAT, MPI_SUM, comm));
    CHECK(f_sum == 0.5f * size + size * (size - 1) / 2);
    CALL(MPI_Allreduce(&d, &d_min, 1, MPI_DOUBLE, MPI_MIN, comm));
    CALL(MPI_Allreduce(&d, &d_max, 1, MPI_DOUBLE, MPI_MAX, comm));
    CHECK(d_max == 1.5 && d_min == 1.5 - (size - 1));
    CALL(MPI_Scan(&l, &l_product, 1, MPI_LONG_DOUBLE, MPI_PROD, comm));
    CHECK(l_product == (long double)(1 << (rank + 1)));
}

static void complexes(MPI_Comm comm)
{
    int rank = rank_of(comm), size = size_of(comm);
    float _Complex f = rank + 1.0f * I, f_sum = 0;
    double _Complex d = I, d_product = 0, want = 1;
    long double _Complex l = 1 - 2.0L * I, l_sum = 0;

    for (int i = 0; i < size; i++)
        want *= I;
    CALL(MPI_Reduce(&f, &f_sum, 1, MPI_C_FLOAT_COMPLEX, MPI_SUM, 0, comm));
    CHECK(rank != 0 || f_sum == size * (size - 1) / 2 + size * 1.0f * I);
    CALL(MPI_Allreduce(&d, &d_product, 1, MPI_C_DOUBLE_COMPLEX, MPI_PROD, comm));
    CHECK(d_product == want);
    CALL(MPI_Allreduce(&l, &l_sum, 1, MPI_C_LONG_DOUBLE_COMPLEX, MPI_SUM, comm));
    CHECK(l_sum == size * (1 - 2.0L * I));
    f_sum = 0;
    CALL(MPI_Allreduce(&f, &f_sum, 1, MPI_C_COMPLEX, MPI_SUM, comm));
    CHECK(crealf(f_sum) == size * (size - 1) / 2 && cimagf(f_sum) == size);
}

static void truth(MPI_Comm comm)
{
    int rank = rank_of(comm), size = size_of(comm);
    bool in[3], out[3] = {rank == 0, true, false};

    CALL(MPI_Allreduce(out, in, 3, MPI_C_BOOL, MPI_LAND, comm));
    CHECK(in[0] == (size == 1) && in[1] && !in[2]);
    CALL(MPI_Allreduce(out, in, 3, MPI_C_BOOL, MPI_LOR, comm));
    CHECK(in[0] && in[1] && !in[2]);
    CALL(MPI_Allreduce(out, in, 3, MPI_C_BOOL, MPI_LXOR, comm));
    CHECK(in[0] && in[1] == size % 2 && !in[2]);
}

static void fortran(MPI_Comm comm)
{
    int rank = rank_of(comm), size = size_of(comm), bytes;
    double d = rank, d_sum = 0;
    int i = 1, i_sum = 0;

    if (MPI_DOUBLE_PRECISION == MPI_DATATYPE_NULL || MPI_INTEGER == MPI_DATATYPE_NULL)
        return;
    MPI_Type_size(MPI_INTEGER, &bytes);
    if (bytes == sizeof(int))
        CALL(MPI_Allreduce(&i, &i_sum, 1, MPI_INTEGER, MPI_SUM, comm));
    CHECK(bytes != sizeof(int) || i_sum == size);
    MPI_Type_size(MPI_DOUBLE_PRECISION, &bytes);
    if (bytes == sizeof(double))
        CALL(MPI_Allreduce(&d, &d_sum, 1, MPI_DOUBLE_PRECISION, MPI_SUM, comm));
    CHECK(bytes != sizeof(double) || d_sum == size * (size - 1) / 2.0);
    i = rank == 1;
    CALL(MPI_Allreduce(&i, &i_sum, 1, MPI_LOGICAL, MPI_LOR, comm));
    CHECK(!i_sum == (size == 1));
}

int main(int argc, char **argv)
{
    MPI_Comm comm;
    int is_inter;

    conform_init(&argc, &argv);
    while (conform_comm(&comm, &is_inter)) {
        if (comm != MPI_COMM_NULL && !is_inter) {
            reals(comm);
            complexes(comm);
            truth(comm);
            fortran(comm);
        }
        conform_free_comm(&comm);
    }
    return conform_end(0);
}
