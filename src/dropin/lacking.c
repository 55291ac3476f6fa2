/* SPDX-License-Identifier: BSD-3-Clause */
/* What ep does not have. */
#include <ep_calls.h>

#include "api/api.h"
#include "dropin/dropin.h"

/* What a call of it does in a program that was linked with epcc --missing=run. */
int ep_lacking(const char *call)
{
    return raise_error((struct where){thread_world(), call}, MPI_ERR_UNSUPPORTED_OPERATION,
                       "ep does not have this");
}

/* Error handlers for files can be made and freed by programs that have code for files but open none: there is
 * nothing yet that could use them. */
int ep_PMPI_File_create_errhandler(MPI_File_errhandler_function *function, ep_errhandler *errhandler)
{
    struct where w = {thread_world(), "MPI_File_create_errhandler"};
    int rc = check_pointer(w, errhandler, "errhandler");
    if (rc)
        return rc;
    if (!function)
        return raise_error(w, MPI_ERR_ARG, "argument function is a null pointer");
    *errhandler = errhandler_new(ERRHANDLER_FILE, (struct errhandler_function){.comm = NULL});
    return *errhandler ? MPI_SUCCESS : raise_error(w, MPI_ERR_NO_MEM, "no memory for an error handler");
}
