/* SPDX-License-Identifier: BSD-3-Clause */
/* message.hpp: point-to-point. Part of <ep_lib.hpp>. */
#ifndef EP_EP_LIB_MESSAGE_HPP
#define EP_EP_LIB_MESSAGE_HPP

#include "types.hpp"

#pragma GCC visibility push(default)
namespace ep_lib {

/* ---- Point-to-point (MPI 3) -------------------------------------------------------------------------------
 * On communicators of endpoints and on classic ones, on both kinds of intercommunicators. Any thread. dest and source are ranks or
 * MPI_PROC_NULL; source may be MPI_ANY_SOURCE (-2, and -1), tag MPI_ANY_TAG in receives and probes. status may be
 * MPI_STATUS_IGNORE. Errors: MPI_ERR_COMM, _COUNT, _TYPE, _BUFFER, _RANK, _TAG, and of receives _TRUNCATE. */

/* Block until buf may be used again; MPI_Ssend until the message is matched, MPI_Bsend never (MPI 3.2, 3.4). */
int MPI_Send(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm);
int MPI_Ssend(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm);
int MPI_Rsend(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm);
int MPI_Bsend(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm);
/* Block until the message is there (MPI 3.2.4, 3.10). */
int MPI_Recv(void *buf, int count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm,
             MPI_Status *status);
int MPI_Sendrecv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, int dest, int sendtag,
                 void *recvbuf, int recvcount, MPI_Datatype recvtype, int source, int recvtag, MPI_Comm comm,
                 MPI_Status *status);
int MPI_Sendrecv_replace(void *buf, int count, MPI_Datatype datatype, int dest, int sendtag, int source,
                         int recvtag, MPI_Comm comm, MPI_Status *status);

/* The buffer of buffered sends (MPI 3.6). The short forms are for endpoints: the buffer is the calling thread's. With a
 * communicator: for its kind, on classic ones the process's. MPI_Buffer_detach blocks until its messages are delivered. Errors:
 * MPI_ERR_BUFFER, MPI_ERR_ARG. */
int MPI_Buffer_attach(void *buffer, int size);
int MPI_Buffer_attach(void *buffer, int size, MPI_Comm comm);
int MPI_Buffer_detach(void *buffer_addr, int *size);
int MPI_Buffer_detach(void *buffer_addr, int *size, MPI_Comm comm);

/* Do not block; the buffer may be used again when the request is complete (MPI 3.7). Receives match in the order in which they
 * are posted. */
int MPI_Isend(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
              MPI_Request *request);
int MPI_Issend(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
               MPI_Request *request);
int MPI_Irsend(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
               MPI_Request *request);
int MPI_Ibsend(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
               MPI_Request *request);
int MPI_Irecv(void *buf, int count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm,
              MPI_Request *request);

/* ---- Probing (MPI 3.8) ---------------------------------------------------------------------------------------
 * MPI_Probe and MPI_Mprobe block until there is a message, MPI_Iprobe and MPI_Improbe do not. A message that a matching
 * probe took is received by MPI_Mrecv (blocks) or MPI_Imrecv alone; given by its address it becomes MPI_MESSAGE_NULL,
 * given by value, as revisions of XIOS do, the program must not use it again. Errors: also MPI_ERR_REQUEST (no such message). */
int MPI_Probe(int source, int tag, MPI_Comm comm, MPI_Status *status);
int MPI_Iprobe(int source, int tag, MPI_Comm comm, int *flag, MPI_Status *status);
int MPI_Mprobe(int source, int tag, MPI_Comm comm, MPI_Message *message, MPI_Status *status);
int MPI_Improbe(int source, int tag, MPI_Comm comm, int *flag, MPI_Message *message, MPI_Status *status);
int MPI_Mrecv(void *buf, int count, MPI_Datatype datatype, MPI_Message *message, MPI_Status *status);
int MPI_Mrecv(void *buf, int count, MPI_Datatype datatype, MPI_Message message, MPI_Status *status);
int MPI_Imrecv(void *buf, int count, MPI_Datatype datatype, MPI_Message *message, MPI_Request *request);
int MPI_Imrecv(void *buf, int count, MPI_Datatype datatype, MPI_Message message, MPI_Request *request);

/* ---- Completion (MPI 3.7) ----------------------------------------------------------------------------------------
 * Of requests of endpoints, of classic communicators, and of both in one array. A completed request becomes MPI_REQUEST_NULL, which
 * counts as complete with an empty status. Those with Wait block, those with Test do not; all make progress. Where an array
 * has requests of both kinds a wait tests both in turn and yields the CPU in between. Errors: MPI_ERR_REQUEST, _COUNT, _ARG, what the
 * operation failed with; of arrays MPI_ERR_IN_STATUS, with the codes in MPI_ERROR of the statuses. */
int MPI_Wait(MPI_Request *request, MPI_Status *status);
int MPI_Test(MPI_Request *request, int *flag, MPI_Status *status);
int MPI_Waitall(int count, MPI_Request requests[], MPI_Status statuses[]);
int MPI_Testall(int count, MPI_Request requests[], int *flag, MPI_Status statuses[]);
int MPI_Waitany(int count, MPI_Request requests[], int *index, MPI_Status *status);
int MPI_Testany(int count, MPI_Request requests[], int *index, int *flag, MPI_Status *status);
int MPI_Waitsome(int incount, MPI_Request requests[], int *outcount, int indices[], MPI_Status statuses[]);
int MPI_Testsome(int incount, MPI_Request requests[], int *outcount, int indices[], MPI_Status statuses[]);
/* Give a request up; take a pending operation back; was it taken back (MPI 3.7.3, 3.8.4)? None blocks. */
int MPI_Request_free(MPI_Request *request);
int MPI_Cancel(MPI_Request *request);
int MPI_Test_cancelled(const MPI_Status *status, int *flag);

/* What a status says of a message: whole elements of datatype, basic elements (MPI 3.2.5, 4.1.11). Local. */
int MPI_Get_count(const MPI_Status *status, MPI_Datatype datatype, int *count);
int MPI_Get_elements(const MPI_Status *status, MPI_Datatype datatype, int *count);

} // namespace ep_lib
#pragma GCC visibility pop
#endif
