/* SPDX-License-Identifier: BSD-3-Clause */
/* Module ep: procedures of Fortran called once for all endpoints of a process. */
#include "fortran/native/native.h"

void ep_funnel_create_f08_(const MPI_Fint *comm, ep_funnel *funnel, MPI_Fint *ierror)
{
    *funnel = EP_FUNNEL_NULL;
    ierror_set(ierror, ep_funnel_create(comm_f2c(*comm), funnel));
}

void ep_funnel_free_f08_(ep_funnel *funnel, MPI_Fint *ierror)
{
    ierror_set(ierror, ep_funnel_free(funnel));
}

/* What an endpoint brings. */
struct brought {
    fortran_funnel *fn;
    void *arg;
};

/* The array is the funnel's, which fills it anew for each call: what was brought makes room for the arguments in it. */
static int brought_call(ep_mpi_comm mpi_comm, int num_args, void *const args[])
{
    void **all = (void **)args;
    fortran_funnel *fn = ((const struct brought *)all[0])->fn;
    for (int i = 0; i < num_args; i++)
        all[i] = ((const struct brought *)all[i])->arg;
    MPI_Fint comm = MPI_Comm_c2f(mpi_comm), n = num_args, result = 0;
    fn(&comm, &n, all, &result);
    return result;
}

void ep_funnel_call_f08_(const ep_funnel *funnel, fortran_funnel *fn, void *const *arg, MPI_Fint *result,
                         MPI_Fint *ierror)
{
    struct brought b = {fn, *arg};
    ierror_set(ierror, ep_funnel_call(*funnel, brought_call, &b, result));
}
