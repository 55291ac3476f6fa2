/* SPDX-License-Identifier: BSD-3-Clause */
/* Error handlers that new communicators get from their parent; a send that is forgotten. */
#include "conform.h"

static int rank, size;

/* Its handler is MPI_ERRORS_RETURN; freed. */
static void returns(MPI_Comm *comm, int line)
{
    MPI_Errhandler handler;

    if (*comm == MPI_COMM_NULL)
        return;
    CALL(MPI_Comm_get_errhandler(*comm, &handler));
    if (handler != MPI_ERRORS_RETURN)
        conform_error("line %d: another error handler", line);
    CALL(MPI_Errhandler_free(&handler));
    CALL(MPI_Comm_free(comm));
}

static void inherited(void)
{
    MPI_Comm parent, comm;
    MPI_Request request;
    MPI_Group group;

    CALL(MPI_Comm_dup(MPI_COMM_WORLD, &parent));
    CALL(MPI_Comm_set_errhandler(parent, MPI_ERRORS_RETURN));
    CALL(MPI_Comm_split(parent, rank % 2, 0, &comm));
    returns(&comm, __LINE__);
    CALL(MPI_Comm_idup(parent, &comm, &request));
    CALL(MPI_Wait(&request, MPI_STATUS_IGNORE));
    returns(&comm, __LINE__);
    CALL(MPI_Comm_group(parent, &group));
    CALL(MPI_Comm_create(parent, group, &comm));
    returns(&comm, __LINE__);
    CALL(MPI_Comm_create_group(parent, group, 3, &comm));
    returns(&comm, __LINE__);
    CALL(MPI_Group_free(&group));
    CALL(MPI_Comm_split_type(parent, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &comm));
    returns(&comm, __LINE__);
    CALL(MPI_Comm_free(&parent));
}

/* A send whose request nobody waits for arrives, though its communicator is gone. */
static void forgotten_send(void)
{
    static int out;
    MPI_Comm comm;
    MPI_Request request;
    int in = -1;

    out = rank;
    CALL(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    CALL(MPI_Isend(&out, 1, MPI_INT, (rank + 1) % size, 5, comm, &request));
    CALL(MPI_Request_free(&request));
    CHECK(request == MPI_REQUEST_NULL);
    CALL(MPI_Recv(&in, 1, MPI_INT, (rank + size - 1) % size, 5, comm, MPI_STATUS_IGNORE));
    CHECK(in == (rank + size - 1) % size);
    CALL(MPI_Comm_free(&comm));
}

int main(int argc, char **argv)
{
    conform_init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    inherited();
    forgotten_send();
    return conform_end(0);
}
