/* SPDX-License-Identifier: BSD-3-Clause */
/* cancel.c: cancelled receives take nothing, a cancel that comes too late changes nothing. */
#include "pairs.h"
#include <stdlib.h>
#include <string.h>

enum { TAG_DATA = 1, TAG_GO = 2 };

static int was_cancelled(ep_request *request, ep_status *status)
{
    int flag = -1;
    EXPECT_OK(ep_cancel(request));
    EXPECT(*request != EP_REQUEST_NULL); /* it must still be completed */
    EXPECT_OK(ep_wait(request, status));
    EXPECT(*request == EP_REQUEST_NULL);
    EXPECT_OK(ep_test_cancelled(status, &flag));
    return flag;
}

/* A receive that nobody sends to can be cancelled, exact or with wildcards, in the midst of others. */
static void pair_receive(team_t *t, int partner, void *arg)
{
    int in[3] = {-1, -1, -1}, out = t->rank;
    ep_request requests[3];
    ep_status status;
    (void)arg;
    for (int wild = 0; wild < 2; wild++) {
        int source = wild ? MPI_ANY_SOURCE : partner;
        for (int i = 0; i < 3; i++)
            EXPECT_OK(ep_irecv(&in[i], 1, MPI_INT, source, TAG_DATA, t->comm, &requests[i]));
        EXPECT(was_cancelled(&requests[1], &status));
        say(t, partner, TAG_GO);
        hear(t, partner, TAG_GO);
        for (int i = 0; i < 2; i++) {
            out = 10 * t->rank + i;
            EXPECT_OK(ep_send(&out, 1, MPI_INT, partner, TAG_DATA, t->comm));
        }
        EXPECT_OK(ep_wait(&requests[0], &status));
        EXPECT_OK(ep_wait(&requests[2], &status)); /* what the cancelled one would have taken */
        EXPECT_EQ(in[0], 10 * partner);
        EXPECT_EQ(in[1], -1);
        EXPECT_EQ(in[2], 10 * partner + 1);
    }
}

static void receive(team_t *t, void *arg)
{
    for_pairs(t, pair_receive, arg);
}

/* Too late: the message is there, so the receive is complete and says so. */
static void pair_late(team_t *t, int partner, void *arg)
{
    int in = -1, out = t->rank + 7;
    ep_request receiving, sending;
    ep_status status;
    (void)arg;
    EXPECT_OK(ep_irecv(&in, 1, MPI_INT, partner, TAG_DATA, t->comm, &receiving));
    EXPECT_OK(ep_issend(&out, 1, MPI_INT, partner, TAG_DATA, t->comm, &sending));
    EXPECT_OK(ep_wait(&sending, &status));
    say(t, partner, TAG_GO); /* "what you sent is matched" */
    hear(t, partner, TAG_GO);
    EXPECT(!was_cancelled(&receiving, &status));
    EXPECT_EQ(in, partner + 7);
    EXPECT_EQ(status.MPI_SOURCE, partner);
}

static void late(team_t *t, void *arg)
{
    for_pairs(t, pair_late, arg);
}

enum { MARK = 5, MARK_KEY = 77, ROOM = 300000 };

/* Takes what is there: the cancelled message or only the mark behind it. The sender's view must be the same. */
static void receive_rest(team_t *t, int from, unsigned char *buf, int n, unsigned key)
{
    int cancelled = -1, count = -1;
    ep_status status;
    hear(t, from, TAG_GO);
    EXPECT_OK(ep_recv(buf, ROOM, MPI_BYTE, from, TAG_DATA, t->comm, &status));
    EXPECT_OK(ep_get_count(&status, MPI_BYTE, &count));
    int seen = count == n;
    if (seen) {
        EXPECT_FILLED(buf, (size_t)n, key);
        EXPECT_OK(ep_recv(buf, ROOM, MPI_BYTE, from, TAG_DATA, t->comm, &status));
    }
    EXPECT_FILLED(buf, MARK, MARK_KEY);
    EXPECT_OK(ep_recv(&cancelled, 1, MPI_INT, from, TAG_GO, t->comm, EP_STATUS_IGNORE));
    EXPECT_EQ(seen, !cancelled);
}

