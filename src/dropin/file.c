/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Error handlers for files. They can be made and freed by programs that have code for files but open none: there is
 * nothing yet that could use them.
 */
#include <ep_calls.h>

#include "api/api.h"

int ep_PMPI_File_create_errhandler(MPI_File_errhandler_function *function, ep_errhandler *errhandler)
{
    struct where w = {thread_world(), "MPI_File_create_errhandler"};
    int rc = check_pointer(w, errhandler, "errhandler");
    if (rc)
        return rc;
    if (!function)
        return raise_error(w, MPI_ERR_ARG, "argument function is a null pointer");
    *errhandler = errhandler_new(ERRHANDLER_FILE, (union errhandler_function){0});
    return *errhandler ? MPI_SUCCESS : raise_error(w, MPI_ERR_NO_MEM, "no memory for an error handler");
}
