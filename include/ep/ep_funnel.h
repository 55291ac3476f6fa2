/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ep_funnel.h: the part of ep.h about calls of libraries that are not thread-safe. Included by ep.h.
 *
 * netCDF, HDF5, PnetCDF and many others keep state that all their files share, so one thread of a process
 * at a time may call them (what MPI 12.4.3 calls funneled or serialized), and in parallel they are
 * collective over an MPI communicator with one rank for each process. Through a funnel the endpoints of a
 * process have such a library called once for all of them. docs/funnel.md has an example.
 *
 * Exclusion. A process runs one function at a time, of whichever funnel; those of others wait, and run in
 * the order in which they came. An endpoint that calls such a library without the others has a funnel over
 * a communicator of its own (EP_COMM_SELF).
 *
 * Order. A function that is collective over processes waits for the others, and no other function of its
 * process runs meanwhile. So calls of such functions come in the same order in all processes that they
 * share, whatever funnels they are of, as collective calls of one thread do. Functions that wait for nobody
 * may come at any time.
 */
#ifndef EP_EP_FUNNEL_H
#define EP_EP_FUNNEL_H

#include "ep.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Handle. Copyable; the object behind it belongs to the library. */
typedef struct ep_funnel_s *ep_funnel;
#define EP_FUNNEL_NULL ((ep_funnel)0)

/* What a funnel calls, in one endpoint's thread of the process.
 *   mpi_comm  a classic MPI communicator over the funnel's processes, one rank for each that has endpoints
 *             in it. It belongs to the funnel, which never communicates on it: all of MPI is safe on it,
 *             but do not free it. Its error handler is MPI_ERRORS_RETURN
 *   num_args  endpoints of the calling process in the funnel
 *   args      what they brought, by rank
 * It may call MPI at any thread level, and may take long. Of ep it may call what is local and needs no
 * other endpoint (ep_comm_rank, ep_get_count, ep_wtime): one that it waits for may wait for it. It returns
 * what *result becomes. */
typedef int ep_funnel_function(ep_mpi_comm mpi_comm, int num_args, void *const args[]);

/* A funnel for the endpoints of comm, an intracommunicator: a handle for each. Errors of calls on it are
 * raised on the error handler that comm has now. With MPI at MPI_THREAD_FUNNELED the main thread calls the
 * functions; so in each process it has to be the thread of one of comm's endpoints, and to stay that.
 * Collective over comm; blocks (MPI 6.4). Errors, of which all endpoints learn: MPI_ERR_NO_MEM,
 * MPI_ERR_OTHER (FUNNELED: in a process the main thread is of none of them). MPI_ERR_COMM (also of an
 * intercommunicator) and MPI_ERR_ARG are the caller's alone. */
EP_PUBLIC int ep_funnel_create(ep_comm comm, ep_funnel *funnel);

/* Have fn called once for all endpoints of funnel in the calling process. Collective over these alone, each
 * from its own thread; all give the same fn. When all have come and no other function runs in the process,
 * the one of lowest rank (FUNNELED: that of the main thread) calls it. *result = what fn returned, in all
 * of them. fn sees what they have written before they called, and they see afterwards what fn wrote.
 * Blocks until fn has returned. Those that wait make progress for the process; in task mode only their
 * tasks wait, but fn blocks its thread. Below MPI_THREAD_MULTIPLE no other thread of the process calls MPI
 * while fn runs, so messages between machines lie, and no communicator or window is made: what fn waits for
 * in another process must not depend on that.
 * Errors, of which all endpoints in the process learn, and fn is not called: MPI_ERR_ARG (fn or result is
 * null), MPI_ERR_OTHER (FUNNELED: the main thread has become another endpoint's). MPI_ERR_ARG (null or
 * freed handle) and MPI_ERR_OTHER (within a function of a funnel) are the caller's alone. */
EP_PUBLIC int ep_funnel_call(ep_funnel funnel, ep_funnel_function *fn, void *arg, int *result);

/* *funnel becomes EP_FUNNEL_NULL. Collective over the funnel's endpoints, but it waits for none of them.
 * Errors: MPI_ERR_ARG, MPI_ERR_OTHER (within a function of a funnel). */
EP_PUBLIC int ep_funnel_free(ep_funnel *funnel);

#ifdef __cplusplus
}
#endif

#endif
