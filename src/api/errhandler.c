/* SPDX-License-Identifier: BSD-3-Clause */
/* Error handlers, classes and texts (MPI 8.3, 8.4, 8.5). */
#include <string.h>

#include "api/win.h"

/* ---- handlers, wherever they are kept ---- */

static int no_handler(struct where w, ep_errhandler e, const char *of)
{
    const char *what = errhandler_is_valid(e) ? "one of another kind" : "a freed or invalid handle";
    if (e == EP_ERRHANDLER_NULL)
        what = "EP_ERRHANDLER_NULL";
    return raise_error(w, MPI_ERR_ARG, "argument errhandler is %s: it must be an error handler%s", what, of);
}

static int create_handler(struct where w, enum errhandler_kind kind, union errhandler_function function,
                          const char *missing, ep_errhandler *errhandler)
{
    int rc = check_pointer(w, errhandler, "errhandler");
    if (rc)
        return rc;
    if (missing)
        return raise_error(w, MPI_ERR_ARG, "argument %s is a null pointer", missing);
    ep_errhandler e = errhandler_new(kind, function);
    if (!e)
        return raise_error(w, MPI_ERR_NO_MEM, "no memory for an error handler");
    *errhandler = e;
    return MPI_SUCCESS;
}

/* The message of this thread's last error goes with it, if it was this one; libraries pass on what they
 * got. */
static int errhandler_call_handler(struct where w, int errorcode)
{
    char text[MPI_MAX_ERROR_STRING];
    if (!error_message(errorcode)) {
        code_text(errorcode, text);
        note_error(w, errorcode, "error %d (%s)", errorcode, text);
    }
    handle_error(w.view, errorcode);
    return MPI_SUCCESS;
}

int ep_errhandler_free(ep_errhandler *errhandler)
{
    struct where w = {NULL, "ep_errhandler_free"};
    int rc = check_pointer(w, errhandler, "errhandler");
    if (rc)
        return rc;
    if (!errhandler_free(*errhandler))
        return no_handler(w, *errhandler, "");
    *errhandler = EP_ERRHANDLER_NULL;
    return MPI_SUCCESS;
}

/* ---- of communicators ---- */

/* Where the error handler of comm is kept; see ep.h for EP_COMM_WORLD in a thread that is not bound. */
static int find_handler(struct where *w, ep_comm comm, _Atomic(ep_errhandler) **handler)
{
    *handler = &process.errhandler;
    if (comm == EP_COMM_WORLD && !view_of(comm))
        return MPI_SUCCESS;
    int rc = check_comm(w, comm);
    if (rc == MPI_SUCCESS)
        *handler = &w->view->errhandler;
    return rc;
}

int ep_comm_create_errhandler(ep_comm_errhandler_function *comm_errhandler_fn, ep_errhandler *errhandler)
{
    return create_handler((struct where){NULL, "ep_comm_create_errhandler"}, ERRHANDLER_COMM,
                          (union errhandler_function){.comm = comm_errhandler_fn},
                          comm_errhandler_fn ? NULL : "comm_errhandler_fn", errhandler);
}

int ep_comm_set_errhandler(ep_comm comm, ep_errhandler errhandler)
{
    struct where w = {NULL, "ep_comm_set_errhandler"};
    _Atomic(ep_errhandler) *handler;
    int rc = find_handler(&w, comm, &handler);
    if (rc)
        return rc;
    return errhandler_put(handler, errhandler, ERRHANDLER_COMM)
               ? MPI_SUCCESS
               : no_handler(w, errhandler, " of communicators");
}

int ep_comm_get_errhandler(ep_comm comm, ep_errhandler *errhandler)
{
    struct where w = {NULL, "ep_comm_get_errhandler"};
    _Atomic(ep_errhandler) *handler;
    int rc = find_handler(&w, comm, &handler);
    if (rc || (rc = check_pointer(w, errhandler, "errhandler")))
        return rc;
    *errhandler = errhandler_get(handler);
    return MPI_SUCCESS;
}

int ep_comm_call_errhandler(ep_comm comm, int errorcode)
{
    struct where w = {NULL, "ep_comm_call_errhandler"};
    _Atomic(ep_errhandler) *handler;
    int rc = find_handler(&w, comm, &handler);
    return rc ? rc : errhandler_call_handler(w, errorcode);
}

