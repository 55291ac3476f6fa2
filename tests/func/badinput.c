/* SPDX-License-Identifier: BSD-3-Clause */
/* badinput.c: wrong arguments give MPI's error class and a message that names call, argument and endpoint; what
 * is right goes on as if nothing had been. */
#include "pairs.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* rc is the class, and its text names the call, the argument, this endpoint and its process. */
static void refused(team_t *t, int rc, int want, const char *call, const char *argument)
{
    char text[MPI_MAX_ERROR_STRING] = "", endpoint[32], process[32];
    int length = -1;
    if (!EXPECT_RC(rc, want))
        return;
    EXPECT_OK(ep_error_string(rc, text, &length));
    EXPECT_EQ(length, (int)strlen(text));
    snprintf(endpoint, sizeof endpoint, "%d", t->rank);
    snprintf(process, sizeof process, "process %d", t->process);
    EXPECT_CONTAINS(text, call);
    EXPECT_CONTAINS(text, argument);
    EXPECT_CONTAINS(text, endpoint);
    EXPECT_CONTAINS(text, process);
}

static int tag_ub(team_t *t)
{
    int *value = NULL, flag = 0;
    EXPECT_OK(ep_comm_get_attr(t->comm, MPI_TAG_UB, &value, &flag));
    return value ? *value : 32767;
}

typedef int send_fn(const void *, int, MPI_Datatype, int, int, ep_comm);
typedef int start_fn(const void *, int, MPI_Datatype, int, int, ep_comm, ep_request *);

static void blocking_sends(team_t *t, void *arg)
{
    static const struct {
        send_fn *fn;
        const char *name;
    } calls[] = {
        {ep_send, "ep_send"}, {ep_ssend, "ep_ssend"}, {ep_rsend, "ep_rsend"}, {ep_bsend, "ep_bsend"}};
    int x = 0, top = tag_ub(t);
    (void)arg;
    for (int i = 0; i < 4; i++) {
        send_fn *f = calls[i].fn;
        const char *name = calls[i].name;
        refused(t, f(&x, 1, MPI_INT, t->size, 0, t->comm), MPI_ERR_RANK, name, "dest");
        refused(t, f(&x, 1, MPI_INT, -77, 0, t->comm), MPI_ERR_RANK, name, "dest");
        refused(t, f(&x, 1, MPI_INT, MPI_ANY_SOURCE, 0, t->comm), MPI_ERR_RANK, name, "dest");
        refused(t, f(&x, 1, MPI_INT, t->rank, -3, t->comm), MPI_ERR_TAG, name, "tag");
        refused(t, f(&x, 1, MPI_INT, t->rank, MPI_ANY_TAG, t->comm), MPI_ERR_TAG, name, "tag");
        if (top < 0x7fffffff)
            refused(t, f(&x, 1, MPI_INT, t->rank, top + 1, t->comm), MPI_ERR_TAG, name, "tag");
        refused(t, f(&x, -1, MPI_INT, t->rank, 0, t->comm), MPI_ERR_COUNT, name, "count");
        refused(t, f(&x, 1, MPI_DATATYPE_NULL, t->rank, 0, t->comm), MPI_ERR_TYPE, name, "datatype");
        refused(t, f(NULL, 1, MPI_INT, t->rank, 0, t->comm), MPI_ERR_BUFFER, name, "buf");
    }
}

static void started_sends(team_t *t, void *arg)
{
    static const struct {
        start_fn *fn;
        const char *name;
    } calls[] = {{ep_isend, "ep_isend"},           {ep_issend, "ep_issend"},
                 {ep_irsend, "ep_irsend"},         {ep_ibsend, "ep_ibsend"},
                 {ep_send_init, "ep_send_init"},   {ep_ssend_init, "ep_ssend_init"},
                 {ep_rsend_init, "ep_rsend_init"}, {ep_bsend_init, "ep_bsend_init"}};
    int x = 0;
    ep_request request = EP_REQUEST_NULL;
    (void)arg;
    for (int i = 0; i < 8; i++) {
        start_fn *f = calls[i].fn;
        const char *name = calls[i].name;
        refused(t, f(&x, 1, MPI_INT, t->size, 0, t->comm, &request), MPI_ERR_RANK, name, "dest");
        refused(t, f(&x, 1, MPI_INT, t->rank, -3, t->comm, &request), MPI_ERR_TAG, name, "tag");
        refused(t, f(&x, -1, MPI_INT, t->rank, 0, t->comm, &request), MPI_ERR_COUNT, name, "count");
        refused(t, f(&x, 1, MPI_DATATYPE_NULL, t->rank, 0, t->comm, &request), MPI_ERR_TYPE, name,
                "datatype");
        refused(t, f(NULL, 1, MPI_INT, t->rank, 0, t->comm, &request), MPI_ERR_BUFFER, name, "buf");
    }
}

