/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ep.h: MPI endpoints for C. Every thread can be an MPI rank.
 *
 * ep_xxx takes the parameters of MPI_Xxx in the same order with the same meaning; communicators,
 * requests, statuses, messages, windows, files and error handlers are ep's own, datatypes, operators, infos
 * and numbers (MPI_ANY_SOURCE, MPI_PROC_NULL, ...) are MPI's. "MPI 3.2.4" below is section 3.2.4 of
 * the MPI-3.1 standard; what is said there holds here, with "process" read as "endpoint".
 *
 * Words: an endpoint is one rank; its host process is the MPI process it lives in; endpoints of
 * one process are near to each other, others are far.
 *
 * Who may call: any thread may call any function with any endpoint at any time, also two threads
 * with the same endpoint, unless a comment says otherwise.
 *
 * Thread levels of the MPI underneath. MULTIPLE: nothing to heed. SERIALIZED: ep calls MPI from one thread
 * at a time; do not call MPI yourself while other threads are inside ep, but in a function of a funnel
 * (ep_funnel.h). FUNNELED: what goes to other processes is done by the main thread while it is inside ep,
 * so keep it there (in any blocking call). SINGLE: one endpoint per process, or one process.
 *
 * Errors: every function returns MPI_SUCCESS or an MPI error class (MPI_ERR_RANK, ...), after
 * the error handler of the communicator, window or file was called (MPI 8.3). Initially that is
 * EP_ERRORS_ARE_FATAL, which prints one message and aborts the job, and EP_ERRORS_RETURN for files.
 * ep_error_string() of a code just returned in this thread gives the full message: endpoint, process, call,
 * argument, peer.
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
typedef struct ep_file_s *ep_file;

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

/* Initialise MPI through ep, for programs that do not do it themselves. required and provided are MPI's
 * thread levels or EP_TASK_MULTIPLE. Once per process, by its main thread, instead of MPI_Init_thread.
 * EP_TASK_MULTIPLE asks for omp_external_task (crt.h, docs/tasks.md) and MPI_THREAD_MULTIPLE; it is
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

/* Make world the EP_COMM_WORLD of the calling thread (EP_COMM_NULL: no longer). world is a communicator of
 * the endpoint that the thread is to be, not EP_COMM_SELF. Local. Errors: MPI_ERR_COMM. */
EP_PUBLIC int ep_thread_bind(ep_comm world);

/* End all processes of the job with errorcode (MPI_Abort of MPI_COMM_WORLD, whatever comm is; MPI 8.7).
 * Any thread. Does not return. */
EP_PUBLIC int ep_abort(ep_comm comm, int errorcode);

/* Seconds since a fixed time in the past (MPI 8.6). The clock is common to the endpoints of a process. Any
 * thread, also before MPI is initialised and after it has ended. */
EP_PUBLIC double ep_wtime(void);
/* Resolution of the clock of ep_wtime, in seconds (MPI 8.6). Any thread, at any time. */
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

/* The group of comm's endpoints; of an intercommunicator those of the caller's side (MPI 6.3.2). A new
 * handle, to be freed by ep_group_free. Local. Errors: MPI_ERR_COMM, MPI_ERR_ARG, MPI_ERR_NO_MEM. */
EP_PUBLIC int ep_comm_group(ep_comm comm, ep_group *group);
/* The group of the other side of an intercommunicator, else as ep_comm_group (MPI 6.6.1). Local. Errors:
 * also MPI_ERR_COMM where comm is an intracommunicator. */
EP_PUBLIC int ep_comm_remote_group(ep_comm comm, ep_group *group);
/* Number of members; 0 of EP_GROUP_EMPTY (MPI 6.3.1). Local. */
EP_PUBLIC int ep_group_size(ep_group group, int *size);
/* Rank in group of the endpoint whose communicator the group was taken from, directly or through other
 * groups; MPI_UNDEFINED if it is no member (MPI 6.3.1). Local. */
EP_PUBLIC int ep_group_rank(ep_group group, int *rank);
/* ranks2[i] = rank in group2 of the member with ranks1[i] in group1; MPI_UNDEFINED: no member of group2;
 * of MPI_PROC_NULL it is MPI_PROC_NULL (MPI 6.3.1). n (0 or more) elements in both arrays. Local. */
EP_PUBLIC int ep_group_translate_ranks(ep_group group1, int n, const int ranks1[], ep_group group2,
                                       int ranks2[]);
/* MPI_IDENT: the same members in the same order; MPI_SIMILAR: in another; else MPI_UNEQUAL (MPI 6.3.1).
 * Local. */
EP_PUBLIC int ep_group_compare(ep_group group1, ep_group group2, int *result);
/* The members of group1, then those of group2 that are not in group1 (MPI 6.3.2). Local. */
EP_PUBLIC int ep_group_union(ep_group group1, ep_group group2, ep_group *newgroup);
/* The members of group1 that are in group2, in the order of group1 (MPI 6.3.2). Local. */
EP_PUBLIC int ep_group_intersection(ep_group group1, ep_group group2, ep_group *newgroup);
/* The members of group1 that are not in group2, in the order of group1 (MPI 6.3.2). Local. */
EP_PUBLIC int ep_group_difference(ep_group group1, ep_group group2, ep_group *newgroup);
/* The n members with these ranks, in this order: newgroup's rank i is ranks[i] (MPI 6.3.2). Each rank may
 * be given once. n = 0 gives EP_GROUP_EMPTY. Local. */
EP_PUBLIC int ep_group_incl(ep_group group, int n, const int ranks[], ep_group *newgroup);
/* All members but the n with these ranks, in the order of group (MPI 6.3.2). Each rank may be given once.
 * Local. */
EP_PUBLIC int ep_group_excl(ep_group group, int n, const int ranks[], ep_group *newgroup);
/* As ep_group_incl, of n ranges: first rank, last rank, stride (not 0, and leading from the first to the
 * last; MPI 6.3.2). Local. Errors: MPI_ERR_ARG for a stride that does not. */
EP_PUBLIC int ep_group_range_incl(ep_group group, int n, int ranges[][3], ep_group *newgroup);
/* As ep_group_excl, of n ranges as in ep_group_range_incl (MPI 6.3.2). Local. */
EP_PUBLIC int ep_group_range_excl(ep_group group, int n, int ranges[][3], ep_group *newgroup);
/* Free the handle; *group becomes EP_GROUP_NULL (MPI 6.3.3). What was made of the group stays. Local. */
EP_PUBLIC int ep_group_free(ep_group *group);

/* ---- Communicators (MPI 6.4, 6.6) ----------------------------------------------------------
 * "Collective" means: called by every endpoint of the communicator, each from its own thread, in the same
 * order. Collective calls block until all have come (idup does not); meanwhile the caller makes progress
 * for its process. A new communicator has its parent's error handler. An error in one endpoint, like a
 * wrong argument, no memory, or a copy callback that failed, is reported to all that take part; except
 * where the others cannot be found (an invalid communicator, a null pointer, a wrong argument of
 * ep_comm_create_group, a local_leader out of range, and for the other group the leader's other
 * arguments): they go on waiting. Endpoints that call different functions that make something (a
 * communicator, a window, a topology) all get MPI_ERR_ARG; one of these against a collective call of
 * another kind is a hang, unless EP_CHECK is set. */

/* Rank of the endpoint that comm belongs to, in its (local) group (MPI 6.4.1). Local. Errors:
 * MPI_ERR_COMM, MPI_ERR_ARG. */
EP_PUBLIC int ep_comm_rank(ep_comm comm, int *rank);
/* Number of endpoints in comm's (local) group (MPI 6.4.1). Local. Errors: MPI_ERR_COMM, MPI_ERR_ARG. */
EP_PUBLIC int ep_comm_size(ep_comm comm, int *size);
/* MPI_IDENT: the same communicator, MPI_CONGRUENT: the same endpoints in the same order, MPI_SIMILAR: in
 * another order, MPI_UNEQUAL (MPI 6.4.1). Of intercommunicators both groups count. Local. Errors:
 * MPI_ERR_COMM, MPI_ERR_ARG, MPI_ERR_NO_MEM. */
