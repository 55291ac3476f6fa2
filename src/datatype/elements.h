/* SPDX-License-Identifier: BSD-3-Clause */
/* How many numbers there are in the first bytes of data (MPI 4.1.11). */
#ifndef EP_DATATYPE_ELEMENTS_H
#define EP_DATATYPE_ELEMENTS_H

#include "comm/comm.h"

/* Basic elements in the first bytes of elements of datatype, whose size is not 0; MPI_UNDEFINED: the last one is not whole. False
 * without memory. Between mpi_enter and mpi_leave, as the other one. */
bool elements_of_bytes(MPI_Datatype datatype, MPI_Count bytes, MPI_Count *elements);
/* The inverse. */
bool elements_to_bytes(MPI_Datatype datatype, MPI_Count elements, MPI_Count *bytes);

#endif
