/* SPDX-License-Identifier: BSD-3-Clause */
/* communicator.c: attributes, names, error handlers, the classic communicator underneath, thread-bound worlds. */
#include "pairs.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void attributes(team_t *t, void *arg)
{
    int *tag_ub = NULL, flag = 0, got = -1;
    int next = (t->rank + 1) % t->size, before = (t->rank + t->size - 1) % t->size;
    ep_status status;
    (void)arg;
    EXPECT_OK(ep_comm_get_attr(t->comm, MPI_TAG_UB, &tag_ub, &flag));
    if (!EXPECT(flag && tag_ub))
        return;
    EXPECT(*tag_ub >= 32767);
    EXPECT_OK(ep_sendrecv(&t->rank, 1, MPI_INT, next, *tag_ub, &got, 1, MPI_INT, before, *tag_ub, t->comm,
                          &status));
    EXPECT_EQ(got, before);
    EXPECT_EQ(status.MPI_TAG, *tag_ub);
    if (*tag_ub < 0x7fffffff)
        EXPECT_RC(ep_send(&got, 1, MPI_INT, next, *tag_ub + 1, t->comm), MPI_ERR_TAG);
    EXPECT_RC(ep_comm_get_attr(t->comm, MPI_KEYVAL_INVALID, &tag_ub, &flag), MPI_ERR_KEYVAL);
}

static void names(team_t *t, void *arg)
{
    char name[MPI_MAX_OBJECT_NAME], want[64], longest[2 * MPI_MAX_OBJECT_NAME];
    int length = -1;
    (void)arg;
    snprintf(want, sizeof want, "endpoint %d of %d", t->rank, t->size);
    EXPECT_OK(ep_comm_set_name(t->comm, want));
    team_barrier(t); /* all have set theirs: a name shared in the process would show */
    EXPECT_OK(ep_comm_get_name(t->comm, name, &length));
    EXPECT_STR(name, want);
    EXPECT_EQ(length, (int)strlen(want));
    memset(longest, 'x', sizeof longest - 1);
    longest[sizeof longest - 1] = 0;
    EXPECT_OK(ep_comm_set_name(t->comm, longest));
    EXPECT_OK(ep_comm_get_name(t->comm, name, &length));
    EXPECT_EQ(length, MPI_MAX_OBJECT_NAME - 1);
    EXPECT_EQ(strlen(name), MPI_MAX_OBJECT_NAME - 1);
    EXPECT_OK(ep_comm_set_name(t->comm, ""));
    EXPECT_OK(ep_comm_get_name(t->comm, name, &length));
    EXPECT_EQ(length, 0);
}

static void initial_state(team_t *t, void *arg)
{
    ep_comm fresh = ((ep_comm *)arg)[t->index];
    ep_errhandler handler = EP_ERRHANDLER_NULL;
    char name[MPI_MAX_OBJECT_NAME] = "junk";
    int length = -1;
    EXPECT_OK(ep_comm_get_errhandler(fresh, &handler));
    EXPECT(handler == EP_ERRORS_ARE_FATAL);
    EXPECT_OK(ep_comm_get_name(fresh, name, &length));
    EXPECT_EQ(length, (int)strlen(name));
    EXPECT_OK(ep_comm_set_errhandler(fresh, EP_ERRORS_RETURN));
    EXPECT_OK(ep_comm_get_errhandler(fresh, &handler));
    EXPECT(handler == EP_ERRORS_RETURN);
    EXPECT_RC(ep_send(NULL, 0, MPI_INT, t->size, 0, fresh), MPI_ERR_RANK);
    EXPECT_OK(ep_comm_set_errhandler(fresh, EP_ERRORS_ARE_FATAL));
    EXPECT_OK(ep_comm_get_errhandler(fresh, &handler));
    EXPECT(handler == EP_ERRORS_ARE_FATAL);
    EXPECT_OK(ep_comm_free(&fresh));
}

/* A second set, so that it does not have what the harness sets. */
static void fresh_communicator(void)
{
    int n = team_local_count();
    ep_comm *comms = xmalloc(2 * (size_t)n * sizeof *comms);
    int ok = EXPECT_OK(ep_comm_create_endpoints(MPI_COMM_WORLD, n, MPI_INFO_NULL, comms));
    ok &= EXPECT_OK(ep_comm_create_endpoints(MPI_COMM_WORLD, n, MPI_INFO_NULL, comms + n));
    if (ok)
        team_run_on(comms, n, 0, initial_state, comms + n);
    free(comms);
}

/* New endpoints start with the process's default handler. */
static void default_handler(void)
{
    int n = team_local_count();
    ep_comm *comms = xmalloc((size_t)n * sizeof *comms);
    ep_errhandler handler = EP_ERRHANDLER_NULL;
    EXPECT_OK(ep_comm_set_errhandler(EP_COMM_WORLD, EP_ERRORS_RETURN));
    EXPECT_OK(ep_comm_get_errhandler(EP_COMM_WORLD, &handler));
    EXPECT(handler == EP_ERRORS_RETURN);
    if (EXPECT_OK(ep_comm_create_endpoints(MPI_COMM_WORLD, n, MPI_INFO_NULL, comms)))
        for (int i = 0; i < n; i++) {
            EXPECT_OK(ep_comm_get_errhandler(comms[i], &handler));
            EXPECT(handler == EP_ERRORS_RETURN);
            EXPECT_OK(ep_comm_free(&comms[i]));
        }
    EXPECT_OK(ep_comm_set_errhandler(EP_COMM_WORLD, EP_ERRORS_ARE_FATAL));
    free(comms);
}

