/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ep.h: MPI endpoints for C. Every thread can be an MPI rank.
 *
 * ep_xxx takes the parameters of MPI_Xxx in the same order with the same meaning; communicators,
 * requests, statuses, messages, windows and error handlers are ep's own, datatypes, operators, infos
 * and numbers (MPI_ANY_SOURCE, MPI_PROC_NULL, ...) are MPI's. "MPI 3.2.4" below is section 3.2.4 of
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
 * the error handler of the communicator or window was called (MPI 8.3). Initially that is
 * EP_ERRORS_ARE_FATAL, which prints one message and aborts the job. ep_error_string() of a code
 * just returned in this thread gives the full message: endpoint, process, call, argument, peer.
 */
#include <mpi.h> /* outside of the guard: the drop-in <mpi.h> includes this file */
#include <stdint.h>

#ifndef EP_EP_H
#define EP_EP_H

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
typedef struct ep_group_s *ep_group;
typedef struct ep_request_s *ep_request;
typedef struct ep_message_s *ep_message;
typedef struct ep_errhandler_s *ep_errhandler;
typedef struct ep_win_s *ep_win;

/* A communicator of the MPI underneath, also where the drop-in <mpi.h> gives the name MPI_Comm to ep_comm. */
typedef MPI_Comm ep_mpi_comm;

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

#define EP_GROUP_NULL ((ep_group)0)
#define EP_GROUP_EMPTY ((ep_group)3)

#define EP_REQUEST_NULL ((ep_request)0)
#define EP_MESSAGE_NULL ((ep_message)0)
#define EP_MESSAGE_NO_PROC ((ep_message)4)
#define EP_STATUS_IGNORE ((ep_status *)0)
#define EP_STATUSES_IGNORE ((ep_status *)0)

#define EP_ERRHANDLER_NULL ((ep_errhandler)0)
#define EP_ERRORS_ARE_FATAL ((ep_errhandler)5)
#define EP_ERRORS_RETURN ((ep_errhandler)6)

/* Bytes that a buffered send needs beside its packed data (MPI_BSEND_OVERHEAD is MPI's own). */
#define EP_BSEND_OVERHEAD 128

/* split_type of ep_comm_split_type: endpoints of one process. MPI_COMM_TYPE_SHARED: of one machine. */
#define EP_COMM_TYPE_PROCESS 0x6570

/* Fifth thread level of ep_init_thread: MPI_THREAD_MULTIPLE, and a blocking ep call blocks only
 * the calling OpenMP task. */
#define EP_TASK_MULTIPLE (MPI_THREAD_MULTIPLE + 1)

/* ---- Starting and ending (MPI 8.7, 12.4.3) ------------------------------------------------ */

/* Initialise MPI through ep, for programs that do not do it themselves. required and provided are
 * MPI's thread levels or EP_TASK_MULTIPLE. Once per process, by its main thread, instead of
 * MPI_Init_thread. EP_TASK_MULTIPLE asks for omp_external_task (crt.h, docs/tasks.md) and MPI_THREAD_MULTIPLE; it is
 * provided if both were got, else what MPI gives. Then omp_get_external() tells whom calls block. */
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

/* ---- Endpoints (MPI Forum issue 56) -------------------------------------------------------- */

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

/* A classic MPI communicator over the host processes of comm, one rank per process that has endpoints in it.
 * ep talks on others, so all of MPI is safe on this one. It belongs to ep: do not free it, do not use it
 * after the process's last endpoint in comm is freed. Local.
 * For an intercommunicator it is a classic intercommunicator. MPI wants the two groups of that to be
 * disjoint, so a process with endpoints in both is given to one: see docs/intercommunicators.md. If both
 * groups live in one process alone, it is an intracommunicator of that process. */
EP_PUBLIC int ep_comm_get_mpi_comm(ep_comm comm, ep_mpi_comm *mpi_comm);

/* ---- Groups (MPI 6.3) ---------------------------------------------------------------------
 * An endpoint is the same member in every communicator derived from the one it was created with. Handles are
 * local; each is freed by its own ep_group_free. Any thread. None blocks.
 * Errors: MPI_ERR_GROUP (null or freed handle), MPI_ERR_RANK (no rank of the group, or given twice),
 * MPI_ERR_ARG. */
EP_PUBLIC int ep_comm_group(ep_comm comm, ep_group *group);
EP_PUBLIC int ep_comm_remote_group(ep_comm comm, ep_group *group);
EP_PUBLIC int ep_group_size(ep_group group, int *size);
/* Rank of the endpoint whose communicator the group was taken from, directly or through other groups;
 * MPI_UNDEFINED if it is no member. */
EP_PUBLIC int ep_group_rank(ep_group group, int *rank);
EP_PUBLIC int ep_group_translate_ranks(ep_group group1, int n, const int ranks1[], ep_group group2,
                                       int ranks2[]);
