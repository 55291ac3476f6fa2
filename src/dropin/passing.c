/* SPDX-License-Identifier: BSD-3-Clause */
#include "dropin/passed.h"

#include "api/api.h"

int passed(struct where w, int code)
{
    char text[MPI_MAX_ERROR_STRING] = "";
    int length;
    if (likely(code == MPI_SUCCESS))
        return MPI_SUCCESS;
    MPI_Error_string(code, text, &length);
    return raise_error(w, error_class_of_mpi(code), "%s", text);
}
