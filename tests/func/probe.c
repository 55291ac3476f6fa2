/* SPDX-License-Identifier: BSD-3-Clause */
/* probe.c: probe, iprobe, mprobe, improbe, mrecv, imrecv, alone and by two threads of one endpoint. */
#include "pairs.h"
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { TAG_GO = 50 };

static const int sizes[] = {0, 8, 41, 5000, 70000, 1 << 20};
enum { SIZES = sizeof sizes / sizeof *sizes };

/* The probe says what will come, again and again, without taking it. */
static void probe_and_receive(team_t *t, int from, int n, int tag, int wild, unsigned char *buf)
{
    ep_status probed, again, received;
    int count = -1, flag = 0, source = wild ? MPI_ANY_SOURCE : from;
    EXPECT_OK(ep_probe(source, wild ? MPI_ANY_TAG : tag, t->comm, &probed));
    EXPECT_EQ(probed.MPI_SOURCE, from);
    EXPECT_EQ(probed.MPI_TAG, tag);
    EXPECT_OK(ep_get_count(&probed, MPI_BYTE, &count));
    EXPECT_EQ(count, n);
    EXPECT_OK(ep_iprobe(source, tag, t->comm, &flag, &again));
    EXPECT_EQ(flag, 1);
    EXPECT_EQ(again.MPI_TAG, tag);
    EXPECT_OK(ep_iprobe(source, tag + 1000, t->comm, &flag, EP_STATUS_IGNORE));
    EXPECT_EQ(flag, 0);
    EXPECT_OK(ep_recv(buf, count, MPI_BYTE, probed.MPI_SOURCE, probed.MPI_TAG, t->comm, &received));
    EXPECT_FILLED(buf, (size_t)n, (unsigned)tag);
}

static void matched_receive(team_t *t, int from, int n, int tag, int wild, unsigned char *buf)
{
    ep_status probed, received;
    ep_message message = EP_MESSAGE_NULL;
    ep_request request;
    int count = -1, flag = 0, source = wild ? MPI_ANY_SOURCE : from;
    if (n % 2) {
        EXPECT_OK(ep_mprobe(source, wild ? MPI_ANY_TAG : tag, t->comm, &message, &probed));
    } else {
        while (!flag)
            if (!EXPECT_OK(ep_improbe(source, tag, t->comm, &flag, &message, &probed)))
                return;
    }
    EXPECT(message != EP_MESSAGE_NULL && message != EP_MESSAGE_NO_PROC);
    EXPECT_EQ(probed.MPI_SOURCE, from);
    EXPECT_EQ(probed.MPI_TAG, tag);
    EXPECT_OK(ep_get_count(&probed, MPI_BYTE, &count));
    EXPECT_EQ(count, n);
    EXPECT_OK(ep_iprobe(from, tag, t->comm, &flag, EP_STATUS_IGNORE)); /* it is out of the queue */
    EXPECT_EQ(flag, 0);
    if (n > 41) {
        EXPECT_OK(ep_imrecv(buf, n, MPI_BYTE, &message, &request));
        EXPECT(message == EP_MESSAGE_NULL);
        EXPECT_OK(ep_wait(&request, &received));
    } else {
        EXPECT_OK(ep_mrecv(buf, n, MPI_BYTE, &message, &received));
        EXPECT(message == EP_MESSAGE_NULL);
    }
    EXPECT_EQ(received.MPI_SOURCE, from);
    EXPECT_EQ(received.MPI_TAG, tag);
    EXPECT_OK(ep_get_count(&received, MPI_BYTE, &count));
    EXPECT_EQ(count, n);
    EXPECT_FILLED(buf, (size_t)n, (unsigned)tag);
}

static void pair_probe(team_t *t, int partner, void *arg)
{
    unsigned char *buf = arg;
    for (int i = 0; i < SIZES * 16; i++) {
        int n = sizes[i % SIZES], matched = i / SIZES % 2, wild = i / SIZES / 2 % 2,
            synchronous = i / SIZES / 4 % 2;
        if ((i < SIZES * 8) == (t->rank < partner)) {
            fill(buf, (size_t)n, (unsigned)i);
            EXPECT_OK((synchronous ? ep_ssend : ep_send)(buf, n, MPI_BYTE, partner, i, t->comm));
        } else {
            (matched ? matched_receive : probe_and_receive)(t, partner, n, i, wild, buf);
        }
    }
}

