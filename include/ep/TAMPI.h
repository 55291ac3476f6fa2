/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The interface of the Task-Aware MPI library (TAMPI 4), on ep: programs written for it are compiled unchanged, with
 * epcc for the drop-in <mpi.h>, or with <ep.h>, whose types these are. docs/tasks.md says what a task is that blocks.
 *
 * Calls of MPI that block suspend their task alone in task mode (MPI_TASK_MULTIPLE, or OMP_EXTERNAL=task). The functions
 * here without a request start a communication and bind it to the calling task, which completes when both its body and
 * the communication have. Outside of explicit tasks, and where calls block the thread, they wait.
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

/* Properties: do blocking calls suspend tasks; do the functions below bind requests to tasks; and does the calling
 * thread's tasks' way of blocking follow the first (1), or do its calls block it (0)? Only the last can be set. */
enum {
    TAMPI_PROPERTY_BLOCKING_MODE = 1,
    TAMPI_PROPERTY_NONBLOCKING_MODE = 2,
    TAMPI_PROPERTY_THREAD_TASKAWARENESS = 3,
    TAMPI_THREAD_TASKAWARENESS = TAMPI_PROPERTY_THREAD_TASKAWARENESS
};

/* Other names than a TAMPI that is there as well has. */
#define EP_TAMPI_SYMBOL(name) __asm__(#name)

/* Between MPI_Init_thread and MPI_Finalize. Nothing has to be started or ended. */
EP_PUBLIC int TAMPI_Init(int required, int *provided) EP_TAMPI_SYMBOL(ep_TAMPI_Init);
EP_PUBLIC int TAMPI_Finalize(void) EP_TAMPI_SYMBOL(ep_TAMPI_Finalize);

/* Errors: MPI_ERR_ARG (no such property, or none that can be set). Local. */
EP_PUBLIC int TAMPI_Property_get(int property, int *value) EP_TAMPI_SYMBOL(ep_TAMPI_Property_get);
EP_PUBLIC int TAMPI_Property_set(int property, int value) EP_TAMPI_SYMBOL(ep_TAMPI_Property_set);
EP_PUBLIC int TAMPI_Blocking_enabled(int *flag) EP_TAMPI_SYMBOL(ep_TAMPI_Blocking_enabled);
EP_PUBLIC int TAMPI_Nonblocking_enabled(int *flag) EP_TAMPI_SYMBOL(ep_TAMPI_Nonblocking_enabled);

/* ep_iwait and ep_iwaitall. */
EP_PUBLIC int TAMPI_Iwait(ep_request *request, ep_status *status) EP_TAMPI_SYMBOL(ep_iwait);
EP_PUBLIC int TAMPI_Iwaitall(int count, ep_request requests[], ep_status statuses[])
    EP_TAMPI_SYMBOL(ep_iwaitall);

/* ---- Without a request ---- */

EP_PUBLIC int TAMPI_Ibsend(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, ep_comm comm)
    EP_TAMPI_SYMBOL(ep_TAMPI_Ibsend);
EP_PUBLIC int TAMPI_Irecv(void *buf, int count, MPI_Datatype datatype, int source, int tag, ep_comm comm,
                          ep_status *status) EP_TAMPI_SYMBOL(ep_TAMPI_Irecv);
EP_PUBLIC int TAMPI_Irsend(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, ep_comm comm)
    EP_TAMPI_SYMBOL(ep_TAMPI_Irsend);
EP_PUBLIC int TAMPI_Isend(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, ep_comm comm)
    EP_TAMPI_SYMBOL(ep_TAMPI_Isend);
EP_PUBLIC int TAMPI_Issend(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, ep_comm comm)
    EP_TAMPI_SYMBOL(ep_TAMPI_Issend);
EP_PUBLIC int TAMPI_Iallgather(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                               int recvcount, MPI_Datatype recvtype, ep_comm comm)
    EP_TAMPI_SYMBOL(ep_TAMPI_Iallgather);
