/* SPDX-License-Identifier: BSD-3-Clause */
/* ep_win.h: the part of ep.h about windows, one-sided communication (MPI 11). Included by ep.h. */
#ifndef EP_EP_WIN_H
#define EP_EP_WIN_H

#include "ep.h"

#ifdef __cplusplus
extern "C" {
#endif

#define EP_WIN_NULL ((ep_win)0)

/* ---- Windows (MPI 11.2) --------------------------------------------------------------------
 * A window is memory of each endpoint of a communicator that the others may access. A handle ep_win belongs
 * to one endpoint.
 *   size       bytes, 0 or more; may differ between endpoints
 *   disp_unit  bytes, 1 or more: displacements count in units of the target's disp_unit; may differ
 *   info       MPI_INFO_NULL or hints: no_locks, accumulate_ordering, accumulate_ops, same_size,
 *              same_disp_unit, alloc_shared_noncontig; ep_c11_atomics=true, given by any endpoint, makes
 *              accumulates of any length atomic with C11 atomics. All but the last two change nothing here
 *   comm       an intracommunicator; it is duplicated and not kept
 * Creation and ep_win_free are collective over comm: called by every endpoint, each from its own thread, in
 * the same order as other collective calls on comm. They block until all have come, meanwhile making
 * progress. All others are local unless a comment says otherwise. The memory model is MPI_WIN_UNIFIED
 * (MPI 11.4).
 * Errors are raised on the window's error handler, which is EP_ERRORS_ARE_FATAL in a new window. Those of
 * creation are raised on that of comm, with the same class in all endpoints, except where the others cannot
 * be found (an invalid communicator, a null pointer win): they go on waiting.
 * MPI_ERR_WIN (EP_WIN_NULL, or a freed or invalid handle; raised as what belongs to no communicator),
 * MPI_ERR_COMM (null, invalid, or an intercommunicator), MPI_ERR_SIZE, MPI_ERR_DISP (disp_unit), MPI_ERR_ARG
 * (null pointers), MPI_ERR_INFO, MPI_ERR_NO_MEM. */

/* Over size bytes of memory that the caller has, from base on (MPI 11.2.1); base may be null if size is 0.
 * Memory may be in several windows. Collective; blocks. */
EP_PUBLIC int ep_win_create(void *base, MPI_Aint size, int disp_unit, MPI_Info info, ep_comm comm,
                            ep_win *win);
/* Over new memory, which is freed with the window (MPI 11.2.2). baseptr is a void **, out: where it
 * begins; aligned for any type, and zero at first. With EP_RMA=auto the endpoints of a machine reach each
 * other's by load and store. Collective; blocks. */
EP_PUBLIC int ep_win_allocate(MPI_Aint size, int disp_unit, MPI_Info info, ep_comm comm, void *baseptr,
                              ep_win *win);
/* As ep_win_allocate for endpoints that can share memory (MPI 11.2.3): comm is one of ep_comm_split_type
 * with MPI_COMM_TYPE_SHARED, or a part of one (else MPI_ERR_RMA_SHARED). The memory of all is contiguous
 * in the order of ranks, unless the hint alloc_shared_noncontig is true. Everybody may load and store in
 * it, at the addresses that ep_win_shared_query gives. Collective; blocks. */
EP_PUBLIC int ep_win_allocate_shared(MPI_Aint size, int disp_unit, MPI_Info info, ep_comm comm, void *baseptr,
                                     ep_win *win);
/* Where the caller sees the memory of rank (baseptr is a void **; null if it has none), its size in bytes
 * and disp_unit (MPI 11.2.3). rank MPI_PROC_NULL: of the lowest rank that has some; size 0 and null if
 * none has. Local. Errors: MPI_ERR_RMA_FLAVOR (not of ep_win_allocate_shared), MPI_ERR_RANK, MPI_ERR_ARG. */
EP_PUBLIC int ep_win_shared_query(ep_win win, int rank, MPI_Aint *size, int *disp_unit, void *baseptr);
/* Without memory at first (MPI 11.2.4). Displacements are addresses in the target's process as
 * MPI_Get_address gives them there, and disp_unit is 1. Collective; blocks. */
EP_PUBLIC int ep_win_create_dynamic(MPI_Info info, ep_comm comm, ep_win *win);
/* Let others access size bytes from base on, until ep_win_detach of the same base (MPI 11.2.4). What is
 * attached to one endpoint's part of a window must not overlap. Local. Errors: MPI_ERR_RMA_FLAVOR (not of
 * ep_win_create_dynamic), MPI_ERR_RMA_ATTACH (overlaps), MPI_ERR_SIZE, MPI_ERR_ARG, MPI_ERR_NO_MEM. */
EP_PUBLIC int ep_win_attach(ep_win win, void *base, MPI_Aint size);
/* End what ep_win_attach of this base began (MPI 11.2.4). Detach only what nobody accesses any more.
 * Local. Errors: MPI_ERR_RMA_FLAVOR, MPI_ERR_RMA_ATTACH (nothing is attached there). */
EP_PUBLIC int ep_win_detach(ep_win win, const void *base);
/* *win becomes EP_WIN_NULL (MPI 11.2.5). Collective; blocks until all endpoints have ended their epochs
 * and called it. Attributes are deleted first. Errors: MPI_ERR_RMA_SYNC (the caller has an epoch open),
 * what a delete callback returned (the handle stays then). */
EP_PUBLIC int ep_win_free(ep_win *win);

/* The endpoints of the window; a new handle, to be freed by ep_group_free (MPI 11.2.6). Local. Errors:
 * MPI_ERR_ARG, MPI_ERR_NO_MEM. */
EP_PUBLIC int ep_win_get_group(ep_win win, ep_group *group);
/* Add hints to those of this endpoint (MPI 11.2.7). Local. Errors: MPI_ERR_INFO, MPI_ERR_NO_MEM. */
EP_PUBLIC int ep_win_set_info(ep_win win, MPI_Info info);
/* A new info, to be freed by the caller (MPI 11.2.7): what was set, and for the hints above that were not
 * set, MPI's defaults. Local. Errors: MPI_ERR_ARG, MPI_ERR_NO_MEM. */
EP_PUBLIC int ep_win_get_info(ep_win win, MPI_Info *info_used);
/* Name the window, of the calling endpoint's handle alone; at most MPI_MAX_OBJECT_NAME-1 characters are
 * kept (MPI 6.8). Local. Errors: MPI_ERR_ARG, MPI_ERR_NO_MEM. */
EP_PUBLIC int ep_win_set_name(ep_win win, const char *win_name);
/* The name of this handle, "" at first; win_name has room for MPI_MAX_OBJECT_NAME characters (MPI 6.8).
 * Local. Errors: MPI_ERR_ARG. */
EP_PUBLIC int ep_win_get_name(ep_win win, char *win_name, int *resultlen);

/* ---- Communication (MPI 11.3) --------------------------------------------------------------
 * Between the caller's buffers and the window memory of target_rank.
 *   origin_*, result_*   buffers of the caller: count (0 or more) elements of any committed datatype
 *   target_rank          rank in the window, or MPI_PROC_NULL: nothing is done
 *   target_disp          0 or more, in units of the target's disp_unit from the beginning of its memory;
 *   in
 *                        dynamic windows an address there
 *   target_count, target_datatype   what there is at the target; a committed datatype of the caller, which
 *                        may be freed at once
 *   op                   a predefined operator that is defined for the elements, MPI_REPLACE, or (not in
 *                        accumulate) MPI_NO_OP
 * None waits for the target to call anything; one that finds too much under way waits until the target's
 * process makes progress. They are allowed in an epoch of the caller that includes the target. The buffers
 * are ep's, and results are not there, until a synchronisation call or a flush says so (MPI 11.5).
 *   Calls with a request: only in passive target epochs (lock, lock_all). The request can be given to all
 *   completion calls, mixed with others, but not to ep_request_free and ep_cancel (MPI_ERR_REQUEST), also
 *   where the operation is over when the call returns. It is complete when the caller's buffers may be
 *   used again, and results are there; that says nothing about the target's memory.
 *   Atomic: accumulate and all that have a result besides get. Element by element they are atomic with
 *   each other; calls whose data at the target are contiguous and at most 64 bytes are so as a whole.
 *   Calls with one naturally aligned element of up to 8 bytes are atomic with C11 atomic operations of the
 *   target's process, too; longer ones in windows made with ep_c11_atomics. Those of one endpoint on one
 *   location are done in the order of the calls (MPI 11.7.2). Origin, result and target are made of the
 *   same predefined datatype.
 *   Put and get have no order.
 * Errors: MPI_ERR_WIN, _RANK, _DISP (negative), _COUNT, _TYPE, _BUFFER (null with data), _OP, _ARG
 * (request), MPI_ERR_RMA_SYNC (no such epoch), MPI_ERR_RMA_RANGE (beyond the target's memory),
 * MPI_ERR_RMA_ATTACH (not attached; raised by the next synchronisation call if the target is far),
 * MPI_ERR_TRUNCATE (more data than there is room for), MPI_ERR_NO_MEM. */

/* Write data into the target's memory (MPI 11.3.1). */
EP_PUBLIC int ep_put(const void *origin_addr, int origin_count, MPI_Datatype origin_datatype, int target_rank,
                     MPI_Aint target_disp, int target_count, MPI_Datatype target_datatype, ep_win win);
/* Read data from the target's memory (MPI 11.3.2). They are in origin_addr after a synchronisation or
 * flush. */
EP_PUBLIC int ep_get(void *origin_addr, int origin_count, MPI_Datatype origin_datatype, int target_rank,
                     MPI_Aint target_disp, int target_count, MPI_Datatype target_datatype, ep_win win);
/* target = target op origin, element by element (MPI 11.3.4). op may be MPI_REPLACE, not MPI_NO_OP. */
EP_PUBLIC int ep_accumulate(const void *origin_addr, int origin_count, MPI_Datatype origin_datatype,
                            int target_rank, MPI_Aint target_disp, int target_count,
                            MPI_Datatype target_datatype, MPI_Op op, ep_win win);
/* result = target; target = target op origin (MPI 11.3.4). With MPI_NO_OP the origin arguments are not
 * looked at. */
EP_PUBLIC int ep_get_accumulate(const void *origin_addr, int origin_count, MPI_Datatype origin_datatype,
                                void *result_addr, int result_count, MPI_Datatype result_datatype,
                                int target_rank, MPI_Aint target_disp, int target_count,
                                MPI_Datatype target_datatype, MPI_Op op, ep_win win);
/* As ep_get_accumulate for one element of a predefined datatype (MPI 11.3.4). */
EP_PUBLIC int ep_fetch_and_op(const void *origin_addr, void *result_addr, MPI_Datatype datatype,
                              int target_rank, MPI_Aint target_disp, MPI_Op op, ep_win win);
/* result = target; if that was equal to compare, target = origin (MPI 11.3.4). One element of a C or
 * Fortran integer, logical, multi-language type or MPI_BYTE (else MPI_ERR_TYPE). */
EP_PUBLIC int ep_compare_and_swap(const void *origin_addr, const void *compare_addr, void *result_addr,
                                  MPI_Datatype datatype, int target_rank, MPI_Aint target_disp, ep_win win);

/* As ep_put with a request: complete when origin_addr may be used again (MPI 11.3.5). */
EP_PUBLIC int ep_rput(const void *origin_addr, int origin_count, MPI_Datatype origin_datatype,
                      int target_rank, MPI_Aint target_disp, int target_count, MPI_Datatype target_datatype,
                      ep_win win, ep_request *request);
/* As ep_get with a request: complete when the data are in origin_addr (MPI 11.3.5). */
EP_PUBLIC int ep_rget(void *origin_addr, int origin_count, MPI_Datatype origin_datatype, int target_rank,
                      MPI_Aint target_disp, int target_count, MPI_Datatype target_datatype, ep_win win,
                      ep_request *request);
/* As ep_accumulate with a request: complete when origin_addr may be used again (MPI 11.3.5). */
EP_PUBLIC int ep_raccumulate(const void *origin_addr, int origin_count, MPI_Datatype origin_datatype,
                             int target_rank, MPI_Aint target_disp, int target_count,
                             MPI_Datatype target_datatype, MPI_Op op, ep_win win, ep_request *request);
/* As ep_get_accumulate with a request: complete when the result is there (MPI 11.3.5). */
EP_PUBLIC int ep_rget_accumulate(const void *origin_addr, int origin_count, MPI_Datatype origin_datatype,
                                 void *result_addr, int result_count, MPI_Datatype result_datatype,
                                 int target_rank, MPI_Aint target_disp, int target_count,
                                 MPI_Datatype target_datatype, MPI_Op op, ep_win win, ep_request *request);

/* ---- Synchronisation (MPI 11.5) ------------------------------------------------------------
 * Each endpoint has epochs of its own: endpoints of one process may be in different kinds of epochs on one
 * window. Those calls that wait make progress for their process.
 *   assert   0 or a sum of those of MPI_MODE_... that MPI 11.5.5 has for the call
 *   rank     rank in the window, or MPI_PROC_NULL
 * Errors: MPI_ERR_WIN, MPI_ERR_ASSERT, MPI_ERR_RMA_SYNC (it does not fit to what is open: a lock in a lock,
 * an unlock without one, ...), MPI_ERR_GROUP, _RANK, _LOCKTYPE, _NO_MEM, and errors of communication calls
 * that a target has reported meanwhile. */

/* Ends the caller's fence epoch and begins the next (MPI 11.5.1). Collective: blocks until all endpoints have
 * come, except with MPI_MODE_NOPRECEDE and MPI_MODE_NOSUCCEED together. */
EP_PUBLIC int ep_win_fence(int assert, ep_win win);

/* General active target (MPI 11.5.2): begin an exposure epoch for the group. group: endpoints of the
 * window, in any order (else MPI_ERR_GROUP); it may be freed at once. Does not block. */
EP_PUBLIC int ep_win_post(ep_group group, int assert, ep_win win);
/* Begin an access epoch to the group, whose members are as for ep_win_post (MPI 11.5.2). Blocks until all
 * of them have posted, unless MPI_MODE_NOCHECK says that they have. */
EP_PUBLIC int ep_win_start(ep_group group, int assert, ep_win win);
/* End the access epoch of ep_win_start (MPI 11.5.2): operations are complete here and on the way to their
 * targets. May wait for results of operations that have some. */
EP_PUBLIC int ep_win_complete(ep_win win);
/* End the exposure epoch of ep_win_post (MPI 11.5.2). Blocks until all members of the group have called
 * ep_win_complete, and their operations are complete here. */
EP_PUBLIC int ep_win_wait(ep_win win);
/* As ep_win_wait if it need not wait: then *flag = 1, else 0 (MPI 11.5.2). Does not block; makes progress.
 * Errors: also MPI_ERR_ARG. */
EP_PUBLIC int ep_win_test(ep_win win, int *flag);

/* Passive target (MPI 11.5.3). lock_type: MPI_LOCK_SHARED or MPI_LOCK_EXCLUSIVE (else MPI_ERR_LOCKTYPE).
 * Exclusive locks are given in the order in which they are asked for; a shared one waits only while
 * somebody has an exclusive one. May block until others unlock. An endpoint may hold locks of several
 * targets at a time, one of each. */
EP_PUBLIC int ep_win_lock(int lock_type, int rank, int assert, ep_win win);
/* End the epoch of ep_win_lock (MPI 11.5.3). Blocks until all operations to rank are complete there. */
EP_PUBLIC int ep_win_unlock(int rank, ep_win win);
/* A shared lock of every target; not collective (MPI 11.5.3). May block until others unlock. */
EP_PUBLIC int ep_win_lock_all(int assert, ep_win win);
/* End the epoch of ep_win_lock_all (MPI 11.5.3). Blocks until all operations are complete at their
 * targets. */
EP_PUBLIC int ep_win_unlock_all(ep_win win);

/* In passive target epochs (MPI 11.5.4): block until all operations of the calling endpoint to rank are
 * complete here and there. */
EP_PUBLIC int ep_win_flush(int rank, ep_win win);
/* As ep_win_flush, for all targets (MPI 11.5.4). */
EP_PUBLIC int ep_win_flush_all(ep_win win);
/* As ep_win_flush, but only until the caller's buffers may be used again and results are there (MPI
 * 11.5.4). */
EP_PUBLIC int ep_win_flush_local(int rank, ep_win win);
/* As ep_win_flush_local, for all targets (MPI 11.5.4). */
EP_PUBLIC int ep_win_flush_local_all(ep_win win);
/* In passive target epochs (MPI 11.5.4): order loads and stores of the window's memory with the accesses
 * of others. Makes progress, does not block. */
EP_PUBLIC int ep_win_sync(ep_win win);

/* ---- Attributes of windows (MPI 6.7.3, 11.2.6) ----------------------------------------------
 * Like those of communicators; windows are not duplicated, so a copy function is never called. Delete
 * functions run in set_attr, delete_attr and ep_win_free. */
typedef int ep_win_copy_attr_function(ep_win oldwin, int win_keyval, void *extra_state,
                                      void *attribute_val_in, void *attribute_val_out, int *flag);
typedef int ep_win_delete_attr_function(ep_win win, int win_keyval, void *attribute_val, void *extra_state);
/* The copy callback that does not copy (MPI 6.7.3). */
EP_PUBLIC int ep_win_null_copy_fn(ep_win oldwin, int win_keyval, void *extra_state, void *attribute_val_in,
                                  void *attribute_val_out, int *flag);
/* The copy callback that copies the value as it is (MPI 6.7.3). */
EP_PUBLIC int ep_win_dup_fn(ep_win oldwin, int win_keyval, void *extra_state, void *attribute_val_in,
                            void *attribute_val_out, int *flag);
/* The delete callback that does nothing (MPI 6.7.3). */
EP_PUBLIC int ep_win_null_delete_fn(ep_win win, int win_keyval, void *attribute_val, void *extra_state);
#define EP_WIN_NULL_COPY_FN ep_win_null_copy_fn
#define EP_WIN_DUP_FN ep_win_dup_fn
#define EP_WIN_NULL_DELETE_FN ep_win_null_delete_fn

/* A key for the whole process, of windows alone (MPI 6.7.3). Where there is nothing to be called give
 * EP_WIN_NULL_COPY_FN and EP_WIN_NULL_DELETE_FN. Any thread. Errors: MPI_ERR_ARG (null pointers),
 * MPI_ERR_NO_MEM. */
EP_PUBLIC int ep_win_create_keyval(ep_win_copy_attr_function *win_copy_attr_fn,
                                   ep_win_delete_attr_function *win_delete_attr_fn, int *win_keyval,
                                   void *extra_state);
/* *win_keyval becomes MPI_KEYVAL_INVALID; attributes that use it live on (MPI 6.7.3). Any thread. Errors:
 * MPI_ERR_KEYVAL, MPI_ERR_ARG. */
EP_PUBLIC int ep_win_free_keyval(int *win_keyval);
/* Set the attribute of this endpoint's window; the delete function runs first for a value that is there
 * (MPI 6.7.3). Local. Errors: MPI_ERR_KEYVAL (no key of windows; a predefined one), MPI_ERR_NO_MEM, what
 * the delete function returned. */
EP_PUBLIC int ep_win_set_attr(ep_win win, int win_keyval, void *attribute_val);
/* *flag = 0 if there is none (MPI 6.7.3). Predefined (MPI 11.2.6): MPI_WIN_BASE, attribute_val is a void
 * ** that gets the address of the caller's window memory; MPI_WIN_SIZE, it gets a pointer to an MPI_Aint
 * (bytes); MPI_WIN_DISP_UNIT, MPI_WIN_CREATE_FLAVOR, MPI_WIN_MODEL, a pointer to an int. Local. Errors:
 * MPI_ERR_KEYVAL, MPI_ERR_ARG. */
EP_PUBLIC int ep_win_get_attr(ep_win win, int win_keyval, void *attribute_val, int *flag);
/* Delete the attribute, if there is one, after its delete function has run (MPI 6.7.3). Local. Errors:
 * MPI_ERR_KEYVAL, what the function returned (then it stays). */
EP_PUBLIC int ep_win_delete_attr(ep_win win, int win_keyval);

/* ---- Error handlers of windows (MPI 8.3.2) ------------------------------------------------- */

/* Called with the endpoint's window, the error code and, as third argument, a const char * with the full
 * message. */
typedef void ep_win_errhandler_function(ep_win *win, int *error_code, ...);
/* An error handler for windows alone: one for communicators cannot be set on a window, nor the other way
 * round (MPI 8.3.2). Freed by ep_errhandler_free. Any thread. Errors: MPI_ERR_ARG (null pointers),
 * MPI_ERR_NO_MEM. */
EP_PUBLIC int ep_win_create_errhandler(ep_win_errhandler_function *win_errhandler_fn,
                                       ep_errhandler *errhandler);
/* The error handler of this endpoint on this window from now on (MPI 8.3.2): one for windows,
 * EP_ERRORS_ARE_FATAL or EP_ERRORS_RETURN (else MPI_ERR_ARG). Local. */
EP_PUBLIC int ep_win_set_errhandler(ep_win win, ep_errhandler errhandler);
/* The handler that ep_win_set_errhandler sets; a new handle, to be freed by ep_errhandler_free (MPI
 * 8.3.2). Local. Errors: MPI_ERR_ARG. */
EP_PUBLIC int ep_win_get_errhandler(ep_win win, ep_errhandler *errhandler);
/* Call the handler as if errorcode had happened (MPI 8.5). MPI_SUCCESS when it returns. Local. */
EP_PUBLIC int ep_win_call_errhandler(ep_win win, int errorcode);

/* The number of a window's handle, valid until it is freed (MPI 17.2.4). Any thread. */
EP_PUBLIC MPI_Fint ep_win_c2f(ep_win win);
/* The window with this number, or EP_WIN_NULL (MPI 17.2.4). Any thread. */
EP_PUBLIC ep_win ep_win_f2c(MPI_Fint win);

#ifdef __cplusplus
}
#endif
#endif
