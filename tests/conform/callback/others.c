/* SPDX-License-Identifier: BSD-3-Clause */
/* Callbacks of attributes, error handlers and generalized requests are called by a thread of the rank that gave them. */
#include "conform.h"

#include <pthread.h>
#include <stddef.h>

static pthread_t me;
static int calls;

static void mine(const char *what)
{
    int rank, other;

    calls++;
    if (!pthread_equal(pthread_self(), me))
        conform_error("%s is called by another thread", what);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_rank(MPI_COMM_SELF, &other);
    CHECK(other == 0);
}

static int copy(MPI_Comm comm, int keyval, void *state, void *in, void *out, int *flag)
{
    (void)comm;
    (void)keyval;
    (void)state;
    mine("copy");
    *(void **)out = in;
    *flag = 1;
    return MPI_SUCCESS;
}

static int drop(MPI_Comm comm, int keyval, void *value, void *state)
{
    (void)comm;
    (void)keyval;
    (void)value;
    (void)state;
    mine("delete");
    return MPI_SUCCESS;
}

static void handle(MPI_Comm *comm, int *code, ...)
{
    (void)comm;
    (void)code;
    mine("handler");
}

static int query(void *state, MPI_Status *status)
{
    (void)state;
    mine("query");
    MPI_Status_set_elements(status, MPI_INT, 0);
    MPI_Status_set_cancelled(status, 0);
    return MPI_SUCCESS;
}

static int release(void *state)
{
    (void)state;
    mine("free");
    return MPI_SUCCESS;
}

static int cancel(void *state, int complete)
{
    (void)state;
    (void)complete;
    mine("cancel");
    return MPI_SUCCESS;
}

int main(int argc, char **argv)
{
    int key, value, i;
    MPI_Comm dups[2], half;
    MPI_Request request;
    MPI_Errhandler handler;
    MPI_Status status;

    conform_init(&argc, &argv);
    me = pthread_self();
    CALL(MPI_Comm_create_keyval(copy, drop, &key, NULL));
    CALL(MPI_Comm_set_attr(MPI_COMM_WORLD, key, &value));
    CALL(MPI_Comm_dup(MPI_COMM_WORLD, &dups[0]));
    CALL(MPI_Comm_idup(dups[0], &dups[1], &request));
    CALL(MPI_Wait(&request, MPI_STATUS_IGNORE));
    CHECK(calls == 2);
    CALL(MPI_Comm_split(dups[1], 0, 0, &half));
    CALL(MPI_Comm_free(&half));
    for (i = 0; i < 2; i++)
        CALL(MPI_Comm_free(&dups[i]));
    CALL(MPI_Comm_delete_attr(MPI_COMM_WORLD, key));
    CALL(MPI_Comm_free_keyval(&key));
    CHECK(calls == 5);
    CALL(MPI_Comm_create_errhandler(handle, &handler));
    CALL(MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler));
    CHECK(MPI_Send(&value, 1, MPI_INT, 10000, 0, MPI_COMM_WORLD) != MPI_SUCCESS);
    CALL(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL));
    CALL(MPI_Errhandler_free(&handler));
    CHECK(calls == 6);
    CALL(MPI_Grequest_start(query, release, cancel, NULL, &request));
    CALL(MPI_Cancel(&request));
    CALL(MPI_Grequest_complete(request));
    CALL(MPI_Wait(&request, &status));
    CHECK(calls == 9);
    return conform_end(0);
}
