/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ep_funnel.h: the part of ep.h about calls of libraries that are not thread-safe. Included by ep.h.
 *
 * netCDF, HDF5, PnetCDF and many others keep state that all their files share, and are to be called by one thread of a process
 * at a time (MPI 12.4.3 names such programs funneled and serialized). In parallel they are collective over an MPI communicator
 * with one rank for each process. Through a funnel the endpoints of a process have such a library called once for all of them.
 * docs/funnel.md has an example.
 *
 * Exclusion. A process runs one function at a time, of whichever funnel: those of different funnels wait for each other, in the
 * order in which they came. An endpoint that calls such a library without the others has a funnel over a communicator of its
 * own (EP_COMM_SELF).
 *
 * Order. A function that is collective over processes waits there for the others, while no other function of its process can
 * run. So calls of such functions come in the same order in all processes that they share, whatever funnels they are of,
 * as collective calls of one thread do. Functions that wait for no other process may come at any time.
 */
#ifndef EP_EP_FUNNEL_H
#define EP_EP_FUNNEL_H

#include "ep.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ep_funnel_s *ep_funnel;
#define EP_FUNNEL_NULL ((ep_funnel)0)

/* What a funnel calls, in one endpoint's thread of the process.
 *   mpi_comm  a classic MPI communicator over the processes of the funnel, one rank for each that has endpoints in it. It
 *             belongs to the funnel, which never communicates on it: all of MPI is safe on it but freeing it. It has
 *             MPI_ERRORS_RETURN. In a funnel of one process it is of that process alone
 *   num_args  endpoints of the calling process in the funnel
 *   args      what they brought, by rank; num_args pointers
 * It may call MPI, whatever the thread level, and may take long. Of ep it may call what is local and needs no other endpoint
 * (ep_comm_rank, ep_get_count, ep_wtime ...): what communicates may wait for one that waits for this function. */
typedef int ep_funnel_function(ep_mpi_comm mpi_comm, int num_args, void *const args[]);

/* A funnel for the endpoints of comm, an intracommunicator; each gets a handle of its own. Errors of later calls are raised
 * on the error handler that comm has now. With MPI at MPI_THREAD_FUNNELED the main thread calls the functions, so in each
 * process it has to be the thread of one of these endpoints, the same one in all calls. Collective over comm; blocks. Errors:
 * MPI_ERR_COMM, MPI_ERR_ARG, MPI_ERR_NO_MEM, MPI_ERR_OTHER (FUNNELED: a process whose main thread does not take part);
 * all get those that are not of the handle or a null pointer. */
EP_PUBLIC int ep_funnel_create(ep_comm comm, ep_funnel *funnel);

/* Have fn called once for all endpoints of funnel that live in the calling process. Collective over these alone, each from
 * its own thread, in the same order. When all have come and no other function runs in the process, the one of lowest rank (at
 * FUNNELED: that of the main thread) calls its fn, so all give the same. *result = what fn returned, in all of them.
 * Blocks until fn has returned; those that wait make progress for the process, and in task mode only their tasks wait; fn blocks
 * the thread that calls it. fn sees what the endpoints wrote before the call, and they see afterwards what fn
 * wrote. Below MPI_THREAD_MULTIPLE the other threads of the process call no MPI while fn runs, so their messages to other
 * machines wait: what fn waits for in another process must not depend on them, nor on a communicator or window that is being made.
 * Errors, of which all endpoints in the process learn, and fn is not called: MPI_ERR_ARG (fn or result is null), MPI_ERR_OTHER
 * (FUNNELED: the main thread is another endpoint's); MPI_ERR_ARG of an invalid funnel and MPI_ERR_OTHER of a call from within
 * fn are the caller's alone. */
EP_PUBLIC int ep_funnel_call(ep_funnel funnel, ep_funnel_function *fn, void *arg, int *result);

/* *funnel becomes EP_FUNNEL_NULL. Collective over the funnel's endpoints, but it waits for none. Not from within a function of
 * a funnel. Errors: MPI_ERR_ARG, MPI_ERR_OTHER. */
EP_PUBLIC int ep_funnel_free(ep_funnel *funnel);

#ifdef __cplusplus
}
#endif

#endif
