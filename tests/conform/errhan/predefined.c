/* SPDX-License-Identifier: BSD-3-Clause */
/* Predefined handlers are got and freed as often as one likes, set on communicators that are freed then. */
#include "conform.h"

static MPI_Errhandler chosen = MPI_ERRORS_RETURN;

int main(int argc, char **argv)
{
    MPI_Errhandler got;
    MPI_Comm copy;
    int i, value = 0;

    conform_init(&argc, &argv);
    for (i = 0; i < 50; i++) {
        CALL(MPI_Comm_get_errhandler(MPI_COMM_WORLD, &got));
        CHECK(got == MPI_ERRORS_ARE_FATAL);
        CALL(MPI_Errhandler_free(&got));
        CHECK(got == MPI_ERRHANDLER_NULL);
        CALL(MPI_Comm_dup(MPI_COMM_SELF, &copy));
        CALL(MPI_Comm_set_errhandler(copy, chosen));
        CALL(MPI_Comm_get_errhandler(copy, &got));
        CHECK(got == MPI_ERRORS_RETURN);
        CALL(MPI_Errhandler_free(&got));
        FAILS(MPI_ERR_RANK, MPI_Send(&value, 1, MPI_INT, 7, 0, copy));
        CALL(MPI_Comm_free(&copy));
    }
    CALL(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    got = MPI_ERRHANDLER_NULL;
    CHECK(MPI_Errhandler_free(&got) != MPI_SUCCESS);
    CHECK(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRHANDLER_NULL) != MPI_SUCCESS);
    return conform_end(0);
}
