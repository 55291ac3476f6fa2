/* SPDX-License-Identifier: BSD-3-Clause */
/* buffered.c: bsend and its buffer: attach, use up, detach. */
#include "pairs.h"
#include <stdlib.h>
#include <string.h>

enum { TAG_DATA = 1, TAG_GO = 2, N = 10, LENGTH = 1000 };

/* Sent before anyone receives, more than the eager limit in all; the sender's memory is free at once. */
static void pair_fills(team_t *t, int partner, void *arg)
{
    int room = N * (200000 + EP_BSEND_OVERHEAD), size = 0;
    unsigned char *buffer = xmalloc((size_t)room), *data = xmalloc(200000);
    void *detached = NULL;
    ep_request request;
    (void)arg;
    EXPECT_OK(ep_buffer_attach(buffer, room));
    for (int i = 0; i < N; i++) {
        fill(data, 200000, (unsigned)(t->rank + i));
        if (i % 2) {
            EXPECT_OK(ep_bsend(data, 200000, MPI_BYTE, partner, i, t->comm));
        } else {
            EXPECT_OK(ep_ibsend(data, 200000, MPI_BYTE, partner, i, t->comm, &request));
            EXPECT_OK(ep_wait(&request, EP_STATUS_IGNORE));
        }
    }
    say(t, partner, TAG_GO + 100);
    hear(t, partner, TAG_GO + 100);
    for (int i = N - 1; i >= 0; i--) {
        EXPECT_OK(ep_recv(data, 200000, MPI_BYTE, partner, i, t->comm, EP_STATUS_IGNORE));
        EXPECT_FILLED(data, 200000, (unsigned)(partner + i));
    }
    EXPECT_OK(ep_buffer_detach(&detached, &size));
    EXPECT(detached == buffer);
    EXPECT_EQ(size, room);
    free(data);
    free(buffer);
}

static void sent_before_received(team_t *t, void *arg)
{
    for_pairs(t, pair_fills, arg);
}

/* Room for exactly so many; one more is MPI_ERR_BUFFER; delivered ones make room again. */
static void pair_exhaust(team_t *t, int partner, void *arg)
{
    int room = N * (LENGTH + EP_BSEND_OVERHEAD), size, sent = 0, rc = MPI_SUCCESS, expected = -1;
    unsigned char *buffer = xmalloc((size_t)room), data[LENGTH];
    void *detached;
    (void)arg;
    if (t->rank > partner) {
        hear(t, partner, TAG_GO);
        for (int round = 0; round < 2; round++) {
            EXPECT_OK(ep_recv(&expected, 1, MPI_INT, partner, TAG_GO, t->comm, EP_STATUS_IGNORE));
            for (int i = 0; i < expected; i++) {
                EXPECT_OK(ep_recv(data, LENGTH, MPI_BYTE, partner, TAG_DATA, t->comm, EP_STATUS_IGNORE));
                EXPECT_FILLED(data, LENGTH, (unsigned)i);
            }
            say(t, partner, TAG_GO);
        }
        free(buffer);
        return;
    }
    EXPECT_OK(ep_buffer_attach(buffer, room));
    say(t, partner, TAG_GO);
    EXPECT_RC(ep_bsend(buffer, room, MPI_BYTE, partner, TAG_DATA, t->comm), MPI_ERR_BUFFER);
    for (int round = 0; round < 2; round++) {
        for (sent = 0; sent < N; sent++) {
            fill(data, LENGTH, (unsigned)sent);
            rc = ep_bsend(data, LENGTH, MPI_BYTE, partner, TAG_DATA, t->comm);
            if (!EXPECT_RC(rc, MPI_SUCCESS))
                break;
        }
        EXPECT_OK(ep_send(&sent, 1, MPI_INT, partner, TAG_GO, t->comm));
        hear(t, partner, TAG_GO);
        if (round == 0) { /* all delivered: a detach must not wait, and gives all of the room back */
            EXPECT_OK(ep_buffer_detach(&detached, &size));
            EXPECT_OK(ep_buffer_attach(buffer, room));
        }
    }
    EXPECT_OK(ep_buffer_detach(&detached, &size));
    free(buffer);
}

static void exhaust(team_t *t, void *arg)
{
    for_pairs(t, pair_exhaust, arg);
}

