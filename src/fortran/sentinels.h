/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Arguments of Fortran that are known by their address (MPI 2.5.4): variables of two COMMON blocks, of which each image has its own.
 * mpif.h and the modules declare them in this order.
 */
#ifndef EP_FORTRAN_SENTINELS_H
#define EP_FORTRAN_SENTINELS_H

#include <ep.h>

struct sentinels {
    MPI_Fint bottom, in_place;
    MPI_Fint status_ignore[EP_F_STATUS_SIZE], statuses_ignore[EP_F_STATUS_SIZE];
    MPI_Fint errcodes_ignore, unweighted, weights_empty;
};

struct sentinels_c {
    char argv_null, argvs_null;
};

extern struct sentinels ep_mpi_sentinels_;
extern struct sentinels_c ep_mpi_sentinels_c_;

#endif
