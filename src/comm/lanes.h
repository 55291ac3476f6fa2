/* SPDX-License-Identifier: BSD-3-Clause */
/* The MPI communicators of a communicator: private lanes and the public one. */
#ifndef EP_COMM_LANES_H
#define EP_COMM_LANES_H

#include "comm/comm.h"

/* Make c's lanes, and its public communicator unless c is an intercommunicator. base: an intracommunicator
 * of exactly c's processes in their order; with `take` it becomes a lane. Collective over base; blocks. An
 * error class. */
int lanes_make(struct comm *c, MPI_Comm base, bool take);
void lanes_free(struct comm *c);

/* The public communicator of c, in a process alone made now. */
MPI_Comm lanes_public(struct comm *c);

/* Free a communicator unless it is null or MPI is over. */
void lanes_free_one(MPI_Comm *mpi);

#endif
