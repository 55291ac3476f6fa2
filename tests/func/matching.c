/* SPDX-License-Identifier: BSD-3-Clause */
/* matching.c: wildcards over near and far senders, status fields, order, MPI_PROC_NULL, self messages. */
#include "pairs.h"
#include <stdlib.h>
#include <string.h>

enum { PER_SENDER = 20 };

/* Everyone sends to rank `root`; it takes them with wildcards in every combination, posted or unexpected. */
static void gather_with_wildcards(team_t *t, int root, int posted)
{
    int total = (t->size - 1) * PER_SENDER;
    if (t->rank != root) {
        if (posted)
            hear(t, root, 99);
        for (int i = 0; i < PER_SENDER; i++) {
            int value[2] = {t->rank, i};
            EXPECT_OK(ep_send(value, 2, MPI_INT, root, i % 7, t->comm));
        }
        return;
    }
    int(*got)[2] = xmalloc(sizeof *got * (size_t)(total + 1)),
    *next = xmalloc(sizeof *next * (size_t)t->size);
    ep_request *requests = xmalloc(sizeof *requests * (size_t)(total + 1));
    ep_status status;
    memset(next, 0, sizeof *next * (size_t)t->size);
    for (int i = 0; posted && i < total; i++)
        EXPECT_OK(ep_irecv(got[i], 2, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, t->comm, &requests[i]));
    for (int r = 0; posted && r < t->size; r++)
        if (r != root)
            say(t, r, 99);
    for (int i = 0; i < total; i++) {
        if (posted)
            EXPECT_OK(ep_wait(&requests[i], &status));
        else
            EXPECT_OK(ep_recv(got[i], 2, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, t->comm, &status));
        if (!EXPECT(got[i][0] >= 0 && got[i][0] < t->size))
            break;
        EXPECT_EQ(status.MPI_SOURCE, got[i][0]);
        EXPECT_EQ(status.MPI_TAG, got[i][1] % 7);
        EXPECT_EQ(got[i][1], next[got[i][0]]++); /* one sender's messages never overtake each other */
    }
    free(requests);
    free(next);
    free(got);
}

static void any_source_any_tag(team_t *t, void *arg)
{
    (void)arg;
    for (int root = 0; root < t->size; root++)
        for (int posted = 0; posted < 2; posted++) {
            gather_with_wildcards(t, root, posted);
            team_barrier(t);
        }
}

/* One of the two is a wildcard: the other still selects, and what it skips stays in order. */
static void half_wildcards(team_t *t, void *arg)
{
    enum { ROUNDS = 4 };
    int value[2], out[ROUNDS][2];
    ep_request *sends = xmalloc((size_t)t->size * ROUNDS * sizeof *sends);
    (void)arg;
    for (int i = 0; i < ROUNDS; i++) {
        out[i][0] = t->rank;
        out[i][1] = i;
    }
    for (int k = 0; k < t->size * ROUNDS; k++)
        EXPECT_OK(ep_isend(out[k % ROUNDS], 2, MPI_INT, k / ROUNDS, k % 2, t->comm, &sends[k]));
    for (int from = t->size - 1; from >= 0; from--) { /* odd tags of a given source, last source first */
        ep_status status;
        EXPECT_OK(ep_recv(value, 2, MPI_INT, from, 1, t->comm, &status));
        EXPECT_EQ(value[0], from);
        EXPECT_EQ(value[1], 1);
        EXPECT_OK(ep_recv(value, 2, MPI_INT, from, MPI_ANY_TAG, t->comm, &status));
        EXPECT_EQ(value[1], 0);
        EXPECT_EQ(status.MPI_TAG, 0);
        EXPECT_EQ(status.MPI_SOURCE, from);
    }
    for (int i = 0; i < t->size; i++) {
        ep_status status;
        EXPECT_OK(ep_recv(value, 2, MPI_INT, MPI_ANY_SOURCE, 1, t->comm, &status));
        EXPECT_EQ(value[1], 3);
        EXPECT_EQ(status.MPI_SOURCE, value[0]);
        EXPECT_EQ(status.MPI_TAG, 1);
    }
    for (int from = 0; from < t->size; from++) {
        EXPECT_OK(ep_recv(value, 2, MPI_INT, from, MPI_ANY_TAG, t->comm, EP_STATUS_IGNORE));
        EXPECT_EQ(value[1], 2);
    }
    EXPECT_OK(ep_waitall(t->size * ROUNDS, sends, EP_STATUSES_IGNORE));
    free(sends);
}