/* Near, the wait after a cancel is local, as MPI wants it. Far it may need the receiver: most MPI libraries
 * cannot take a message back. */
static void cancel_send(team_t *t, int to, unsigned char *buf, int n, unsigned key, int synchronous)
{
    unsigned char mark[MARK];
    ep_request request, marking;
    ep_status status;
    int cancelled, near = team_near(t, to);
    fill(buf, (size_t)n, key);
    fill(mark, MARK, MARK_KEY);
    EXPECT_OK((synchronous ? ep_issend : ep_isend)(buf, n, MPI_BYTE, to, TAG_DATA, t->comm, &request));
    if (near) {
        cancelled = was_cancelled(&request, &status);
        if (synchronous)
            EXPECT(cancelled);
    } else {
        EXPECT_OK(ep_cancel(&request));
    }
    EXPECT_OK(ep_isend(mark, MARK, MPI_BYTE, to, TAG_DATA, t->comm, &marking));
    say(t, to, TAG_GO);
    if (!near) {
        EXPECT_OK(ep_wait(&request, &status));
        EXPECT_OK(ep_test_cancelled(&status, &cancelled));
    }
    EXPECT_OK(ep_wait(&marking, EP_STATUS_IGNORE));
    EXPECT_OK(ep_send(&cancelled, 1, MPI_INT, to, TAG_GO, t->comm));
}

/* A send that nobody has received yet: cancelled or delivered, never both, never neither. */
static void pair_send(team_t *t, int partner, void *arg)
{
    static const int sizes[] = {0, 8, 1000, ROOM};
    unsigned char *buf = arg;
    for (unsigned i = 0; i < 16; i++) {
        int n = sizes[i % 4], synchronous = i / 4 % 2;
        if ((i >= 8) == (t->rank < partner))
            receive_rest(t, partner, buf, n, i);
        else
            cancel_send(t, partner, buf, n, i, synchronous);
    }
}

static void unmatched_send(team_t *t, void *arg)
{
    unsigned char *buf = xmalloc(ROOM);
    (void)arg;
    for_pairs(t, pair_send, buf);
    free(buf);
}

/* request_free after cancel, and a persistent request that is cancelled and started again. */
static void pair_persistent(team_t *t, int partner, void *arg)
{
    int in = -1, out = t->rank;
    ep_request request;
    ep_status status;
    int flag = -1;
    (void)arg;
    EXPECT_OK(ep_irecv(&in, 1, MPI_INT, partner, 77, t->comm, &request));
    EXPECT_OK(ep_cancel(&request));
    EXPECT_OK(ep_request_free(&request));
    EXPECT(request == EP_REQUEST_NULL);
    EXPECT_OK(ep_recv_init(&in, 1, MPI_INT, partner, TAG_DATA, t->comm, &request));
    EXPECT_OK(ep_start(&request));
    EXPECT_OK(ep_cancel(&request));
    EXPECT_OK(ep_wait(&request, &status));
    EXPECT_OK(ep_test_cancelled(&status, &flag));
    EXPECT_EQ(flag, 1);
    EXPECT(request != EP_REQUEST_NULL);
    say(t, partner, TAG_GO);
    hear(t, partner, TAG_GO);
    EXPECT_OK(ep_start(&request));
    EXPECT_OK(ep_send(&out, 1, MPI_INT, partner, TAG_DATA, t->comm));
    EXPECT_OK(ep_wait(&request, &status));
    EXPECT_OK(ep_test_cancelled(&status, &flag));
    EXPECT_EQ(flag, 0);
    EXPECT_EQ(in, partner);
    EXPECT_OK(ep_request_free(&request));
}

static void persistent(team_t *t, void *arg)
{
    for_pairs(t, pair_persistent, arg);
}

static const harness_test tests[] = {
    {"receive", receive, NULL},
    {"too late", late, NULL},
    {"unmatched send", unmatched_send, NULL},
    {"persistent, freed", persistent, NULL},
};

int main(int argc, char **argv)
{
    return HARNESS_MAIN(argc, argv, "cancel", tests);
}
