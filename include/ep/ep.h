/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ep.h: MPI endpoints for C. Every thread can be an MPI rank.
 *
 * ep_xxx takes the parameters of MPI_Xxx in the same order with the same meaning; communicators,
 * requests, statuses, messages and error handlers are ep's own, datatypes, operators, infos and
 * numbers (MPI_ANY_SOURCE, MPI_PROC_NULL, ...) are MPI's. "MPI 3.2.4" below is section 3.2.4 of
 * the MPI-3.1 standard; what is said there holds here, with "process" read as "endpoint".
 *
 * Words: an endpoint is one rank; its host process is the MPI process it lives in; endpoints of
 * one process are near to each other, others are far.
 *
 * Who may call: any thread may call any function with any endpoint at any time, also two threads
 * with the same endpoint, unless a comment says otherwise.
 *
 * Thread levels of the MPI underneath. MULTIPLE: nothing to heed. SERIALIZED: ep calls MPI from one thread at
 * a time; do not call MPI yourself while other threads are inside ep. FUNNELED: what goes to other processes
 * is done by the main thread while it is inside ep, so keep it there (in any blocking call). SINGLE: one
 * endpoint per process, or one process.
 *
 * Errors: every function returns MPI_SUCCESS or an MPI error class (MPI_ERR_RANK, ...), after
 * the error handler of the communicator was called (MPI 8.3). Initially that is
 * EP_ERRORS_ARE_FATAL, which prints one message and aborts the job. ep_error_string() of a code
 * just returned in this thread gives the full message: endpoint, process, call, argument, peer.
 */
#ifndef EP_EP_H
#define EP_EP_H

#include <mpi.h>