/* A posted wildcard and a posted exact receive: the one posted first takes the message. */
static void pair_first_posted(team_t *t, int partner, void *arg)
{
    int value[2] = {1, 2}, got[2] = {0, 0};
    ep_request requests[2];
    ep_status status;
    (void)arg;
    for (int wildcard_first = 0; wildcard_first < 2; wildcard_first++) {
        if (t->rank > partner) {
            hear(t, partner, 9);
            EXPECT_OK(ep_send(&value[0], 1, MPI_INT, partner, 3, t->comm));
            EXPECT_OK(ep_send(&value[1], 1, MPI_INT, partner, 3, t->comm));
            continue;
        }
        for (int i = 0; i < 2; i++) {
            int wild = (i == 0) == wildcard_first;
            EXPECT_OK(ep_irecv(&got[i], 1, MPI_INT, wild ? MPI_ANY_SOURCE : partner, wild ? MPI_ANY_TAG : 3,
                               t->comm, &requests[i]));
        }
        say(t, partner, 9);
        EXPECT_OK(ep_wait(&requests[1], &status)); /* waited for out of order: that must not matter */
        EXPECT_OK(ep_wait(&requests[0], &status));
        EXPECT_EQ(got[0], 1);
        EXPECT_EQ(got[1], 2);
    }
}

static void first_posted(team_t *t, void *arg)
{
    for_pairs(t, pair_first_posted, arg);
}

static void check_null_status(const ep_status *status)
{
    int count = -1;
    EXPECT_EQ(status->MPI_SOURCE, MPI_PROC_NULL);
    EXPECT_EQ(status->MPI_TAG, MPI_ANY_TAG);
    EXPECT_OK(ep_get_count(status, MPI_INT, &count));
    EXPECT_EQ(count, 0);
}

static void null_blocking(team_t *t, void *arg)
{
    int x = 77, flag = 0;
    ep_status status;
    ep_message message = EP_MESSAGE_NULL;
    ep_request request;
    (void)arg;
    EXPECT_OK(ep_send(&x, 1, MPI_INT, MPI_PROC_NULL, 0, t->comm));
    EXPECT_OK(ep_ssend(&x, 1, MPI_INT, MPI_PROC_NULL, 0, t->comm));
    EXPECT_OK(ep_rsend(&x, 1, MPI_INT, MPI_PROC_NULL, 0, t->comm));
    EXPECT_OK(ep_bsend(&x, 1, MPI_INT, MPI_PROC_NULL, 0, t->comm));
    EXPECT_OK(ep_recv(&x, 1, MPI_INT, MPI_PROC_NULL, 0, t->comm, &status));
    check_null_status(&status);
    EXPECT_OK(
        ep_sendrecv(&x, 1, MPI_INT, MPI_PROC_NULL, 0, &x, 0, MPI_INT, MPI_PROC_NULL, 0, t->comm, &status));
    check_null_status(&status);
    EXPECT_OK(ep_sendrecv_replace(&x, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_PROC_NULL, 0, t->comm, &status));
    check_null_status(&status);
    EXPECT_OK(ep_probe(MPI_PROC_NULL, 0, t->comm, &status));
    check_null_status(&status);
    EXPECT_OK(ep_iprobe(MPI_PROC_NULL, 0, t->comm, &flag, &status));
    EXPECT_EQ(flag, 1);
    check_null_status(&status);
    EXPECT_OK(ep_mprobe(MPI_PROC_NULL, 0, t->comm, &message, &status));
    EXPECT(message == EP_MESSAGE_NO_PROC);
    EXPECT_OK(ep_mrecv(&x, 1, MPI_INT, &message, &status));
    EXPECT(message == EP_MESSAGE_NULL);
    check_null_status(&status);
    flag = 0;
    EXPECT_OK(ep_improbe(MPI_PROC_NULL, 0, t->comm, &flag, &message, &status));
    EXPECT(flag && message == EP_MESSAGE_NO_PROC);
    EXPECT_OK(ep_imrecv(&x, 1, MPI_INT, &message, &request));
    EXPECT(message == EP_MESSAGE_NULL);
    EXPECT_OK(ep_wait(&request, &status));
    check_null_status(&status);
    EXPECT_EQ(x, 77);
}

