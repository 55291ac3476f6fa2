/* SPDX-License-Identifier: BSD-3-Clause */
/* Fortran handles (MPI 17.2.4). Objects have their numbers from the table; what is no object, the null handle's. */
#include "api/file.h"
#include "api/win.h"

#define NULL_NUMBER HANDLE_FIRST

static MPI_Fint fortran_number(struct where w, MPI_Fint number)
{
    if (number == 0 || number == NULL_NUMBER)
        raise_error(w, MPI_ERR_NO_MEM, "no memory for a Fortran handle");
    return number ? number : NULL_NUMBER;
}

static MPI_Fint fortran_number_of(const char *call, enum handle_kind kind, void *object, MPI_Fint *kept)
{
    return fortran_number((struct where){NULL, call}, handle_number(kind, object, kept));
}

/* ---- communicators, windows and files ---- */

MPI_Fint ep_comm_c2f(ep_comm comm)
{
    if (comm == EP_COMM_NULL || comm == EP_COMM_WORLD || comm == EP_COMM_SELF)
        return handle_of_constant(comm);
    if (!view_of(comm))
        return NULL_NUMBER;
    return fortran_number((struct where){comm, "ep_comm_c2f"}, view_number(comm));
}

ep_comm ep_comm_f2c(MPI_Fint comm)
{
    if (comm == handle_of_constant(EP_COMM_WORLD))
        return EP_COMM_WORLD;
    if (comm == handle_of_constant(EP_COMM_SELF))
        return EP_COMM_SELF;
    ep_comm view = handle_find(HANDLE_COMM, comm);
    return view && view_of(view) ? view : EP_COMM_NULL;
}

MPI_Fint ep_win_c2f(ep_win win)
{
    if (!win_is_live(win))
        return NULL_NUMBER;
    return fortran_number((struct where){win->view, "ep_win_c2f"}, view_number(win->view));
}

ep_win ep_win_f2c(MPI_Fint win)
{
    ep_win found = handle_find(HANDLE_WIN, win);
    return found && win_is_live(found) ? found : EP_WIN_NULL;
}

MPI_Fint ep_file_c2f(ep_file file)
{
    if (!file_is_live(file))
        return NULL_NUMBER;
    return fortran_number((struct where){file->view, "ep_file_c2f"}, view_number(file->view));
}

ep_file ep_file_f2c(MPI_Fint file)
{
    ep_file found = handle_find(HANDLE_FILE, file);
    return found && file_is_live(found) ? found : EP_FILE_NULL;
}

/* ---- groups ---- */

MPI_Fint ep_group_c2f(ep_group group)
{
    if (group == EP_GROUP_EMPTY)
        return handle_of_constant(EP_GROUP_EMPTY);
    return group_is_valid(group) ? fortran_number_of("ep_group_c2f", HANDLE_GROUP, group, &group->fortran)
                                 : NULL_NUMBER;
}

ep_group ep_group_f2c(MPI_Fint group)
{
    if (group == handle_of_constant(EP_GROUP_EMPTY))
        return EP_GROUP_EMPTY;
    return handle_find(HANDLE_GROUP, group);
}

/* ---- requests and messages ---- */

static bool request_is_held(ep_request r)
{
    return request_is_live(r) && (load_relaxed(&r->word) & USER);
}

MPI_Fint ep_request_c2f(ep_request request)
{
    if (!request_is_held(request))
        return NULL_NUMBER;
    MPI_Fint number = handle_number_use(HANDLE_REQUEST, request, &request->fortran);
    return likely(number) ? number : fortran_number((struct where){NULL, "ep_request_c2f"}, number);
}

/* A request that was freed while active keeps its number until it is complete. */
ep_request ep_request_f2c(MPI_Fint request)
{
    ep_request r = handle_find(HANDLE_REQUEST, request);
    bool is_this_use = r && load_acquire(&r->fortran) == request && (load_relaxed(&r->word) & USER);
    return likely(is_this_use) && likely(load_relaxed(&r->magic) == REQUEST_LIVE) ? r : EP_REQUEST_NULL;
}

MPI_Fint ep_message_c2f(ep_message message)
{
    if (message == EP_MESSAGE_NO_PROC)
        return handle_of_constant(EP_MESSAGE_NO_PROC);
    if (!message_is_live(message))
        return NULL_NUMBER;
    return fortran_number_of("ep_message_c2f", HANDLE_MESSAGE, message, &message->fortran);
}

ep_message ep_message_f2c(MPI_Fint message)
{
    if (message == handle_of_constant(EP_MESSAGE_NO_PROC))
        return EP_MESSAGE_NO_PROC;
    return handle_find(HANDLE_MESSAGE, message);
}

/* ---- error handlers ---- */

MPI_Fint ep_errhandler_c2f(ep_errhandler errhandler)
{
    if (!errhandler_is_valid(errhandler))
        return NULL_NUMBER;
    if (!errhandler_is_object(errhandler))
        return handle_of_constant(errhandler);
    return fortran_number_of("ep_errhandler_c2f", HANDLE_ERRHANDLER, errhandler, &errhandler->fortran);
}

ep_errhandler ep_errhandler_f2c(MPI_Fint errhandler)
{
    if (errhandler == handle_of_constant(EP_ERRORS_ARE_FATAL))
        return EP_ERRORS_ARE_FATAL;
    if (errhandler == handle_of_constant(EP_ERRORS_RETURN))
        return EP_ERRORS_RETURN;
    return handle_find(HANDLE_ERRHANDLER, errhandler);
}