EP_PUBLIC int ep_comm_compare(ep_comm comm1, ep_comm comm2, int *result);
/* *flag = 1 for an intercommunicator, else 0 (MPI 6.6.1). Local. Errors: MPI_ERR_COMM, MPI_ERR_ARG. */
EP_PUBLIC int ep_comm_test_inter(ep_comm comm, int *flag);
/* Number of endpoints in the other group of an intercommunicator (MPI 6.6.1). Local. Errors: MPI_ERR_COMM
 * (also of an intracommunicator), MPI_ERR_ARG. */
EP_PUBLIC int ep_comm_remote_size(ep_comm comm, int *size);

/* The same endpoints in a new context, with the attributes whose copy callbacks say so, info hints and
 * topology (MPI 6.4.2). For intra- and intercommunicators. Collective; blocks. Errors: MPI_ERR_COMM,
 * MPI_ERR_ARG, MPI_ERR_NO_MEM, what a copy callback returned. */
EP_PUBLIC int ep_comm_dup(ep_comm comm, ep_comm *newcomm);
/* As ep_comm_dup, with the hints of info (MPI_INFO_NULL: none) instead of those of comm (MPI 6.4.2).
 * Collective; blocks. Errors: also MPI_ERR_INFO. */
EP_PUBLIC int ep_comm_dup_with_info(ep_comm comm, MPI_Info info, ep_comm *newcomm);
/* Does not wait for other endpoints; newcomm may be used when request is complete. The part of it that MPI
 * does, when all endpoints have called, is blocking calls of MPI: then whoever makes progress here waits
 * until the other processes make progress in ep, too. If the call itself fails (a copy callback), request
 * is still to be completed, and has the error, too. */
EP_PUBLIC int ep_comm_idup(ep_comm comm, ep_comm *newcomm, ep_request *request);
/* A communicator of group, a subset of comm's (local) group. Collective over comm; endpoints may give
 * different, disjoint groups. Those that are in none get EP_COMM_NULL. Errors: MPI_ERR_GROUP (a member is not
 * in comm; members disagree about their group). */
EP_PUBLIC int ep_comm_create(ep_comm comm, ep_group group, ep_comm *newcomm);
/* Collective over group alone. tag (0..MPI_TAG_UB) tells calls apart that an endpoint's threads make at
 * the same time; it has nothing to do with the tags of messages. comm is an intracommunicator. A caller
 * that is not in group gets EP_COMM_NULL at once. */
EP_PUBLIC int ep_comm_create_group(ep_comm comm, ep_group group, int tag, ep_comm *newcomm);
/* One communicator per color (0 or more; MPI_UNDEFINED: none, EP_COMM_NULL), ranked by key, then by rank in
 * comm. On an intercommunicator the endpoints of one color on both sides make a new one; a color that is on
 * one side only gives EP_COMM_NULL. Collective. Errors: MPI_ERR_ARG (color < 0). */
EP_PUBLIC int ep_comm_split(ep_comm comm, int color, int key, ep_comm *newcomm);
/* As ep_comm_split, one communicator for all that share something (MPI 6.4.2). split_type:
 * MPI_COMM_TYPE_SHARED (the machine), EP_COMM_TYPE_PROCESS (the process) or MPI_UNDEFINED (none,
 * EP_COMM_NULL); info gives hints. Collective; blocks. Errors: MPI_ERR_ARG (another split_type),
 * MPI_ERR_INFO. */
EP_PUBLIC int ep_comm_split_type(ep_comm comm, int split_type, int key, MPI_Info info, ep_comm *newcomm);

/* Free the calling endpoint's handle, set it to EP_COMM_NULL. Called for every endpoint; does not
 * wait for the others. Operations still pending complete normally. The endpoint itself goes with its last
 * communicator. Errors: what a delete callback of an attribute returned; then the handle stays. */
EP_PUBLIC int ep_comm_free(ep_comm *comm);
/* Wait until all communication on comm is complete, then free it as ep_comm_free does (MPI 10.5.4).
 * Collective; blocks. Errors: as ep_comm_free. */
EP_PUBLIC int ep_comm_disconnect(ep_comm *comm);

/* Name comm, of the calling endpoint's handle alone (MPI 6.8). At most MPI_MAX_OBJECT_NAME-1 characters
 * are kept. Error messages show it. Local. Errors: MPI_ERR_COMM, MPI_ERR_ARG, MPI_ERR_NO_MEM. */
EP_PUBLIC int ep_comm_set_name(ep_comm comm, const char *name);
/* The name of this handle, "" at first (MPI 6.8). name has room for MPI_MAX_OBJECT_NAME characters;
 * *resultlen does not count the end. Local. Errors: MPI_ERR_COMM, MPI_ERR_ARG. */
EP_PUBLIC int ep_comm_get_name(ep_comm comm, char *name, int *resultlen);
/* Add hints to those of this endpoint on comm (MPI 6.4.4). Local. ep_reproducible (true or false) is
 * looked at here and by ep_comm_create_endpoints, ep_comm_dup_with_info and ep_comm_split_type, and must
 * be the same in all endpoints; dup and idup pass it on, all other new communicators begin without it.
 * Errors: MPI_ERR_COMM, MPI_ERR_INFO, MPI_ERR_NO_MEM. */
EP_PUBLIC int ep_comm_set_info(ep_comm comm, MPI_Info info);
/* A new info, to be freed by the caller (MPI 6.4.4): what was set for this endpoint, and what ep says:
 * ep_single_owner, ep_reproducible, and for intercommunicators ep_intercomm_case ("0", "1", "2", "3a",
 * "3b", "3c") and ep_intercomm_leaders, the leading processes of the lower and the upper group as ranks of
 * MPI_COMM_WORLD. Local. Errors: MPI_ERR_COMM, MPI_ERR_ARG, MPI_ERR_NO_MEM. */
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
/* The copy callback that does not copy: *flag = 0. Called by the library, like the two below (MPI 6.7.2). */
EP_PUBLIC int ep_comm_null_copy_fn(ep_comm oldcomm, int comm_keyval, void *extra_state,
                                   void *attribute_val_in, void *attribute_val_out, int *flag);
/* The copy callback that copies the value as it is: *flag = 1 (MPI 6.7.2). */
EP_PUBLIC int ep_comm_dup_fn(ep_comm oldcomm, int comm_keyval, void *extra_state, void *attribute_val_in,
                             void *attribute_val_out, int *flag);
/* The delete callback that does nothing (MPI 6.7.2). */
EP_PUBLIC int ep_comm_null_delete_fn(ep_comm comm, int comm_keyval, void *attribute_val, void *extra_state);
#define EP_COMM_NULL_COPY_FN ep_comm_null_copy_fn
#define EP_COMM_DUP_FN ep_comm_dup_fn
#define EP_COMM_NULL_DELETE_FN ep_comm_null_delete_fn

/* A key for attributes of communicators, for the whole process (MPI 6.7.2). Where there is nothing to be
 * called give EP_COMM_NULL_COPY_FN and EP_COMM_NULL_DELETE_FN. extra_state is passed to both. Any thread.
 * Errors: MPI_ERR_ARG (null pointers), MPI_ERR_NO_MEM. */
EP_PUBLIC int ep_comm_create_keyval(ep_comm_copy_attr_function *copy_fn,
                                    ep_comm_delete_attr_function *delete_fn, int *comm_keyval,
                                    void *extra_state);
/* *comm_keyval becomes MPI_KEYVAL_INVALID; attributes that use it live on (MPI 6.7.2). Any thread. Errors:
 * MPI_ERR_KEYVAL, MPI_ERR_ARG. */
EP_PUBLIC int ep_comm_free_keyval(int *comm_keyval);
/* Set the attribute of this endpoint's handle; the delete callback runs first for a value that is there
 * (MPI 6.7.2). Local. Errors: MPI_ERR_COMM, MPI_ERR_KEYVAL (no key of communicators, or a predefined one),
 * MPI_ERR_NO_MEM, what the callback returned (the old value stays). */