EP_PUBLIC int ep_group_compare(ep_group group1, ep_group group2, int *result);
EP_PUBLIC int ep_group_union(ep_group group1, ep_group group2, ep_group *newgroup);
EP_PUBLIC int ep_group_intersection(ep_group group1, ep_group group2, ep_group *newgroup);
EP_PUBLIC int ep_group_difference(ep_group group1, ep_group group2, ep_group *newgroup);
EP_PUBLIC int ep_group_incl(ep_group group, int n, const int ranks[], ep_group *newgroup);
EP_PUBLIC int ep_group_excl(ep_group group, int n, const int ranks[], ep_group *newgroup);
EP_PUBLIC int ep_group_range_incl(ep_group group, int n, int ranges[][3], ep_group *newgroup);
EP_PUBLIC int ep_group_range_excl(ep_group group, int n, int ranges[][3], ep_group *newgroup);
/* *group becomes EP_GROUP_NULL. */
EP_PUBLIC int ep_group_free(ep_group *group);

/* ---- Communicators (MPI 6.4, 6.6) ----------------------------------------------------------
 * "Collective" means: called by every endpoint of the communicator, each from its own thread, in the same
 * order. Collective calls block until all have come (idup does not); meanwhile the caller makes progress for
 * its process. A new communicator has its parent's error handler. An error in one endpoint, like a wrong
 * argument, no memory, or a copy callback that failed, is reported to all that take part; except where the
 * others cannot be found (an invalid communicator, a null pointer, a wrong argument of
 * ep_comm_create_group, a local_leader out of range, and for the other group the leader's other arguments):
 * they go on waiting. Endpoints that call different functions that make something (a communicator, a window, a topology)
 * all get MPI_ERR_ARG; one of these against a collective call of another kind is a hang, unless EP_CHECK is set. */
EP_PUBLIC int ep_comm_rank(ep_comm comm, int *rank);
EP_PUBLIC int ep_comm_size(ep_comm comm, int *size);
/* MPI_IDENT: the same communicator, MPI_CONGRUENT: the same endpoints in the same order, MPI_SIMILAR: in
 * another order, MPI_UNEQUAL. Local. */
EP_PUBLIC int ep_comm_compare(ep_comm comm1, ep_comm comm2, int *result);
/* *flag = 1 for an intercommunicator. Local. */
EP_PUBLIC int ep_comm_test_inter(ep_comm comm, int *flag);
/* Size of the other group. Only intercommunicators (else MPI_ERR_COMM). Local. */
EP_PUBLIC int ep_comm_remote_size(ep_comm comm, int *size);

/* The same endpoints in a new context, with the attributes whose copy callbacks say so, info hints and
 * topology. For intra- and intercommunicators. Collective. */
EP_PUBLIC int ep_comm_dup(ep_comm comm, ep_comm *newcomm);
/* With the hints of info instead of those of comm. */
EP_PUBLIC int ep_comm_dup_with_info(ep_comm comm, MPI_Info info, ep_comm *newcomm);
/* Does not wait for other endpoints; newcomm may be used when request is complete. The part of it that MPI
 * does, when all endpoints have called, is blocking calls of MPI: then whoever makes progress here waits until
 * the other processes make progress in ep, too. If the call itself fails (a copy callback), request is still
 * to be completed, and has the error, too. */
EP_PUBLIC int ep_comm_idup(ep_comm comm, ep_comm *newcomm, ep_request *request);
/* A communicator of group, a subset of comm's (local) group. Collective over comm; endpoints may give
 * different, disjoint groups. Those that are in none get EP_COMM_NULL. Errors: MPI_ERR_GROUP (a member is not
 * in comm; members disagree about their group). */
EP_PUBLIC int ep_comm_create(ep_comm comm, ep_group group, ep_comm *newcomm);
/* Collective over group alone. tag (0..MPI_TAG_UB) tells calls apart that an endpoint's threads make at the
 * same time; it has nothing to do with the tags of messages. comm is an intracommunicator. A caller that is not in
 * group gets EP_COMM_NULL at once. */
EP_PUBLIC int ep_comm_create_group(ep_comm comm, ep_group group, int tag, ep_comm *newcomm);
/* One communicator per color (0 or more; MPI_UNDEFINED: none, EP_COMM_NULL), ranked by key, then by rank in
 * comm. On an intercommunicator the endpoints of one color on both sides make a new one; a color that is on
 * one side only gives EP_COMM_NULL. Collective. Errors: MPI_ERR_ARG (color < 0). */
EP_PUBLIC int ep_comm_split(ep_comm comm, int color, int key, ep_comm *newcomm);
/* split_type: MPI_COMM_TYPE_SHARED, EP_COMM_TYPE_PROCESS or MPI_UNDEFINED; info gives hints. Collective. */
EP_PUBLIC int ep_comm_split_type(ep_comm comm, int split_type, int key, MPI_Info info, ep_comm *newcomm);

/* Free the calling endpoint's handle, set it to EP_COMM_NULL. Called for every endpoint; does not
 * wait for the others. Operations still pending complete normally. The endpoint itself goes with its last
 * communicator. Errors: what a delete callback of an attribute returned; then the handle stays. */