static void probes(team_t *t, void *arg)
{
    unsigned char *buf = xmalloc(1 << 20);
    int flag = -1;
    ep_message message;
    (void)arg;
    EXPECT_OK(ep_iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, t->comm, &flag, EP_STATUS_IGNORE));
    EXPECT_EQ(flag, 0);
    EXPECT_OK(ep_improbe(MPI_ANY_SOURCE, MPI_ANY_TAG, t->comm, &flag, &message, EP_STATUS_IGNORE));
    EXPECT_EQ(flag, 0);
    team_barrier(t);
    for_pairs(t, pair_probe, buf);
    free(buf);
}

/* A matched message keeps its place: what came after it is received before it, and a synchronous sender waits. */
static void pair_held(team_t *t, int partner, void *arg)
{
    int value[2] = {1, 2}, got = -1, flag = -1;
    (void)arg;
    if (t->rank > partner) {
        ep_request request;
        EXPECT_OK(ep_issend(&value[0], 1, MPI_INT, partner, 1, t->comm, &request));
        EXPECT_OK(ep_send(&value[1], 1, MPI_INT, partner, 1, t->comm));
        hear(t, partner, TAG_GO);
        EXPECT_OK(ep_wait(&request, EP_STATUS_IGNORE));
        return;
    }
    ep_message message;
    EXPECT_OK(ep_mprobe(partner, 1, t->comm, &message, EP_STATUS_IGNORE));
    EXPECT_OK(ep_recv(&got, 1, MPI_INT, partner, 1, t->comm, EP_STATUS_IGNORE));
    EXPECT_EQ(got, 2);
    EXPECT_OK(ep_mrecv(&got, 1, MPI_INT, &message, EP_STATUS_IGNORE));
    EXPECT_EQ(got, 1);
    EXPECT_OK(ep_iprobe(partner, 1, t->comm, &flag, EP_STATUS_IGNORE));
    EXPECT_EQ(flag, 0);
    say(t, partner, TAG_GO);
}

static void held_message(team_t *t, void *arg)
{
    for_pairs(t, pair_held, arg);
}

/* Two threads of one endpoint take messages from all: each message exactly once. */
enum { PER_SENDER = 50, TAG_WORK = 5, TAG_END = 6 };

typedef struct {
    team_t *t;
    atomic_int *left; /* messages that neither of the two has taken */
    int taken;
    long long sum; /* of their values */
} taker;

static void *take(void *arg)
{
    taker *me = arg;
    team_adopt(me->t);
    for (;;) {
        ep_message message;
        ep_status status;
        int values[2] = {-1, -1};
        if (!EXPECT_OK(ep_mprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, me->t->comm, &message, &status)))
            return NULL;
        EXPECT_OK(ep_mrecv(values, 2, MPI_INT, &message, EP_STATUS_IGNORE));
        if (status.MPI_TAG == TAG_END)
            return NULL;
        EXPECT_EQ(values[0], status.MPI_SOURCE);
        me->taken++;
        me->sum += values[1];
        if (atomic_fetch_sub(me->left, 1) == 1) { /* the last: end the other one too */
            EXPECT_OK(ep_send(NULL, 0, MPI_INT, me->t->rank, TAG_END, me->t->comm));
            return NULL;
        }
    }
}

static void two_threads_probe(team_t *t, void *arg)
{
    atomic_int left = PER_SENDER * t->size;
    taker takers[2] = {{.t = t, .left = &left}, {.t = t, .left = &left}};
    pthread_t thread;
    (void)arg;
    if (!EXPECT_EQ(pthread_create(&thread, NULL, take, &takers[1]), 0))
        return;
    for (int i = 0; i < PER_SENDER; i++)
        for (int to = 0; to < t->size; to++) {
            int values[2] = {t->rank, i};
            EXPECT_OK(ep_send(values, 2, MPI_INT, to, TAG_WORK, t->comm));
        }
    take(&takers[0]);
    pthread_join(thread, NULL);
    EXPECT_EQ(takers[0].taken + takers[1].taken, PER_SENDER * t->size);
    EXPECT_EQ(takers[0].sum + takers[1].sum, (long long)t->size * PER_SENDER * (PER_SENDER - 1) / 2);
}

static const harness_test tests[] = {
    {"probes", probes, NULL},
    {"held message", held_message, NULL},
    {"two threads of one endpoint", two_threads_probe, NULL},
};

int main(int argc, char **argv)
{
    return HARNESS_MAIN(argc, argv, "probe", tests);
}
