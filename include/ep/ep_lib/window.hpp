/* SPDX-License-Identifier: BSD-3-Clause */
/* window.hpp: one-sided communication. Part of <ep_lib.hpp>. */
#ifndef EP_EP_LIB_WINDOW_HPP
#define EP_EP_LIB_WINDOW_HPP

#include "types.hpp"

#pragma GCC visibility push(default)
namespace ep_lib {

/* ---- Windows (MPI 11.2) ------------------------------------------------------------------------------------------
 * Memory of each endpoint, or of each process of a classic communicator, that the others may access. Creating and freeing is
 * collective and blocks. Errors: MPI_ERR_WIN, _COMM, _SIZE, _DISP, _ARG, _INFO, _NO_MEM, _RMA_FLAVOR, _RMA_ATTACH. */
int MPI_Win_create(void *base, MPI_Aint size, int disp_unit, MPI_Info info, MPI_Comm comm, MPI_Win *win);
int MPI_Win_allocate(MPI_Aint size, int disp_unit, MPI_Info info, MPI_Comm comm, void *baseptr, MPI_Win *win);
int MPI_Win_allocate_shared(MPI_Aint size, int disp_unit, MPI_Info info, MPI_Comm comm, void *baseptr,
                            MPI_Win *win);
int MPI_Win_create_dynamic(MPI_Info info, MPI_Comm comm, MPI_Win *win);
int MPI_Win_free(MPI_Win *win);
/* Local ones. keyval: MPI_WIN_BASE, MPI_WIN_SIZE, MPI_WIN_DISP_UNIT. MPI_Win_set_errhandler as MPI_Comm_set_errhandler. */
int MPI_Win_attach(MPI_Win win, void *base, MPI_Aint size);
int MPI_Win_detach(MPI_Win win, const void *base);
int MPI_Win_shared_query(MPI_Win win, int rank, MPI_Aint *size, int *disp_unit, void *baseptr);
int MPI_Win_get_group(MPI_Win win, MPI_Group *group);
int MPI_Win_get_attr(MPI_Win win, int keyval, void *attribute_val, int *flag);
int MPI_Win_set_errhandler(MPI_Win win, MPI_Errhandler errhandler);

/* ---- Communication (MPI 11.3) ----------------------------------------------------------------------------------------
 * In an epoch that includes the target. None waits for the target to call anything. Those with a request: in epochs of
 * MPI_Win_lock and MPI_Win_lock_all. Errors: MPI_ERR_WIN, _RANK, _DISP, _COUNT, _TYPE, _OP, _RMA_SYNC, _RMA_RANGE, _RMA_ATTACH. */
int MPI_Put(const void *origin, int origin_count, MPI_Datatype origin_type, int target, MPI_Aint target_disp,
            int target_count, MPI_Datatype target_type, MPI_Win win);
int MPI_Get(void *origin, int origin_count, MPI_Datatype origin_type, int target, MPI_Aint target_disp,
            int target_count, MPI_Datatype target_type, MPI_Win win);
int MPI_Accumulate(const void *origin, int origin_count, MPI_Datatype origin_type, int target,
                   MPI_Aint target_disp, int target_count, MPI_Datatype target_type, MPI_Op op, MPI_Win win);
int MPI_Get_accumulate(const void *origin, int origin_count, MPI_Datatype origin_type, void *result,
                       int result_count, MPI_Datatype result_type, int target, MPI_Aint target_disp,
                       int target_count, MPI_Datatype target_type, MPI_Op op, MPI_Win win);
int MPI_Fetch_and_op(const void *origin, void *result, MPI_Datatype datatype, int target,
                     MPI_Aint target_disp, MPI_Op op, MPI_Win win);
int MPI_Compare_and_swap(const void *origin, const void *compare, void *result, MPI_Datatype datatype,
                         int target, MPI_Aint target_disp, MPI_Win win);
int MPI_Rput(const void *origin, int origin_count, MPI_Datatype origin_type, int target, MPI_Aint target_disp,
             int target_count, MPI_Datatype target_type, MPI_Win win, MPI_Request *request);
int MPI_Rget(void *origin, int origin_count, MPI_Datatype origin_type, int target, MPI_Aint target_disp,
             int target_count, MPI_Datatype target_type, MPI_Win win, MPI_Request *request);

/* ---- Synchronisation (MPI 11.5) ------------------------------------------------------------------------------------------
 * MPI_Win_fence is collective. MPI_Win_fence, _start, _wait, _lock, _lock_all, _unlock, _unlock_all and the flushes may block; the
 * others do not. assertion: 0, or what MPI_MODE_... MPI 11.5.5 has for the call. Errors: MPI_ERR_WIN, _ASSERT, _RMA_SYNC, _GROUP,
 * _RANK, _LOCKTYPE. */
int MPI_Win_fence(int assertion, MPI_Win win);
int MPI_Win_post(MPI_Group group, int assertion, MPI_Win win);
int MPI_Win_start(MPI_Group group, int assertion, MPI_Win win);
int MPI_Win_complete(MPI_Win win);
int MPI_Win_wait(MPI_Win win);
int MPI_Win_test(MPI_Win win, int *flag);
int MPI_Win_lock(int lock_type, int rank, int assertion, MPI_Win win);
int MPI_Win_unlock(int rank, MPI_Win win);
int MPI_Win_lock_all(int assertion, MPI_Win win);
int MPI_Win_unlock_all(MPI_Win win);
int MPI_Win_flush(int rank, MPI_Win win);
int MPI_Win_flush_all(MPI_Win win);
int MPI_Win_flush_local(int rank, MPI_Win win);
int MPI_Win_flush_local_all(MPI_Win win);
int MPI_Win_sync(MPI_Win win);

} // namespace ep_lib
#pragma GCC visibility pop
#endif