EP_PUBLIC int ep_comm_free(ep_comm *comm);
/* Wait until all communication on comm is complete, then free. Collective. */
EP_PUBLIC int ep_comm_disconnect(ep_comm *comm);

/* Names are per endpoint and local (MPI 6.8); at most MPI_MAX_OBJECT_NAME-1 characters are kept. */
EP_PUBLIC int ep_comm_set_name(ep_comm comm, const char *name);
EP_PUBLIC int ep_comm_get_name(ep_comm comm, char *name, int *resultlen);
/* Hints of this endpoint on comm (MPI 6.4.4). get makes a new info, to be freed by the caller, with what was
 * set and with what ep says: ep_single_owner, ep_reproducible, and for intercommunicators ep_intercomm_case
 * ("0", "1", "2", "3a", "3b", "3c") and ep_intercomm_leaders, the leading processes of the lower and the upper
 * group as ranks of MPI_COMM_WORLD. Local.
 * ep_reproducible (true or false) is looked at by ep_comm_create_endpoints, ep_comm_set_info,
 * ep_comm_dup_with_info and ep_comm_split_type, and must be the same in all endpoints; dup and idup pass it on,
 * all other new communicators begin without it. */
EP_PUBLIC int ep_comm_set_info(ep_comm comm, MPI_Info info);
EP_PUBLIC int ep_comm_get_info(ep_comm comm, MPI_Info *info_used);

/* Join two groups by an intercommunicator. Collective over both local communicators.
 *   local_comm     intracommunicator of the caller's group
 *   local_leader   rank in it of the endpoint that talks to the other group
 *   peer_comm      of the leader's endpoint: a communicator with both leaders. Only in the leaders
 *   remote_leader  rank of the other leader in peer_comm. Only in the leaders
 *   tag            0..MPI_TAG_UB, the same in both leaders; tells simultaneous calls on peer_comm apart. It
 *                  cannot be mixed up with messages
 * The groups must have no endpoint in common, but may share processes, in any way.
 * Errors: MPI_ERR_RANK (a leader out of range), MPI_ERR_COMM (an endpoint in both groups), MPI_ERR_TAG. */
EP_PUBLIC int ep_intercomm_create(ep_comm local_comm, int local_leader, ep_comm peer_comm, int remote_leader,
                                  int tag, ep_comm *newintercomm);
/* An intracommunicator of both groups. The group that gives high = 0 (false) comes first; if both give the
 * same, one of them does. All of one group give the same (else MPI_ERR_ARG). Collective over both groups. */
EP_PUBLIC int ep_intercomm_merge(ep_comm intercomm, int high, ep_comm *newintracomm);

/* ---- Attributes (MPI 6.7) ------------------------------------------------------------------
 * Attributes belong to an endpoint's handle. Callbacks run in the calling thread: copy in dup, delete in set,
 * delete_attr and free. What a callback returns other than MPI_SUCCESS is what the call returns. */
typedef int ep_comm_copy_attr_function(ep_comm oldcomm, int comm_keyval, void *extra_state,
                                       void *attribute_val_in, void *attribute_val_out, int *flag);
typedef int ep_comm_delete_attr_function(ep_comm comm, int comm_keyval, void *attribute_val,
                                         void *extra_state);
EP_PUBLIC int ep_comm_null_copy_fn(ep_comm oldcomm, int comm_keyval, void *extra_state,
                                   void *attribute_val_in, void *attribute_val_out, int *flag);
EP_PUBLIC int ep_comm_dup_fn(ep_comm oldcomm, int comm_keyval, void *extra_state, void *attribute_val_in,
                             void *attribute_val_out, int *flag);
EP_PUBLIC int ep_comm_null_delete_fn(ep_comm comm, int comm_keyval, void *attribute_val, void *extra_state);
#define EP_COMM_NULL_COPY_FN ep_comm_null_copy_fn
#define EP_COMM_DUP_FN ep_comm_dup_fn
#define EP_COMM_NULL_DELETE_FN ep_comm_null_delete_fn

/* A key for the whole process. Errors: MPI_ERR_ARG, MPI_ERR_NO_MEM. */
EP_PUBLIC int ep_comm_create_keyval(ep_comm_copy_attr_function *copy_fn,
                                    ep_comm_delete_attr_function *delete_fn, int *comm_keyval,
                                    void *extra_state);
/* *comm_keyval becomes MPI_KEYVAL_INVALID; attributes that use it live on. */
EP_PUBLIC int ep_comm_free_keyval(int *comm_keyval);
EP_PUBLIC int ep_comm_set_attr(ep_comm comm, int comm_keyval, void *attribute_val);
/* *flag = 0 if there is none. Predefined (MPI 8.1.2): MPI_TAG_UB, the highest tag of THIS communicator (at
 * least 32767); *(int **)attribute_val points to it; MPI_HOST, MPI_IO, MPI_WTIME_IS_GLOBAL,
 * MPI_UNIVERSE_SIZE, MPI_APPNUM, MPI_LASTUSEDCODE. */
