/* SPDX-License-Identifier: BSD-3-Clause */
/* Error handlers, classes and texts (MPI 8.3, 8.4, 8.5). */
#include <string.h>

#include "api/file.h"
#include "api/win.h"

/* ---- handlers, wherever they are kept ---- */

static int no_handler(struct where w, ep_errhandler e, const char *of)
{
    const char *what = errhandler_is_valid(e) ? "one of another kind" : "a freed or invalid handle";
    if (e == EP_ERRHANDLER_NULL)
        what = "EP_ERRHANDLER_NULL";
    return raise_error(w, MPI_ERR_ARG, "argument errhandler is %s: it must be an error handler%s", what, of);
}

static int create_handler(struct where w, enum errhandler_kind kind, struct errhandler_function function,
                          ep_errhandler *errhandler)
{
    ep_errhandler e = errhandler_new(kind, function);
    if (!e)
        return raise_error(w, MPI_ERR_NO_MEM, "no memory for an error handler");
    *errhandler = e;
    return MPI_SUCCESS;
}

/* Keep it where there was another. */
static int set_handler(struct where w, _Atomic(ep_errhandler) *to, ep_errhandler e, enum errhandler_kind kind)
{
    if (errhandler_put(to, e, kind))
        return MPI_SUCCESS;
    static const char *const of[] = {
        [ERRHANDLER_COMM] = " of communicators", [ERRHANDLER_WIN] = " of windows", [ERRHANDLER_FILE] = " of files"};
    return no_handler(w, e, of[kind]);
}

/* The message of this thread's last error goes with it, if it was this one; libraries pass on what they
 * got. */
static void note_code(struct where w, int errorcode)
{
    char text[MPI_MAX_ERROR_STRING];
    if (error_message(errorcode))
        return;
    code_text(errorcode, text);
    note_error(w, errorcode, "error %d (%s)", errorcode, text);
}

static int call_handler(struct where w, int errorcode)
{
    note_code(w, errorcode);
    handle_error(w.view, errorcode);
    return MPI_SUCCESS;
}

/* w.view is NULL for EP_FILE_NULL. */
static int call_file_handler(struct where w, int errorcode)
{
    note_code(w, errorcode);
    if (w.view)
        handle_error(w.view, errorcode);
    else
        handle_no_file(errorcode);
    return MPI_SUCCESS;
}

static int free_handler(struct where w, ep_errhandler *errhandler)
{
    if (!errhandler_free(*errhandler))
        return no_handler(w, *errhandler, "");
    *errhandler = EP_ERRHANDLER_NULL;
    return MPI_SUCCESS;
}

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

/* The same of a file, or of EP_FILE_NULL. */
static int find_file_handler(struct where *w, ep_file file, _Atomic(ep_errhandler) **handler)
{
    *handler = no_file_handler();
    int rc = file == EP_FILE_NULL ? MPI_SUCCESS : check_fh(w, file);
    if (rc == MPI_SUCCESS && w->view)
        *handler = &w->view->errhandler;
    return rc;
}

/* ---- classes, codes, texts ---- */

/* MPI aborts the job for a code that is none. */
static int check_code(struct where w, int errorcode)
{
    if (code_is_known(errorcode))
        return MPI_SUCCESS;
    return raise_error(w, MPI_ERR_ARG, "argument errorcode is %d: no error code", errorcode);
}

static int check_class(struct where w, int errorclass)
{
    if (errorclass != MPI_SUCCESS && code_is_class(errorclass))
        return MPI_SUCCESS;
    return raise_error(w, MPI_ERR_ARG, "argument errorclass is %d: no error class", errorclass);
}

/* The last error's own text goes with it, whether or not that is a code. */
static int tell_error(struct where w, int errorcode, char *string, int *resultlen)
{
    const char *message = error_message(errorcode);
    int rc = message ? MPI_SUCCESS : check_code(w, errorcode);
    if (rc)
        return rc;
    if (message)
        strcpy(string, message);
    else
        code_text(errorcode, string);
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

static int set_text(struct where w, int errorcode, const char *string)
{
    int rc = code_set_text(errorcode, string);
    if (rc == MPI_SUCCESS)
        return rc;
    return rc == MPI_ERR_NO_MEM
               ? raise_error(w, rc, "no memory for the text of an error code")
               : raise_error(w, rc,
                             "argument errorcode is %d: no class or code made by ep_add_error_class or "
                             "ep_add_error_code",
                             errorcode);
}

#include "api/errhandler.inc"
