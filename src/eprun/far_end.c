/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The end of the job. MPI_Finalize waits for all processes, too, but in Open MPI as a fence of PMIx: if the job is ended meanwhile
 * (MPI_Abort, exit with a status), mpirun takes that away while it still works on it, and hangs or crashes, so that the job's
 * status is lost (4.1.4 with PMIx 4.2.2). So nobody calls it before all can.
 */
#include "base/base.h"
#include "eprun/life.h"

static bool end_is_everywhere(void *barrier)
{
    int done = 1;
    return MPI_Test(barrier, &done, MPI_STATUS_IGNORE) != MPI_SUCCESS || done;
}

void end_await_others(void)
{
    MPI_Request barrier;
    if (MPI_Ibarrier(MPI_COMM_WORLD, &barrier) == MPI_SUCCESS)
        wait_for(end_is_everywhere, &barrier, POLICY_OTHERS);
}
