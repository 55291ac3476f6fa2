/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Keys of attributes and error handlers for windows and files. They can be made and freed by programs that have
 * code for windows and files but make none: there is nothing yet that could use them.
 */
#include <ep_calls.h>

#include "api/api.h"

int ep_PMPI_Win_create_keyval(MPI_Win_copy_attr_function *win_copy_attr_fn,
                              MPI_Win_delete_attr_function *win_delete_attr_fn, int *win_keyval,
                              void *extra_state)
{
    struct where w = {thread_world(), "MPI_Win_create_keyval"};
    int rc = check_pointer(w, win_keyval, "win_keyval");
    (void)win_copy_attr_fn, (void)win_delete_attr_fn;
    if (rc)
        return rc;
    *win_keyval = keyval_new(ATTR_WIN, (struct attr_callbacks){0}, extra_state);
    return *win_keyval == MPI_KEYVAL_INVALID ? raise_error(w, MPI_ERR_NO_MEM, "no memory for a key")
                                             : MPI_SUCCESS;
}

int ep_PMPI_Win_free_keyval(int *win_keyval)
{
    struct where w = {thread_world(), "MPI_Win_free_keyval"};
    int rc = check_pointer(w, win_keyval, "win_keyval");
    if (rc)
        return rc;
    if (!keyval_free(ATTR_WIN, *win_keyval))
        return raise_error(w, MPI_ERR_KEYVAL, "argument win_keyval is %d: it must be a key of windows",
                           *win_keyval);
    *win_keyval = MPI_KEYVAL_INVALID;
    return MPI_SUCCESS;
}

/* The function's own type is another one, but nobody calls it. */
static int make_handler(const char *call, void (*function)(void), ep_errhandler *errhandler)
{
    struct where w = {thread_world(), call};
    int rc = check_pointer(w, errhandler, "errhandler");
    if (rc)
        return rc;
    if (!function)
        return raise_error(w, MPI_ERR_ARG, "argument function is a null pointer");
    *errhandler = errhandler_new((ep_comm_errhandler_function *)function);
    return *errhandler ? MPI_SUCCESS : raise_error(w, MPI_ERR_NO_MEM, "no memory for an error handler");
}

int ep_PMPI_Win_create_errhandler(MPI_Win_errhandler_function *function, ep_errhandler *errhandler)
{
    return make_handler("MPI_Win_create_errhandler", (void (*)(void))function, errhandler);
}

int ep_PMPI_File_create_errhandler(MPI_File_errhandler_function *function, ep_errhandler *errhandler)
{
    return make_handler("MPI_File_create_errhandler", (void (*)(void))function, errhandler);
}
