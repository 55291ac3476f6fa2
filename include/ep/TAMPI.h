/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The interface of the Task-Aware MPI library (TAMPI 4), on ep: programs written for it are compiled
 * unchanged, with epcc for the drop-in <mpi.h>, or with <ep.h>, whose types these are. docs/tasks.md says
 * what a task is that blocks.
 *
 * Calls of MPI that block suspend their task alone in task mode (MPI_TASK_MULTIPLE, or OMP_EXTERNAL=task).
 * The functions here without a request start a communication and bind it to the calling task, which
 * completes when both its body and the communication have. Outside of explicit tasks, and where calls
 * block the thread, they wait.
 */
#ifndef EP_TAMPI_H
#define EP_TAMPI_H

#include "ep.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The thread level to ask for: MPI_Init_thread provides it if blocking calls suspend tasks. */
#ifndef MPI_TASK_MULTIPLE
#define MPI_TASK_MULTIPLE EP_TASK_MULTIPLE
#endif

/* Properties: do blocking calls suspend tasks; do the functions below bind requests to tasks; and does the
 * calling thread's tasks' way of blocking follow the first (1), or do its calls block it (0)? Only the
 * last can be set. */
enum {
    TAMPI_PROPERTY_BLOCKING_MODE = 1,
    TAMPI_PROPERTY_NONBLOCKING_MODE = 2,
    TAMPI_PROPERTY_THREAD_TASKAWARENESS = 3,
    TAMPI_THREAD_TASKAWARENESS = TAMPI_PROPERTY_THREAD_TASKAWARENESS
};

/* Other names than a TAMPI that is there as well has. */
#define EP_TAMPI_SYMBOL(name) __asm__(#name)

/* To be called between MPI_Init_thread and MPI_Finalize; nothing has to be started. *provided says what
 * MPI_Init_thread provided. Local. */
EP_PUBLIC int TAMPI_Init(int required, int *provided) EP_TAMPI_SYMBOL(ep_TAMPI_Init);
/* Counterpart of TAMPI_Init; nothing has to be ended. Local. */
EP_PUBLIC int TAMPI_Finalize(void) EP_TAMPI_SYMBOL(ep_TAMPI_Finalize);

/* The value of a property. Local. Errors: MPI_ERR_ARG (no such property). */
EP_PUBLIC int TAMPI_Property_get(int property, int *value) EP_TAMPI_SYMBOL(ep_TAMPI_Property_get);
/* Set a property of the calling thread. Local. Errors: MPI_ERR_ARG (none that can be set). */
EP_PUBLIC int TAMPI_Property_set(int property, int value) EP_TAMPI_SYMBOL(ep_TAMPI_Property_set);
/* *flag = TAMPI_PROPERTY_BLOCKING_MODE. Local. */
EP_PUBLIC int TAMPI_Blocking_enabled(int *flag) EP_TAMPI_SYMBOL(ep_TAMPI_Blocking_enabled);
/* *flag = TAMPI_PROPERTY_NONBLOCKING_MODE. Local. */
EP_PUBLIC int TAMPI_Nonblocking_enabled(int *flag) EP_TAMPI_SYMBOL(ep_TAMPI_Nonblocking_enabled);

/* ep_iwait by TAMPI's name. */
EP_PUBLIC int TAMPI_Iwait(ep_request *request, ep_status *status) EP_TAMPI_SYMBOL(ep_iwait);
/* ep_iwaitall by TAMPI's name. */
EP_PUBLIC int TAMPI_Iwaitall(int count, ep_request requests[], ep_status statuses[])
    EP_TAMPI_SYMBOL(ep_iwaitall);

/* ---- Without a request ---- */

/* ep_ibsend without a request: the calling task completes when it has. */
EP_PUBLIC int TAMPI_Ibsend(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, ep_comm comm)
    EP_TAMPI_SYMBOL(ep_TAMPI_Ibsend);
/* ep_irecv without a request: the calling task completes when it has. status is written before the task
 * completes. */
EP_PUBLIC int TAMPI_Irecv(void *buf, int count, MPI_Datatype datatype, int source, int tag, ep_comm comm,
                          ep_status *status) EP_TAMPI_SYMBOL(ep_TAMPI_Irecv);
/* ep_irsend without a request: the calling task completes when it has. */
EP_PUBLIC int TAMPI_Irsend(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, ep_comm comm)
    EP_TAMPI_SYMBOL(ep_TAMPI_Irsend);
/* ep_isend without a request: the calling task completes when it has. */
EP_PUBLIC int TAMPI_Isend(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, ep_comm comm)
    EP_TAMPI_SYMBOL(ep_TAMPI_Isend);
/* ep_issend without a request: the calling task completes when it has. */
EP_PUBLIC int TAMPI_Issend(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, ep_comm comm)
    EP_TAMPI_SYMBOL(ep_TAMPI_Issend);
/* ep_iallgather without a request: the calling task completes when it has. */
EP_PUBLIC int TAMPI_Iallgather(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                               int recvcount, MPI_Datatype recvtype, ep_comm comm)
    EP_TAMPI_SYMBOL(ep_TAMPI_Iallgather);