EP_PUBLIC int ep_comm_get_attr(ep_comm comm, int keyval, void *attribute_val, int *flag);
EP_PUBLIC int ep_comm_delete_attr(ep_comm comm, int comm_keyval);

/* The names of MPI-1 (MPI 15.1), the same functions. */
typedef ep_comm_copy_attr_function ep_copy_function;
typedef ep_comm_delete_attr_function ep_delete_function;
#define EP_NULL_COPY_FN ep_comm_null_copy_fn
#define EP_DUP_FN ep_comm_dup_fn
#define EP_NULL_DELETE_FN ep_comm_null_delete_fn
EP_PUBLIC int ep_keyval_create(ep_copy_function *copy_fn, ep_delete_function *delete_fn, int *keyval,
                               void *extra_state);
EP_PUBLIC int ep_keyval_free(int *keyval);
EP_PUBLIC int ep_attr_put(ep_comm comm, int keyval, void *attribute_val);
EP_PUBLIC int ep_attr_get(ep_comm comm, int keyval, void *attribute_val, int *flag);
EP_PUBLIC int ep_attr_delete(ep_comm comm, int keyval);

/* ---- Errors (MPI 8.3, 8.4, 8.5) ------------------------------------------------------------ */

/* Called with the endpoint's communicator, the error code and, as third argument, a const char * with the
 * full message. */
typedef void ep_comm_errhandler_function(ep_comm *comm, int *error_code, ...);
EP_PUBLIC int ep_comm_create_errhandler(ep_comm_errhandler_function *comm_errhandler_fn,
                                        ep_errhandler *errhandler);
/* *errhandler becomes EP_ERRHANDLER_NULL; communicators and windows that use it go on using it. */
EP_PUBLIC int ep_errhandler_free(ep_errhandler *errhandler);
/* The error handler of this endpoint on this communicator. EP_COMM_WORLD in a thread that
 * is not bound stands for the process's default handler: the one for errors that belong to no communicator,
 * and the one that new endpoints start with. A handler got is to be freed. */
EP_PUBLIC int ep_comm_set_errhandler(ep_comm comm, ep_errhandler errhandler);
EP_PUBLIC int ep_comm_get_errhandler(ep_comm comm, ep_errhandler *errhandler);
/* Call the handler as if errorcode had happened. MPI_SUCCESS when it returns. */
EP_PUBLIC int ep_comm_call_errhandler(ep_comm comm, int errorcode);

/* Text of an error code (MPI 8.4), at most MPI_MAX_ERROR_STRING characters with the end. For the
 * code of the last error in the calling thread this is the full message of that error, except for a code that
 * was added: its text is always that of ep_add_error_string. */
EP_PUBLIC int ep_error_string(int errorcode, char *string, int *resultlen);
EP_PUBLIC int ep_error_class(int errorcode, int *errorclass);
/* New classes, codes and texts for a library's own errors; for the whole process. */
EP_PUBLIC int ep_add_error_class(int *errorclass);
EP_PUBLIC int ep_add_error_code(int errorclass, int *errorcode);
EP_PUBLIC int ep_add_error_string(int errorcode, const char *string);

/* ---- Topologies (MPI 7.5; 7.6 is among the collectives) ------------------------------------
 * The creating calls are collective over comm_old, an intracommunicator; endpoints beyond the grid or graph
 * get EP_COMM_NULL. reorder: ranks may be changed so that neighbours are near (share a process). The
 * others are local. Errors: MPI_ERR_TOPOLOGY (no or another topology), MPI_ERR_DIMS, MPI_ERR_ARG,
 * MPI_ERR_RANK. */
EP_PUBLIC int ep_dims_create(int nnodes, int ndims, int dims[]);
EP_PUBLIC int ep_cart_create(ep_comm comm_old, int ndims, const int dims[], const int periods[], int reorder,
                             ep_comm *comm_cart);
EP_PUBLIC int ep_cart_sub(ep_comm comm, const int remain_dims[], ep_comm *newcomm);
EP_PUBLIC int ep_cartdim_get(ep_comm comm, int *ndims);
EP_PUBLIC int ep_cart_get(ep_comm comm, int maxdims, int dims[], int periods[], int coords[]);
EP_PUBLIC int ep_cart_rank(ep_comm comm, const int coords[], int *rank);
EP_PUBLIC int ep_cart_coords(ep_comm comm, int rank, int maxdims, int coords[]);
EP_PUBLIC int ep_cart_shift(ep_comm comm, int direction, int disp, int *rank_source, int *rank_dest);
/* The rank that a grid with reorder would give the caller; MPI_UNDEFINED beyond the grid. */
EP_PUBLIC int ep_cart_map(ep_comm comm, int ndims, const int dims[], const int periods[], int *newrank);
EP_PUBLIC int ep_graph_create(ep_comm comm_old, int nnodes, const int index[], const int edges[], int reorder,
                              ep_comm *comm_graph);