static void receives(team_t *t, void *arg)
{
    int x = 0, flag;
    ep_request r = EP_REQUEST_NULL;
    ep_message m = EP_MESSAGE_NULL;
    ep_status s;
    (void)arg;
    refused(t, ep_recv(&x, 1, MPI_INT, t->size, 0, t->comm, &s), MPI_ERR_RANK, "ep_recv", "source");
    refused(t, ep_recv(&x, 1, MPI_INT, 0, -9, t->comm, &s), MPI_ERR_TAG, "ep_recv", "tag");
    refused(t, ep_recv(&x, -1, MPI_INT, 0, 0, t->comm, &s), MPI_ERR_COUNT, "ep_recv", "count");
    refused(t, ep_recv(&x, 1, MPI_DATATYPE_NULL, 0, 0, t->comm, &s), MPI_ERR_TYPE, "ep_recv", "datatype");
    refused(t, ep_recv(NULL, 1, MPI_INT, 0, 0, t->comm, &s), MPI_ERR_BUFFER, "ep_recv", "buf");
    refused(t, ep_irecv(&x, 1, MPI_INT, -5, 0, t->comm, &r), MPI_ERR_RANK, "ep_irecv", "source");
    refused(t, ep_irecv(&x, 1, MPI_INT, 0, -9, t->comm, &r), MPI_ERR_TAG, "ep_irecv", "tag");
    refused(t, ep_recv_init(&x, -1, MPI_INT, 0, 0, t->comm, &r), MPI_ERR_COUNT, "ep_recv_init", "count");
    refused(t, ep_probe(t->size, 0, t->comm, &s), MPI_ERR_RANK, "ep_probe", "source");
    refused(t, ep_iprobe(0, -9, t->comm, &flag, &s), MPI_ERR_TAG, "ep_iprobe", "tag");
    refused(t, ep_mprobe(-5, 0, t->comm, &m, &s), MPI_ERR_RANK, "ep_mprobe", "source");
    refused(t, ep_improbe(0, -9, t->comm, &flag, &m, &s), MPI_ERR_TAG, "ep_improbe", "tag");
    refused(t, ep_sendrecv(&x, 1, MPI_INT, t->size, 0, &x, 0, MPI_INT, 0, 0, t->comm, &s), MPI_ERR_RANK,
            "ep_sendrecv", "dest");
    refused(t, ep_sendrecv(&x, 1, MPI_INT, 0, 0, &x, 1, MPI_INT, t->size, 0, t->comm, &s), MPI_ERR_RANK,
            "ep_sendrecv", "source");
    refused(t, ep_sendrecv_replace(&x, 1, MPI_INT, 0, -4, 0, 0, t->comm, &s), MPI_ERR_TAG,
            "ep_sendrecv_replace", "tag");
}

static void uncommitted(team_t *t, void *arg)
{
    MPI_Datatype type;
    int x[4] = {0};
    ep_request request;
    (void)arg;
    MPI_Type_contiguous(2, MPI_INT, &type);
    refused(t, ep_send(x, 1, type, t->rank, 0, t->comm), MPI_ERR_TYPE, "ep_send", "datatype");
    refused(t, ep_irecv(x, 1, type, t->rank, 0, t->comm, &request), MPI_ERR_TYPE, "ep_irecv", "datatype");
    MPI_Type_commit(&type);
    EXPECT_OK(ep_sendrecv(x, 1, type, t->rank, 0, x + 2, 1, type, t->rank, 0, t->comm, EP_STATUS_IGNORE));
    MPI_Type_free(&type);
}

