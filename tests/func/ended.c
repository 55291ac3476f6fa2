/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ended.c: communicators before MPI_Init and after MPI_Finalize, in a program that begins and ends MPI itself.
 *
 * Catches: an answer where MPI does not run, MPI's own abort in place of ep's error, a wrong handler; and an error in a
 * function of the user's that MPI calls at its end, where ep may still be used.
 */
#include "harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int bad, told, in_callback = -1;
static ep_comm worlds[16], kept, late;

static void expect(int got, int want, const char *what)
{
    if (got == want)
        return;
    fprintf(stderr, "%s: %d, not %d\n", what, got, want);
    bad = 1;
}

static void expect_text(int code, const char *what)
{
    char text[MPI_MAX_ERROR_STRING] = "";
    int length;
    expect(ep_error_string(code, text, &length), MPI_SUCCESS, "ep_error_string");
    if (strstr(text, what))
        return;
    fprintf(stderr, "text is \"%s\"\n", text);
    bad = 1;
}

static void tell(ep_comm *comm, int *code, ...)
{
    told += *comm == late && *code == MPI_ERR_OTHER;
}

/* Called after what ep does at the end, or before. */
static int at_end(MPI_Comm comm, int key, void *value, void *extra)
{
    int size = 0, sent = 5, got = 0;
    (void)comm, (void)key, (void)value, (void)extra;
    in_callback = ep_comm_size(kept, &size);
    expect(size, 1, "size of a copy of EP_COMM_SELF in a callback");
    expect(ep_sendrecv(&sent, 1, MPI_INT, 0, 1, &got, 1, MPI_INT, 0, 1, kept, EP_STATUS_IGNORE), MPI_SUCCESS,
           "ep_sendrecv in a callback");
    expect(got, 5, "what came in a callback");
    expect(ep_comm_free(&kept), MPI_SUCCESS, "ep_comm_free in a callback");
    return MPI_SUCCESS;
}

static void outside(const char *why)
{
    int n = -7;
    expect(ep_comm_rank(EP_COMM_WORLD, &n), MPI_ERR_OTHER, "ep_comm_rank(EP_COMM_WORLD)");
    expect_text(MPI_ERR_OTHER, why);
    expect(ep_send(&n, 1, MPI_INT, 0, 0, EP_COMM_SELF), MPI_ERR_OTHER, "ep_send(EP_COMM_SELF)");
    expect(n, -7, "what a refused call gives");
}

static void after(ep_comm world)
{
    ep_request request;
    int n = -7;
    expect(ep_comm_rank(world, &n), MPI_ERR_OTHER, "ep_comm_rank");
    expect_text(MPI_ERR_OTHER, "MPI has ended");
    expect_text(MPI_ERR_OTHER, "endpoint");
    expect(ep_comm_size(world, &n), MPI_ERR_OTHER, "ep_comm_size");
    expect(ep_send(&n, 1, MPI_INT, 0, 0, world), MPI_ERR_OTHER, "ep_send");
    expect(ep_irecv(&n, 1, MPI_INT, 0, 0, world, &request), MPI_ERR_OTHER, "ep_irecv");
    expect(ep_barrier(world), MPI_ERR_OTHER, "ep_barrier");
    expect(n, -7, "what a refused call gives");
    expect(told, 0, "calls of a handler before its communicator's errors");
    expect(ep_comm_free(&late), MPI_ERR_OTHER, "ep_comm_free");
    expect(told, 1, "calls of the communicator's handler");
}

int main(int argc, char **argv)
{
    int level, key, n = atoi(getenv("EP_TEST_T"));
    ep_errhandler handler;
    harness_keep_plugins();
    ep_comm_set_errhandler(EP_COMM_WORLD, EP_ERRORS_RETURN); /* the process's */
    outside("MPI is not initialised");
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, at_end, &key, NULL);
    MPI_Comm_set_attr(MPI_COMM_SELF, key, NULL);
    expect(ep_comm_create_endpoints(MPI_COMM_WORLD, n, MPI_INFO_NULL, worlds), MPI_SUCCESS,
           "ep_comm_create_endpoints");
    ep_thread_bind(worlds[0]);
    expect(ep_comm_dup(EP_COMM_SELF, &kept), MPI_SUCCESS, "ep_comm_dup");
    expect(ep_comm_dup(EP_COMM_SELF, &late), MPI_SUCCESS, "ep_comm_dup");
    ep_comm_create_errhandler(tell, &handler);
    ep_comm_set_errhandler(late, handler);
    ep_errhandler_free(&handler);
    MPI_Finalize();
    expect(in_callback, MPI_SUCCESS, "ep_comm_size in a callback");
    after(worlds[0]);
    outside("MPI has ended");
    expect(ep_wtime() > 0, 1, "ep_wtime");
    return bad;
}