EP_PUBLIC int ep_graphdims_get(ep_comm comm, int *nnodes, int *nedges);
EP_PUBLIC int ep_graph_get(ep_comm comm, int maxindex, int maxedges, int index[], int edges[]);
EP_PUBLIC int ep_graph_neighbors_count(ep_comm comm, int rank, int *nneighbors);
EP_PUBLIC int ep_graph_neighbors(ep_comm comm, int rank, int maxneighbors, int neighbors[]);
EP_PUBLIC int ep_graph_map(ep_comm comm, int nnodes, const int index[], const int edges[], int *newrank);
EP_PUBLIC int ep_dist_graph_create_adjacent(ep_comm comm_old, int indegree, const int sources[],
                                            const int *sourceweights, int outdegree, const int destinations[],
                                            const int *destweights, MPI_Info info, int reorder,
                                            ep_comm *comm_dist_graph);
EP_PUBLIC int ep_dist_graph_create(ep_comm comm_old, int n, const int sources[], const int degrees[],
                                   const int destinations[], const int *weights, MPI_Info info, int reorder,
                                   ep_comm *comm_dist_graph);
EP_PUBLIC int ep_dist_graph_neighbors_count(ep_comm comm, int *indegree, int *outdegree, int *weighted);
EP_PUBLIC int ep_dist_graph_neighbors(ep_comm comm, int maxindegree, int sources[], int *sourceweights,
                                      int maxoutdegree, int destinations[], int *destweights);
/* MPI_CART, MPI_GRAPH, MPI_DIST_GRAPH or MPI_UNDEFINED. */
EP_PUBLIC int ep_topo_test(ep_comm comm, int *status);

/* ---- Fortran handles (MPI 17.2.4) ----------------------------------------------------------
 * Numbers that stand for handles, valid until the object is freed; they are none of the MPI underneath's, which
 * refuses them. An f2c of a number that stands for nothing gives the null handle. Any thread. */
EP_PUBLIC MPI_Fint ep_comm_c2f(ep_comm comm);
EP_PUBLIC ep_comm ep_comm_f2c(MPI_Fint comm);
EP_PUBLIC MPI_Fint ep_group_c2f(ep_group group);
EP_PUBLIC ep_group ep_group_f2c(MPI_Fint group);
EP_PUBLIC MPI_Fint ep_request_c2f(ep_request request);
EP_PUBLIC ep_request ep_request_f2c(MPI_Fint request);
EP_PUBLIC MPI_Fint ep_message_c2f(ep_message message);
EP_PUBLIC ep_message ep_message_f2c(MPI_Fint message);
EP_PUBLIC MPI_Fint ep_errhandler_c2f(ep_errhandler errhandler);
EP_PUBLIC ep_errhandler ep_errhandler_f2c(MPI_Fint errhandler);
/* A status as an INTEGER array: source, tag, error, and two numbers for the rest. */
#define EP_F_STATUS_SIZE 5
EP_PUBLIC int ep_status_c2f(const ep_status *c_status, MPI_Fint *f_status);
EP_PUBLIC int ep_status_f2c(const MPI_Fint *f_status, ep_status *c_status);

/* ---- Blocking point-to-point (MPI 3.2, 3.4, 3.10, 3.11) ------------------------------------
 *   buf, count, datatype   count >= 0 elements of any committed datatype
 *   dest, source           rank in comm, MPI_PROC_NULL, for source also MPI_ANY_SOURCE
 *   tag                    0..MPI_TAG_UB of comm, for receives also MPI_ANY_TAG
 * Errors: MPI_ERR_COMM, _COUNT, _TYPE, _BUFFER (null buffer with data), _RANK, _TAG, and on the receive
 * _TRUNCATE (the buffer then holds the beginning of the message).
 * A standard send of up to EP_EAGER bytes to a near endpoint never waits for its receiver; to another process of the
 * machine, of at most 65536 of them, it waits only while that process does not call ep and has much to take; to another
 * machine MPI's own eager limit decides. Data of other processes of the machine are read by the system
 * (process_vm_readv): from memory that it cannot read (of devices) send with EP_SHARED_MEMORY=0. */
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
/* For OpenMP tasks: return at once, and let the calling task complete, which releases its dependences and those who wait
 * for it, only when the request has (what TAMPI calls TAMPI_Iwait; docs/tasks.md). The handle becomes
 * EP_REQUEST_NULL at once, unless it is of a persistent request, which must not be freed before; status (or EP_STATUS_IGNORE) is written before the
 * task completes and must live till then. What goes wrong later is told to the error handler of the
 * request's communicator, in the thread that finds it, and in MPI_ERROR of the status. Outside of an explicit task, and where calls block the thread
 * (omp_get_external() of crt.h), they wait as ep_wait and ep_waitall do. */