EP_PUBLIC int ep_comm_set_attr(ep_comm comm, int comm_keyval, void *attribute_val);
/* *(void **)attribute_val = the value and *flag = 1, or *flag = 0 if there is none (MPI 6.7.2). Predefined
 * (MPI 8.1.2): MPI_TAG_UB, the highest tag of THIS communicator (at least 32767); *(int **)attribute_val
 * points to it; MPI_HOST, MPI_IO, MPI_WTIME_IS_GLOBAL, MPI_UNIVERSE_SIZE, MPI_APPNUM, MPI_LASTUSEDCODE.
 * Local. Errors: MPI_ERR_COMM, MPI_ERR_KEYVAL, MPI_ERR_ARG. */
EP_PUBLIC int ep_comm_get_attr(ep_comm comm, int keyval, void *attribute_val, int *flag);
/* Delete the attribute, if there is one, after its delete callback has run (MPI 6.7.2). Local. Errors:
 * MPI_ERR_COMM, MPI_ERR_KEYVAL, what the callback returned (then it stays). */
EP_PUBLIC int ep_comm_delete_attr(ep_comm comm, int comm_keyval);

/* The names of MPI-1 (MPI 15.1), the same functions. */
typedef ep_comm_copy_attr_function ep_copy_function;
typedef ep_comm_delete_attr_function ep_delete_function;
#define EP_NULL_COPY_FN ep_comm_null_copy_fn
#define EP_DUP_FN ep_comm_dup_fn
#define EP_NULL_DELETE_FN ep_comm_null_delete_fn
/* ep_comm_create_keyval by its name in MPI-1. */
EP_PUBLIC int ep_keyval_create(ep_copy_function *copy_fn, ep_delete_function *delete_fn, int *keyval,
                               void *extra_state);
/* ep_comm_free_keyval by its name in MPI-1. */
EP_PUBLIC int ep_keyval_free(int *keyval);
/* ep_comm_set_attr by its name in MPI-1. */
EP_PUBLIC int ep_attr_put(ep_comm comm, int keyval, void *attribute_val);
/* ep_comm_get_attr by its name in MPI-1. */
EP_PUBLIC int ep_attr_get(ep_comm comm, int keyval, void *attribute_val, int *flag);
/* ep_comm_delete_attr by its name in MPI-1. */
EP_PUBLIC int ep_attr_delete(ep_comm comm, int keyval);

/* ---- Errors (MPI 8.3, 8.4, 8.5) ------------------------------------------------------------ */

/* Called with the endpoint's communicator, the error code and, as third argument, a const char * with the
 * full message. */
typedef void ep_comm_errhandler_function(ep_comm *comm, int *error_code, ...);
/* An error handler for communicators, to be freed by ep_errhandler_free (MPI 8.3.1). Any thread. Errors:
 * MPI_ERR_ARG (null pointers), MPI_ERR_NO_MEM. */
EP_PUBLIC int ep_comm_create_errhandler(ep_comm_errhandler_function *comm_errhandler_fn,
                                        ep_errhandler *errhandler);
/* *errhandler becomes EP_ERRHANDLER_NULL; communicators and windows that use it go on using it (MPI
 * 8.3.4). Any thread. Errors: MPI_ERR_ARG (null, freed or invalid). */
EP_PUBLIC int ep_errhandler_free(ep_errhandler *errhandler);
/* The error handler of this endpoint on this communicator from now on (MPI 8.3.1). EP_COMM_WORLD in a
 * thread that is not bound stands for the process's default handler: the one for errors that belong to no
 * communicator, and the one that new endpoints start with. Local. Errors: MPI_ERR_COMM, MPI_ERR_ARG (no
 * handler, or one of windows). */
EP_PUBLIC int ep_comm_set_errhandler(ep_comm comm, ep_errhandler errhandler);
/* The handler that ep_comm_set_errhandler sets; a new handle, to be freed by ep_errhandler_free (MPI
 * 8.3.1). Local. Errors: MPI_ERR_COMM, MPI_ERR_ARG. */
EP_PUBLIC int ep_comm_get_errhandler(ep_comm comm, ep_errhandler *errhandler);
/* Call the handler as if errorcode had happened (MPI 8.5). MPI_SUCCESS when it returns. Local. Errors:
 * MPI_ERR_COMM. */
EP_PUBLIC int ep_comm_call_errhandler(ep_comm comm, int errorcode);

/* Text of an error code (MPI 8.4), at most MPI_MAX_ERROR_STRING characters with the end, for which string
 * has room; *resultlen does not count the end. For the code of the last error in the calling thread this
 * is the full message of that error, except for a code that was added: its text is always that of
 * ep_add_error_string. Any thread. Errors: MPI_ERR_ARG (null pointers, no error code). */
EP_PUBLIC int ep_error_string(int errorcode, char *string, int *resultlen);
/* The class of an error code (MPI 8.4). Any thread. Errors: MPI_ERR_ARG (null pointer, no error code). */
EP_PUBLIC int ep_error_class(int errorcode, int *errorclass);
/* A new error class, which is a code of itself; for the whole process (MPI 8.5). Any thread. Errors:
 * MPI_ERR_ARG, MPI_ERR_NO_MEM. */
EP_PUBLIC int ep_add_error_class(int *errorclass);
/* A new code of errorclass, a class of MPI's or an added one; for the whole process (MPI 8.5). Any thread.
 * Errors: MPI_ERR_ARG, MPI_ERR_NO_MEM. */
EP_PUBLIC int ep_add_error_code(int errorclass, int *errorcode);
/* The text of an added class or code; it is copied, up to MPI_MAX_ERROR_STRING-1 characters (MPI 8.5). Any
 * thread. Errors: MPI_ERR_ARG (null pointer, a code that was not added), MPI_ERR_NO_MEM. */
EP_PUBLIC int ep_add_error_string(int errorcode, const char *string);

/* ---- Topologies (MPI 7.5; 7.6 is among the collectives) ------------------------------------
 * The creating calls are collective over comm_old, an intracommunicator; endpoints beyond the grid or graph
 * get EP_COMM_NULL. reorder: ranks may be changed so that neighbours are near (share a process). The
 * others are local. Errors: MPI_ERR_TOPOLOGY (no or another topology), MPI_ERR_DIMS, MPI_ERR_ARG,
 * MPI_ERR_RANK. */

/* Fill in those of the ndims elements of dims that are 0, so that their product is nnodes and they are
 * about equal (MPI 7.5.2). Local; no communicator. Errors: MPI_ERR_DIMS (negative numbers; nnodes is no
 * multiple of the given ones). */
EP_PUBLIC int ep_dims_create(int nnodes, int ndims, int dims[]);
/* A communicator with a grid (MPI 7.5.1): dims[i] endpoints in dimension i, which is periodic if
 * periods[i] is not 0; ndims 0 or more. Endpoints beyond the grid get EP_COMM_NULL. Collective; blocks.
 * Errors: MPI_ERR_COMM, MPI_ERR_DIMS, MPI_ERR_ARG (the grid is larger than comm_old), MPI_ERR_NO_MEM. */
EP_PUBLIC int ep_cart_create(ep_comm comm_old, int ndims, const int dims[], const int periods[], int reorder,
                             ep_comm *comm_cart);
/* A communicator for each grid within the caller's that has the dimensions with remain_dims[i] not 0 (MPI
 * 7.5.7). Collective; blocks. Errors: MPI_ERR_COMM, MPI_ERR_TOPOLOGY, MPI_ERR_ARG, MPI_ERR_NO_MEM. */
EP_PUBLIC int ep_cart_sub(ep_comm comm, const int remain_dims[], ep_comm *newcomm);
/* Number of dimensions of the grid (MPI 7.5.5). Local. */
EP_PUBLIC int ep_cartdim_get(ep_comm comm, int *ndims);
/* The grid, and the caller's coordinates in it (MPI 7.5.5). The arrays have room for maxdims elements, at
 * least the grid's dimensions (else MPI_ERR_ARG). Local. */
EP_PUBLIC int ep_cart_get(ep_comm comm, int maxdims, int dims[], int periods[], int coords[]);
/* The rank at coords; in periodic dimensions any number is a coordinate, in others one outside is an error
 * (MPI_ERR_ARG; MPI 7.5.5). Local. */