typedef int send_start(const void *, int, MPI_Datatype, int, int, ep_comm, ep_request *);

static void null_requests(team_t *t, void *arg)
{
    send_start *const starts[] = {ep_isend, ep_issend, ep_ibsend, ep_irsend};
    send_start *const inits[] = {ep_send_init, ep_ssend_init, ep_bsend_init, ep_rsend_init};
    int x = 5;
    ep_request request;
    ep_status status;
    (void)arg;
    for (int i = 0; i < 4; i++) {
        EXPECT_OK(starts[i](&x, 1, MPI_INT, MPI_PROC_NULL, 1, t->comm, &request));
        EXPECT_OK(ep_wait(&request, EP_STATUS_IGNORE));
        EXPECT(request == EP_REQUEST_NULL);
        EXPECT_OK(inits[i](&x, 1, MPI_INT, MPI_PROC_NULL, 1, t->comm, &request));
        for (int k = 0; k < 2; k++) {
            EXPECT_OK(ep_start(&request));
            EXPECT_OK(ep_wait(&request, EP_STATUS_IGNORE));
        }
        EXPECT_OK(ep_request_free(&request));
    }
    EXPECT_OK(ep_irecv(&x, 1, MPI_INT, MPI_PROC_NULL, MPI_ANY_TAG, t->comm, &request));
    EXPECT_OK(ep_wait(&request, &status));
    check_null_status(&status);
    EXPECT_OK(ep_recv_init(&x, 1, MPI_INT, MPI_PROC_NULL, MPI_ANY_TAG, t->comm, &request));
    EXPECT_OK(ep_start(&request));
    EXPECT_OK(ep_wait(&request, &status));
    check_null_status(&status);
    EXPECT_OK(ep_request_free(&request));
    EXPECT_EQ(x, 5);
}

/* To oneself: sent before the receive and after it, small and large, all modes that may wait. */
static void self_messages(team_t *t, void *arg)
{
    static const int sizes[] = {0, 4, 41, 5000, 200000};
    unsigned char *out = xmalloc(200000), *in = xmalloc(200000);
    ep_request requests[2];
    ep_status statuses[2];
    (void)arg;
    for (int i = 0; i < 20; i++) {
        int n = sizes[i % 5], send_first = i / 5 % 2, synchronous = i / 10;
        fill(out, (size_t)n, (unsigned)i);
        memset(in, 0, (size_t)n);
        for (int k = 0; k < 2; k++) {
            if ((k == 0) != send_first)
                EXPECT_OK(ep_irecv(in, n, MPI_BYTE, t->rank, i, t->comm, &requests[1]));
            else
                EXPECT_OK((synchronous ? ep_issend : ep_isend)(out, n, MPI_BYTE, t->rank, i, t->comm,
                                                               &requests[0]));
        }
        EXPECT_OK(ep_waitall(2, requests, statuses));
        EXPECT_FILLED(in, (size_t)n, (unsigned)i);
        EXPECT_EQ(statuses[1].MPI_SOURCE, t->rank);
        EXPECT_EQ(statuses[1].MPI_TAG, i);
    }
    free(in);
    free(out);
}

static const harness_test tests[] = {
    {"any source, any tag", any_source_any_tag, NULL}, {"half wildcards", half_wildcards, NULL},
    {"first posted takes it", first_posted, NULL},     {"PROC_NULL in blocking calls", null_blocking, NULL},
    {"PROC_NULL in requests", null_requests, NULL},    {"self messages", self_messages, NULL},
};

int main(int argc, char **argv)
{
    return HARNESS_MAIN(argc, argv, "matching", tests);
}
