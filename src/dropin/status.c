/* SPDX-License-Identifier: BSD-3-Clause */
/* Statuses of Fortran (MPI 17.2.5): one that is to be ignored is known by its address, which the program's Fortran has, and is no
 * status to be converted or written. */
#include <ep_calls.h>

#include "api/api.h"
#include "dropin/dropin.h"

/* Where there is no Fortran, the addresses are those of a block at the beginning of memory (include/ep/dropin/mpi.h). */
enum { BLOCK_OF_NONE = 256 };

static int check_no_ignore(const char *call, const void *status, const char *name)
{
    struct where w = {thread_world(), call};
    int rc = check_pointer(w, status, name);
    if (rc || ((uintptr_t)status >= BLOCK_OF_NONE && ep_fortran_place(status) < 0))
        return rc;
    return raise_error(w, MPI_ERR_ARG, "argument %s is MPI_STATUS_IGNORE or MPI_STATUSES_IGNORE", name);
}

int ep_PMPI_Status_f2c(const MPI_Fint *f_status, ep_status *c_status)
{
    int rc = check_no_ignore("MPI_Status_f2c", f_status, "f_status");
    return rc ? rc : ep_status_f2c(f_status, c_status);
}

int ep_PMPI_Status_f082c(const ep_f08_status *f08_status, ep_status *c_status)
{
    int rc = check_no_ignore("MPI_Status_f082c", f08_status, "f08_status");
    return rc ? rc : ep_status_f082c(f08_status, c_status);
}

static int status_same(const char *call, const void *from, const char *from_name, void *to,
                       const char *to_name)
{
    int rc = check_no_ignore(call, from, from_name);
    if (rc == MPI_SUCCESS)
        rc = check_no_ignore(call, to, to_name);
    if (rc == MPI_SUCCESS)
        memcpy(to, from, sizeof(ep_f08_status));
    return rc;
}

int ep_PMPI_Status_f2f08(const MPI_Fint *f_status, ep_f08_status *f08_status)
{
    return status_same("MPI_Status_f2f08", f_status, "f_status", f08_status, "f08_status");
}

int ep_PMPI_Status_f082f(const ep_f08_status *f08_status, MPI_Fint *f_status)
{
    return status_same("MPI_Status_f082f", f08_status, "f08_status", f_status, "f_status");
}