/* ---- of windows ---- */

int ep_win_create_errhandler(ep_win_errhandler_function *win_errhandler_fn, ep_errhandler *errhandler)
{
    return create_handler((struct where){NULL, "ep_win_create_errhandler"}, ERRHANDLER_WIN,
                          (union errhandler_function){.win = win_errhandler_fn},
                          win_errhandler_fn ? NULL : "win_errhandler_fn", errhandler);
}

int ep_win_set_errhandler(ep_win win, ep_errhandler errhandler)
{
    struct where w = {NULL, "ep_win_set_errhandler"};
    int rc = check_win(&w, win);
    if (rc)
        return rc;
    return errhandler_put(&w.view->errhandler, errhandler, ERRHANDLER_WIN)
               ? MPI_SUCCESS
               : no_handler(w, errhandler, " of windows");
}

int ep_win_get_errhandler(ep_win win, ep_errhandler *errhandler)
{
    struct where w = {NULL, "ep_win_get_errhandler"};
    int rc = check_win(&w, win);
    if (rc || (rc = check_pointer(w, errhandler, "errhandler")))
        return rc;
    *errhandler = errhandler_get(&w.view->errhandler);
    return MPI_SUCCESS;
}

int ep_win_call_errhandler(ep_win win, int errorcode)
{
    struct where w = {NULL, "ep_win_call_errhandler"};
    int rc = check_win(&w, win);
    return rc ? rc : errhandler_call_handler(w, errorcode);
}

/* ---- classes, codes, texts ---- */

/* MPI aborts the job for a code that is none. */
static int check_code(struct where w, int errorcode)
{
    if (code_is_known(errorcode))
        return MPI_SUCCESS;
    return raise_error(w, MPI_ERR_ARG, "argument errorcode is %d: no error code", errorcode);
}

int ep_error_class(int errorcode, int *errorclass)
{
    struct where w = {NULL, "ep_error_class"};
    int rc = check_pointer(w, errorclass, "errorclass");
    if (rc || (rc = check_code(w, errorcode)))
        return rc;
    *errorclass = code_class(errorcode);
    return MPI_SUCCESS;
}

int ep_error_string(int errorcode, char *string, int *resultlen)
{
    struct where w = {NULL, "ep_error_string"};
    if (!string)
        return check_pointer(w, string, "string");
    if (!resultlen)
        return check_pointer(w, resultlen, "resultlen");
    const char *message = error_message(errorcode);
    if (message) {
        strcpy(string, message);
    } else {
        int rc = check_code(w, errorcode);
        if (rc)
            return rc;
        code_text(errorcode, string);
    }
    *resultlen = (int)strlen(string);
    return MPI_SUCCESS;
}

/* error_class 0: a new class. */
static int add_code(struct where w, int error_class, int *result)
{
    int code = code_add(error_class);
    if (!code)
        return raise_error(w, MPI_ERR_NO_MEM, "no memory for an error code");
    *result = code;
    return MPI_SUCCESS;
}

int ep_add_error_class(int *errorclass)
{
    struct where w = {NULL, "ep_add_error_class"};
    int rc = check_pointer(w, errorclass, "errorclass");
    return rc ? rc : add_code(w, 0, errorclass);
}

int ep_add_error_code(int errorclass, int *errorcode)
{
    struct where w = {NULL, "ep_add_error_code"};
    int rc = check_pointer(w, errorcode, "errorcode");
    if (rc)
        return rc;
    if (errorclass == MPI_SUCCESS || !code_is_class(errorclass))
        return raise_error(w, MPI_ERR_ARG, "argument errorclass is %d: no error class", errorclass);
    return add_code(w, errorclass, errorcode);
}

int ep_add_error_string(int errorcode, const char *string)
{
    struct where w = {NULL, "ep_add_error_string"};
    int rc = check_pointer(w, string, "string");
    if (rc || (rc = code_set_text(errorcode, string)) == MPI_SUCCESS)
        return rc;
    return rc == MPI_ERR_NO_MEM
               ? raise_error(w, rc, "no memory for the text of an error code")
               : raise_error(w, rc,
                             "argument errorcode is %d: no class or code made by ep_add_error_class or "
                             "ep_add_error_code",
                             errorcode);
}
