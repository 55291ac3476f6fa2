/* SPDX-License-Identifier: BSD-3-Clause */
/* Handlers that call MPI: other communicators, messages, MPI_Error_string, and set another handler. */
#include "conform.h"

#include <string.h>

static int calls;

static void busy(MPI_Comm *comm, int *code, ...)
{
    char text[MPI_MAX_ERROR_STRING], name[MPI_MAX_OBJECT_NAME];
    int length, in = 0, out = 4, class;

    calls++;
    CALL(MPI_Error_string(*code, text, &length));
    CHECK(length > 0 && (int)strlen(text) == length);
    CALL(MPI_Error_class(*code, &class));
    CHECK(class == MPI_ERR_TAG);
    CALL(MPI_Comm_get_name(*comm, name, &length));
    CHECK(strcmp(name, "named") == 0);
    CALL(MPI_Sendrecv(&out, 1, MPI_INT, 0, 2, &in, 1, MPI_INT, 0, 2, MPI_COMM_SELF, MPI_STATUS_IGNORE));
    CHECK(in == 4);
    CALL(MPI_Comm_set_errhandler(*comm, MPI_ERRORS_RETURN));
}

int main(int argc, char **argv)
{
    MPI_Errhandler handler;
    MPI_Comm comm;
    int value = 0;

    conform_init(&argc, &argv);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_set_name(comm, "named");
    CALL(MPI_Comm_create_errhandler(busy, &handler));
    CALL(MPI_Comm_set_errhandler(comm, handler));
    FAILS(MPI_ERR_TAG, MPI_Send(&value, 1, MPI_INT, 0, -50, comm));
    CHECK(calls == 1);
    FAILS(MPI_ERR_TAG, MPI_Send(&value, 1, MPI_INT, 0, -50, comm));
    CHECK(calls == 1);
    CALL(MPI_Comm_set_errhandler(comm, handler));
    CALL(MPI_Errhandler_free(&handler));
    FAILS(MPI_ERR_TAG, MPI_Recv(&value, 1, MPI_INT, 0, -50, comm, MPI_STATUS_IGNORE));
    CHECK(calls == 2);
    MPI_Comm_free(&comm);
    return conform_end(0);
}
