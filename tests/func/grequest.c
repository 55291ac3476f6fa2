/* SPDX-License-Identifier: BSD-3-Clause */
/* grequest.c: generalized requests, completed by threads that are no endpoints, alone and among others. */
#include "pairs.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    int bytes, queried, freed, cancelled, complete_at_cancel;
    ep_request request; /* for the thread that completes it */
    pthread_t thread;
} operation;

static int query(void *extra, ep_status *status)
{
    operation *o = extra;
    o->queried++;
    EXPECT_OK(ep_status_set_elements(status, MPI_BYTE, o->bytes));
    EXPECT_OK(ep_status_set_cancelled(status, o->cancelled));
    status->MPI_SOURCE = 321;
    status->MPI_TAG = 654;
    return MPI_SUCCESS;
}

static int query_fails(void *extra, ep_status *status)
{
    query(extra, status);
    return MPI_ERR_OTHER;
}

static int free_operation(void *extra)
{
    ((operation *)extra)->freed++;
    return MPI_SUCCESS;
}

static int cancel_operation(void *extra, int complete)
{
    operation *o = extra;
    o->complete_at_cancel = complete;
    o->cancelled = !complete;
    return MPI_SUCCESS;
}

static void start(operation *o, int bytes)
{
    *o = (operation){.bytes = bytes, .complete_at_cancel = -1};
    EXPECT_OK(ep_grequest_start(query, free_operation, cancel_operation, o, &o->request));
}

static void *complete(void *arg)
{
    ep_grequest_complete(((operation *)arg)->request);
    return NULL;
}

static void check_status(const ep_status *status, int bytes)
{
    int count = -1, flag = -1;
    EXPECT_EQ(status->MPI_SOURCE, 321);
    EXPECT_EQ(status->MPI_TAG, 654);
    EXPECT_OK(ep_get_count(status, MPI_BYTE, &count));
    EXPECT_EQ(count, bytes);
    EXPECT_OK(ep_test_cancelled(status, &flag));
    EXPECT_EQ(flag, 0);
}

/* One thread waits (and has nothing else to wake it) while a foreign one completes. */
static void foreign_thread(team_t *t, void *arg)
{
    (void)arg;
    for (int i = 0; i < 20; i++) {
        operation o;
        ep_request request;
        ep_status status;
        int flag = -1;
        start(&o, i + t->rank);
        request = o.request;
        EXPECT_OK(ep_test(&request, &flag, &status));
        EXPECT_EQ(flag, 0);
        if (!EXPECT_EQ(pthread_create(&o.thread, NULL, complete, &o), 0))
            return;
        EXPECT_OK(ep_wait(&request, &status));
        pthread_join(o.thread, NULL);
        EXPECT(request == EP_REQUEST_NULL);
        check_status(&status, i + t->rank);
        EXPECT(o.queried >= 1);
        EXPECT_EQ(o.freed, 1);
    }
}

/* Completed by another endpoint of the team, through any way it hears of it. */
static void mixed_with_messages(team_t *t, void *arg)
{
    int next = (t->rank + 1) % t->size, before = (t->rank + t->size - 1) % t->size, in[2] = {-1, -1};
    operation o[2];
    ep_request requests[4];
    ep_status statuses[4];
    (void)arg;
    for (int i = 0; i < 2; i++) {
        start(&o[i], 10 + i);
        requests[2 * i] = o[i].request;
        EXPECT_OK(ep_irecv(&in[i], 1, MPI_INT, before, i, t->comm, &requests[2 * i + 1]));
    }
    for (int i = 0; i < 2; i++) {
        EXPECT_EQ(pthread_create(&o[i].thread, NULL, complete, &o[i]), 0);
        EXPECT_OK(ep_send(&t->rank, 1, MPI_INT, next, i, t->comm));
    }
    EXPECT_OK(ep_waitall(4, requests, statuses));
    for (int i = 0; i < 2; i++) {
        pthread_join(o[i].thread, NULL);
        check_status(&statuses[2 * i], 10 + i);
        EXPECT_EQ(o[i].freed, 1);
        EXPECT_EQ(in[i], before);
        EXPECT_EQ(statuses[2 * i + 1].MPI_SOURCE, before);
    }
}

