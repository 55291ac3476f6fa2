/* SPDX-License-Identifier: BSD-3-Clause */
/* Error handlers, classes and texts (MPI 8.3, 8.4, 8.5). */
#include "comm/comm.h"

#include <string.h>

#include "api/check.h"

/* ---- handlers ---- */

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

static int no_handler(struct where w, ep_errhandler e)
{
    return raise_error(w, MPI_ERR_ARG, "argument errhandler is %s: it must be an error handler",
                       e == EP_ERRHANDLER_NULL ? "EP_ERRHANDLER_NULL" : "a freed or invalid handle");
}

int ep_comm_create_errhandler(ep_comm_errhandler_function *comm_errhandler_fn, ep_errhandler *errhandler)
{
    struct where w = {NULL, "ep_comm_create_errhandler"};
    int rc = check_pointer(w, errhandler, "errhandler");
    if (rc)
        return rc;
    if (!comm_errhandler_fn)
        return raise_error(w, MPI_ERR_ARG, "argument comm_errhandler_fn is a null pointer");
    ep_errhandler e = errhandler_new(comm_errhandler_fn);
    if (!e)
        return raise_error(w, MPI_ERR_NO_MEM, "no memory for an error handler");
    *errhandler = e;
    return MPI_SUCCESS;
}

int ep_errhandler_free(ep_errhandler *errhandler)
{
    struct where w = {NULL, "ep_errhandler_free"};
    int rc = check_pointer(w, errhandler, "errhandler");
    if (rc)
        return rc;
    if (!errhandler_free(*errhandler))
        return no_handler(w, *errhandler);
    *errhandler = EP_ERRHANDLER_NULL;
    return MPI_SUCCESS;
}

int ep_comm_set_errhandler(ep_comm comm, ep_errhandler errhandler)
{
    struct where w = {NULL, "ep_comm_set_errhandler"};
    _Atomic(ep_errhandler) *handler;
    int rc = find_handler(&w, comm, &handler);
    if (rc)
        return rc;
    return errhandler_put(handler, errhandler) ? MPI_SUCCESS : no_handler(w, errhandler);
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

/* The message of this thread's last error goes with it, if it was this one; libraries pass on what they
 * got. */
int ep_comm_call_errhandler(ep_comm comm, int errorcode)
{
    struct where w = {NULL, "ep_comm_call_errhandler"};
    _Atomic(ep_errhandler) *handler;
    char text[MPI_MAX_ERROR_STRING];
    int rc = find_handler(&w, comm, &handler);
    if (rc)
        return rc;
    if (!error_message(errorcode)) {
        code_text(errorcode, text);
        note_error(w, errorcode, "error %d (%s)", errorcode, text);
    }
    handle_error(w.view, errorcode);
    return MPI_SUCCESS;
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