static void classic_communicator(team_t *t, void *arg)
{
    MPI_Comm mpi = MPI_COMM_NULL;
    int size = -1, populated = 0, sum = 0, one = 1, relation = -1;
    (void)arg;
    EXPECT_OK(ep_comm_get_mpi_comm(t->comm, &mpi));
    if (t->index) /* one rank per process: one thread of it uses it */
        return;
    for (int p = 0; p < t->processes; p++)
        populated += t->counts[p] > 0;
    MPI_Comm_size(mpi, &size);
    EXPECT(size == populated || size == t->processes);
    MPI_Comm_compare(mpi, MPI_COMM_WORLD, &relation);
    EXPECT(relation != MPI_IDENT);
    if (size == populated) {
        MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, mpi);
        EXPECT_EQ(sum, populated);
    }
}

static void thread_binding(team_t *t, void *arg)
{
    int rank = -1, size = -1, got = -1, value = t->rank + 40;
    int next = (t->rank + 1) % t->size, before = (t->rank + t->size - 1) % t->size;
    (void)arg;
    EXPECT_OK(ep_thread_bind(t->comm));
    EXPECT_OK(ep_comm_rank(EP_COMM_WORLD, &rank));
    EXPECT_OK(ep_comm_size(EP_COMM_WORLD, &size));
    EXPECT_EQ(rank, t->rank);
    EXPECT_EQ(size, t->size);
    EXPECT_OK(ep_sendrecv(&value, 1, MPI_INT, next, 1, &got, 1, MPI_INT, before, 1, EP_COMM_WORLD,
                          EP_STATUS_IGNORE));
    EXPECT_EQ(got, before + 40);
    EXPECT_OK(ep_comm_rank(EP_COMM_SELF, &rank));
    EXPECT_OK(ep_comm_size(EP_COMM_SELF, &size));
    EXPECT_EQ(rank, 0);
    EXPECT_EQ(size, 1);
    got = -1;
    EXPECT_OK(ep_sendrecv(&value, 1, MPI_INT, 0, 1, &got, 1, MPI_INT, 0, 1, EP_COMM_SELF, EP_STATUS_IGNORE));
    EXPECT_EQ(got, value);
    team_barrier(t);
    EXPECT_OK(ep_thread_bind(EP_COMM_NULL));
}

static void unbound_body(team_t *t, void *arg)
{
    int rank;
    (void)arg;
    (void)t;
    EXPECT_RC(ep_comm_rank(EP_COMM_WORLD, &rank), MPI_ERR_COMM);
    EXPECT_RC(ep_comm_rank(EP_COMM_SELF, &rank), MPI_ERR_COMM);
    EXPECT_RC(ep_send(NULL, 0, MPI_INT, 0, 0, EP_COMM_WORLD), MPI_ERR_COMM);
}

/* In a thread that is not bound the constants are invalid communicators. */
static void unbound(void)
{
    EXPECT_OK(ep_comm_set_errhandler(EP_COMM_WORLD, EP_ERRORS_RETURN));
    team_run(unbound_body, NULL);
    EXPECT_OK(ep_comm_set_errhandler(EP_COMM_WORLD, EP_ERRORS_ARE_FATAL));
}

static void clock_runs(team_t *t, void *arg)
{
    double start = ep_wtime(), now = start;
    (void)arg;
    (void)t;
    EXPECT(ep_wtick() > 0 && ep_wtick() < 1);
    for (int i = 0; i < 1000; i++) {
        double next = ep_wtime();
        if (!EXPECT(next >= now))
            break;
        now = next;
    }
    while (ep_wtime() == start) { /* a clock that stands still hangs here */
    }
}

static void error_texts(team_t *t, void *arg)
{
    static const int classes[] = {MPI_ERR_RANK, MPI_ERR_TAG, MPI_ERR_COMM, MPI_ERR_TRUNCATE, MPI_ERR_BUFFER};
    char text[MPI_MAX_ERROR_STRING];
    int length, class;
    (void)arg;
    (void)t;
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++) {
        EXPECT_OK(ep_error_class(classes[i], &class));
        EXPECT_EQ(class, classes[i]);
        length = -1;
        EXPECT_OK(ep_error_string(classes[i], text, &length));
        EXPECT(length > 0 && length == (int)strlen(text));
    }
}

static const harness_test tests[] = {
    {"attributes", attributes, NULL},
    {"names", names, NULL},
    {"initial state", NULL, fresh_communicator},
    {"default error handler", NULL, default_handler},
    {"classic communicator", classic_communicator, NULL},
    {"thread binding", thread_binding, NULL},
    {"unbound thread", NULL, unbound},
    {"clock", clock_runs, NULL},
    {"error texts", error_texts, NULL},
};

int main(int argc, char **argv)
{
    return HARNESS_MAIN(argc, argv, "communicator", tests);
}