/* Errors without a communicator go to the process's default handler. */
static void dead_handles(team_t *t, void *arg)
{
    ep_comm dead = ((ep_comm *)arg)[t->index], null = EP_COMM_NULL;
    ep_request request = EP_REQUEST_NULL, copy;
    ep_message message = EP_MESSAGE_NULL;
    ep_status status;
    int x = 0, rank, flag;
    EXPECT_OK(ep_comm_set_errhandler(dead, EP_ERRORS_RETURN));
    ep_comm freed = dead;
    EXPECT_OK(ep_comm_free(&dead));
    EXPECT_RC(ep_comm_rank(freed, &rank), MPI_ERR_COMM);
    EXPECT_RC(ep_send(&x, 1, MPI_INT, 0, 0, freed), MPI_ERR_COMM);
    EXPECT_RC(ep_comm_free(&freed), MPI_ERR_COMM);
    EXPECT_RC(ep_comm_free(&null), MPI_ERR_COMM);
    EXPECT_RC(ep_comm_rank(EP_COMM_NULL, &rank), MPI_ERR_COMM);
    EXPECT_RC(ep_recv(&x, 1, MPI_INT, 0, 0, EP_COMM_NULL, &status), MPI_ERR_COMM);
    EXPECT_RC(ep_request_free(&request), MPI_ERR_REQUEST);
    EXPECT_RC(ep_start(&request), MPI_ERR_REQUEST);
    EXPECT_RC(ep_cancel(&request), MPI_ERR_REQUEST);
    EXPECT_RC(ep_mrecv(&x, 1, MPI_INT, &message, &status), MPI_ERR_REQUEST);
    EXPECT_OK(ep_irecv(&x, 1, MPI_INT, t->rank, 1, t->comm, &request));
    copy = request;
    EXPECT_OK(ep_send(&t->rank, 1, MPI_INT, t->rank, 1, t->comm));
    EXPECT_OK(ep_wait(&request, &status));
    EXPECT_RC(ep_wait(&copy, &status), MPI_ERR_REQUEST); /* a stale copy of the handle */
    EXPECT_RC(ep_test(&copy, &flag, &status), MPI_ERR_REQUEST);
    EXPECT_OK(ep_irecv(&x, 1, MPI_INT, t->rank, 2, t->comm, &request));
    EXPECT_RC(ep_start(&request), MPI_ERR_REQUEST); /* not persistent */
    EXPECT_OK(ep_cancel(&request));
    EXPECT_OK(ep_wait(&request, &status));
}

static void dead_handles_alone(void)
{
    int n = team_local_count();
    ep_comm *comms = xmalloc(2 * (size_t)n * sizeof *comms);
    int ok = EXPECT_OK(ep_comm_create_endpoints(MPI_COMM_WORLD, n, MPI_INFO_NULL, comms));
    ok &= EXPECT_OK(ep_comm_create_endpoints(MPI_COMM_WORLD, n, MPI_INFO_NULL, comms + n));
    EXPECT_OK(ep_comm_set_errhandler(EP_COMM_WORLD, EP_ERRORS_RETURN));
    if (ok)
        team_run_on(comms, n, 0, dead_handles, comms + n);
    EXPECT_OK(ep_comm_set_errhandler(EP_COMM_WORLD, EP_ERRORS_ARE_FATAL));
    free(comms);
}

/* Between the errors, traffic goes on: nothing that was posted or under way is lost. */
static void program_goes_on(team_t *t, void *arg)
{
    int next = (t->rank + 1) % t->size, before = (t->rank + t->size - 1) % t->size, in[8], out[8];
    ep_request requests[16];
    (void)arg;
    for (int i = 0; i < 8; i++) {
        in[i] = -1;
        out[i] = 100 * t->rank + i;
        EXPECT_OK(ep_irecv(&in[i], 1, MPI_INT, before, i, t->comm, &requests[i]));
        EXPECT_RC(ep_irecv(&in[i], 1, MPI_INT, t->size + i, i, t->comm, &requests[8 + i]), MPI_ERR_RANK);
    }
    for (int i = 7; i >= 0; i--) {
        EXPECT_RC(ep_isend(&out[i], 1, MPI_INT, next, -2, t->comm, &requests[8 + i]), MPI_ERR_TAG);
        EXPECT_OK(ep_isend(&out[i], 1, MPI_INT, next, i, t->comm, &requests[8 + i]));
        EXPECT_RC(ep_send(&out[i], 1, MPI_INT, t->size, i, t->comm), MPI_ERR_RANK);
    }
    EXPECT_OK(ep_waitall(16, requests, EP_STATUSES_IGNORE));
    for (int i = 0; i < 8; i++)
        EXPECT_EQ(in[i], 100 * before + i);
}

static const harness_test tests[] = {
    {"blocking sends", blocking_sends, NULL},   {"started sends", started_sends, NULL},
    {"receives and probes", receives, NULL},    {"uncommitted type", uncommitted, NULL},
    {"dead handles", NULL, dead_handles_alone}, {"the program goes on", program_goes_on, NULL},
};

int main(int argc, char **argv)
{
    return HARNESS_MAIN(argc, argv, "badinput", tests);
}
