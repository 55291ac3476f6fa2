/* SPDX-License-Identifier: BSD-3-Clause */
/* A library in C alone, of a program with Fortran: it is given Fortran's statuses, and gives some. */
#include <mpi.h>

int shared_ignores(const MPI_Fint *status, const MPI_Fint *statuses);
int shared_ignores(const MPI_Fint *status, const MPI_Fint *statuses)
{
    return status == MPI_F_STATUS_IGNORE && statuses == MPI_F_STATUSES_IGNORE;
}

MPI_Fint *shared_ignored(void);
MPI_Fint *shared_ignored(void)
{
    return MPI_F_STATUS_IGNORE;
}
