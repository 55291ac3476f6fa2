/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * law9_nomalloc.c: the fast path of send and receive allocates nothing, takes no mutex and makes no system
 * call.
 *
 * Catches requests, messages or payloads from malloc, wake-ups that call the kernel although nobody sleeps,
 * and waits that look at the clock through the kernel. One thread moves both endpoints, so that it never
 * has to wait and every system call is the path's own; then two threads play ping-pong, where waiting may
 * call the kernel, but nothing may be allocated.
 */
#include "harness.h"
#include "watch_calls.h"
#include <stdio.h>
#include <string.h>

enum { WARM = 2000, ROUNDS = 20000, LONGEST = 65536, BURST = 64 };

typedef struct {
    ep_comm from, to; /* rank 0 sends to rank 1 */
    char out[LONGEST], in[LONGEST];
    int bytes;
} pair;

typedef void pattern(pair *p);

static void unexpected(pair *p)
{
    EXPECT_OK(ep_send(p->out, p->bytes, MPI_BYTE, 1, 3, p->from));
    EXPECT_OK(ep_recv(p->in, p->bytes, MPI_BYTE, 0, 3, p->to, EP_STATUS_IGNORE));
}

static void by_wildcard(pair *p)
{
    ep_status status;
    int flag = 0;
    EXPECT_OK(ep_send(p->out, p->bytes, MPI_BYTE, 1, 3, p->from));
    EXPECT_OK(ep_iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, p->to, &flag, &status));
    EXPECT_EQ(flag, 1);
    EXPECT_OK(ep_recv(p->in, p->bytes, MPI_BYTE, MPI_ANY_SOURCE, MPI_ANY_TAG, p->to, &status));
}

static void by_matching_probe(pair *p)
{
    ep_message message;
    ep_status status;
    EXPECT_OK(ep_send(p->out, p->bytes, MPI_BYTE, 1, 3, p->from));
    EXPECT_OK(ep_mprobe(0, MPI_ANY_TAG, p->to, &message, &status));
    EXPECT_OK(ep_mrecv(p->in, p->bytes, MPI_BYTE, &message, &status));
}

static void posted(pair *p)
{
    ep_request requests[2];
    EXPECT_OK(ep_irecv(p->in, p->bytes, MPI_BYTE, 0, 3, p->to, &requests[0]));
    EXPECT_OK(ep_isend(p->out, p->bytes, MPI_BYTE, 1, 3, p->from, &requests[1]));
    EXPECT_OK(ep_waitall(2, requests, EP_STATUSES_IGNORE));
}

static void burst(pair *p)
{
    ep_request requests[2 * BURST];
    int each = p->bytes / BURST;
    for (int i = 0; i < BURST; i++)
        EXPECT_OK(ep_irecv(p->in + i * each, each, MPI_BYTE, i % 2 ? MPI_ANY_SOURCE : 0, i % 7, p->to,
                           &requests[i]));
    for (int i = 0; i < BURST; i++)
        EXPECT_OK(ep_isend(p->out + i * each, each, MPI_BYTE, 1, i % 7, p->from, &requests[BURST + i]));
    EXPECT_OK(ep_waitall(2 * BURST, requests, EP_STATUSES_IGNORE));
}

static void expect_none(calls c, const char *name, int bytes)
{
    if (c.allocations || c.locks || c.system_calls)
        fprintf(stderr, "%s, %d bytes: %d allocations, %d mutexes, %d system calls (first: number %d)\n",
                name, bytes, c.allocations, c.locks, c.system_calls, c.system_call);
    EXPECT_EQ(c.allocations, 0);
    EXPECT_EQ(c.locks, 0);
    EXPECT_EQ(c.system_calls, 0);
}

static void measure(pair *p, pattern *run, const char *name, int bytes, int rounds)
{
    p->bytes = bytes;
    fill(p->out, (size_t)bytes, (unsigned)bytes);
    for (int i = 0; i < rounds / 10 + 10; i++)
        run(p);
    memset(p->in, 0, (size_t)bytes);
    watch_begin(1);
    for (int i = 0; i < rounds; i++)
        run(p);
    expect_none(watch_end(), name, bytes);
    if (run != burst)
        EXPECT_FILLED(p->in, (size_t)bytes, (unsigned)bytes);
}

