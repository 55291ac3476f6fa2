/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * random.c: random traffic between many tasks. What is sent follows from the seed: a stream is the messages of one
 * sender, receiver and tag, each with a size and contents of its own. Two tasks play it, the one sends by all kinds of sends,
 * the other receives by all kinds of receives, and in between both let others run.
 */
#include "ends.h"

#include <crt.h>
#include <stdlib.h>

enum { STREAMS = 8, ANY = 1000, ROOM = 100000, WINDOW = 5 };

typedef struct {
    int from, to, tag, length; /* ranks, messages */
} stream;

static uint64_t mix(uint64_t a, uint64_t b)
{
    uint64_t state = a * 0x9e3779b97f4a7c15u + b;
    return random_next(&state);
}

static unsigned key_of(const stream *s, int i)
{
    uint64_t pair = mix(harness_seed() + (uint64_t)s->from, (uint64_t)s->to);
    return (unsigned)mix(pair + (uint64_t)s->tag, (uint64_t)i);
}

/* Small ones mostly, some of a few kilobytes, few by rendezvous. */
static int size_of(const stream *s, int i)
{
    uint64_t state = key_of(s, i);
    int kind = random_below(&state, 20);
    return random_below(&state, kind == 0 ? ROOM : kind < 4 ? 5000 : 60);
}

/* ---- senders ---- */

static void send_blocking(team_t *t, const stream *s, int i, char *buf, uint64_t *random)
{
    int n = size_of(s, i);
    fill(buf, (size_t)n, key_of(s, i));
    if (random_below(random, 3) == 0)
        EXPECT_OK(ep_ssend(buf, n, MPI_CHAR, s->to, s->tag, t->comm));
    else
        EXPECT_OK(ep_send(buf, n, MPI_CHAR, s->to, s->tag, t->comm));
}

/* n messages from i on, all under way at once. */
static void send_window(team_t *t, const stream *s, int i, int n, char *buf, uint64_t *random)
{
    ep_request r[WINDOW];
    for (int k = 0; k < n; k++) {
        int bytes = size_of(s, i + k);
        char *at = buf + (size_t)k * ROOM;
        fill(at, (size_t)bytes, key_of(s, i + k));
        EXPECT_OK(random_below(random, 2) ? ep_isend(at, bytes, MPI_CHAR, s->to, s->tag, t->comm, &r[k])
                                          : ep_issend(at, bytes, MPI_CHAR, s->to, s->tag, t->comm, &r[k]));
    }
    linger(random, 2);
    EXPECT_OK(ep_waitall(n, r, EP_STATUSES_IGNORE));
}

static void send_stream(team_t *t, const stream *s, uint64_t random)
{
    char *buf = xmalloc((size_t)WINDOW * ROOM);
    for (int i = 0, n; i < s->length; i += n) {
        n = 1 + random_below(&random, WINDOW);
        if (n > s->length - i)
            n = s->length - i;
        if (n == 1)
            send_blocking(t, s, i, buf, &random);
        else
            send_window(t, s, i, n, buf, &random);
        linger(&random, 2);
    }
    free(buf);
}

/* ---- receivers ---- */

static void check(const stream *s, int i, const char *buf, const ep_status *status)
{
    int n = -1;
    EXPECT_OK(ep_get_count(status, MPI_CHAR, &n));
    EXPECT_EQ(status->MPI_SOURCE, s->from);
    EXPECT_EQ(status->MPI_TAG, s->tag);
    if (EXPECT_EQ(n, size_of(s, i)))
        EXPECT_FILLED(buf, (size_t)n, key_of(s, i));
}

static void receive_probed(team_t *t, const stream *s, int i, char *buf, int kind)
{
    ep_status status;
    ep_message message;
    int flag = 0, n = -1;
    if (kind == 0)
        EXPECT_OK(ep_mprobe(s->from, s->tag, t->comm, &message, &status));
    else if (kind == 1)
        EXPECT_OK(ep_probe(s->from, s->tag, t->comm, &status));
    else
        while (!flag)
            EXPECT_OK(ep_iprobe(s->from, s->tag, t->comm, &flag, &status));
    EXPECT_OK(ep_get_count(&status, MPI_CHAR, &n));
    EXPECT_EQ(n, size_of(s, i));
    if (kind == 0)
        EXPECT_OK(ep_mrecv(buf, ROOM, MPI_CHAR, &message, &status));
    else
        EXPECT_OK(ep_recv(buf, n, MPI_CHAR, s->from, s->tag, t->comm, &status));
    check(s, i, buf, &status);
}

