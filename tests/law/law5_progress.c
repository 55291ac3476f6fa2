/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * law5_progress.c: no ep call waits inside MPI (law 5), and any endpoint inside any ep call makes progress
 * for its whole process (law 7).
 *
 * Catches a blocking MPI call anywhere in a send or receive (chain hangs), progress that serves only the
 * calling endpoint (owner_computes_*, chain hang), and senders that wait for their receivers' calls
 * although the receives are posted (all_blocked, owner_computes_near hang). The watchdog is the judge.
 */
#include "harness.h"
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { LARGE = 3 << 20 };

/* Everyone sends blockingly to everyone, and nobody waits for a receive before all its sends are done. */
static void all_blocked_with(team_t *t, int bytes)
{
    char *out = xmalloc((size_t)bytes), *in = xmalloc((size_t)bytes * (size_t)t->size);
    ep_request *receives = xmalloc((size_t)t->size * sizeof *receives);
    fill(out, (size_t)bytes, (unsigned)t->rank);
    for (int i = 0; i < t->size; i++)
        EXPECT_OK(ep_irecv(in + (size_t)bytes * (size_t)i, bytes, MPI_BYTE, i, 1, t->comm, &receives[i]));
    for (int i = 0; i < t->size; i++)
        EXPECT_OK(ep_send(out, bytes, MPI_BYTE, (t->rank + i) % t->size, 1, t->comm));
    EXPECT_OK(ep_waitall(t->size, receives, EP_STATUSES_IGNORE));
    for (int i = 0; i < t->size; i++)
        EXPECT_FILLED(in + (size_t)bytes * (size_t)i, (size_t)bytes, (unsigned)i);
    free(out);
    free(in);
    free(receives);
    team_barrier(t);
}

static void all_blocked(team_t *t, void *arg)
{
    (void)arg;
    all_blocked_with(t, 1 << 20);
    if (t->size <= 4 && harness_slowness() == 1)
        all_blocked_with(t, 8 << 20);
}

/* A ring in which each waits for its neighbour, by each pair of calls that MPI says cannot deadlock. */
static void cycles(team_t *t, void *arg)
{
    int to = (t->rank + 1) % t->size, from = (t->rank + t->size - 1) % t->size;
    char *out = xmalloc(LARGE), *in = xmalloc(LARGE);
    ep_request request;
    (void)arg;
    fill(out, LARGE, (unsigned)t->rank);
    for (int round = 0; round < 3; round++) {
        int bytes = round == 2 ? LARGE : round == 1 ? 70000 : 8;
        EXPECT_OK(ep_sendrecv(out, bytes, MPI_BYTE, to, round, in, bytes, MPI_BYTE, from, round, t->comm,
                              EP_STATUS_IGNORE));
        EXPECT_FILLED(in, (size_t)bytes, (unsigned)from);
        EXPECT_OK(ep_irecv(in, bytes, MPI_BYTE, from, 10, t->comm, &request));
        EXPECT_OK(ep_ssend(out, bytes, MPI_BYTE, to, 10, t->comm));
        EXPECT_OK(ep_wait(&request, EP_STATUS_IGNORE));
        EXPECT_OK(ep_issend(out, bytes, MPI_BYTE, to, 11, t->comm, &request));
        EXPECT_OK(ep_recv(in, bytes, MPI_BYTE, from, 11, t->comm, EP_STATUS_IGNORE));
        EXPECT_OK(ep_wait(&request, EP_STATUS_IGNORE));
        EXPECT_FILLED(in, (size_t)bytes, (unsigned)from);
    }
    free(out);
    free(in);
}

/* Rank of the endpoint `index` of process p, or -1. */
static int endpoint_of(const team_t *t, int p, int index)
{
    int first = 0;
    if (p >= t->processes || index >= t->counts[p])
        return -1;
    for (int i = 0; i < p; i++)
        first += t->counts[i];
    return first + index;
}

static atomic_int let_go;

/* The owner of `idle` has posted a receive and computes, outside of ep, until its neighbour `busy` has a
 * token that `sender` sends after its blocking send to `idle`. So busy's wait must complete idle's receive.
 * */