EP_PUBLIC int ep_cart_rank(ep_comm comm, const int coords[], int *rank);
/* The coordinates of a rank; coords has room for maxdims elements, at least the grid's dimensions (MPI
 * 7.5.5). Local. */
EP_PUBLIC int ep_cart_coords(ep_comm comm, int rank, int maxdims, int coords[]);
/* The ranks disp steps down (source) and up (dest) in dimension direction, counted from 0; MPI_PROC_NULL
 * beyond the edge (MPI 7.5.6). Local. Errors: MPI_ERR_ARG (direction). */
EP_PUBLIC int ep_cart_shift(ep_comm comm, int direction, int disp, int *rank_source, int *rank_dest);
/* The rank that a grid with reorder would give the caller; MPI_UNDEFINED beyond the grid (MPI 7.5.8).
 * Local. */
EP_PUBLIC int ep_cart_map(ep_comm comm, int ndims, const int dims[], const int periods[], int *newrank);
/* A communicator with a graph, of which each endpoint gives the whole (MPI 7.5.3): the neighbours of node
 * i are edges[index[i-1]] to edges[index[i]-1], from 0 for node 0. Endpoints from nnodes on get
 * EP_COMM_NULL. Ranks are never reordered. Collective; blocks. Errors: MPI_ERR_COMM, MPI_ERR_ARG,
 * MPI_ERR_NO_MEM. */
EP_PUBLIC int ep_graph_create(ep_comm comm_old, int nnodes, const int index[], const int edges[], int reorder,
                              ep_comm *comm_graph);
/* Numbers of nodes and of edges of the graph (MPI 7.5.5). Local. */
EP_PUBLIC int ep_graphdims_get(ep_comm comm, int *nnodes, int *nedges);
/* The graph as it was given; the arrays have room for maxindex and maxedges elements, at least as many as
 * there are (else MPI_ERR_ARG; MPI 7.5.5). Local. */
EP_PUBLIC int ep_graph_get(ep_comm comm, int maxindex, int maxedges, int index[], int edges[]);
/* Number of neighbours of a rank (MPI 7.5.5). Local. */
EP_PUBLIC int ep_graph_neighbors_count(ep_comm comm, int rank, int *nneighbors);
/* The neighbours of a rank, in the order of edges; room for maxneighbors, at least as many as there are
 * (else MPI_ERR_ARG; MPI 7.5.5). Local. */
EP_PUBLIC int ep_graph_neighbors(ep_comm comm, int rank, int maxneighbors, int neighbors[]);
/* The caller's rank in a graph of nnodes: its own, or MPI_UNDEFINED from nnodes on (MPI 7.5.8). Local. */
EP_PUBLIC int ep_graph_map(ep_comm comm, int nnodes, const int index[], const int edges[], int *newrank);
/* A communicator with a graph of which each endpoint gives its own edges (MPI 7.5.4): from the indegree
 * sources, to the outdegree destinations, ranks of comm_old. Weights are 0 or more, or MPI_UNWEIGHTED, in
 * all endpoints alike. info and reorder change nothing. Collective; blocks. Errors: MPI_ERR_COMM,
 * MPI_ERR_ARG, MPI_ERR_RANK, MPI_ERR_INFO, MPI_ERR_NO_MEM. */
EP_PUBLIC int ep_dist_graph_create_adjacent(ep_comm comm_old, int indegree, const int sources[],
                                            const int *sourceweights, int outdegree, const int destinations[],
                                            const int *destweights, MPI_Info info, int reorder,
                                            ep_comm *comm_dist_graph);
/* The same where any endpoint gives any edges (MPI 7.5.4): n sources, each with degrees[i] destinations,
 * which stand one behind the other, with their weights or MPI_UNWEIGHTED. Needs memory for all edges in
 * each endpoint for a while. Collective; blocks. Errors: as ep_dist_graph_create_adjacent, of any endpoint
 * in all. */
EP_PUBLIC int ep_dist_graph_create(ep_comm comm_old, int n, const int sources[], const int degrees[],
                                   const int destinations[], const int *weights, MPI_Info info, int reorder,
                                   ep_comm *comm_dist_graph);
/* Numbers of the caller's edges in and out; *weighted = 0: they have no weights (MPI 7.5.5). Local. */
EP_PUBLIC int ep_dist_graph_neighbors_count(ep_comm comm, int *indegree, int *outdegree, int *weighted);
/* The caller's sources and destinations with weights, as many as there is room for (maxindegree,
 * maxoutdegree; MPI 7.5.5). Arrays of weights are not touched where the graph has none. Local. */
EP_PUBLIC int ep_dist_graph_neighbors(ep_comm comm, int maxindegree, int sources[], int *sourceweights,
                                      int maxoutdegree, int destinations[], int *destweights);
/* MPI_CART, MPI_GRAPH, MPI_DIST_GRAPH or MPI_UNDEFINED (MPI 7.5.5). Local. Errors: MPI_ERR_COMM,
 * MPI_ERR_ARG. */
EP_PUBLIC int ep_topo_test(ep_comm comm, int *status);

/* ---- Fortran handles (MPI 17.2.4) ----------------------------------------------------------
 * Numbers that stand for handles, valid until the object is freed; they are none of the MPI underneath's,
 * which refuses them. An f2c of a number that stands for nothing gives the null handle. Any thread. */

/* The number of a communicator's handle; EP_COMM_WORLD and EP_COMM_SELF have the same in all threads. */
EP_PUBLIC MPI_Fint ep_comm_c2f(ep_comm comm);
/* The communicator with this number, or EP_COMM_NULL. */
EP_PUBLIC ep_comm ep_comm_f2c(MPI_Fint comm);
/* The number of a group's handle. */
EP_PUBLIC MPI_Fint ep_group_c2f(ep_group group);
/* The group with this number, or EP_GROUP_NULL. */
EP_PUBLIC ep_group ep_group_f2c(MPI_Fint group);
/* The number of a request's handle, until it is complete and its handle EP_REQUEST_NULL. */
EP_PUBLIC MPI_Fint ep_request_c2f(ep_request request);
/* The request with this number, or EP_REQUEST_NULL. */
EP_PUBLIC ep_request ep_request_f2c(MPI_Fint request);
/* The number of a matched message, until it is received. */
EP_PUBLIC MPI_Fint ep_message_c2f(ep_message message);
/* The matched message with this number, or EP_MESSAGE_NULL. */
EP_PUBLIC ep_message ep_message_f2c(MPI_Fint message);
/* The number of an error handler, of communicators or of windows. */
EP_PUBLIC MPI_Fint ep_errhandler_c2f(ep_errhandler errhandler);
/* The error handler with this number, or EP_ERRHANDLER_NULL. */
EP_PUBLIC ep_errhandler ep_errhandler_f2c(MPI_Fint errhandler);
/* A status as an INTEGER array: source, tag, error, and two numbers for the rest. */
#define EP_F_STATUS_SIZE 5
/* Write a status into EP_F_STATUS_SIZE numbers (MPI 17.2.5). Errors: MPI_ERR_ARG (null pointers;
 * EP_STATUS_IGNORE is one). */
EP_PUBLIC int ep_status_c2f(const ep_status *c_status, MPI_Fint *f_status);
/* Read a status from EP_F_STATUS_SIZE numbers that ep_status_c2f has written (MPI 17.2.5). Errors:
 * MPI_ERR_ARG. */
EP_PUBLIC int ep_status_f2c(const MPI_Fint *f_status, ep_status *c_status);
/* A status of module mpi_f08: the same numbers, the first three by name. */
typedef struct ep_f08_status {
    MPI_Fint MPI_SOURCE, MPI_TAG, MPI_ERROR, ep_rest[EP_F_STATUS_SIZE - 3];
} ep_f08_status;
/* ep_status_c2f for module mpi_f08 (MPI 17.2.5). Errors: MPI_ERR_ARG. */
EP_PUBLIC int ep_status_c2f08(const ep_status *c_status, ep_f08_status *f08_status);
/* ep_status_f2c for module mpi_f08 (MPI 17.2.5). Errors: MPI_ERR_ARG. */
EP_PUBLIC int ep_status_f082c(const ep_f08_status *f08_status, ep_status *c_status);

