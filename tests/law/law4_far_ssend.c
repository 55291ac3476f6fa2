/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * law4_far_ssend.c: a synchronous send completes when it is matched, not when it has been taken out of MPI.
 *
 * Catches an engine that receives far messages into buffers of its own as soon as it sees them, one that
 * maps ep_issend to MPI_Isend, and one whose near synchronous send completes when it is pushed. Nothing is
 * timed: the receiver's process shows with its probe that it holds the message.
 */
#include "harness.h"
#include <stdlib.h>

enum { TAG_DATA = 3, TAG_SEEN = 4, TAG_OTHER = 5, POLLS = 200 };

static void poll_idly(team_t *t, int polls)
{
    int flag;
    for (int i = 0; i < polls; i++)
        EXPECT_OK(ep_iprobe(t->rank, TAG_OTHER, t->comm, &flag, EP_STATUS_IGNORE));
}

static void send_side(team_t *t, int to, int bytes, char *buf)
{
    ep_request request;
    ep_status status;
    int flag = 0, go = 1;
    fill(buf, (size_t)bytes, (unsigned)bytes);
    EXPECT_OK(ep_issend(buf, bytes, MPI_BYTE, to, TAG_DATA, t->comm, &request));
    EXPECT_OK(ep_recv(&go, 1, MPI_INT, to, TAG_SEEN, t->comm, EP_STATUS_IGNORE));
    for (int i = 0; i < POLLS && !flag; i++) {
        EXPECT_OK(ep_test(&request, &flag, EP_STATUS_IGNORE));
        EXPECT_EQ(flag, 0);
    }
    EXPECT_OK(ep_send(&go, 1, MPI_INT, to, TAG_SEEN, t->comm));
    if (!flag)
        EXPECT_OK(ep_wait(&request, &status));
    EXPECT(request == EP_REQUEST_NULL);
}

static void receive_side(team_t *t, int from, int bytes, char *buf)
{
    ep_status status;
    ep_request other;
    int flag = 0, go = 1, unrelated, count = -1;
    EXPECT_OK(ep_irecv(&unrelated, 1, MPI_INT, from, TAG_OTHER, t->comm, &other)); /* must not match it */
    EXPECT_OK(ep_probe(from, TAG_DATA, t->comm, &status));
    EXPECT_OK(ep_iprobe(from, TAG_DATA, t->comm, &flag, &status));
    EXPECT_EQ(flag, 1);
    EXPECT_OK(ep_get_count(&status, MPI_BYTE, &count));
    EXPECT_EQ(count, bytes);
    poll_idly(t, POLLS);
    EXPECT_OK(ep_send(&go, 1, MPI_INT, from, TAG_SEEN, t->comm));
    EXPECT_OK(ep_recv(&go, 1, MPI_INT, from, TAG_SEEN, t->comm, EP_STATUS_IGNORE));
    EXPECT_OK(ep_recv(buf, bytes, MPI_BYTE, from, TAG_DATA, t->comm, EP_STATUS_IGNORE));
    EXPECT_FILLED(buf, (size_t)bytes, (unsigned)bytes);
    EXPECT_OK(ep_cancel(&other));
    EXPECT_OK(ep_wait(&other, EP_STATUS_IGNORE));
}

static void unmatched(team_t *t, void *arg)
{
    static const int sizes[] = {0, 8, 300, 4096, 65536, 65537, 1 << 20};
    char *buf = xmalloc(1 << 20);
    (void)arg;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (int from = 0; from < t->size; from++)
            for (int to = 0; to < t->size; to++) {
                if (from != to && t->rank == from)
                    send_side(t, to, sizes[i], buf);
                else if (from != to && t->rank == to)
                    receive_side(t, from, sizes[i], buf);
            }
    free(buf);
}

/* A posted receive completes it at once, also while its owner waits for something else. */
static void matched(team_t *t, void *arg)
{
    (void)arg;
    for (int shift = 1; shift < t->size; shift++) {
        int to = (t->rank + shift) % t->size, from = (t->rank + t->size - shift) % t->size, got = -1;
        ep_request receive;
        EXPECT_OK(ep_irecv(&got, 1, MPI_INT, from, shift, t->comm, &receive));
        EXPECT_OK(ep_ssend(&t->rank, 1, MPI_INT, to, shift, t->comm));
        EXPECT_OK(ep_wait(&receive, EP_STATUS_IGNORE));
        EXPECT_EQ(got, from);
    }
}

/* To oneself: from the same thread, so nothing else can complete it. */
static void to_oneself(team_t *t, void *arg)
{
    int out = 11, got = 0, flag = 0;
    ep_request request;
    (void)arg;
    EXPECT_OK(ep_issend(&out, 1, MPI_INT, t->rank, TAG_DATA, t->comm, &request));
    while (!flag)
        EXPECT_OK(ep_iprobe(t->rank, TAG_DATA, t->comm, &flag, EP_STATUS_IGNORE));
    EXPECT_OK(ep_test(&request, &flag, EP_STATUS_IGNORE));
    EXPECT_EQ(flag, 0);
    EXPECT_OK(ep_recv(&got, 1, MPI_INT, t->rank, TAG_DATA, t->comm, EP_STATUS_IGNORE));
    if (!flag)
        EXPECT_OK(ep_wait(&request, EP_STATUS_IGNORE));
    EXPECT_EQ(got, 11);
}

static const harness_test tests[] = {
    {"unmatched", unmatched, NULL}, {"matched", matched, NULL}, {"to_oneself", to_oneself, NULL}};

int main(int argc, char **argv)
{
    return HARNESS_MAIN(argc, argv, "law4_far_ssend", tests);
}
