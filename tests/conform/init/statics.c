/* SPDX-License-Identifier: BSD-3-Clause */
/* Names of MPI in static initialisers: communicators, requests, groups, operators, tables; each rank has its own. */
#include "conform.h"

#include <stddef.h>

static MPI_Comm comm = MPI_COMM_WORLD, none = MPI_COMM_NULL, comms[2] = {MPI_COMM_WORLD, MPI_COMM_SELF};
static MPI_Request request = MPI_REQUEST_NULL,
                   requests[3] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL, MPI_REQUEST_NULL};
static MPI_Group group = MPI_GROUP_EMPTY;
static MPI_Errhandler handlers[2] = {MPI_ERRORS_RETURN, MPI_ERRORS_ARE_FATAL};
static MPI_Errhandler no_handler = MPI_ERRHANDLER_NULL;
static MPI_Message message = MPI_MESSAGE_NULL, nobody = MPI_MESSAGE_NO_PROC;
static MPI_Status status, *ignored = MPI_STATUS_IGNORE;
static int counter;

static const struct {
    const char *name;
    MPI_Comm comm;
    int (*send)(const void *, int, MPI_Datatype, int, int, MPI_Comm);
    int root;
} table[] = {{"world", MPI_COMM_WORLD, MPI_Send, MPI_PROC_NULL},
             {"self", MPI_COMM_SELF, MPI_Ssend, MPI_PROC_NULL}};

static int by_switch(int class)
{
    switch (class) {
    case MPI_SUCCESS:
        return 0;
    case MPI_ERR_COMM:
    case MPI_ERR_RANK:
        return 1;
    case MPI_ERR_TRUNCATE:
        return 2;
    default:
        return 3;
    }
}

static int kind(int result)
{
    switch (result) {
    case MPI_IDENT:
        return 0;
    case MPI_CONGRUENT:
        return 1;
    case MPI_SIMILAR:
        return 2;
    case MPI_UNEQUAL:
        return 3;
    }
    return -1;
}

int main(int argc, char **argv)
{
    int rank, size, i, value = 3, flag;
    char buffer[MPI_MAX_OBJECT_NAME + MPI_MAX_ERROR_STRING + MPI_BSEND_OVERHEAD];

    conform_init(&argc, &argv);
    CALL(MPI_Comm_rank(comm, &rank));
    CALL(MPI_Comm_size(comms[1], &size));
    CHECK(size == 1 && none == MPI_COMM_NULL && sizeof buffer > 64);
    counter += rank;
    MPI_Barrier(comm);
    CHECK(counter == rank);
    for (i = 0; i < 2; i++)
        CALL(table[i].send(&value, 1, MPI_INT, table[i].root, 0, table[i].comm));
    CALL(MPI_Wait(&request, &status));
    CHECK(status.MPI_SOURCE == MPI_ANY_SOURCE && status.MPI_TAG == MPI_ANY_TAG);
    CALL(MPI_Waitall(3, requests, MPI_STATUSES_IGNORE));
    CALL(MPI_Testany(3, requests, &i, &flag, ignored));
    CHECK(flag && i == MPI_UNDEFINED);
    CALL(MPI_Group_size(group, &size));
    CHECK(size == 0);
    CALL(MPI_Comm_set_errhandler(comm, handlers[0]));
    FAILS(MPI_ERR_RANK, MPI_Send(&value, 1, MPI_INT, -70, 0, comm));
    CALL(MPI_Comm_set_errhandler(comm, handlers[1]));
    CHECK(no_handler == MPI_ERRHANDLER_NULL && message == MPI_MESSAGE_NULL && nobody != message);
    CALL(MPI_Mrecv(&value, 1, MPI_INT, &nobody, &status));
    CHECK(status.MPI_SOURCE == MPI_PROC_NULL);
    CHECK(by_switch(MPI_ERR_RANK) == 1 && by_switch(MPI_ERR_OTHER) == 3 && kind(MPI_SIMILAR) == 2);
    return conform_end(0);
}
