/* SPDX-License-Identifier: BSD-3-Clause */
/* Windows. */
#include "ep_lib/dispatch.hpp"

namespace ep_lib {

static bool is_endpoints(const MPI_Win &win)
{
    return win.of == detail::side_endpoint;
}

static ep_win to_ep_win(const MPI_Win &win)
{
    return is_endpoints(win) ? from_bits<ep_win>(win.value) : EP_WIN_NULL;
}

static ::MPI_Win to_mpi_win(const MPI_Win &win)
{
    return win.of == detail::side_classic ? from_bits<::MPI_Win>(win.value) : own::win_null;
}

static MPI_Win from_win(ep_win win)
{
    return win == EP_WIN_NULL ? MPI_WIN_NULL : MPI_Win(detail::side_endpoint, to_bits(win));
}

static MPI_Win from_win(::MPI_Win win)
{
    return win == own::win_null ? MPI_WIN_NULL : MPI_Win(detail::side_classic, to_bits(win));
}

/* f(..., win) */
template <class Ep, class Mpi, class... A> static int call(const MPI_Win &win, Ep ep, Mpi mpi, A... a)
{
    return is_endpoints(win) ? ep_result(ep(a..., to_ep_win(win))) : mpi_result(mpi(a..., to_mpi_win(win)));
}

/* f(win, ...) */
template <class Ep, class Mpi, class... A> static int ask(const MPI_Win &win, Ep ep, Mpi mpi, A... a)
{
    return is_endpoints(win) ? ep_result(ep(to_ep_win(win), a...)) : mpi_result(mpi(to_mpi_win(win), a...));
}

/* f(..., win, &request) */
template <class Ep, class Mpi, class... A>
static int begin(const MPI_Win &win, MPI_Request *request, MPI_Datatype datatype, Ep ep, Mpi mpi, A... a)
{
    ep_request made = EP_REQUEST_NULL;
    ::MPI_Request own_made = own::request_null;
    if (!request)
        return wrong_argument();
    if (is_endpoints(win))
        return keep_request(ep_result(ep(a..., to_ep_win(win), &made)), made, datatype, request);
    return keep_request(mpi_result(mpi(a..., to_mpi_win(win), &own_made)), own_made, datatype, request);
}

/* f(comm, &win) */
template <class Ep, class Mpi> static int make_win(const MPI_Comm &comm, MPI_Win *win, Ep ep, Mpi mpi)
{
    ep_win made = EP_WIN_NULL;
    ::MPI_Win own_made = own::win_null;
    if (!win)
        return wrong_argument();
    int code = comm.is_ep ? ep_result(ep(ep_of(comm), &made)) : mpi_result(mpi(mpi_of(comm), &own_made));
    if (code == MPI_SUCCESS)
        *win = comm.is_ep ? from_win(made) : from_win(own_made);
    return code;
}

/* ---- windows ---- */

int MPI_Win_create(void *base, MPI_Aint size, int disp_unit, MPI_Info info, MPI_Comm comm, MPI_Win *win)
{
    return make_win(
        comm, win,
        [&](ep_comm c, ep_win *made) {
            return ep_win_create(base, size, disp_unit, to_mpi_info(info), c, made);
        },
        [&](::MPI_Comm c, ::MPI_Win *made) {
            return ::MPI_Win_create(base, size, disp_unit, to_mpi_info(info), c, made);
        });
}

int MPI_Win_allocate(MPI_Aint size, int disp_unit, MPI_Info info, MPI_Comm comm, void *baseptr, MPI_Win *win)
{
    ::MPI_Info hints = to_mpi_info(info);
    return make_win(
        comm, win,
        [&](ep_comm c, ep_win *made) { return ep_win_allocate(size, disp_unit, hints, c, baseptr, made); },
        [&](::MPI_Comm c, ::MPI_Win *made) {
            return ::MPI_Win_allocate(size, disp_unit, hints, c, baseptr, made);
        });
}

int MPI_Win_allocate_shared(MPI_Aint size, int disp_unit, MPI_Info info, MPI_Comm comm, void *baseptr,
                            MPI_Win *win)
{
    ::MPI_Info hints = to_mpi_info(info);
    return make_win(
        comm, win,
        [&](ep_comm c, ep_win *made) {
            return ep_win_allocate_shared(size, disp_unit, hints, c, baseptr, made);
        },
        [&](::MPI_Comm c, ::MPI_Win *made) {
            return ::MPI_Win_allocate_shared(size, disp_unit, hints, c, baseptr, made);
        });
}

int MPI_Win_create_dynamic(MPI_Info info, MPI_Comm comm, MPI_Win *win)
{
    return make_win(
        comm, win, [&](ep_comm c, ep_win *made) { return ep_win_create_dynamic(to_mpi_info(info), c, made); },
        [&](::MPI_Comm c, ::MPI_Win *made) { return ::MPI_Win_create_dynamic(to_mpi_info(info), c, made); });
}

int MPI_Win_free(MPI_Win *win)
{
    if (!win)
        return wrong_argument();
    ep_win of_ep = to_ep_win(*win);
    ::MPI_Win of_mpi = to_mpi_win(*win);
    int code = is_endpoints(*win) ? ep_result(ep_win_free(&of_ep)) : mpi_result(::MPI_Win_free(&of_mpi));
    if (code == MPI_SUCCESS)
        *win = MPI_WIN_NULL;
    return code;
}

int MPI_Win_get_group(MPI_Win win, MPI_Group *group)
{
    ep_group of_ep = EP_GROUP_NULL;
    ::MPI_Group of_mpi = own::group_null;
    if (!group)
        return wrong_argument();
    int code = is_endpoints(win) ? ep_result(ep_win_get_group(to_ep_win(win), &of_ep))
                                 : mpi_result(::MPI_Win_get_group(to_mpi_win(win), &of_mpi));
    if (code == MPI_SUCCESS)
        *group = is_endpoints(win) ? from_group(of_ep) : from_group(of_mpi);
    return code;
}

int MPI_Win_set_errhandler(MPI_Win win, MPI_Errhandler errhandler)
{
    if (is_endpoints(win))
        return ep_result(ep_win_set_errhandler(to_ep_win(win), to_ep_errhandler(errhandler)));
    return mpi_result(::MPI_Win_set_errhandler(to_mpi_win(win), to_mpi_errhandler(errhandler)));
}

/* The group is of the window's kind. */
static int with_group(const MPI_Win &win, const MPI_Group &group, int assertion,
                      int (*ep)(ep_group, int, ep_win), int (*mpi)(::MPI_Group, int, ::MPI_Win))
{
    return is_endpoints(win) ? ep_result(ep(to_ep_group(group), assertion, to_ep_win(win)))
                             : mpi_result(mpi(to_mpi_group(group), assertion, to_mpi_win(win)));
}

int MPI_Win_post(MPI_Group group, int assertion, MPI_Win win)
{
    return with_group(win, group, assertion, ep_win_post, ::MPI_Win_post);
}

int MPI_Win_start(MPI_Group group, int assertion, MPI_Win win)
{
    return with_group(win, group, assertion, ep_win_start, ::MPI_Win_start);
}

/* ---- what both libraries have with the same parameters ---- */

int MPI_Win_attach(MPI_Win win, void *base, MPI_Aint size)
{
    return ask(win, ep_win_attach, ::MPI_Win_attach, base, size);
}

int MPI_Win_detach(MPI_Win win, const void *base)
{
    return ask(win, ep_win_detach, ::MPI_Win_detach, base);
}

int MPI_Win_shared_query(MPI_Win win, int rank, MPI_Aint *size, int *disp_unit, void *baseptr)
{
    return ask(win, ep_win_shared_query, ::MPI_Win_shared_query, to_mpi_rank(rank), size, disp_unit, baseptr);
}

int MPI_Win_get_attr(MPI_Win win, int keyval, void *attribute_val, int *flag)
{
    return ask(win, ep_win_get_attr, ::MPI_Win_get_attr, keyval, attribute_val, flag);
}

int MPI_Put(const void *origin, int origin_count, MPI_Datatype origin_type, int target, MPI_Aint target_disp,
            int target_count, MPI_Datatype target_type, MPI_Win win)
{
    return call(win, ep_put, ::MPI_Put, origin, origin_count, to_mpi_type(origin_type), to_mpi_rank(target),
                target_disp, target_count, to_mpi_type(target_type));
}

int MPI_Get(void *origin, int origin_count, MPI_Datatype origin_type, int target, MPI_Aint target_disp,
            int target_count, MPI_Datatype target_type, MPI_Win win)
{
    return call(win, ep_get, ::MPI_Get, origin, origin_count, to_mpi_type(origin_type), to_mpi_rank(target),
                target_disp, target_count, to_mpi_type(target_type));
}

int MPI_Accumulate(const void *origin, int origin_count, MPI_Datatype origin_type, int target,
                   MPI_Aint target_disp, int target_count, MPI_Datatype target_type, MPI_Op op, MPI_Win win)
{
    return call(win, ep_accumulate, ::MPI_Accumulate, origin, origin_count, to_mpi_type(origin_type),
                to_mpi_rank(target), target_disp, target_count, to_mpi_type(target_type), to_mpi_op(op));
}

int MPI_Get_accumulate(const void *origin, int origin_count, MPI_Datatype origin_type, void *result,
                       int result_count, MPI_Datatype result_type, int target, MPI_Aint target_disp,
                       int target_count, MPI_Datatype target_type, MPI_Op op, MPI_Win win)
{
    return call(win, ep_get_accumulate, ::MPI_Get_accumulate, origin, origin_count, to_mpi_type(origin_type),
                result, result_count, to_mpi_type(result_type), to_mpi_rank(target), target_disp,
                target_count, to_mpi_type(target_type), to_mpi_op(op));
}

int MPI_Fetch_and_op(const void *origin, void *result, MPI_Datatype datatype, int target,
                     MPI_Aint target_disp, MPI_Op op, MPI_Win win)
{
    return call(win, ep_fetch_and_op, ::MPI_Fetch_and_op, origin, result, to_mpi_type(datatype),
                to_mpi_rank(target), target_disp, to_mpi_op(op));
}

int MPI_Compare_and_swap(const void *origin, const void *compare, void *result, MPI_Datatype datatype,
                         int target, MPI_Aint target_disp, MPI_Win win)
{
    return call(win, ep_compare_and_swap, ::MPI_Compare_and_swap, origin, compare, result,
                to_mpi_type(datatype), to_mpi_rank(target), target_disp);
}

int MPI_Rput(const void *origin, int origin_count, MPI_Datatype origin_type, int target, MPI_Aint target_disp,
             int target_count, MPI_Datatype target_type, MPI_Win win, MPI_Request *request)
{
    return begin(win, request, MPI_DATATYPE_NULL, ep_rput, ::MPI_Rput, origin, origin_count,
                 to_mpi_type(origin_type), to_mpi_rank(target), target_disp, target_count,
                 to_mpi_type(target_type));
}

int MPI_Rget(void *origin, int origin_count, MPI_Datatype origin_type, int target, MPI_Aint target_disp,
             int target_count, MPI_Datatype target_type, MPI_Win win, MPI_Request *request)
{
    return begin(win, request, MPI_DATATYPE_NULL, ep_rget, ::MPI_Rget, origin, origin_count,
                 to_mpi_type(origin_type), to_mpi_rank(target), target_disp, target_count,
                 to_mpi_type(target_type));
}

int MPI_Win_fence(int assertion, MPI_Win win)
{
    return call(win, ep_win_fence, ::MPI_Win_fence, assertion);
}

int MPI_Win_complete(MPI_Win win)
{
    return call(win, ep_win_complete, ::MPI_Win_complete);
}

int MPI_Win_wait(MPI_Win win)
{
    return call(win, ep_win_wait, ::MPI_Win_wait);
}

int MPI_Win_test(MPI_Win win, int *flag)
{
    return ask(win, ep_win_test, ::MPI_Win_test, flag);
}

int MPI_Win_lock(int lock_type, int rank, int assertion, MPI_Win win)
{
    return call(win, ep_win_lock, ::MPI_Win_lock, lock_type, to_mpi_rank(rank), assertion);
}

int MPI_Win_unlock(int rank, MPI_Win win)
{
    return call(win, ep_win_unlock, ::MPI_Win_unlock, to_mpi_rank(rank));
}

int MPI_Win_lock_all(int assertion, MPI_Win win)
{
    return call(win, ep_win_lock_all, ::MPI_Win_lock_all, assertion);
}

int MPI_Win_unlock_all(MPI_Win win)
{
    return call(win, ep_win_unlock_all, ::MPI_Win_unlock_all);
}

int MPI_Win_flush(int rank, MPI_Win win)
{
    return call(win, ep_win_flush, ::MPI_Win_flush, to_mpi_rank(rank));
}

int MPI_Win_flush_all(MPI_Win win)
{
    return call(win, ep_win_flush_all, ::MPI_Win_flush_all);
}

int MPI_Win_flush_local(int rank, MPI_Win win)
{
    return call(win, ep_win_flush_local, ::MPI_Win_flush_local, to_mpi_rank(rank));
}

int MPI_Win_flush_local_all(MPI_Win win)
{
    return call(win, ep_win_flush_local_all, ::MPI_Win_flush_local_all);
}

int MPI_Win_sync(MPI_Win win)
{
    return call(win, ep_win_sync, ::MPI_Win_sync);
}

} // namespace ep_lib
