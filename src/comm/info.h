/* SPDX-License-Identifier: BSD-3-Clause */
/* Hints of a view (MPI 6.4.4). */
#ifndef EP_COMM_INFO_H
#define EP_COMM_INFO_H

#include <ep.h>
#include <stdbool.h>

/* Is key set to true? `otherwise` if it is neither true nor false. Between mpi_enter and mpi_leave. */
bool info_flag(MPI_Info info, const char *key, bool otherwise);

/* A duplicate of the hints that were set, MPI_INFO_NULL if there are none. An error class; nothing is
 * raised. */
int info_copy(ep_comm view, MPI_Info *copy);

/* Set the hints of info, and view->reproducible; others that were set stay. */
int info_set(ep_comm view, MPI_Info info);

/* What the user gets: what was set and what is true of the communicator. */
int info_of(ep_comm view, MPI_Info *used);

#endif
