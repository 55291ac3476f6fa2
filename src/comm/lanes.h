/* SPDX-License-Identifier: BSD-3-Clause */
/* The MPI communicators of a communicator: private lanes and the public one. */
#ifndef EP_COMM_LANES_H
#define EP_COMM_LANES_H

#include "comm/comm.h"

/* Make the lanes and the public communicator of fresh endpoints. Collective over the universe's inner
 * communicator, which has exactly c's processes; blocks. An error class. */
int lanes_make(struct comm *c);
/* The same for the universe's am, which is made of inner. lanes_make does it, too. */
int lanes_make_am(struct universe *u);
void lanes_free(struct comm *c);

/* The public communicator of c, in a process alone made now. */
MPI_Comm lanes_public(struct comm *c);

/* Free a communicator unless it is null or MPI is over. */
void lanes_free_one(MPI_Comm *mpi);

#endif