/* Wait for one of n requests, in one of the ways that there are. Its index. */
static int finish_one(int n, ep_request r[], ep_status *status, uint64_t *random)
{
    int kind = random_below(random, 3), k = random_below(random, n), flag = 0;
    while (r[k] == EP_REQUEST_NULL)
        k = (k + 1) % n;
    if (kind == 0)
        EXPECT_OK(ep_wait(&r[k], status));
    else if (kind == 1)
        EXPECT_OK(ep_waitany(n, r, &k, status));
    else
        while (!flag)
            EXPECT_OK(ep_test(&r[k], &flag, status));
    return k;
}

/* n receives posted at once; their ends come in any order. */
static void receive_window(team_t *t, const stream *s, int i, int n, char *buf, uint64_t *random)
{
    ep_request r[WINDOW];
    for (int k = 0; k < n; k++)
        EXPECT_OK(ep_irecv(buf + (size_t)k * ROOM, ROOM, MPI_CHAR, s->from, s->tag, t->comm, &r[k]));
    for (int done = 0; done < n; done++) {
        ep_status status;
        int k = finish_one(n, r, &status, random);
        linger(random, 1);
        if (!EXPECT(k >= 0 && k < n))
            return;
        check(s, i + k, buf + (size_t)k * ROOM, &status);
    }
}

static void receive_stream(team_t *t, const stream *s, uint64_t random)
{
    char *buf = xmalloc((size_t)WINDOW * ROOM);
    ep_status status;
    for (int i = 0, n; i < s->length; i += n) {
        int kind = random_below(&random, 6);
        n = 1;
        if (kind < 3) {
            receive_probed(t, s, i, buf, kind);
        } else if (kind == 3) {
            EXPECT_OK(ep_recv(buf, ROOM, MPI_CHAR, s->from, s->tag, t->comm, &status));
            check(s, i, buf, &status);
        } else {
            n = 1 + random_below(&random, WINDOW);
            n = n < s->length - i ? n : s->length - i;
            receive_window(t, s, i, n, buf, &random);
        }
        linger(&random, 2);
    }
    free(buf);
}

/* One task receives from all ranks with wildcards: those of each sender and tag come in order. */
static void receive_any(team_t *t, ep_comm comm, int length)
{
    char *buf = xmalloc(ROOM);
    int *next = xmalloc((size_t)(t->size * STREAMS) * sizeof *next);
    for (int i = 0; i < t->size * STREAMS; i++)
        next[i] = 0;
    for (int i = 0; i < length * STREAMS * t->size; i++) {
        ep_status status = {.MPI_SOURCE = -1};
        EXPECT_OK(ep_recv(buf, ROOM, MPI_CHAR, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &status));
        int from = status.MPI_SOURCE, tag = status.MPI_TAG;
        if (!EXPECT(from >= 0 && from < t->size && tag >= ANY && tag < ANY + STREAMS))
            break;
        stream s = {from, t->rank, tag, length};
        check(&s, next[from * STREAMS + tag - ANY]++, buf, &status);
    }
    free(next);
    free(buf);
}

/* A task for each end of each stream, created in an order that differs between endpoints. */
static void play(team_t *t, void *arg)
{
    (void)arg;
    int pairs = t->size * STREAMS, length = effort(240 / t->size), shift = random_below(&t->random, pairs);
    ep_comm any;
    EXPECT_OK(ep_comm_dup(t->comm, &any));
    team_t there = *t;
    there.comm = any;
    for (int k = 0; k < pairs; k++) {
        int i = (k + shift) % pairs, other = i / STREAMS, tag = i % STREAMS;
        uint64_t random = random_next(&t->random);
#pragma omp task firstprivate(other, tag, random)
        {
            stream s = {t->rank, other, tag, length};
            send_stream(t, &s, random);
        }
#pragma omp task firstprivate(other, tag, random)
        {
            stream s = {other, t->rank, tag, length};
            receive_stream(t, &s, random + 1);
        }
#pragma omp task firstprivate(other, tag, random, there)
        {
            stream s = {t->rank, other, ANY + tag, length};
            send_stream(&there, &s, random + 2);
        }
    }
#pragma omp task
    receive_any(t, any, length);
#pragma omp taskwait
    EXPECT_OK(ep_comm_free(&any));
}
IN_TASKS(play)

static const harness_test tests[] = {{"play", NULL, play_in_tasks}};

int main(int argc, char **argv)
{
    return HARNESS_MAIN(argc, argv, "tasks: random", tests);
}