/* ep_iallgatherv without a request: the calling task completes when it has. */
EP_PUBLIC int TAMPI_Iallgatherv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                                const int recvcounts[], const int displs[], MPI_Datatype recvtype,
                                ep_comm comm) EP_TAMPI_SYMBOL(ep_TAMPI_Iallgatherv);
/* ep_iallreduce without a request: the calling task completes when it has. */
EP_PUBLIC int TAMPI_Iallreduce(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype,
                               MPI_Op op, ep_comm comm) EP_TAMPI_SYMBOL(ep_TAMPI_Iallreduce);
/* ep_ialltoall without a request: the calling task completes when it has. */
EP_PUBLIC int TAMPI_Ialltoall(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                              int recvcount, MPI_Datatype recvtype, ep_comm comm)
    EP_TAMPI_SYMBOL(ep_TAMPI_Ialltoall);
/* ep_ialltoallv without a request: the calling task completes when it has. */
EP_PUBLIC int TAMPI_Ialltoallv(const void *sendbuf, const int sendcounts[], const int sdispls[],
                               MPI_Datatype sendtype, void *recvbuf, const int recvcounts[],
                               const int rdispls[], MPI_Datatype recvtype, ep_comm comm)
    EP_TAMPI_SYMBOL(ep_TAMPI_Ialltoallv);
/* ep_ialltoallw without a request: the calling task completes when it has. */
EP_PUBLIC int TAMPI_Ialltoallw(const void *sendbuf, const int sendcounts[], const int sdispls[],
                               const MPI_Datatype sendtypes[], void *recvbuf, const int recvcounts[],
                               const int rdispls[], const MPI_Datatype recvtypes[], ep_comm comm)
    EP_TAMPI_SYMBOL(ep_TAMPI_Ialltoallw);
/* ep_ibarrier without a request: the calling task completes when it has. */
EP_PUBLIC int TAMPI_Ibarrier(ep_comm comm) EP_TAMPI_SYMBOL(ep_TAMPI_Ibarrier);
/* ep_ibcast without a request: the calling task completes when it has. */
EP_PUBLIC int TAMPI_Ibcast(void *buffer, int count, MPI_Datatype datatype, int root, ep_comm comm)
    EP_TAMPI_SYMBOL(ep_TAMPI_Ibcast);
/* ep_iexscan without a request: the calling task completes when it has. */
EP_PUBLIC int TAMPI_Iexscan(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                            ep_comm comm) EP_TAMPI_SYMBOL(ep_TAMPI_Iexscan);
/* ep_igather without a request: the calling task completes when it has. */
EP_PUBLIC int TAMPI_Igather(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                            int recvcount, MPI_Datatype recvtype, int root, ep_comm comm)
    EP_TAMPI_SYMBOL(ep_TAMPI_Igather);
/* ep_igatherv without a request: the calling task completes when it has. */
EP_PUBLIC int TAMPI_Igatherv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                             const int recvcounts[], const int displs[], MPI_Datatype recvtype, int root,
                             ep_comm comm) EP_TAMPI_SYMBOL(ep_TAMPI_Igatherv);
/* ep_ireduce without a request: the calling task completes when it has. */
EP_PUBLIC int TAMPI_Ireduce(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                            int root, ep_comm comm) EP_TAMPI_SYMBOL(ep_TAMPI_Ireduce);
/* ep_ireduce_scatter without a request: the calling task completes when it has. */
EP_PUBLIC int TAMPI_Ireduce_scatter(const void *sendbuf, void *recvbuf, const int recvcounts[],
                                    MPI_Datatype datatype, MPI_Op op, ep_comm comm)
    EP_TAMPI_SYMBOL(ep_TAMPI_Ireduce_scatter);
/* ep_ireduce_scatter_block without a request: the calling task completes when it has. */
EP_PUBLIC int TAMPI_Ireduce_scatter_block(const void *sendbuf, void *recvbuf, int recvcount,
                                          MPI_Datatype datatype, MPI_Op op, ep_comm comm)
    EP_TAMPI_SYMBOL(ep_TAMPI_Ireduce_scatter_block);
/* ep_iscan without a request: the calling task completes when it has. */
EP_PUBLIC int TAMPI_Iscan(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                          ep_comm comm) EP_TAMPI_SYMBOL(ep_TAMPI_Iscan);
/* ep_iscatter without a request: the calling task completes when it has. */
EP_PUBLIC int TAMPI_Iscatter(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                             int recvcount, MPI_Datatype recvtype, int root, ep_comm comm)
    EP_TAMPI_SYMBOL(ep_TAMPI_Iscatter);
/* ep_iscatterv without a request: the calling task completes when it has. */
EP_PUBLIC int TAMPI_Iscatterv(const void *sendbuf, const int sendcounts[], const int displs[],
                              MPI_Datatype sendtype, void *recvbuf, int recvcount, MPI_Datatype recvtype,
                              int root, ep_comm comm) EP_TAMPI_SYMBOL(ep_TAMPI_Iscatterv);

#ifdef __cplusplus
}
#endif
#endif
