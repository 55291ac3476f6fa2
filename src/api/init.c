/* SPDX-License-Identifier: BSD-3-Clause */
/* Starting and ending, time (MPI 8.6, 8.7, 12.4.3). */
#include <time.h>

#include "api/check.h"
#include "crt/crt.h"

static _Atomic bool
    mpi_is_ours; /* ep initialised MPI, so ep finalises it; relaxed to write; exchanged in ep_finalize, so one call finds it */

int ep_init_thread(int *argc, char ***argv, int required, int *provided)
{
    struct where w = {NULL, "ep_init_thread"};
    int on, level;
    int rc = check_pointer(w, provided, "provided");
    if (rc)
        return rc;
    if (required < MPI_THREAD_SINGLE || required > EP_TASK_MULTIPLE)
        return raise_error(w, MPI_ERR_ARG, "argument required is %d: no thread level", required);
    MPI_Initialized(&on);
    if (on)
        return raise_error(w, MPI_ERR_OTHER, "MPI is initialised already");
    if (required == EP_TASK_MULTIPLE)
        omp_set_external(omp_external_task);
    rc = MPI_Init_thread(argc, argv, required == EP_TASK_MULTIPLE ? MPI_THREAD_MULTIPLE : required, &level);
    if (rc != MPI_SUCCESS)
        return raise_error(w, error_class_of_mpi(rc), "MPI could not be initialised");
    store_relaxed(&mpi_is_ours, true);
    rc = process_start();
    bool tasks = level == MPI_THREAD_MULTIPLE && omp_get_external() == omp_external_task;
    *provided = required == EP_TASK_MULTIPLE && tasks ? EP_TASK_MULTIPLE : level;
    return rc;
}

int ep_finalize(void)
{
    int on, off;
    endpoints_retire();
    types_stop();
    process_stop();
    MPI_Initialized(&on);
    MPI_Finalized(&off);
    if (!on || off || !swap_acquire(&mpi_is_ours, false))
        return MPI_SUCCESS;
    int rc = MPI_Finalize();
    return rc == MPI_SUCCESS ? rc
                             : raise_error((struct where){NULL, "ep_finalize"}, error_class_of_mpi(rc),
                                           "MPI_Finalize failed");
}

int ep_abort(ep_comm comm, int errorcode)
{
    (void)comm; /* endpoints of other communicators live in the same processes */
    log_await_readers();
    MPI_Abort(MPI_COMM_WORLD, errorcode);
    return MPI_ERR_OTHER;
}

double ep_wtime(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

double ep_wtick(void)
{
    struct timespec t;
    clock_getres(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}
