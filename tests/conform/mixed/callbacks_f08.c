/* SPDX-License-Identifier: BSD-3-Clause */
/* Called by callbacks_f08_f.f90: C sees what mpi_f08 has made. */
#include "conform.h"

void in_c(MPI_Fint number, int key, int dup_key, MPI_Fint op);

void in_c(MPI_Fint number, int key, int dup_key, MPI_Fint op)
{
    MPI_Comm comm = MPI_Comm_f2c(number);
    MPI_Aint *value;
    int flag, rank, size, most = -1;

    CALL(MPI_Comm_get_attr(comm, key, &value, &flag));
    CHECK(flag && *value == 101);
    CALL(MPI_Comm_get_attr(comm, dup_key, &value, &flag));
    CHECK(flag && *value == (MPI_Aint)1 << 33);
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    CALL(MPI_Allreduce(&rank, &most, 1, MPI_INTEGER, MPI_Op_f2c(op), comm));
    CHECK(most == size - 1);
}
