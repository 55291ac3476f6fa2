/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Starting and ending the tool interface (MPI 14.3.4). There is one for all ranks of the process. MPI counts how often
 * it is started, but not every library does so when several threads come at a time. So it is started once, for
 * all, with the highest thread level, and goes on until the process ends.
 */
#include <ep_calls.h>

#include "api/api.h"

static struct lock lock = LOCK_FREE(TOOL);
static bool started; /* under lock */
static int level;    /* constant once started */

int ep_PMPI_T_init_thread(int required, int *provided)
{
    (void)required;
    lock_acquire(&lock);
    int rc = started ? MPI_SUCCESS : MPI_T_init_thread(MPI_THREAD_MULTIPLE, &level);
    started = rc == MPI_SUCCESS;
    lock_release(&lock);
    if (rc == MPI_SUCCESS && provided)
        *provided = level;
    return rc;
}

int ep_PMPI_T_finalize(void)
{
    lock_acquire(&lock);
    int rc = started ? MPI_SUCCESS : MPI_T_ERR_NOT_INITIALIZED;
    lock_release(&lock);
    return rc;
}