EP_PUBLIC int TAMPI_Iallgatherv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                                const int recvcounts[], const int displs[], MPI_Datatype recvtype,
                                ep_comm comm) EP_TAMPI_SYMBOL(ep_TAMPI_Iallgatherv);
EP_PUBLIC int TAMPI_Iallreduce(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype,
                               MPI_Op op, ep_comm comm) EP_TAMPI_SYMBOL(ep_TAMPI_Iallreduce);
EP_PUBLIC int TAMPI_Ialltoall(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                              int recvcount, MPI_Datatype recvtype, ep_comm comm)
    EP_TAMPI_SYMBOL(ep_TAMPI_Ialltoall);
EP_PUBLIC int TAMPI_Ialltoallv(const void *sendbuf, const int sendcounts[], const int sdispls[],
                               MPI_Datatype sendtype, void *recvbuf, const int recvcounts[],
                               const int rdispls[], MPI_Datatype recvtype, ep_comm comm)
    EP_TAMPI_SYMBOL(ep_TAMPI_Ialltoallv);
EP_PUBLIC int TAMPI_Ialltoallw(const void *sendbuf, const int sendcounts[], const int sdispls[],
                               const MPI_Datatype sendtypes[], void *recvbuf, const int recvcounts[],
                               const int rdispls[], const MPI_Datatype recvtypes[], ep_comm comm)
    EP_TAMPI_SYMBOL(ep_TAMPI_Ialltoallw);
EP_PUBLIC int TAMPI_Ibarrier(ep_comm comm) EP_TAMPI_SYMBOL(ep_TAMPI_Ibarrier);
EP_PUBLIC int TAMPI_Ibcast(void *buffer, int count, MPI_Datatype datatype, int root, ep_comm comm)
    EP_TAMPI_SYMBOL(ep_TAMPI_Ibcast);
EP_PUBLIC int TAMPI_Iexscan(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                            ep_comm comm) EP_TAMPI_SYMBOL(ep_TAMPI_Iexscan);
EP_PUBLIC int TAMPI_Igather(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                            int recvcount, MPI_Datatype recvtype, int root, ep_comm comm)
    EP_TAMPI_SYMBOL(ep_TAMPI_Igather);
EP_PUBLIC int TAMPI_Igatherv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                             const int recvcounts[], const int displs[], MPI_Datatype recvtype, int root,
                             ep_comm comm) EP_TAMPI_SYMBOL(ep_TAMPI_Igatherv);
EP_PUBLIC int TAMPI_Ireduce(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                            int root, ep_comm comm) EP_TAMPI_SYMBOL(ep_TAMPI_Ireduce);
EP_PUBLIC int TAMPI_Ireduce_scatter(const void *sendbuf, void *recvbuf, const int recvcounts[],
                                    MPI_Datatype datatype, MPI_Op op, ep_comm comm)
    EP_TAMPI_SYMBOL(ep_TAMPI_Ireduce_scatter);
EP_PUBLIC int TAMPI_Ireduce_scatter_block(const void *sendbuf, void *recvbuf, int recvcount,
                                          MPI_Datatype datatype, MPI_Op op, ep_comm comm)
    EP_TAMPI_SYMBOL(ep_TAMPI_Ireduce_scatter_block);
EP_PUBLIC int TAMPI_Iscan(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                          ep_comm comm) EP_TAMPI_SYMBOL(ep_TAMPI_Iscan);
EP_PUBLIC int TAMPI_Iscatter(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                             int recvcount, MPI_Datatype recvtype, int root, ep_comm comm)
    EP_TAMPI_SYMBOL(ep_TAMPI_Iscatter);
EP_PUBLIC int TAMPI_Iscatterv(const void *sendbuf, const int sendcounts[], const int displs[],
                              MPI_Datatype sendtype, void *recvbuf, int recvcount, MPI_Datatype recvtype,
                              int root, ep_comm comm) EP_TAMPI_SYMBOL(ep_TAMPI_Iscatterv);

#ifdef __cplusplus
}
#endif
#endif