/* ---- Blocking point-to-point (MPI 3.2, 3.4, 3.10, 3.11) ------------------------------------
 *   buf, count, datatype   count >= 0 elements of any committed datatype
 *   dest, source           rank in comm, MPI_PROC_NULL, for source also MPI_ANY_SOURCE
 *   tag                    0..MPI_TAG_UB of comm, for receives also MPI_ANY_TAG
 * Errors: MPI_ERR_COMM, _COUNT, _TYPE, _BUFFER (null buffer with data), _RANK, _TAG, and on the receive
 * _TRUNCATE (the buffer then holds the beginning of the message).
 * A standard send of up to EP_EAGER bytes to a near endpoint never waits for its receiver; to another
 * process of the machine, of at most 65536 of them, it waits only while that process does not call ep and
 * has much to take; to another machine MPI's own eager limit decides. Data of other processes of the
 * machine are read by the system (process_vm_readv): from memory that it cannot read (of devices) send
 * with EP_SHARED_MEMORY=0. */

/* Standard send (MPI 3.2.1). Blocks until buf may be used again; for when it does not wait for the
 * receiver see above. */
EP_PUBLIC int ep_send(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, ep_comm comm);
/* As ep_send, but blocks until the message is matched by a receive (MPI 3.4). */
EP_PUBLIC int ep_ssend(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, ep_comm comm);
/* As ep_send; the receive has been posted already, which makes no difference here (MPI 3.4). */
EP_PUBLIC int ep_rsend(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, ep_comm comm);
/* As ep_send, but never waits for the receiver (MPI 3.4). Needs an attached buffer (ep_buffer_attach) with
 * room for the packed data plus EP_BSEND_OVERHEAD, else MPI_ERR_BUFFER. */
EP_PUBLIC int ep_bsend(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, ep_comm comm);
/* Receive one message that fits source and tag, the oldest of its sender (MPI 3.2.4). Blocks until it is
 * there. count is the room in buf, in elements; *status (or EP_STATUS_IGNORE) says what came. */
EP_PUBLIC int ep_recv(void *buf, int count, MPI_Datatype datatype, int source, int tag, ep_comm comm,
                      ep_status *status);
/* A send and a receive at once, which do not wait for each other (MPI 3.10). Blocks until both are done.
 * The two buffers must be disjoint (MPI_ERR_BUFFER if they are the same). */
EP_PUBLIC int ep_sendrecv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, int dest, int sendtag,
                          void *recvbuf, int recvcount, MPI_Datatype recvtype, int source, int recvtag,
                          ep_comm comm, ep_status *status);
/* As ep_sendrecv with one buffer: what is received replaces what was sent (MPI 3.10). Needs memory for a
 * copy of the data (MPI_ERR_NO_MEM). */
EP_PUBLIC int ep_sendrecv_replace(void *buf, int count, MPI_Datatype datatype, int dest, int sendtag,
                                  int source, int recvtag, ep_comm comm, ep_status *status);

/* Give the calling thread's endpoint a buffer of size bytes for buffered sends (MPI 3.6). An endpoint is a
 * rank, so the buffer belongs to the endpoint that the thread is bound to, or in a thread that is not
 * bound to the thread itself. Local. Errors: MPI_ERR_BUFFER (null; size < EP_BSEND_OVERHEAD; one is
 * attached already), MPI_ERR_NO_MEM. */
EP_PUBLIC int ep_buffer_attach(void *buffer, int size);
/* Block until all messages in the attached buffer are delivered, and give its address (buffer_addr is a
 * void **) and size in bytes back (MPI 3.6); address 0 and size 0 if none is attached. Errors:
 * MPI_ERR_ARG. */
EP_PUBLIC int ep_buffer_detach(void *buffer_addr, int *size);

/* ---- Non-blocking point-to-point (MPI 3.7) ------------------------------------------------ */

/* Begin a standard send (MPI 3.7.2). Does not block; buf is ep's until request is complete. Arguments and
 * errors as ep_send, and MPI_ERR_ARG (request is null), MPI_ERR_NO_MEM; the same for those below. */
EP_PUBLIC int ep_isend(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, ep_comm comm,
                       ep_request *request);
/* As ep_isend, complete when the message is matched by a receive (MPI 3.7.2). */
EP_PUBLIC int ep_issend(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, ep_comm comm,
                        ep_request *request);
/* As ep_isend; the receive has been posted already (MPI 3.7.2). */
EP_PUBLIC int ep_irsend(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, ep_comm comm,
                        ep_request *request);
/* As ep_isend out of the attached buffer: complete at once (MPI 3.7.2). Errors: also MPI_ERR_BUFFER, as
 * ep_bsend. */
EP_PUBLIC int ep_ibsend(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, ep_comm comm,
                        ep_request *request);
/* Begin a receive (MPI 3.7.2). Does not block; buf is ep's until request is complete. Receives match in
 * the order in which they are begun. Arguments as ep_recv; MPI_ERR_TRUNCATE is given when it is completed. */
EP_PUBLIC int ep_irecv(void *buf, int count, MPI_Datatype datatype, int source, int tag, ep_comm comm,
                       ep_request *request);

/* Block until request is complete (MPI 3.7.3). *request becomes EP_REQUEST_NULL, or inactive if it is
 * persistent; status may be EP_STATUS_IGNORE. EP_REQUEST_NULL is complete at once, with an empty status.
 * Errors: MPI_ERR_REQUEST, MPI_ERR_ARG, and what the operation failed with. */
EP_PUBLIC int ep_wait(ep_request *request, ep_status *status);
/* *flag = 1 and as ep_wait if request is complete, else *flag = 0 (MPI 3.7.3). Does not block; makes
 * progress. */
EP_PUBLIC int ep_test(ep_request *request, int *flag, ep_status *status);
/* Block until one of count requests is complete, and complete it as ep_wait does: *index says which;
 * MPI_UNDEFINED if none is active (MPI 3.7.5). Errors: as ep_wait, MPI_ERR_COUNT. */
EP_PUBLIC int ep_waitany(int count, ep_request requests[], int *index, ep_status *status);
/* As ep_waitany if one is complete: *flag = 1; else *flag = 0 and *index = MPI_UNDEFINED (MPI 3.7.5). Does
 * not block. */
EP_PUBLIC int ep_testany(int count, ep_request requests[], int *index, int *flag, ep_status *status);
/* Block until all count requests are complete (MPI 3.7.5). statuses has count elements or is
 * EP_STATUSES_IGNORE. Errors: MPI_ERR_IN_STATUS, MPI_ERR_REQUEST, MPI_ERR_COUNT. */
EP_PUBLIC int ep_waitall(int count, ep_request requests[], ep_status statuses[]);
/* *flag = 1 and as ep_waitall if all requests are complete; else *flag = 0, and none is completed (MPI
 * 3.7.5). Does not block. */
EP_PUBLIC int ep_testall(int count, ep_request requests[], int *flag, ep_status statuses[]);
/* Block until at least one of incount requests is complete, and complete all that are (MPI 3.7.5).
 * *outcount: how many, or MPI_UNDEFINED if none is active; indices and statuses (or EP_STATUSES_IGNORE)
 * have room for incount. Errors: as ep_waitall. */
EP_PUBLIC int ep_waitsome(int incount, ep_request requests[], int *outcount, int indices[],
                          ep_status statuses[]);
/* As ep_waitsome, but does not block: *outcount may be 0 (MPI 3.7.5). */
EP_PUBLIC int ep_testsome(int incount, ep_request requests[], int *outcount, int indices[],
                          ep_status statuses[]);
/* For OpenMP tasks: return at once, and let the calling task complete, which releases its dependences and
 * those who wait for it, only when the request has (what TAMPI calls TAMPI_Iwait; docs/tasks.md). The
 * handle becomes EP_REQUEST_NULL at once, unless it is of a persistent request, which must not be freed
 * before; status (or EP_STATUS_IGNORE) is written before the task completes and must live till then. What
 * goes wrong later is told to the error handler of the request's communicator, in the thread that finds
 * it, and in MPI_ERROR of the status. Outside of an explicit task, and where calls block the thread
 * (omp_get_external() of crt.h), they wait as ep_wait and ep_waitall do. */