static void owner_computes(team_t *t, int sender, int idle, int busy, int bytes)
{
    char *buf = xmalloc((size_t)bytes);
    int token = 7;
    ep_request request;
    if (t->rank == idle) {
        atomic_store(&let_go, 0);
        EXPECT_OK(ep_irecv(buf, bytes, MPI_BYTE, sender, 1, t->comm, &request));
    }
    team_barrier(t);
    if (t->rank == idle) {
        while (!atomic_load(&let_go))
            sched_yield(); /* the computation; not a call of ep */
        EXPECT_OK(ep_wait(&request, EP_STATUS_IGNORE));
        EXPECT_FILLED(buf, (size_t)bytes, (unsigned)bytes);
    } else if (t->rank == sender) {
        fill(buf, (size_t)bytes, (unsigned)bytes);
        EXPECT_OK(ep_ssend(buf, bytes, MPI_BYTE, idle, 1, t->comm));
        if (busy == sender)
            atomic_store(&let_go, 1);
        else
            EXPECT_OK(ep_send(&token, 1, MPI_INT, busy, 2, t->comm));
    } else if (t->rank == busy) {
        EXPECT_OK(ep_recv(&token, 1, MPI_INT, sender, 2, t->comm, EP_STATUS_IGNORE));
        atomic_store(&let_go, 1);
    }
    team_barrier(t);
    free(buf);
}

static void owner_computes_far(team_t *t, void *arg)
{
    int sender = endpoint_of(t, 1, 0), idle = endpoint_of(t, 0, 1), busy = endpoint_of(t, 0, 0);
    (void)arg;
    if (sender < 0 || idle < 0)
        return;
    for (int bytes = 8; bytes <= LARGE; bytes *= 8) {
        owner_computes(t, sender, idle, busy, bytes);
        owner_computes(t, sender, busy, idle, bytes);
    }
}

static void owner_computes_near(team_t *t, void *arg)
{
    int idle = endpoint_of(t, 0, 1), sender = endpoint_of(t, 0, 0), third = endpoint_of(t, 0, 2);
    (void)arg;
    if (idle < 0)
        return;
    for (int bytes = 8; bytes <= LARGE; bytes *= 8) {
        owner_computes(t, sender, idle, sender, bytes);
        if (third >= 0)
            owner_computes(t, sender, idle, third, bytes);
    }
}

/* `blocked` of process 0 is in a synchronous send to far `last`, who receives it only after a token from
 * `feeder`, which feeder sends only after its large message to `idle` of process 0 is through, whose owner
 * computes. */
static void chain(team_t *t, void *arg)
{
    int blocked = endpoint_of(t, 0, 0), idle = endpoint_of(t, 0, 1);
    int feeder = endpoint_of(t, 1, 0), last = endpoint_of(t, 1, 1), token = 5;
    char *buf = xmalloc(LARGE);
    ep_request request;
    (void)arg;
    if (idle >= 0 && last >= 0 && t->rank == idle) {
        atomic_store(&let_go, 0);
        EXPECT_OK(ep_irecv(buf, LARGE, MPI_BYTE, feeder, 1, t->comm, &request));
    }
    team_barrier(t);
    if (idle >= 0 && last >= 0) {
        if (t->rank == blocked) {
            EXPECT_OK(ep_ssend(&token, 1, MPI_INT, last, 2, t->comm));
            atomic_store(&let_go, 1);
        } else if (t->rank == idle) {
            while (!atomic_load(&let_go))
                sched_yield();
            EXPECT_OK(ep_wait(&request, EP_STATUS_IGNORE));
            EXPECT_FILLED(buf, LARGE, 9);
        } else if (t->rank == feeder) {
            fill(buf, LARGE, 9);
            EXPECT_OK(ep_ssend(buf, LARGE, MPI_BYTE, idle, 1, t->comm));
            EXPECT_OK(ep_ssend(&token, 1, MPI_INT, last, 3, t->comm));
        } else if (t->rank == last) {
            EXPECT_OK(ep_recv(&token, 1, MPI_INT, feeder, 3, t->comm, EP_STATUS_IGNORE));
            EXPECT_OK(ep_recv(&token, 1, MPI_INT, blocked, 2, t->comm, EP_STATUS_IGNORE));
        }
    }
    team_barrier(t);
    free(buf);
}

static const harness_test tests[] = {{"all_blocked", all_blocked, NULL},
                                     {"cycles", cycles, NULL},
                                     {"owner_computes_far", owner_computes_far, NULL},
                                     {"owner_computes_near", owner_computes_near, NULL},
                                     {"chain", chain, NULL}};

int main(int argc, char **argv)
{
    return HARNESS_MAIN(argc, argv, "law5_progress", tests);
}
