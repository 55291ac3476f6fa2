/* SPDX-License-Identifier: BSD-3-Clause */
/* A handler that was freed by its maker works as long as a communicator has it; handles are counted. */
#include "conform.h"

static int calls;

static void count(MPI_Comm *comm, int *code, ...)
{
    (void)comm;
    (void)code;
    calls++;
}

static void fail(MPI_Comm comm, int expected)
{
    int value = 0;

    CHECK(MPI_Send(&value, 1, MPI_INT, 100000, 0, comm) != MPI_SUCCESS);
    CHECK(calls == expected);
}

int main(int argc, char **argv)
{
    MPI_Errhandler handler, got[100];
    MPI_Comm copy, again;
    int i;

    conform_init(&argc, &argv);
    CALL(MPI_Comm_create_errhandler(count, &handler));
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    CALL(MPI_Comm_set_errhandler(copy, handler));
    CALL(MPI_Errhandler_free(&handler));
    CHECK(handler == MPI_ERRHANDLER_NULL);
    fail(copy, 1);
    for (i = 0; i < 100; i++)
        CALL(MPI_Comm_get_errhandler(copy, &got[i]));
    for (i = 0; i < 100; i++)
        CALL(MPI_Errhandler_free(&got[i]));
    fail(copy, 2);
    CALL(MPI_Comm_get_errhandler(copy, &handler));
    CALL(MPI_Comm_dup(copy, &again));
    CALL(MPI_Comm_free(&copy));
    fail(again, 3);
    CALL(MPI_Comm_set_errhandler(again, handler));
    fail(again, 4);
    CALL(MPI_Comm_set_errhandler(again, MPI_ERRORS_RETURN));
    fail(again, 4);
    CALL(MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler));
    CALL(MPI_Errhandler_free(&handler));
    fail(MPI_COMM_WORLD, 5);
    CALL(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL));
    MPI_Comm_free(&again);
    return conform_end(0);
}
