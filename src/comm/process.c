/* SPDX-License-Identifier: BSD-3-Clause */
#include "comm/process.h"

#include <pthread.h>

#include "crt/crt.h"

struct process process = {.mpi_tag_ub = 32767, .gated = true, .errhandler = EP_ERRORS_ARE_FATAL};

static struct lock start_lock;
static _Atomic bool started;
static pthread_t main_thread;

bool process_is_main_thread(void)
{
    return pthread_equal(main_thread, pthread_self());
}

/* MPI underneath is running, and not yet finalised. */
static bool mpi_runs(void)
{
    int on = 0, off = 0;
    MPI_Initialized(&on);
    MPI_Finalized(&off);
    return on && !off;
}

/* The first thread inside ep is taken for the main one, which matters with FUNNELED alone: there only the main
 * thread may create endpoints, and that comes first. */
static void learn(void)
{
    int *ub, flag;
    MPI_Query_thread(&process.thread_level);
    process.gated = process.thread_level < MPI_THREAD_MULTIPLE;
    process.funneled = process.thread_level < MPI_THREAD_SERIALIZED;
    main_thread = pthread_self();
    MPI_Comm_rank(MPI_COMM_WORLD, &process.rank);
    MPI_Comm_dup(MPI_COMM_SELF, &process.self);
    MPI_Comm_set_errhandler(process.self, MPI_ERRORS_RETURN);
    MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &ub, &flag);
    if (flag)
        process.mpi_tag_ub = *ub;
    mode_fix();
}

int process_start(void)
{
    if (load_acquire(&started))
        return MPI_SUCCESS;
    if (!mpi_runs())
        return MPI_ERR_OTHER;
    lock_acquire(&start_lock);
    if (!load_relaxed(&started)) {
        learn();
        store_release(&started, true);
    }
    lock_release(&start_lock);
    return MPI_SUCCESS;
}

void process_stop(void)
{
    lock_acquire(&start_lock);
    if (load_relaxed(&started)) {
        if (mpi_runs())
            MPI_Comm_free(&process.self);
        store_release(&started, false);
    }
    lock_release(&start_lock);
}
