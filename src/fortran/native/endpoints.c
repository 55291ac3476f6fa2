/* SPDX-License-Identifier: BSD-3-Clause */
/* Module ep: starting, and making endpoints, which takes MPI's own communicators and hints. */
#include <stdlib.h>

#include "fortran/native/native.h"

void ep_init_thread_f08_(const MPI_Fint *required, MPI_Fint *provided, MPI_Fint *ierror)
{
    ierror_set(ierror, ep_init_thread(NULL, NULL, *required, provided));
}

double ep_wtime_f08_(void)
{
    return ep_wtime();
}

double ep_wtick_f08_(void)
{
    return ep_wtick();
}

void ep_comm_create_endpoints_f08_(const MPI_Fint *parent, const MPI_Fint *num_ep, const MPI_Fint *info,
                                   MPI_Fint endpoints[], MPI_Fint *ierror)
{
    static const char call[] = "ep_comm_create_endpoints";
    ep_comm few[FEW_HANDLES];
    void *array;
    int rc = array_take(EP_COMM_NULL, call, &array, few, *num_ep, sizeof *few);
    ep_comm *made = array;
    if (rc == MPI_SUCCESS)
        rc = ep_comm_create_endpoints(MPI_Comm_f2c(*parent), *num_ep, info_f2c(*info), made);
    for (int i = 0; rc == MPI_SUCCESS && i < *num_ep; i++)
        endpoints[i] = comm_c2f(made[i]);
    array_drop(array, few);
    ierror_set(ierror, rc);
}
FORTRAN_SECOND(comm_create_endpoints_f08, comm_create_endpoints_f)

void ep_comm_get_mpi_comm_f08_(const MPI_Fint *comm, MPI_Fint *process_comm, MPI_Fint *ierror)
{
    ep_mpi_comm found = MPI_COMM_NULL;
    int rc = ep_comm_get_mpi_comm(comm_f2c(*comm), &found);
    if (rc == MPI_SUCCESS)
        *process_comm = MPI_Comm_c2f(found);
    ierror_set(ierror, rc);
}
FORTRAN_SECOND(comm_get_mpi_comm_f08, comm_get_mpi_comm_f)

/* What a rank of ep_run does. */
struct rank_work {
    fortran_run *fn;
    void *arg;
};

static int rank_work_do(ep_comm world, void *arg)
{
    const struct rank_work *w = arg;
    MPI_Fint number = comm_c2f(world), ierror = MPI_SUCCESS;
    w->fn(&number, w->arg, &ierror);
    return ierror;
}

void ep_run_f08_(const MPI_Fint *num_ep, fortran_run *fn, void *const *arg, MPI_Fint *ierror)
{
    struct rank_work w = {fn, *arg};
    ierror_set(ierror, ep_run(*num_ep, rank_work_do, &w));
}