#ifdef __cplusplus
extern "C" {
#endif

#define EP_VERSION_MAJOR 0
#define EP_VERSION_MINOR 1
#define EP_VERSION_PATCH 0

#if defined(__GNUC__)
#define EP_PUBLIC __attribute__((visibility("default")))
#else
#define EP_PUBLIC
#endif

/* Handles. Copyable like MPI's; the objects behind them belong to the library. */
typedef struct ep_comm_s *ep_comm;
typedef struct ep_request_s *ep_request;
typedef struct ep_message_s *ep_message;
typedef struct ep_errhandler_s *ep_errhandler;

/* A status (MPI 3.2.5). The first three fields are public, the others are read through
 * ep_get_count, ep_get_elements and ep_test_cancelled. */
typedef struct ep_status {
    int MPI_SOURCE;
    int MPI_TAG;
    int MPI_ERROR;
    int ep_cancelled;
    MPI_Count ep_bytes;
} ep_status;

#define EP_COMM_NULL ((ep_comm)0)
/* The world of the endpoint that the calling thread is bound to (ep_thread_bind, ep_run), and the
 * communicator of that endpoint alone. In a thread that is not bound: an invalid communicator. */
#define EP_COMM_WORLD ((ep_comm)1)
#define EP_COMM_SELF ((ep_comm)2)

#define EP_REQUEST_NULL ((ep_request)0)
#define EP_MESSAGE_NULL ((ep_message)0)
#define EP_MESSAGE_NO_PROC ((ep_message)1)
#define EP_STATUS_IGNORE ((ep_status *)0)
#define EP_STATUSES_IGNORE ((ep_status *)0)

#define EP_ERRHANDLER_NULL ((ep_errhandler)0)
#define EP_ERRORS_ARE_FATAL ((ep_errhandler)1)
#define EP_ERRORS_RETURN ((ep_errhandler)2)

/* Bytes that a buffered send needs beside its packed data (MPI_BSEND_OVERHEAD is MPI's own). */
#define EP_BSEND_OVERHEAD 128

/* Fifth thread level of ep_init_thread: MPI_THREAD_MULTIPLE, and a blocking ep call blocks only
 * the calling OpenMP task. */
#define EP_TASK_MULTIPLE (MPI_THREAD_MULTIPLE + 1)

/* ---- Starting and ending (MPI 8.7, 12.4.3) ------------------------------------------------ */

/* Initialise MPI through ep, for programs that do not do it themselves. required and provided are
 * MPI's thread levels or EP_TASK_MULTIPLE. Once per process, by its main thread, instead of MPI_Init_thread. */
EP_PUBLIC int ep_init_thread(int *argc, char ***argv, int required, int *provided);

/* Counterpart of ep_init_thread: finalises MPI. Call it once per process when all endpoints are
 * freed and no thread is inside ep. Where the program initialised MPI itself, it calls MPI_Finalize
 * as always and need not call this; a call then only releases ep's own memory. */
EP_PUBLIC int ep_finalize(void);

/* Start num_ep threads in this process, each bound to one endpoint of a new communicator over all
 * processes of MPI_COMM_WORLD, call fn(world, arg) in each, join them, free the endpoints. Returns
 * the first non-zero result in the order of local index, or an MPI error class if the endpoints
 * could not be made. Blocks; collective over MPI_COMM_WORLD; num_ep may differ, 0 is allowed.
 * Initialises MPI if nobody has (then MPI is finalised by ep_finalize or at exit), so it works in a
 * program started from the shell without mpirun. */
EP_PUBLIC int ep_run(int num_ep, int (*fn)(ep_comm world, void *arg), void *arg);

/* Make world the EP_COMM_WORLD of the calling thread (EP_COMM_NULL: no longer). Local. */
EP_PUBLIC int ep_thread_bind(ep_comm world);

/* End all processes of the job with errorcode (MPI_Abort). Does not return. */
EP_PUBLIC int ep_abort(ep_comm comm, int errorcode);

/* Seconds since a fixed time in the past, and the clock's resolution in seconds (MPI 8.6).
 * The clock is common to the endpoints of a process. Callable before MPI is initialised. */
EP_PUBLIC double ep_wtime(void);
EP_PUBLIC double ep_wtick(void);

/* ---- Endpoints and communicators (MPI Forum issue 56; MPI 6.4, 6.8) ------------------------ */

/* Create num_ep endpoints in the calling process, as ranks of one new communicator over all
 * processes of parent. Ranks follow the rank in parent, then the index: endpoints[i] has rank
 * (sum of num_ep of lower processes) + i.
 *   parent     any intracommunicator; it is duplicated, ep never talks on it. Not kept.
 *   num_ep     0 or more, may differ between processes; the sum must be at least 1
 *   info       MPI_INFO_NULL or hints: ep_single_owner=true promises that no two threads are ever
 *              inside ep with the same endpoint at the same time, and saves one atomic per call
 *   endpoints  array of num_ep handles, out; give one to each thread
 * Collective over parent, called by ONE thread of each process. Blocks. With MPI at MPI_THREAD_SERIALIZED no
 * other thread of the process may be inside ep meanwhile; at MPI_THREAD_FUNNELED the main thread calls it.
 * Errors: MPI_ERR_COMM, MPI_ERR_ARG (num_ep < 0 anywhere: every process gets it), MPI_ERR_OTHER (thread level
 * too low), MPI_ERR_NO_MEM; raised on the default error handler of the process. */
EP_PUBLIC int ep_comm_create_endpoints(MPI_Comm parent, int num_ep, MPI_Info info, ep_comm endpoints[]);

/* Free the calling endpoint's handle, set it to EP_COMM_NULL. Called for every endpoint; does not
 * wait for the others. Operations still pending complete normally. */
EP_PUBLIC int ep_comm_free(ep_comm *comm);

EP_PUBLIC int ep_comm_rank(ep_comm comm, int *rank);
EP_PUBLIC int ep_comm_size(ep_comm comm, int *size);
/* *flag = 1 for an intercommunicator. */
EP_PUBLIC int ep_comm_test_inter(ep_comm comm, int *flag);

/* Predefined attributes (MPI 8.1.2): MPI_TAG_UB, the highest tag of THIS communicator (at least
 * 32767); *(int **)attribute_val points to it. *flag = 0 for a key without a value. */
EP_PUBLIC int ep_comm_get_attr(ep_comm comm, int keyval, void *attribute_val, int *flag);

/* Names are per endpoint and local (MPI 6.8); at most MPI_MAX_OBJECT_NAME-1 characters are kept. */
EP_PUBLIC int ep_comm_set_name(ep_comm comm, const char *name);
EP_PUBLIC int ep_comm_get_name(ep_comm comm, char *name, int *resultlen);

/* The error handler of this endpoint on this communicator (MPI 8.3). EP_COMM_WORLD in a thread that
 * is not bound stands for the process's default handler: the one for errors that belong to no communicator,
 * and the one that new endpoints start with. */
EP_PUBLIC int ep_comm_set_errhandler(ep_comm comm, ep_errhandler errhandler);
EP_PUBLIC int ep_comm_get_errhandler(ep_comm comm, ep_errhandler *errhandler);

/* A classic MPI communicator over the host processes of comm, one rank per process. ep talks
 * point-to-point on another one, so messages sent on this one are safe (a process that has no endpoints
 * takes no part in it, so collectives on it need endpoints everywhere). It belongs to ep: do not
 * free it, do not use it after the process's last endpoint is freed. Local. */
EP_PUBLIC int ep_comm_get_mpi_comm(ep_comm comm, MPI_Comm *mpi_comm);

/* Text of an error code (MPI 8.4), at most MPI_MAX_ERROR_STRING characters with the end. For the
 * code of the last error in the calling thread this is the full message of that error. */
EP_PUBLIC int ep_error_string(int errorcode, char *string, int *resultlen);
EP_PUBLIC int ep_error_class(int errorcode, int *errorclass);

/* ---- Blocking point-to-point (MPI 3.2, 3.4, 3.10, 3.11) ------------------------------------
 *   buf, count, datatype   count >= 0 elements of any committed datatype
 *   dest, source           rank in comm, MPI_PROC_NULL, for source also MPI_ANY_SOURCE
 *   tag                    0..MPI_TAG_UB of comm, for receives also MPI_ANY_TAG
 * Errors: MPI_ERR_COMM, _COUNT, _TYPE, _BUFFER (null buffer with data), _RANK, _TAG, and on the receive
 * _TRUNCATE (the buffer then holds the beginning of the message).
 * A standard send of up to EP_EAGER bytes to a near endpoint never waits for its receiver; to a far one,
 * MPI's own eager limit decides. */
EP_PUBLIC int ep_send(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, ep_comm comm);
EP_PUBLIC int ep_ssend(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, ep_comm comm);
EP_PUBLIC int ep_rsend(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, ep_comm comm);
/* Needs an attached buffer with room for the packed data plus EP_BSEND_OVERHEAD, else MPI_ERR_BUFFER. */
EP_PUBLIC int ep_bsend(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, ep_comm comm);
EP_PUBLIC int ep_recv(void *buf, int count, MPI_Datatype datatype, int source, int tag, ep_comm comm,
                      ep_status *status);
EP_PUBLIC int ep_sendrecv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, int dest, int sendtag,
                          void *recvbuf, int recvcount, MPI_Datatype recvtype, int source, int recvtag,
                          ep_comm comm, ep_status *status);