EP_PUBLIC int ep_iwait(ep_request *request, ep_status *status);
EP_PUBLIC int ep_iwaitall(int count, ep_request requests[], ep_status statuses[]);
/* The same for an event of a detach clause (an omp_event_handle_t), which is fulfilled when the request has completed.
 * Does not block, in any mode. Outside of task mode a helper thread sees to it (EP_ASYNC_PROGRESS), or with
 * MPI_THREAD_FUNNELED the main thread in its calls of ep. Errors: MPI_ERR_ARG (event is 0). */
EP_PUBLIC int ep_iwait_event(ep_request *request, ep_status *status, uintptr_t event);
/* Give the request up; its operation completes by itself (MPI 3.7.3). */
EP_PUBLIC int ep_request_free(ep_request *request);
/* Like ep_test but leaves the request alive (MPI 3.7.6). */
EP_PUBLIC int ep_request_get_status(ep_request request, int *flag, ep_status *status);
/* Mark a pending operation for cancellation (MPI 3.8.4). Local. It must still be completed by wait, test
 * or request_free; ep_test_cancelled then tells whether it was cancelled or had been too far on. A wait for it
 * returns whatever the receiver does. A send to another machine, which MPI does not take back, then was not cancelled: the
 * receiver's process keeps the message till it is received. Only where that send is synchronous, or a synchronous one to the same
 * endpoint with the same tag is pending, the wait lasts till the message is received. With MPI_THREAD_FUNNELED the main thread has to
 * make progress meanwhile; a send that it has not begun is taken back without it. */
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

/* ---- Collectives (MPI 5) -------------------------------------------------------------------
 * Every endpoint of the communicator (of both groups of an intercommunicator, MPI 5.2.2) makes the call
 * once, from any of its threads, and all make their collective calls on it, blocking or not, in the same
 * order and one after the other. Calls on different communicators may be under way at the same time.
 *   Blocking: a call returns when the caller's part is done, which may be before others have come (MPI
 *   5.1). Meanwhile the caller works for its process, also on the data of other endpoints.
 *   Non-blocking (ep_i...): a call returns at once; buffers and arrays are ep's until request is complete
 *   (ep_wait, ep_test, ...). Datatypes may be freed at once, operators with ep_op_free, too. Such a
 *   request cannot be cancelled or given to ep_request_free.
 *   MPI_IN_PLACE: where MPI-3.1 has it, on intracommunicators. To reductions the same buffer may be given
 *   twice, which means the same. Elsewhere what is sent and what is received must not overlap (MPI 5.1):
 *   MPI_ERR_BUFFER where the buffers are the same, in calls on neighbourhoods wherever they overlap.
 *   Datatypes: any committed ones. What is sent and the room for it must have the same type signature.
 *   Data are moved as bytes, so all processes have to have the same representation of data.
 *   Operators: MPI's on the predefined types they are defined for (MPI 5.9.2, 5.9.4), the user's on any. An
 *   operator of the user may be called by several threads at once, for any endpoint of the process.
 *   Elements have to lie in memory alike in all endpoints of a process, and the operator be the same (MPI 5.9: the
 *   same arguments): those of one endpoint serve for all. In a call that does not block an operator is given a
 *   duplicate of the datatype's handle.
 *   Reproducible: with the info hint ep_reproducible=true on the communicator, given by all endpoints,
 *   reductions give the same bits for the same data and the same number of endpoints, however these are
 *   spread over processes.
 *   EP_CHECK=1 in the environment: calls that do not fit together (another function, also one that makes a communicator
 *   or a window, or one on neighbourhoods; another operation, root, or number of bytes) give an error that names both
 *   endpoints and their calls.
 * Arguments that are not significant in the caller are not looked at.
 * Errors: a wrong argument is found before the caller takes part; the others go on waiting for it.
 * MPI_ERR_COMM, _ROOT, _COUNT, _TYPE, _BUFFER (null with data; MPI_IN_PLACE where it must not be), _OP
 * (null, or not defined for the type), _ARG (null array or request), _TRUNCATE (more data
 * than room; the whole call has failed), _NO_MEM. */

/* MPI 5.3 */
EP_PUBLIC int ep_barrier(ep_comm comm);
EP_PUBLIC int ep_ibarrier(ep_comm comm, ep_request *request);

/* From the root's buffer to that of everybody else (MPI 5.4). root: a rank; on an intercommunicator a rank
 * of the other group, MPI_ROOT in the root itself, MPI_PROC_NULL in the others of its group. The same in all
 * functions with a root. */
EP_PUBLIC int ep_bcast(void *buffer, int count, MPI_Datatype datatype, int root, ep_comm comm);
EP_PUBLIC int ep_ibcast(void *buffer, int count, MPI_Datatype datatype, int root, ep_comm comm,
                        ep_request *request);