EP_PUBLIC int ep_iwait(ep_request *request, ep_status *status);
/* The same for count requests; statuses (or EP_STATUSES_IGNORE) are written before the task completes. */
EP_PUBLIC int ep_iwaitall(int count, ep_request requests[], ep_status statuses[]);
/* The same for an event of a detach clause (an omp_event_handle_t), which is fulfilled when the request
 * has completed. Does not block, in any mode. Outside of task mode a helper thread sees to it
 * (EP_ASYNC_PROGRESS), or with MPI_THREAD_FUNNELED the main thread in its calls of ep. Errors: MPI_ERR_ARG
 * (event is 0). */
EP_PUBLIC int ep_iwait_event(ep_request *request, ep_status *status, uintptr_t event);
/* Give the request up; its operation completes by itself, and its buffer is ep's till then (MPI 3.7.3).
 * *request becomes EP_REQUEST_NULL. Does not block. Errors: MPI_ERR_REQUEST (null; of a collective or
 * one-sided call; a task waits for it). */
EP_PUBLIC int ep_request_free(ep_request *request);
/* Like ep_test but leaves the request as it is (MPI 3.7.6). Does not block; makes progress. */
EP_PUBLIC int ep_request_get_status(ep_request request, int *flag, ep_status *status);
/* Mark a pending operation for cancellation (MPI 3.8.4). Local. It must still be completed by wait, test
 * or request_free; ep_test_cancelled then tells whether it was cancelled or had been too far on. A wait
 * for it returns whatever the receiver does. A send to another machine, which MPI does not take back, then
 * was not cancelled: the receiver's process keeps the message till it is received. Only where that send is
 * synchronous, or a synchronous one to the same endpoint with the same tag is pending, the wait lasts till
 * the message is received. With MPI_THREAD_FUNNELED the main thread has to make progress meanwhile; a send
 * that it has not begun is taken back without it. */
EP_PUBLIC int ep_cancel(ep_request *request);
/* *flag = 1 if the operation that status belongs to was cancelled (MPI 3.8.4). Local. Errors: MPI_ERR_ARG. */
EP_PUBLIC int ep_test_cancelled(const ep_status *status, int *flag);

/* ---- Probing (MPI 3.8) -------------------------------------------------------------------- */

/* Block until a message that fits source and tag has come, and say in *status what it is; a receive with
 * that source and tag gets it (MPI 3.8.1). Errors: MPI_ERR_COMM, MPI_ERR_RANK, MPI_ERR_TAG; the same for
 * those below. */
EP_PUBLIC int ep_probe(int source, int tag, ep_comm comm, ep_status *status);
/* As ep_probe if such a message is there: *flag = 1, else 0 (MPI 3.8.1). Does not block; makes progress.
 * Errors: also MPI_ERR_ARG (flag is null). */
EP_PUBLIC int ep_iprobe(int source, int tag, ep_comm comm, int *flag, ep_status *status);
/* As ep_probe, and takes the message out of the queues: ep_mrecv or ep_imrecv with *message alone can
 * receive it (MPI 3.8.2). From MPI_PROC_NULL: EP_MESSAGE_NO_PROC. Errors: also MPI_ERR_ARG (message is
 * null). */
EP_PUBLIC int ep_mprobe(int source, int tag, ep_comm comm, ep_message *message, ep_status *status);
/* As ep_mprobe if such a message is there: *flag = 1; else *flag = 0 and *message is EP_MESSAGE_NULL (MPI
 * 3.8.2). Does not block; makes progress. */
EP_PUBLIC int ep_improbe(int source, int tag, ep_comm comm, int *flag, ep_message *message,
                         ep_status *status);
/* Receive the message that a matching probe took out of the queues; *message becomes EP_MESSAGE_NULL (MPI
 * 3.8.3). Blocks until the data are there. Errors: MPI_ERR_REQUEST (no such message), MPI_ERR_ARG, and
 * those of ep_recv. */
EP_PUBLIC int ep_mrecv(void *buf, int count, MPI_Datatype datatype, ep_message *message, ep_status *status);
/* As ep_mrecv with a request: does not block (MPI 3.8.3). */
EP_PUBLIC int ep_imrecv(void *buf, int count, MPI_Datatype datatype, ep_message *message,
                        ep_request *request);

/* ---- Persistent requests (MPI 3.9) -------------------------------------------------------- */

/* A persistent request for sends like ep_send (MPI 3.9). Nothing is sent before ep_start, after which it
 * is completed like others and can be started again; ep_request_free frees it. Local. Errors: as ep_isend. */
EP_PUBLIC int ep_send_init(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, ep_comm comm,
                           ep_request *request);
/* As ep_send_init, for ep_ssend (MPI 3.9). */
EP_PUBLIC int ep_ssend_init(const void *buf, int count, MPI_Datatype datatype, int dest, int tag,
                            ep_comm comm, ep_request *request);
/* As ep_send_init, for ep_rsend (MPI 3.9). */
EP_PUBLIC int ep_rsend_init(const void *buf, int count, MPI_Datatype datatype, int dest, int tag,
                            ep_comm comm, ep_request *request);
/* As ep_send_init, for ep_bsend (MPI 3.9). Room in the attached buffer is needed by each start, not by
 * this. */
EP_PUBLIC int ep_bsend_init(const void *buf, int count, MPI_Datatype datatype, int dest, int tag,
                            ep_comm comm, ep_request *request);
/* A persistent request for receives like ep_recv (MPI 3.9), else as ep_send_init. */
EP_PUBLIC int ep_recv_init(void *buf, int count, MPI_Datatype datatype, int source, int tag, ep_comm comm,
                           ep_request *request);
/* Start an inactive persistent request (MPI 3.9). Does not block. Errors: MPI_ERR_REQUEST (null, not
 * persistent, or active already), MPI_ERR_ARG, MPI_ERR_BUFFER (ep_bsend_init: no room), MPI_ERR_NO_MEM. */
EP_PUBLIC int ep_start(ep_request *request);
/* Start count persistent requests, in their order; an error ends it (MPI 3.9). Does not block. Errors: as
 * ep_start, MPI_ERR_COUNT. */
EP_PUBLIC int ep_startall(int count, ep_request requests[]);

/* ---- Statuses (MPI 3.2.5, 4.1.11, 12.3) --------------------------------------------------- */

/* Whole elements of datatype in the message; MPI_UNDEFINED if not a whole number or too many for int (MPI
 * 3.2.5). Local. Errors: MPI_ERR_TYPE, MPI_ERR_ARG; the same for those below. */
EP_PUBLIC int ep_get_count(const ep_status *status, MPI_Datatype datatype, int *count);
/* Basic elements in the message; MPI_UNDEFINED if too many for int (MPI 4.1.11). Local. */
EP_PUBLIC int ep_get_elements(const ep_status *status, MPI_Datatype datatype, int *count);
/* As ep_get_elements with a count that has room for all (MPI 4.1.11). Local. */
EP_PUBLIC int ep_get_elements_x(const ep_status *status, MPI_Datatype datatype, MPI_Count *count);
/* Have ep_get_elements find count basic elements of datatype in status: for query functions of generalized
 * requests (MPI 12.3). Local. Errors: MPI_ERR_TYPE, MPI_ERR_COUNT, MPI_ERR_ARG. */
EP_PUBLIC int ep_status_set_elements(ep_status *status, MPI_Datatype datatype, int count);
/* As ep_status_set_elements, with a wider count (MPI 12.3). Local. */
EP_PUBLIC int ep_status_set_elements_x(ep_status *status, MPI_Datatype datatype, MPI_Count count);
/* Have ep_test_cancelled give flag for status (MPI 12.3). Local. Errors: MPI_ERR_ARG. */
EP_PUBLIC int ep_status_set_cancelled(ep_status *status, int flag);

/* ---- Generalized requests (MPI 12.2) ------------------------------------------------------ */

typedef int ep_grequest_query_function(void *extra_state, ep_status *status);
typedef int ep_grequest_free_function(void *extra_state);
typedef int ep_grequest_cancel_function(void *extra_state, int complete);

