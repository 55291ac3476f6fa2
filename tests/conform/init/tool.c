/* SPDX-License-Identifier: BSD-3-Clause */
/* The tool interface, before MPI_Init and beside it: variables can be listed. */
#include "conform.h"

int main(int argc, char **argv)
{
    int provided, n, length = 200, more = 200, verbosity, bind, scope;
    char name[200], description[200];
    MPI_Datatype type;
    MPI_T_enum values;

    CHECK(MPI_T_init_thread(MPI_THREAD_SINGLE, &provided) == MPI_SUCCESS);
    CHECK(MPI_T_cvar_get_num(&n) == MPI_SUCCESS && n >= 0);
    conform_init(&argc, &argv);
    CHECK(MPI_T_pvar_get_num(&provided) == MPI_SUCCESS);
    if (n > 0) {
        CALL(MPI_T_cvar_get_info(0, name, &length, &verbosity, &type, &values, description, &more, &bind,
                                 &scope));
        CHECK(length > 0 && length <= 200);
    }
    CHECK(MPI_T_finalize() == MPI_SUCCESS);
    return conform_end(0);
}
