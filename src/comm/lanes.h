/* SPDX-License-Identifier: BSD-3-Clause */
/* The MPI communicators of a communicator: private lanes and the public one. */
#ifndef EP_COMM_LANES_H
#define EP_COMM_LANES_H

#include "comm/comm.h"

/*
 * MPI's calls that make communicators may fail, in one process alone, too. So what does not depend on each other is made by all
 * processes whatever has failed before, then they agree, and only then what depends on it is made: nobody waits in MPI for
 * one that has given up.
 */

/* A communicator of parent's processes, ordered by key, without the attributes of the user's. rc: what this process has against it.
 * Collective; the result, the worst error class, is the same in all. */
int lanes_copy_parent(MPI_Comm parent, int key, int rc, MPI_Comm *copy);

/*
 * What is to be made once, of the first parent that has all processes, is made by whoever claims it in all of them. Threads may
 * create endpoints on several such parents at once, in another order in each process: nobody waits for another parent's claim,
 * which may wait for this one's elsewhere. Where claims cross nobody has it, and the next parent is asked.
 */
struct lanes_claim {
    _Atomic bool
        taken; /* here; for good by the one that all have granted; acq_rel lanes_claim, release lanes_unclaim */
};
/* Collective over parent; the result is the same in all. At most one parent gets true until all give it up. */
bool lanes_claim(struct lanes_claim *claim, MPI_Comm parent);
void lanes_unclaim(struct lanes_claim *claim);

/* Make the lanes and the public communicator of fresh endpoints. Collective over the domain's inner
 * communicator, which has exactly c's processes; blocks. An error class, to be agreed upon. */
int lanes_make(struct comm *c);
/* The same for the domain's am, which is made of inner. lanes_make does it, too. */
int lanes_make_am(struct domain *u);
void lanes_free(struct comm *c);

/* The public communicator of c, in a process alone made now. */
MPI_Comm lanes_public(struct comm *c);

/* Every communicator that ep makes comes here, with the result of the call that made it: an error class. It returns errors from
 * now on; *mpi is MPI_COMM_NULL if there is none. */
int lanes_note(MPI_Comm *mpi, int rc);
/* Free it, if it is one. Between mpi_enter and mpi_leave. */
void lanes_undo(MPI_Comm *mpi);
/* How many this process has. */
long lanes_made(void);
/* Why a communicator was not made. */
extern const char lanes_none_left[];

/* Free a communicator unless it is null or MPI is over. */
void lanes_free_one(MPI_Comm *mpi);

#endif