/* Everybody's data, by rank, to the root (MPI 5.5). MPI_IN_PLACE: sendbuf of the root. */
EP_PUBLIC int ep_gather(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                        int recvcount, MPI_Datatype recvtype, int root, ep_comm comm);
EP_PUBLIC int ep_igather(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                         int recvcount, MPI_Datatype recvtype, int root, ep_comm comm, ep_request *request);
EP_PUBLIC int ep_gatherv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                         const int recvcounts[], const int displs[], MPI_Datatype recvtype, int root,
                         ep_comm comm);
EP_PUBLIC int ep_igatherv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                          const int recvcounts[], const int displs[], MPI_Datatype recvtype, int root,
                          ep_comm comm, ep_request *request);

/* The root's blocks, by rank, to everybody (MPI 5.6). MPI_IN_PLACE: recvbuf of the root. */
EP_PUBLIC int ep_scatter(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                         int recvcount, MPI_Datatype recvtype, int root, ep_comm comm);
EP_PUBLIC int ep_iscatter(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                          int recvcount, MPI_Datatype recvtype, int root, ep_comm comm, ep_request *request);
EP_PUBLIC int ep_scatterv(const void *sendbuf, const int sendcounts[], const int displs[],
                          MPI_Datatype sendtype, void *recvbuf, int recvcount, MPI_Datatype recvtype,
                          int root, ep_comm comm);
EP_PUBLIC int ep_iscatterv(const void *sendbuf, const int sendcounts[], const int displs[],
                           MPI_Datatype sendtype, void *recvbuf, int recvcount, MPI_Datatype recvtype,
                           int root, ep_comm comm, ep_request *request);

/* Everybody's data, by rank, to everybody (MPI 5.7). MPI_IN_PLACE: sendbuf, in all endpoints. */
EP_PUBLIC int ep_allgather(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                           int recvcount, MPI_Datatype recvtype, ep_comm comm);
EP_PUBLIC int ep_iallgather(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                            int recvcount, MPI_Datatype recvtype, ep_comm comm, ep_request *request);
EP_PUBLIC int ep_allgatherv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                            const int recvcounts[], const int displs[], MPI_Datatype recvtype, ep_comm comm);
EP_PUBLIC int ep_iallgatherv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                             const int recvcounts[], const int displs[], MPI_Datatype recvtype, ep_comm comm,
                             ep_request *request);

/* Block j of endpoint i becomes block i of endpoint j (MPI 5.8). Displacements count elements in the v form,
 * bytes in the w form. MPI_IN_PLACE: sendbuf, in all endpoints; needs memory for a copy of the data. */
EP_PUBLIC int ep_alltoall(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                          int recvcount, MPI_Datatype recvtype, ep_comm comm);
EP_PUBLIC int ep_ialltoall(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                           int recvcount, MPI_Datatype recvtype, ep_comm comm, ep_request *request);
EP_PUBLIC int ep_alltoallv(const void *sendbuf, const int sendcounts[], const int sdispls[],
                           MPI_Datatype sendtype, void *recvbuf, const int recvcounts[], const int rdispls[],
                           MPI_Datatype recvtype, ep_comm comm);
EP_PUBLIC int ep_ialltoallv(const void *sendbuf, const int sendcounts[], const int sdispls[],
                            MPI_Datatype sendtype, void *recvbuf, const int recvcounts[], const int rdispls[],
                            MPI_Datatype recvtype, ep_comm comm, ep_request *request);
EP_PUBLIC int ep_alltoallw(const void *sendbuf, const int sendcounts[], const int sdispls[],
                           const MPI_Datatype sendtypes[], void *recvbuf, const int recvcounts[],
                           const int rdispls[], const MPI_Datatype recvtypes[], ep_comm comm);
EP_PUBLIC int ep_ialltoallw(const void *sendbuf, const int sendcounts[], const int sdispls[],
                            const MPI_Datatype sendtypes[], void *recvbuf, const int recvcounts[],
                            const int rdispls[], const MPI_Datatype recvtypes[], ep_comm comm,
                            ep_request *request);

/* Everybody's elements combined: in the root (MPI 5.9.1), in everybody (MPI 5.9.6). MPI_IN_PLACE: sendbuf of
 * the root; of all. On an intercommunicator those of one group go to the other. */
EP_PUBLIC int ep_reduce(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                        int root, ep_comm comm);
EP_PUBLIC int ep_ireduce(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                         int root, ep_comm comm, ep_request *request);
EP_PUBLIC int ep_allreduce(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                           ep_comm comm);
EP_PUBLIC int ep_iallreduce(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                            ep_comm comm, ep_request *request);

/* Combined, and a block of the result for each (MPI 5.10). recvcounts are by rank in the own group.
 * MPI_IN_PLACE: sendbuf, in all endpoints; then all elements are taken from recvbuf. */
EP_PUBLIC int ep_reduce_scatter(const void *sendbuf, void *recvbuf, const int recvcounts[],
                                MPI_Datatype datatype, MPI_Op op, ep_comm comm);
EP_PUBLIC int ep_ireduce_scatter(const void *sendbuf, void *recvbuf, const int recvcounts[],
                                 MPI_Datatype datatype, MPI_Op op, ep_comm comm, ep_request *request);
