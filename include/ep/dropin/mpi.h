/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The drop-in <mpi.h>: a program that includes it, compiled by epcc or epc++ and started by eprun, is an MPI
 * program whose ranks are endpoints, unchanged.
 *
 * The real <mpi.h> is underneath. Datatypes, operators, infos and numbers are MPI's; communicators, groups,
 * requests, statuses, messages, windows and error handlers are ep's, and so are all functions with one of these in
 * them, and all that say something about a rank. What ep does not have gives a warning, and the program does
 * not link if it can reach the call. docs/porting.md says more.
 */
#ifndef EP_DROPIN_MPI_H
#define EP_DROPIN_MPI_H

#include <ep_real_mpi.h>

#include "../ep.h" /* a program may have an ep.h of its own */

/* ---- Which MPI this is ---- */

#undef MPI_VERSION
#define MPI_VERSION 3
#undef MPI_SUBVERSION
#define MPI_SUBVERSION 1
/* The program is compiled for endpoints. */
#define EP_MPI 1

/* ---- Types ---- */

#undef MPI_Comm
#define MPI_Comm ep_comm
#undef MPI_Group
#define MPI_Group ep_group
#undef MPI_Request
#define MPI_Request ep_request
#undef MPI_Message
#define MPI_Message ep_message
#undef MPI_Errhandler
#define MPI_Errhandler ep_errhandler
#undef MPI_Win
#define MPI_Win ep_win
#undef MPI_Status
#define MPI_Status ep_status
#undef MPI_F08_status
#define MPI_F08_status ep_f08_status

#undef MPI_Comm_copy_attr_function
#define MPI_Comm_copy_attr_function ep_comm_copy_attr_function
#undef MPI_Comm_delete_attr_function
#define MPI_Comm_delete_attr_function ep_comm_delete_attr_function
#undef MPI_Copy_function
#define MPI_Copy_function ep_copy_function
#undef MPI_Delete_function
#define MPI_Delete_function ep_delete_function
#undef MPI_Comm_errhandler_function
#define MPI_Comm_errhandler_function ep_comm_errhandler_function
#undef MPI_Comm_errhandler_fn
#define MPI_Comm_errhandler_fn ep_comm_errhandler_function
#undef MPI_Handler_function
#define MPI_Handler_function ep_comm_errhandler_function
#undef MPI_Win_copy_attr_function
#define MPI_Win_copy_attr_function ep_win_copy_attr_function
#undef MPI_Win_delete_attr_function
#define MPI_Win_delete_attr_function ep_win_delete_attr_function
#undef MPI_Win_errhandler_function
#define MPI_Win_errhandler_function ep_win_errhandler_function
#undef MPI_Win_errhandler_fn
#define MPI_Win_errhandler_fn ep_win_errhandler_function
#undef MPI_Grequest_query_function
#define MPI_Grequest_query_function ep_grequest_query_function
#undef MPI_Grequest_free_function
#define MPI_Grequest_free_function ep_grequest_free_function
#undef MPI_Grequest_cancel_function
#define MPI_Grequest_cancel_function ep_grequest_cancel_function

/* ---- Constants ---- */