/* A request whose operation is the program's own (MPI 12.2). query_fn fills in the status when it is
 * completed, free_fn is called when it is freed, cancel_fn by ep_cancel; each with extra_state and with no
 * lock of ep's held, so they may call ep. Local. Errors: MPI_ERR_ARG (null pointers), MPI_ERR_NO_MEM. */
EP_PUBLIC int ep_grequest_start(ep_grequest_query_function *query_fn, ep_grequest_free_function *free_fn,
                                ep_grequest_cancel_function *cancel_fn, void *extra_state,
                                ep_request *request);
/* Say that the operation is over: wait and test complete the request now (MPI 12.2). Any thread, also one
 * that is no endpoint. Does not block. Errors: MPI_ERR_REQUEST (no generalized request, or complete
 * already). */
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
 *   Operators: MPI's on the predefined types they are defined for (MPI 5.9.2, 5.9.4), the user's on any.
 *   An operator of the user may be called by several threads at once, for any endpoint of the process.
 *   Elements have to lie in memory alike in all endpoints of a process, and the operator be the same (MPI
 *   5.9: the same arguments): those of one endpoint serve for all. In a call that does not block an
 *   operator is given a duplicate of the datatype's handle.
 *   Reproducible: with the info hint ep_reproducible=true on the communicator, given by all endpoints,
 *   reductions give the same bits for the same data and the same number of endpoints, however these are
 *   spread over processes.
 *   EP_CHECK=1 in the environment: calls that do not fit together (another function, also one that makes a
 *   communicator or a window, or one on neighbourhoods; another operation, root, or number of bytes) give
 *   an error that names both endpoints and their calls.
 * Arguments that are not significant in the caller are not looked at.
 * Errors: a wrong argument is found before the caller takes part; the others go on waiting for it.
 * MPI_ERR_COMM, _ROOT, _COUNT, _TYPE, _BUFFER (null with data; MPI_IN_PLACE where it must not be), _OP
 * (null, or not defined for the type), _ARG (null array or request), _TRUNCATE (more data
 * than room; the whole call has failed), _NO_MEM. */

/* Blocks until all endpoints have called it (MPI 5.3); on an intercommunicator until all of the other
 * group have. */
EP_PUBLIC int ep_barrier(ep_comm comm);
/* As ep_barrier with a request (MPI 5.12.1). */
EP_PUBLIC int ep_ibarrier(ep_comm comm, ep_request *request);

/* From the root's buffer to that of everybody else (MPI 5.4). root: a rank; on an intercommunicator a rank
 * of the other group, MPI_ROOT in the root itself, MPI_PROC_NULL in the others of its group. The same in
 * all functions with a root. Blocks. */
EP_PUBLIC int ep_bcast(void *buffer, int count, MPI_Datatype datatype, int root, ep_comm comm);
/* As ep_bcast with a request (MPI 5.12.2). */
EP_PUBLIC int ep_ibcast(void *buffer, int count, MPI_Datatype datatype, int root, ep_comm comm,
                        ep_request *request);

/* Everybody's data, by rank, to the root (MPI 5.5). recvcount: elements from each. The receive arguments
 * are the root's. MPI_IN_PLACE: sendbuf of the root. Blocks. */
EP_PUBLIC int ep_gather(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                        int recvcount, MPI_Datatype recvtype, int root, ep_comm comm);
/* As ep_gather with a request (MPI 5.12.3). */
EP_PUBLIC int ep_igather(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                         int recvcount, MPI_Datatype recvtype, int root, ep_comm comm, ep_request *request);
/* As ep_gather: recvcounts[r] elements from rank r, at displs[r] extents of recvtype from recvbuf (MPI
 * 5.5). */
EP_PUBLIC int ep_gatherv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                         const int recvcounts[], const int displs[], MPI_Datatype recvtype, int root,
                         ep_comm comm);
/* As ep_gatherv with a request (MPI 5.12.3). */
EP_PUBLIC int ep_igatherv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                          const int recvcounts[], const int displs[], MPI_Datatype recvtype, int root,
                          ep_comm comm, ep_request *request);

/* The root's blocks, by rank, to everybody (MPI 5.6). sendcount: elements to each. The send arguments are
 * the root's. MPI_IN_PLACE: recvbuf of the root. Blocks. */
EP_PUBLIC int ep_scatter(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                         int recvcount, MPI_Datatype recvtype, int root, ep_comm comm);
/* As ep_scatter with a request (MPI 5.12.4). */
EP_PUBLIC int ep_iscatter(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                          int recvcount, MPI_Datatype recvtype, int root, ep_comm comm, ep_request *request);
/* As ep_scatter: sendcounts[r] elements to rank r, from displs[r] extents of sendtype behind sendbuf (MPI
 * 5.6). */
EP_PUBLIC int ep_scatterv(const void *sendbuf, const int sendcounts[], const int displs[],
                          MPI_Datatype sendtype, void *recvbuf, int recvcount, MPI_Datatype recvtype,
                          int root, ep_comm comm);
/* As ep_scatterv with a request (MPI 5.12.4). */
EP_PUBLIC int ep_iscatterv(const void *sendbuf, const int sendcounts[], const int displs[],
                           MPI_Datatype sendtype, void *recvbuf, int recvcount, MPI_Datatype recvtype,
                           int root, ep_comm comm, ep_request *request);

/* Everybody's data, by rank, to everybody (MPI 5.7). recvcount: elements from each. MPI_IN_PLACE: sendbuf,
 * in all endpoints. Blocks. */
EP_PUBLIC int ep_allgather(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                           int recvcount, MPI_Datatype recvtype, ep_comm comm);
/* As ep_allgather with a request (MPI 5.12.5). */
EP_PUBLIC int ep_iallgather(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                            int recvcount, MPI_Datatype recvtype, ep_comm comm, ep_request *request);
/* As ep_allgather: recvcounts[r] elements from rank r, at displs[r] extents of recvtype from recvbuf (MPI
 * 5.7). */
EP_PUBLIC int ep_allgatherv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                            const int recvcounts[], const int displs[], MPI_Datatype recvtype, ep_comm comm);
/* As ep_allgatherv with a request (MPI 5.12.5). */
EP_PUBLIC int ep_iallgatherv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                             const int recvcounts[], const int displs[], MPI_Datatype recvtype, ep_comm comm,
                             ep_request *request);

/* Block j of endpoint i becomes block i of endpoint j (MPI 5.8). sendcount and recvcount: elements of one
 * block. MPI_IN_PLACE: sendbuf, in all endpoints; needs memory for a copy of the data. Blocks. */
EP_PUBLIC int ep_alltoall(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                          int recvcount, MPI_Datatype recvtype, ep_comm comm);
/* As ep_alltoall with a request (MPI 5.12.6). */
EP_PUBLIC int ep_ialltoall(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                           int recvcount, MPI_Datatype recvtype, ep_comm comm, ep_request *request);
/* As ep_alltoall with blocks of any length; displacements count extents of the datatype (MPI 5.8). */
EP_PUBLIC int ep_alltoallv(const void *sendbuf, const int sendcounts[], const int sdispls[],
                           MPI_Datatype sendtype, void *recvbuf, const int recvcounts[], const int rdispls[],
                           MPI_Datatype recvtype, ep_comm comm);
/* As ep_alltoallv with a request (MPI 5.12.6). */
EP_PUBLIC int ep_ialltoallv(const void *sendbuf, const int sendcounts[], const int sdispls[],
                            MPI_Datatype sendtype, void *recvbuf, const int recvcounts[], const int rdispls[],
                            MPI_Datatype recvtype, ep_comm comm, ep_request *request);
/* As ep_alltoallv with a datatype for each block; displacements count bytes (MPI 5.8). */
EP_PUBLIC int ep_alltoallw(const void *sendbuf, const int sendcounts[], const int sdispls[],
                           const MPI_Datatype sendtypes[], void *recvbuf, const int recvcounts[],
                           const int rdispls[], const MPI_Datatype recvtypes[], ep_comm comm);