EP_PUBLIC int ep_reduce_scatter_block(const void *sendbuf, void *recvbuf, int recvcount,
                                      MPI_Datatype datatype, MPI_Op op, ep_comm comm);
EP_PUBLIC int ep_ireduce_scatter_block(const void *sendbuf, void *recvbuf, int recvcount,
                                       MPI_Datatype datatype, MPI_Op op, ep_comm comm, ep_request *request);

/* Elements of ranks 0 to the caller's combined (MPI 5.11); exscan: without the caller's, and recvbuf of
 * rank 0 is left alone. Intracommunicators. MPI_IN_PLACE: sendbuf, in all endpoints. */
EP_PUBLIC int ep_scan(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                      ep_comm comm);
EP_PUBLIC int ep_iscan(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                       ep_comm comm, ep_request *request);
EP_PUBLIC int ep_exscan(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                        ep_comm comm);
EP_PUBLIC int ep_iexscan(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                         ep_comm comm, ep_request *request);

/* inoutbuf = inbuf op inoutbuf (MPI 5.9.7). Local. */
EP_PUBLIC int ep_reduce_local(const void *inbuf, void *inoutbuf, int count, MPI_Datatype datatype, MPI_Op op);

/* Operators (MPI 5.9.5) are MPI's handles, so those of MPI_Op_create and ep_op_create can be used in both.
 * ep_op_free may be called while collective calls of ep with the operator are under way; MPI_Op_free knows
 * nothing of these, so call it only after they are complete. Local. Errors: MPI_ERR_OP, MPI_ERR_ARG. */
EP_PUBLIC int ep_op_create(MPI_User_function *user_fn, int commute, MPI_Op *op);
/* *op becomes MPI_OP_NULL. */
EP_PUBLIC int ep_op_free(MPI_Op *op);
EP_PUBLIC int ep_op_commutative(MPI_Op op, int *commute);

/* With the neighbours in comm's topology (MPI 7.6), in the order of ep_cart_shift in each dimension (source,
 * destination), ep_graph_neighbors or ep_dist_graph_neighbors: data go to destinations and come from
 * sources. A block for nobody (beyond the edge of a grid) is skipped. Displacements count elements in the
 * v forms, bytes in the w forms. No MPI_IN_PLACE. Errors: MPI_ERR_TOPOLOGY (comm has none). */
EP_PUBLIC int ep_neighbor_allgather(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                                    int recvcount, MPI_Datatype recvtype, ep_comm comm);
EP_PUBLIC int ep_ineighbor_allgather(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                                     int recvcount, MPI_Datatype recvtype, ep_comm comm, ep_request *request);
EP_PUBLIC int ep_neighbor_allgatherv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                                     const int recvcounts[], const int displs[], MPI_Datatype recvtype,
                                     ep_comm comm);
EP_PUBLIC int ep_ineighbor_allgatherv(const void *sendbuf, int sendcount, MPI_Datatype sendtype,
                                      void *recvbuf, const int recvcounts[], const int displs[],
                                      MPI_Datatype recvtype, ep_comm comm, ep_request *request);
EP_PUBLIC int ep_neighbor_alltoall(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                                   int recvcount, MPI_Datatype recvtype, ep_comm comm);
EP_PUBLIC int ep_ineighbor_alltoall(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                                    int recvcount, MPI_Datatype recvtype, ep_comm comm, ep_request *request);
EP_PUBLIC int ep_neighbor_alltoallv(const void *sendbuf, const int sendcounts[], const int sdispls[],
                                    MPI_Datatype sendtype, void *recvbuf, const int recvcounts[],
                                    const int rdispls[], MPI_Datatype recvtype, ep_comm comm);
EP_PUBLIC int ep_ineighbor_alltoallv(const void *sendbuf, const int sendcounts[], const int sdispls[],
                                     MPI_Datatype sendtype, void *recvbuf, const int recvcounts[],
                                     const int rdispls[], MPI_Datatype recvtype, ep_comm comm,
                                     ep_request *request);
EP_PUBLIC int ep_neighbor_alltoallw(const void *sendbuf, const int sendcounts[], const MPI_Aint sdispls[],
                                    const MPI_Datatype sendtypes[], void *recvbuf, const int recvcounts[],
                                    const MPI_Aint rdispls[], const MPI_Datatype recvtypes[], ep_comm comm);
EP_PUBLIC int ep_ineighbor_alltoallw(const void *sendbuf, const int sendcounts[], const MPI_Aint sdispls[],
                                     const MPI_Datatype sendtypes[], void *recvbuf, const int recvcounts[],
                                     const MPI_Aint rdispls[], const MPI_Datatype recvtypes[], ep_comm comm,
                                     ep_request *request);

#ifdef __cplusplus
}
#endif

#include "ep_win.h"     /* windows (MPI 11) */
#include "ep_counter.h" /* what was counted for an endpoint */

#endif