static void waitany_some(team_t *t, void *arg)
{
    operation o[3];
    ep_request requests[3];
    ep_status statuses[3];
    int index = -1, outcount = -1, indices[3], flag = 0;
    (void)arg;
    (void)t;
    for (int i = 0; i < 3; i++) {
        start(&o[i], i);
        requests[i] = o[i].request;
    }
    EXPECT_OK(ep_testsome(3, requests, &outcount, indices, statuses));
    EXPECT_EQ(outcount, 0);
    EXPECT_OK(ep_grequest_complete(requests[1]));
    EXPECT_OK(ep_waitany(3, requests, &index, statuses));
    EXPECT_EQ(index, 1);
    check_status(statuses, 1);
    EXPECT_OK(ep_grequest_complete(requests[2]));
    EXPECT_OK(ep_request_get_status(requests[2], &flag, statuses));
    EXPECT_EQ(flag, 1);
    check_status(statuses, 2);
    EXPECT_EQ(o[2].freed, 0);
    EXPECT_OK(ep_waitsome(3, requests, &outcount, indices, statuses));
    EXPECT_EQ(outcount, 1);
    EXPECT_EQ(indices[0], 2);
    EXPECT_OK(ep_request_free(&requests[0])); /* before it completes: freed when it does */
    EXPECT_EQ(o[0].freed, 0);
    EXPECT_OK(ep_grequest_complete(o[0].request));
    EXPECT_EQ(o[0].freed, 1);
}

static void cancelled(team_t *t, void *arg)
{
    operation o;
    ep_request request;
    ep_status status;
    int flag = -1;
    (void)arg;
    (void)t;
    for (int late = 0; late < 2; late++) {
        start(&o, 0);
        request = o.request;
        if (late)
            EXPECT_OK(ep_grequest_complete(request));
        EXPECT_OK(ep_cancel(&request));
        EXPECT_EQ(o.complete_at_cancel, late);
        if (!late)
            EXPECT_OK(ep_grequest_complete(request));
        EXPECT_OK(ep_wait(&request, &status));
        EXPECT_OK(ep_test_cancelled(&status, &flag));
        EXPECT_EQ(flag, !late);
        EXPECT_EQ(o.freed, 1);
    }
}

/* What the query function returns is what the wait returns; in a waitall it is in the status. */
static void failing_query(team_t *t, void *arg)
{
    operation o = {.bytes = 3};
    ep_request request;
    ep_status status;
    (void)arg;
    (void)t;
    EXPECT_OK(ep_grequest_start(query_fails, free_operation, cancel_operation, &o, &request));
    EXPECT_OK(ep_grequest_complete(request));
    EXPECT_RC(ep_waitall(1, &request, &status), MPI_ERR_IN_STATUS);
    EXPECT_EQ(status.MPI_ERROR, MPI_ERR_OTHER);
    EXPECT_EQ(o.freed, 1);
}

static void failing_query_alone(void)
{
    EXPECT_OK(ep_comm_set_errhandler(EP_COMM_WORLD, EP_ERRORS_RETURN)); /* it belongs to no communicator */
    team_run(failing_query, NULL);
    EXPECT_OK(ep_comm_set_errhandler(EP_COMM_WORLD, EP_ERRORS_ARE_FATAL));
}

static void status_elements(team_t *t, void *arg)
{
    ep_status status;
    MPI_Datatype pair;
    MPI_Count elements = -1;
    int count = -1;
    (void)arg;
    (void)t;
    MPI_Type_contiguous(2, MPI_INT, &pair);
    MPI_Type_commit(&pair);
    EXPECT_OK(ep_status_set_elements(&status, pair, 5)); /* two and a half pairs */
    EXPECT_OK(ep_get_elements(&status, pair, &count));
    EXPECT_EQ(count, 5);
    EXPECT_OK(ep_get_count(&status, pair, &count));
    EXPECT_EQ(count, MPI_UNDEFINED);
    EXPECT_OK(ep_status_set_elements_x(&status, MPI_BYTE, (MPI_Count)5 << 30));
    EXPECT_OK(ep_get_elements_x(&status, MPI_BYTE, &elements));
    EXPECT_EQ(elements, (MPI_Count)5 << 30);
    EXPECT_OK(ep_get_elements(&status, MPI_BYTE, &count));
    EXPECT_EQ(count, MPI_UNDEFINED);
    EXPECT_OK(ep_get_count(&status, MPI_BYTE, &count));
    EXPECT_EQ(count, MPI_UNDEFINED);
    MPI_Type_free(&pair);
}

static const harness_test tests[] = {
    {"foreign thread completes", foreign_thread, NULL},  {"mixed with messages", mixed_with_messages, NULL},
    {"any, some, get_status, free", waitany_some, NULL}, {"cancel", cancelled, NULL},
    {"failing query", NULL, failing_query_alone},        {"status elements", status_elements, NULL},
};

int main(int argc, char **argv)
{
    return HARNESS_MAIN(argc, argv, "grequest", tests);
}