/* Undelivered messages to oneself fill the buffer: the error leaves those before it whole. */
static void overflow(team_t *t, void *arg)
{
    int room = 4 * (70000 + EP_BSEND_OVERHEAD), size, sent = 0;
    unsigned char *buffer = xmalloc((size_t)room), *data = xmalloc(70000);
    void *detached;
    (void)arg;
    EXPECT_RC(ep_bsend(data, 1, MPI_BYTE, t->rank, TAG_DATA, t->comm), MPI_ERR_BUFFER); /* none attached */
    EXPECT_OK(ep_buffer_attach(buffer, room));
    EXPECT_RC(ep_buffer_attach(data, 70000), MPI_ERR_BUFFER); /* one is attached already */
    for (; sent < 1000; sent++) {
        fill(data, 70000, (unsigned)sent);
        int rc = ep_bsend(data, 70000, MPI_BYTE, t->rank, TAG_DATA, t->comm);
        if (rc != MPI_SUCCESS) {
            EXPECT_EQ(rc, MPI_ERR_BUFFER);
            break;
        }
    }
    EXPECT(sent >= 4); /* that many must fit; an engine that delivers without the buffer may take more */
    for (int i = 0; i < sent; i++) {
        EXPECT_OK(ep_recv(data, 70000, MPI_BYTE, t->rank, TAG_DATA, t->comm, EP_STATUS_IGNORE));
        EXPECT_FILLED(data, 70000, (unsigned)i);
    }
    fill(data, 70000, 5);
    EXPECT_OK(ep_bsend(data, 70000, MPI_BYTE, t->rank, TAG_DATA, t->comm)); /* there is room again */
    EXPECT_OK(ep_recv(data, 70000, MPI_BYTE, t->rank, TAG_DATA, t->comm, EP_STATUS_IGNORE));
    EXPECT_OK(ep_buffer_detach(&detached, &size));
    EXPECT(detached == buffer);
    detached = buffer;
    size = -1;
    EXPECT_OK(ep_buffer_detach(&detached, &size)); /* nothing attached: nothing comes back */
    EXPECT(detached == NULL);
    EXPECT_EQ(size, 0);
    free(data);
    free(buffer);
}

/* Attach and buffer errors of an unbound thread may belong to no communicator. */
static void overflow_alone(void)
{
    EXPECT_OK(ep_comm_set_errhandler(EP_COMM_WORLD, EP_ERRORS_RETURN));
    team_run(overflow, NULL);
    EXPECT_RC(ep_buffer_attach(&(char){0}, EP_BSEND_OVERHEAD - 1), MPI_ERR_BUFFER);
    EXPECT_RC(ep_buffer_attach(&(char){0}, -1), MPI_ERR_BUFFER);
    EXPECT_OK(ep_comm_set_errhandler(EP_COMM_WORLD, EP_ERRORS_ARE_FATAL));
}

/* detach returns when the messages are delivered, and no earlier: the buffer is overwritten right after. */
static void pair_detach(team_t *t, int partner, void *arg)
{
    int room = 3 * (150000 + EP_BSEND_OVERHEAD), size;
    unsigned char *buffer = xmalloc((size_t)room), *data = xmalloc(150000);
    void *detached;
    (void)arg;
    if (t->rank < partner) {
        EXPECT_OK(ep_buffer_attach(buffer, room));
        for (int i = 0; i < 3; i++) {
            fill(data, 150000, (unsigned)i);
            EXPECT_OK(ep_bsend(data, 150000, MPI_BYTE, partner, TAG_DATA, t->comm));
        }
        say(t, partner, TAG_GO);
        EXPECT_OK(ep_buffer_detach(&detached, &size));
        memset(buffer, 0xee, (size_t)room);
    } else {
        hear(t, partner, TAG_GO);
        for (int i = 0; i < 3; i++) {
            EXPECT_OK(ep_recv(data, 150000, MPI_BYTE, partner, TAG_DATA, t->comm, EP_STATUS_IGNORE));
            EXPECT_FILLED(data, 150000, (unsigned)i);
        }
    }
    free(data);
    free(buffer);
}

static void detach_waits(team_t *t, void *arg)
{
    for_pairs(t, pair_detach, arg);
}

/* The buffer belongs to the endpoint a thread is bound to: each has its own, and it comes along with the binding. */
static void bound_buffer(team_t *t, void *arg)
{
    unsigned char buffer[1000 + EP_BSEND_OVERHEAD];
    void *detached = NULL;
    int size = 0, value = t->rank, next = (t->rank + 1) % t->size, before = (t->rank + t->size - 1) % t->size,
        got = -1;
    (void)arg;
    EXPECT_OK(ep_thread_bind(t->comm));
    EXPECT_OK(ep_buffer_attach(buffer, sizeof buffer));
    EXPECT_OK(ep_bsend(&value, 1, MPI_INT, next, 0, t->comm));
    EXPECT_OK(ep_recv(&got, 1, MPI_INT, before, 0, t->comm, EP_STATUS_IGNORE));
    EXPECT_EQ(got, before);
    team_barrier(t);
    EXPECT_OK(ep_buffer_detach(&detached, &size));
    EXPECT(detached == buffer);
    EXPECT_EQ(size, sizeof buffer);
    EXPECT_OK(ep_thread_bind(EP_COMM_NULL));
}

static const harness_test tests[] = {
    {"sent before received", sent_before_received, NULL},
    {"exhaust and reuse", exhaust, NULL},
    {"overflow", NULL, overflow_alone},
    {"detach waits", detach_waits, NULL},
    {"buffer of a bound endpoint", bound_buffer, NULL},
};

int main(int argc, char **argv)
{
    return HARNESS_MAIN(argc, argv, "buffered", tests);
}