#undef MPI_COMM_NULL
#define MPI_COMM_NULL EP_COMM_NULL
#undef MPI_COMM_WORLD
#define MPI_COMM_WORLD EP_COMM_WORLD
#undef MPI_COMM_SELF
#define MPI_COMM_SELF EP_COMM_SELF
#undef MPI_GROUP_NULL
#define MPI_GROUP_NULL EP_GROUP_NULL
#undef MPI_GROUP_EMPTY
#define MPI_GROUP_EMPTY EP_GROUP_EMPTY
#undef MPI_REQUEST_NULL
#define MPI_REQUEST_NULL EP_REQUEST_NULL
#undef MPI_MESSAGE_NULL
#define MPI_MESSAGE_NULL EP_MESSAGE_NULL
#undef MPI_MESSAGE_NO_PROC
#define MPI_MESSAGE_NO_PROC EP_MESSAGE_NO_PROC
#undef MPI_WIN_NULL
#define MPI_WIN_NULL EP_WIN_NULL
#undef MPI_STATUS_IGNORE
#define MPI_STATUS_IGNORE EP_STATUS_IGNORE
#undef MPI_STATUSES_IGNORE
#define MPI_STATUSES_IGNORE EP_STATUSES_IGNORE
#undef MPI_ERRHANDLER_NULL
#define MPI_ERRHANDLER_NULL EP_ERRHANDLER_NULL
#undef MPI_ERRORS_ARE_FATAL
#define MPI_ERRORS_ARE_FATAL EP_ERRORS_ARE_FATAL
#undef MPI_ERRORS_RETURN
#define MPI_ERRORS_RETURN EP_ERRORS_RETURN
#undef MPI_BSEND_OVERHEAD
#define MPI_BSEND_OVERHEAD EP_BSEND_OVERHEAD
/* Of no standard: the level of programs with tasks (TAMPI.h). */
#undef MPI_TASK_MULTIPLE
#define MPI_TASK_MULTIPLE EP_TASK_MULTIPLE

#undef MPI_COMM_NULL_COPY_FN
#define MPI_COMM_NULL_COPY_FN EP_COMM_NULL_COPY_FN
#undef MPI_COMM_DUP_FN
#define MPI_COMM_DUP_FN EP_COMM_DUP_FN
#undef MPI_COMM_NULL_DELETE_FN
#define MPI_COMM_NULL_DELETE_FN EP_COMM_NULL_DELETE_FN
#undef MPI_WIN_NULL_COPY_FN
#define MPI_WIN_NULL_COPY_FN EP_WIN_NULL_COPY_FN
#undef MPI_WIN_DUP_FN
#define MPI_WIN_DUP_FN EP_WIN_DUP_FN
#undef MPI_WIN_NULL_DELETE_FN
#define MPI_WIN_NULL_DELETE_FN EP_WIN_NULL_DELETE_FN
#undef MPI_NULL_COPY_FN
#define MPI_NULL_COPY_FN EP_NULL_COPY_FN
#undef MPI_DUP_FN
#define MPI_DUP_FN EP_DUP_FN
#undef MPI_NULL_DELETE_FN
#define MPI_NULL_DELETE_FN EP_NULL_DELETE_FN

/* ---- Statuses of Fortran ---- */

#undef MPI_F_STATUS_SIZE
#define MPI_F_STATUS_SIZE EP_F_STATUS_SIZE
#undef MPI_F_SOURCE
#define MPI_F_SOURCE 0
#undef MPI_F_TAG
#define MPI_F_TAG 1
#undef MPI_F_ERROR
#define MPI_F_ERROR 2
/* The variables of the program's Fortran that are known by their addresses: a COMMON block of the same program or shared library, where
 * it has any, else one of the program's. */
#ifdef __cplusplus
extern "C" {
#endif
extern MPI_Fint ep_mpi_sentinels_[] __attribute__((weak));
MPI_Fint *ep_fortran_sentinels(MPI_Fint *own);
#ifdef __cplusplus
}
#endif
#undef MPI_F_STATUS_IGNORE
#define MPI_F_STATUS_IGNORE (ep_fortran_sentinels(ep_mpi_sentinels_) + 2)
#undef MPI_F_STATUSES_IGNORE
#define MPI_F_STATUSES_IGNORE (MPI_F_STATUS_IGNORE + EP_F_STATUS_SIZE)
#undef MPI_F08_STATUS_IGNORE
#define MPI_F08_STATUS_IGNORE ((ep_f08_status *)MPI_F_STATUS_IGNORE)
#undef MPI_F08_STATUSES_IGNORE
#define MPI_F08_STATUSES_IGNORE ((ep_f08_status *)MPI_F_STATUSES_IGNORE)

/* ---- Functions ---- */

#include <ep_names.h>

#endif