EP_PUBLIC int ep_sendrecv_replace(void *buf, int count, MPI_Datatype datatype, int dest, int sendtag,
                                  int source, int recvtag, ep_comm comm, ep_status *status);

/* Give the calling thread's endpoint a buffer of size bytes for buffered sends (MPI 3.6). An
 * endpoint is a rank, so the buffer belongs to the endpoint that the thread is bound to, or in a thread
 * that is not bound to the thread itself. detach blocks until all messages in it are delivered and gives
 * address (buffer_addr is a void **) and size back. Errors: MPI_ERR_BUFFER (size < EP_BSEND_OVERHEAD; a
 * buffer is attached already; none is attached to detach: then address 0 and size 0 are given, no error). */
EP_PUBLIC int ep_buffer_attach(void *buffer, int size);
EP_PUBLIC int ep_buffer_detach(void *buffer_addr, int *size);

/* ---- Non-blocking point-to-point (MPI 3.7) ------------------------------------------------ */

EP_PUBLIC int ep_isend(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, ep_comm comm,
                       ep_request *request);
EP_PUBLIC int ep_issend(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, ep_comm comm,
                        ep_request *request);
EP_PUBLIC int ep_irsend(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, ep_comm comm,
                        ep_request *request);
EP_PUBLIC int ep_ibsend(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, ep_comm comm,
                        ep_request *request);
EP_PUBLIC int ep_irecv(void *buf, int count, MPI_Datatype datatype, int source, int tag, ep_comm comm,
                       ep_request *request);

/* Completion (MPI 3.7.3, 3.7.5). The requests of one call may belong to several endpoints and
 * communicators. wait* block, test* do not; both make progress for the whole process. The "all" and
 * "some" forms return MPI_ERR_IN_STATUS when a request failed, with each status's MPI_ERROR set. */
EP_PUBLIC int ep_wait(ep_request *request, ep_status *status);
EP_PUBLIC int ep_test(ep_request *request, int *flag, ep_status *status);
EP_PUBLIC int ep_waitany(int count, ep_request requests[], int *index, ep_status *status);
EP_PUBLIC int ep_testany(int count, ep_request requests[], int *index, int *flag, ep_status *status);
EP_PUBLIC int ep_waitall(int count, ep_request requests[], ep_status statuses[]);
EP_PUBLIC int ep_testall(int count, ep_request requests[], int *flag, ep_status statuses[]);
EP_PUBLIC int ep_waitsome(int incount, ep_request requests[], int *outcount, int indices[],
                          ep_status statuses[]);
