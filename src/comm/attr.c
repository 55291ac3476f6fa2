/* SPDX-License-Identifier: BSD-3-Clause */
/* Predefined attributes (MPI 8.1.2). */
#include "comm/comm.h"

/* Those that are MPI's own matter. */
static bool is_mpi_key(int keyval)
{
    const int keys[] = {MPI_HOST,         MPI_IO,     MPI_WTIME_IS_GLOBAL,
                        MPI_LASTUSEDCODE, MPI_APPNUM, MPI_UNIVERSE_SIZE};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (keys[i] == keyval)
            return true;
    return false;
}

bool comm_attr(ep_comm view, int keyval, void *value, int *flag)
{
    if (keyval == MPI_TAG_UB) {
        *(int **)value = &view->comm->tags.ub;
        *flag = 1;
        return true;
    }
    if (!is_mpi_key(keyval))
        return false;
    mpi_enter();
    MPI_Comm_get_attr(MPI_COMM_WORLD, keyval, value, flag);
    mpi_leave();
    return true;
}
