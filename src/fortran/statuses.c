/* SPDX-License-Identifier: BSD-3-Clause */
/* Statuses of mpif.h and module mpi, which are arrays, and of mpi_f08, which have the same numbers (MPI 17.2.5). */
#include "fortran/fortran.h"
#include "fortran/names.h"

void pmpi_status_f2f08_(const MPI_Fint *f_status, ep_f08_status *f08_status, MPI_Fint *ierror);
void pmpi_status_f2f08_(const MPI_Fint *f_status, ep_f08_status *f08_status, MPI_Fint *ierror)
{
    ierror_set(ierror, ep_PMPI_Status_f2f08(f_status, f08_status));
}
FORTRAN_NAMES(status_f2f08)

void pmpi_status_f082f_(const ep_f08_status *f08_status, MPI_Fint *f_status, MPI_Fint *ierror);
void pmpi_status_f082f_(const ep_f08_status *f08_status, MPI_Fint *f_status, MPI_Fint *ierror)
{
    ierror_set(ierror, ep_PMPI_Status_f082f(f08_status, f_status));
}
FORTRAN_NAMES(status_f082f)