EP_PUBLIC int ep_testsome(int incount, ep_request requests[], int *outcount, int indices[],
                          ep_status statuses[]);
/* Give the request up; its operation completes by itself (MPI 3.7.3). */
EP_PUBLIC int ep_request_free(ep_request *request);
/* Like ep_test but leaves the request alive (MPI 3.7.6). */
EP_PUBLIC int ep_request_get_status(ep_request request, int *flag, ep_status *status);
/* Mark a pending operation for cancellation (MPI 3.8.4). Local. It must still be completed by wait, test
 * or request_free; ep_test_cancelled then tells whether it was cancelled or had been too far on. */
EP_PUBLIC int ep_cancel(ep_request *request);
EP_PUBLIC int ep_test_cancelled(const ep_status *status, int *flag);

/* ---- Probing (MPI 3.8) -------------------------------------------------------------------- */

EP_PUBLIC int ep_probe(int source, int tag, ep_comm comm, ep_status *status);
EP_PUBLIC int ep_iprobe(int source, int tag, ep_comm comm, int *flag, ep_status *status);
EP_PUBLIC int ep_mprobe(int source, int tag, ep_comm comm, ep_message *message, ep_status *status);
EP_PUBLIC int ep_improbe(int source, int tag, ep_comm comm, int *flag, ep_message *message,
                         ep_status *status);
/* Receive the message that a matching probe took out of the queues; *message becomes EP_MESSAGE_NULL. */
EP_PUBLIC int ep_mrecv(void *buf, int count, MPI_Datatype datatype, ep_message *message, ep_status *status);
EP_PUBLIC int ep_imrecv(void *buf, int count, MPI_Datatype datatype, ep_message *message,
                        ep_request *request);

/* ---- Persistent requests (MPI 3.9) -------------------------------------------------------- */

EP_PUBLIC int ep_send_init(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, ep_comm comm,
                           ep_request *request);
EP_PUBLIC int ep_ssend_init(const void *buf, int count, MPI_Datatype datatype, int dest, int tag,
                            ep_comm comm, ep_request *request);
EP_PUBLIC int ep_rsend_init(const void *buf, int count, MPI_Datatype datatype, int dest, int tag,
                            ep_comm comm, ep_request *request);
EP_PUBLIC int ep_bsend_init(const void *buf, int count, MPI_Datatype datatype, int dest, int tag,
                            ep_comm comm, ep_request *request);
EP_PUBLIC int ep_recv_init(void *buf, int count, MPI_Datatype datatype, int source, int tag, ep_comm comm,
                           ep_request *request);
EP_PUBLIC int ep_start(ep_request *request);
EP_PUBLIC int ep_startall(int count, ep_request requests[]);

/* ---- Statuses (MPI 3.2.5, 4.1.11, 12.3) --------------------------------------------------- */

/* Whole elements of datatype in the message; MPI_UNDEFINED if not a whole number or too many for int. */
EP_PUBLIC int ep_get_count(const ep_status *status, MPI_Datatype datatype, int *count);
/* Basic elements in the message. */
EP_PUBLIC int ep_get_elements(const ep_status *status, MPI_Datatype datatype, int *count);
EP_PUBLIC int ep_get_elements_x(const ep_status *status, MPI_Datatype datatype, MPI_Count *count);
/* For the query functions of generalized requests. */
EP_PUBLIC int ep_status_set_elements(ep_status *status, MPI_Datatype datatype, int count);
EP_PUBLIC int ep_status_set_elements_x(ep_status *status, MPI_Datatype datatype, MPI_Count count);
EP_PUBLIC int ep_status_set_cancelled(ep_status *status, int flag);

/* ---- Generalized requests (MPI 12.2) ------------------------------------------------------ */

typedef int ep_grequest_query_function(void *extra_state, ep_status *status);
typedef int ep_grequest_free_function(void *extra_state);
typedef int ep_grequest_cancel_function(void *extra_state, int complete);

EP_PUBLIC int ep_grequest_start(ep_grequest_query_function *query_fn, ep_grequest_free_function *free_fn,
                                ep_grequest_cancel_function *cancel_fn, void *extra_state,
                                ep_request *request);
/* May be called by any thread, also one that is no endpoint. */
EP_PUBLIC int ep_grequest_complete(ep_request request);

#ifdef __cplusplus
}
#endif
#endif