/* Far endpoints would poll MPI, which has system calls of its own: this runs with one process. */
static void alone(void)
{
    static pair p;
    static const int sizes[] = {0, 8, 64, 256, 1024};
    static const int longer[] = {1025, 4096, 16384, 65536};
    ep_comm comms[2];
    int processes;
    MPI_Comm_size(MPI_COMM_WORLD, &processes);
    if (!EXPECT_EQ(processes, 1))
        return;
    if (!watch_allocations() || !watch_system_calls())
        printf("law9_nomalloc: allocations %swatched, system calls %swatched here\n",
               watch_allocations() ? "" : "not ", watch_system_calls() ? "" : "not ");
    EXPECT_OK(ep_comm_create_endpoints(MPI_COMM_WORLD, 2, MPI_INFO_NULL, comms));
    p.from = comms[0];
    p.to = comms[1];
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        measure(&p, unexpected, "unexpected", sizes[i], ROUNDS);
        measure(&p, by_wildcard, "by_wildcard", sizes[i], ROUNDS);
        measure(&p, by_matching_probe, "by_matching_probe", sizes[i], ROUNDS);
        measure(&p, posted, "posted", sizes[i], ROUNDS);
        if (sizes[i] <=
            64) /* longer ones would fill the inbox, which overflows into memory that is allocated */
            measure(&p, burst, "burst", BURST * sizes[i], ROUNDS / BURST);
    }
    for (size_t i = 0; i < sizeof longer / sizeof *longer; i++)
        measure(&p, posted, "posted", longer[i], ROUNDS / 4);
    EXPECT_OK(ep_comm_free(&comms[0]));
    EXPECT_OK(ep_comm_free(&comms[1]));
}

static void ping_pong(team_t *t, int bytes, char *buf, int rounds)
{
    int peer = t->rank ^ 1;
    for (int i = 0; i < rounds; i++) {
        if (t->rank % 2 == 0)
            EXPECT_OK(ep_send(buf, bytes, MPI_BYTE, peer, 1, t->comm));
        EXPECT_OK(ep_recv(buf, bytes, MPI_BYTE, peer, 1, t->comm, EP_STATUS_IGNORE));
        if (t->rank % 2)
            EXPECT_OK(ep_send(buf, bytes, MPI_BYTE, peer, 1, t->comm));
    }
}

/* Both have sent before either receives, so the pools of unexpected messages are filled before we count. */
static void fill_pools(team_t *t, int bytes, char *buf)
{
    for (int i = 0; i < 8; i++)
        EXPECT_OK(ep_send(buf, bytes, MPI_BYTE, t->rank ^ 1, 1, t->comm));
    EXPECT_OK(ep_send(buf, 0, MPI_BYTE, t->rank ^ 1, 2, t->comm));
    EXPECT_OK(ep_recv(buf, 0, MPI_BYTE, t->rank ^ 1, 2, t->comm, EP_STATUS_IGNORE));
    for (int i = 0; i < 8; i++)
        EXPECT_OK(ep_recv(buf, bytes, MPI_BYTE, t->rank ^ 1, 1, t->comm, EP_STATUS_IGNORE));
}

static void threads(team_t *t, void *arg)
{
    static const int sizes[] = {8, 1024}; /* a longer one is buffered if its receiver keeps it waiting */
    static char buffers[2][LONGEST];
    (void)arg;
    if (t->rank > 1)
        return;
    for (int i = 0; i < 2; i++) {
        fill_pools(t, sizes[i], buffers[t->rank]);
        ping_pong(t, sizes[i], buffers[t->rank], WARM);
        watch_begin(0);
        ping_pong(t, sizes[i], buffers[t->rank], ROUNDS / 4);
        expect_none(watch_end(), "threads", sizes[i]);
    }
}

static const harness_test tests[] = {{"alone", NULL, alone}, {"threads", threads, NULL}};

int main(int argc, char **argv)
{
    return HARNESS_MAIN(argc, argv, "law9_nomalloc", tests);
}
