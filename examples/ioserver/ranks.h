/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ranks.h: what the example calls of ep; or, compiled with PLAIN_MPI, the same program on MPI alone, with a process
 * for each rank. The functions are the same but for their names, so it takes these lines to compare threads as ranks
 * with processes.
 */
#ifndef RANKS_H
#define RANKS_H

#ifndef PLAIN_MPI
#include <ep.h>
#include <ep_funnel.h>
#else
#include <mpi.h>

typedef MPI_Comm ep_comm, ep_mpi_comm;
typedef MPI_Request ep_request;
typedef MPI_Status ep_status;
#define EP_COMM_NULL MPI_COMM_NULL
#define EP_REQUEST_NULL MPI_REQUEST_NULL
#define EP_STATUS_IGNORE MPI_STATUS_IGNORE
#define EP_STATUSES_IGNORE MPI_STATUSES_IGNORE
#define ep_allreduce MPI_Allreduce
#define ep_cancel MPI_Cancel
#define ep_comm_free MPI_Comm_free
#define ep_comm_rank MPI_Comm_rank
#define ep_comm_split MPI_Comm_split
#define ep_gather MPI_Gather
#define ep_intercomm_create MPI_Intercomm_create
#define ep_irecv MPI_Irecv
#define ep_isend MPI_Isend
#define ep_issend MPI_Issend
#define ep_recv MPI_Recv
#define ep_send MPI_Send
#define ep_test MPI_Test
#define ep_testall MPI_Testall
#define ep_wait MPI_Wait
#define ep_waitall MPI_Waitall
#define ep_waitany MPI_Waitany
#define ep_wtime MPI_Wtime

static inline int ep_comm_create_endpoints(MPI_Comm parent, int num_ep, MPI_Info info, ep_comm endpoints[])
{
    (void)num_ep, (void)info;
    return MPI_Comm_dup(parent, endpoints);
}

/* One rank in each process: there is nobody to wait for. */
typedef MPI_Comm ep_funnel;
#define ep_funnel_create MPI_Comm_dup
#define ep_funnel_free MPI_Comm_free
static inline int ep_funnel_call(ep_funnel funnel, int (*fn)(MPI_Comm, int, void *const[]), void *arg,
                                 int *result)
{
    *result = fn(funnel, 1, &arg);
    return MPI_SUCCESS;
}
#endif

#endif
