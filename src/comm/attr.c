/* SPDX-License-Identifier: BSD-3-Clause */
/* Predefined attributes (MPI 8.1.2). */
#include "comm/comm.h"

static const int *const mpi_keys =
    (const int[]){MPI_HOST, MPI_IO, MPI_WTIME_IS_GLOBAL, MPI_LASTUSEDCODE, MPI_APPNUM, MPI_UNIVERSE_SIZE};
enum { MPI_KEYS = 6 };

bool comm_attr(ep_comm view, int keyval, void *value, int *flag)
{
    if (keyval == MPI_TAG_UB) {
        *(int **)value = &view->comm->tags.ub;
        *flag = 1;
        return true;
    }
    for (int i = 0; i < MPI_KEYS; i++) {
        if (keyval != mpi_keys[i])
            continue;
        mpi_enter();
        MPI_Comm_get_attr(MPI_COMM_WORLD, keyval, value, flag);
        mpi_leave();
        return true;
    }
    return false;
}
