/* SPDX-License-Identifier: BSD-3-Clause */
/* Statuses of mpif.h and module mpi, which are arrays, and of mpi_f08, which have the same numbers (MPI 17.2.5). */
#include <string.h>

#include "fortran/fortran.h"
#include "fortran/names.h"

static int status_copy(const MPI_Fint *from, MPI_Fint *to, const char *call)
{
    if (status_is_ignored(from) || status_is_ignored(to))
        return ep_fortran_error(EP_COMM_NULL, call, MPI_ERR_ARG,
                                "MPI_STATUS_IGNORE and MPI_STATUSES_IGNORE are no statuses");
    memcpy(to, from, EP_F_STATUS_SIZE * sizeof *to);
    return MPI_SUCCESS;
}

void pmpi_status_f2f08_(const MPI_Fint *f_status, MPI_Fint *f08_status, MPI_Fint *ierror);
void pmpi_status_f2f08_(const MPI_Fint *f_status, MPI_Fint *f08_status, MPI_Fint *ierror)
{
    ierror_set(ierror, status_copy(f_status, f08_status, "MPI_Status_f2f08"));
}
FORTRAN_NAMES(status_f2f08)

void pmpi_status_f082f_(const MPI_Fint *f08_status, MPI_Fint *f_status, MPI_Fint *ierror);
void pmpi_status_f082f_(const MPI_Fint *f08_status, MPI_Fint *f_status, MPI_Fint *ierror)
{
    ierror_set(ierror, status_copy(f08_status, f_status, "MPI_Status_f082f"));
}
FORTRAN_NAMES(status_f082f)