/* As ep_alltoallw with a request (MPI 5.12.6). */
EP_PUBLIC int ep_ialltoallw(const void *sendbuf, const int sendcounts[], const int sdispls[],
                            const MPI_Datatype sendtypes[], void *recvbuf, const int recvcounts[],
                            const int rdispls[], const MPI_Datatype recvtypes[], ep_comm comm,
                            ep_request *request);

/* Everybody's elements combined, in the root (MPI 5.9.1). MPI_IN_PLACE: sendbuf of the root. On an
 * intercommunicator those of the other group go to the root. Blocks. */
EP_PUBLIC int ep_reduce(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                        int root, ep_comm comm);
/* As ep_reduce with a request (MPI 5.12.7). */
EP_PUBLIC int ep_ireduce(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                         int root, ep_comm comm, ep_request *request);
/* Everybody's elements combined, in everybody (MPI 5.9.6). MPI_IN_PLACE: sendbuf, in all endpoints. On an
 * intercommunicator those of one group go to the other. Blocks. */
EP_PUBLIC int ep_allreduce(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                           ep_comm comm);
/* As ep_allreduce with a request (MPI 5.12.8). */
EP_PUBLIC int ep_iallreduce(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                            ep_comm comm, ep_request *request);

/* Combined, and a block of the result for each: recvcounts[r] elements for rank r of the own group (MPI
 * 5.10.2). MPI_IN_PLACE: sendbuf, in all endpoints; then all elements are taken from recvbuf. Blocks. */
EP_PUBLIC int ep_reduce_scatter(const void *sendbuf, void *recvbuf, const int recvcounts[],
                                MPI_Datatype datatype, MPI_Op op, ep_comm comm);
/* As ep_reduce_scatter with a request (MPI 5.12.10). */
EP_PUBLIC int ep_ireduce_scatter(const void *sendbuf, void *recvbuf, const int recvcounts[],
                                 MPI_Datatype datatype, MPI_Op op, ep_comm comm, ep_request *request);
/* As ep_reduce_scatter with blocks of recvcount elements (MPI 5.10.1). */
EP_PUBLIC int ep_reduce_scatter_block(const void *sendbuf, void *recvbuf, int recvcount,
                                      MPI_Datatype datatype, MPI_Op op, ep_comm comm);
/* As ep_reduce_scatter_block with a request (MPI 5.12.9). */
EP_PUBLIC int ep_ireduce_scatter_block(const void *sendbuf, void *recvbuf, int recvcount,
                                       MPI_Datatype datatype, MPI_Op op, ep_comm comm, ep_request *request);

/* Elements of ranks 0 to the caller's combined (MPI 5.11.1). Intracommunicators. MPI_IN_PLACE: sendbuf, in
 * all endpoints. Blocks. */
EP_PUBLIC int ep_scan(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                      ep_comm comm);
/* As ep_scan with a request (MPI 5.12.11). */
EP_PUBLIC int ep_iscan(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                       ep_comm comm, ep_request *request);
/* As ep_scan without the caller's; recvbuf of rank 0 is left alone (MPI 5.11.2). */
EP_PUBLIC int ep_exscan(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                        ep_comm comm);
/* As ep_exscan with a request (MPI 5.12.12). */
EP_PUBLIC int ep_iexscan(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                         ep_comm comm, ep_request *request);

/* inoutbuf = inbuf op inoutbuf, element by element (MPI 5.9.7). Local. Errors: MPI_ERR_COUNT, _TYPE, _OP,
 * _BUFFER. */
EP_PUBLIC int ep_reduce_local(const void *inbuf, void *inoutbuf, int count, MPI_Datatype datatype, MPI_Op op);

/* MPI_Op_create (MPI 5.9.5). Operators are MPI's handles, so those of MPI_Op_create and of this can be
 * used in both. commute: not 0 if the order of the operands does not matter. Local. Errors: MPI_ERR_ARG
 * (null pointers). */
EP_PUBLIC int ep_op_create(MPI_User_function *user_fn, int commute, MPI_Op *op);
/* *op becomes MPI_OP_NULL (MPI 5.9.5). May be called while collective calls of ep with the operator are
 * under way; MPI_Op_free knows nothing of these, so call it only after they are complete. Local. Errors:
 * MPI_ERR_OP, MPI_ERR_ARG. */
EP_PUBLIC int ep_op_free(MPI_Op *op);
/* *commute = 1 if the operator was said to be commutative, or is predefined (MPI 5.9.7). Local. Errors:
 * MPI_ERR_OP, MPI_ERR_ARG. */
EP_PUBLIC int ep_op_commutative(MPI_Op op, int *commute);

/* sendcount elements to all destinations; block i of recvbuf, of recvcount elements, from source i (MPI
 * 7.6.1). Blocks until its sources have called it. */
EP_PUBLIC int ep_neighbor_allgather(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                                    int recvcount, MPI_Datatype recvtype, ep_comm comm);
/* As ep_neighbor_allgather with a request (MPI 7.7.1). */
EP_PUBLIC int ep_ineighbor_allgather(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                                     int recvcount, MPI_Datatype recvtype, ep_comm comm, ep_request *request);
/* As ep_neighbor_allgather: recvcounts[i] elements from source i, at displs[i] (MPI 7.6.1). */
EP_PUBLIC int ep_neighbor_allgatherv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                                     const int recvcounts[], const int displs[], MPI_Datatype recvtype,
                                     ep_comm comm);
/* As ep_neighbor_allgatherv with a request (MPI 7.7.1). */
EP_PUBLIC int ep_ineighbor_allgatherv(const void *sendbuf, int sendcount, MPI_Datatype sendtype,
                                      void *recvbuf, const int recvcounts[], const int displs[],
                                      MPI_Datatype recvtype, ep_comm comm, ep_request *request);
/* Block i of sendbuf to destination i, block i of recvbuf from source i (MPI 7.6.2). */
EP_PUBLIC int ep_neighbor_alltoall(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                                   int recvcount, MPI_Datatype recvtype, ep_comm comm);
/* As ep_neighbor_alltoall with a request (MPI 7.7.2). */
EP_PUBLIC int ep_ineighbor_alltoall(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                                    int recvcount, MPI_Datatype recvtype, ep_comm comm, ep_request *request);
/* As ep_neighbor_alltoall with blocks of any length (MPI 7.6.2). */
EP_PUBLIC int ep_neighbor_alltoallv(const void *sendbuf, const int sendcounts[], const int sdispls[],
                                    MPI_Datatype sendtype, void *recvbuf, const int recvcounts[],
                                    const int rdispls[], MPI_Datatype recvtype, ep_comm comm);
/* As ep_neighbor_alltoallv with a request (MPI 7.7.2). */
EP_PUBLIC int ep_ineighbor_alltoallv(const void *sendbuf, const int sendcounts[], const int sdispls[],
                                     MPI_Datatype sendtype, void *recvbuf, const int recvcounts[],
                                     const int rdispls[], MPI_Datatype recvtype, ep_comm comm,
                                     ep_request *request);
/* As ep_neighbor_alltoallv with a datatype for each block; displacements count bytes (MPI 7.6.2). */
EP_PUBLIC int ep_neighbor_alltoallw(const void *sendbuf, const int sendcounts[], const MPI_Aint sdispls[],
                                    const MPI_Datatype sendtypes[], void *recvbuf, const int recvcounts[],
                                    const MPI_Aint rdispls[], const MPI_Datatype recvtypes[], ep_comm comm);
/* As ep_neighbor_alltoallw with a request (MPI 7.7.2). */
EP_PUBLIC int ep_ineighbor_alltoallw(const void *sendbuf, const int sendcounts[], const MPI_Aint sdispls[],
                                     const MPI_Datatype sendtypes[], void *recvbuf, const int recvcounts[],
                                     const MPI_Aint rdispls[], const MPI_Datatype recvtypes[], ep_comm comm,
                                     ep_request *request);

#ifdef __cplusplus
}
#endif

#include "ep_win.h"     /* windows (MPI 11) */
#include "ep_file.h"    /* files (MPI 13) */
#include "ep_counter.h" /* what was counted for an endpoint */
#include "ep_funnel.h"  /* calls of libraries that are not thread-safe */

#endif
