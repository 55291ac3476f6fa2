/* SPDX-License-Identifier: BSD-3-Clause */
/* trace.c: a program for trace.py, which looks at the file that EP_TRACE makes of it.
 *   trace WHAT LOG ENDPOINTS [LEVEL]
 * Each message of it has a length that no other has, so that both ends of an arrow tell which message they are of. What was called,
 * sent and received is written to LOG.<process>: "C rank call times", "S source dest tag bytes", "R source dest tag bytes" (ranks in
 * the world). */
#include <ep.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 16, ROOM = 1 << 20, CALLS = 200, STRIDE = 2000 };

static char *logs[MOST]; /* by local index */
static size_t used[MOST];

/* One endpoint. */
struct self {
    ep_comm world;
    int index, rank, size, sent;
    char *buffer;
    struct {
        const char *name;
        int n;
    } call[CALLS];
};

static void line(struct self *me, const char *text)
{
    size_t n = strlen(text);
    if (used[me->index] + n < ROOM)
        memcpy(logs[me->index] + used[me->index], text, n + 1);
    used[me->index] += n;
}

static void count(struct self *me, const char *name)
{
    int i = 0;
    while (me->call[i].name && strcmp(me->call[i].name, name) != 0)
        i++;
    me->call[i].name = name;
    me->call[i].n++;
}
#define CALL(name, ...) (count(me, #name), ep_##name(__VA_ARGS__))

static void log_message(struct self *me, const char *what, int source, int dest, int tag, int bytes)
{
    char text[100];
    snprintf(text, sizeof text, "%s %d %d %d %d\n", what, source, dest, tag, bytes);
    line(me, text);
}

/* The next message's length: more than extra. */
static int length(struct self *me, int dest, int tag, int extra)
{
    int n = extra + me->rank * STRIDE / 8 +
            ++me->sent; /* differs from those of other ranks if they send less than STRIDE / 8 */
    log_message(me, "S", me->rank, dest, tag, n);
    return n;
}

/* What was received, where rank r of the communicator is rank r * stride + first of the world. */
static void got_from(struct self *me, const ep_status *s, int first, int stride)
{
    int bytes;
    ep_get_count(s, MPI_BYTE, &bytes);
    log_message(me, "R", s->MPI_SOURCE * stride + first, me->rank, s->MPI_TAG, bytes);
}

static void got(struct self *me, const ep_status *s)
{
    got_from(me, s, 0, 1);
}

#define BYTES(n) me->buffer, n, MPI_BYTE
#define ANY me->buffer, ROOM, MPI_BYTE, MPI_ANY_SOURCE

static void wildcards(struct self *me)
{
    int next = (me->rank + 1) % me->size;
    ep_status s;
    for (int i = 0; i < 5; i++)
        CALL(send, BYTES(length(me, next, i % 2, 0)), next, i % 2, me->world);
    for (int i = 0; i < 5; i++) {
        CALL(recv, ANY, MPI_ANY_TAG, me->world, &s);
        got(me, &s);
    }
    CALL(barrier, me->world);
}

/* Received in another order than sent. */
static void tags(struct self *me)
{
    int next = (me->rank + 1) % me->size;
    ep_request q[9];
    ep_status s;
    for (int i = 0; i < 9; i++)
        CALL(isend, BYTES(length(me, next, 10 + i % 3, i == 4 ? 70000 : 0)), next, 10 + i % 3, me->world,
             &q[i]);
    for (int i = 8; i >= 0; i--) {
        CALL(recv, ANY, 10 + i % 3, me->world, &s);
        got(me, &s);
    }
    for (int i = 0; i < 9; i++)
        CALL(wait, &q[i], EP_STATUS_IGNORE);
    CALL(barrier, me->world);
}

static void modes(struct self *me)
{
    int next = (me->rank + 1) % me->size, before = (me->rank + me->size - 1) % me->size;
    ep_status s;
    ep_request q;
    static _Thread_local char attached[20000];
    CALL(irecv, ANY, 20, me->world, &q);
    CALL(ssend, BYTES(length(me, next, 20, 0)), next, 20, me->world);
    CALL(wait, &q, &s);
    got(me, &s);
    CALL(irecv, ANY, 20, me->world, &q);
    CALL(barrier, me->world);
    CALL(rsend, BYTES(length(me, next, 20, 0)), next, 20, me->world);
    CALL(waitall, 1, &q, &s);
    got(me, &s);
    ep_buffer_attach(attached, sizeof attached);
    CALL(bsend, BYTES(length(me, next, 20, 0)), next, 20, me->world);
    CALL(recv, me->buffer, ROOM, MPI_BYTE, before, 20, me->world, &s);
    got(me, &s);
    void *back;
    int n;
    ep_buffer_detach(&back, &n);
    CALL(issend, BYTES(length(me, next, 20, 0)), next, 20, me->world, &q);
    CALL(recv, me->buffer, ROOM, MPI_BYTE, before, MPI_ANY_TAG, me->world, &s);
    got(me, &s);
    CALL(wait, &q, EP_STATUS_IGNORE);
    n = length(me, next, 21, 0);
    CALL(sendrecv, attached, n, MPI_BYTE, next, 21, ANY, 21, me->world, &s);
    got(me, &s);
    CALL(sendrecv_replace, BYTES(length(me, me->rank, 23, 0)), me->rank, 23, MPI_ANY_SOURCE, 23, me->world,
         &s);
    got(me, &s);
    CALL(barrier, me->world);
    CALL(send, BYTES(length(me, me->rank, 22, 0)), me->rank, 22, me->world); /* to itself */
    CALL(recv, ANY, 22, me->world, &s);
    got(me, &s);
    CALL(send, me->buffer, 0, MPI_BYTE, MPI_PROC_NULL, 22, me->world);
    CALL(recv, me->buffer, 0, MPI_BYTE, MPI_PROC_NULL, 22, me->world, &s);
    CALL(barrier, me->world);
}

static void completions(struct self *me)
{
    int next = (me->rank + 1) % me->size, index, some[4], n, flag = 0;
    ep_request in[4], out[4];
    ep_status s[4];
    for (int round = 0; round < 4; round++) {
        for (int i = 0; i < 4; i++)
            CALL(irecv, me->buffer + i * (ROOM / 8), ROOM / 8, MPI_BYTE, MPI_ANY_SOURCE,
                 i % 2 ? MPI_ANY_TAG : 30, me->world, &in[i]);
        CALL(barrier, me->world);
        for (int i = 0; i < 4; i++)
            CALL(isend, me->buffer + ROOM / 2, length(me, next, 30, i == 3 ? 80000 : 0), MPI_BYTE, next, 30,
                 me->world, &out[i]);
        for (int left = 4; left > 0;) {
            if (round == 0) {
                CALL(waitall, 4, in, s);
                n = 4;
            } else if (round == 1) {
                CALL(waitany, 4, in, &index, s);
                n = 1;
            } else if (round == 2) {
                CALL(waitsome, 4, in, &n, some, s);
            } else {
                CALL(testall, 4, in, &flag, s);
                n = flag ? 4 : 0;
            }
            for (int i = 0; i < n; i++)
                got(me, &s[i]);
            left -= n;
        }
        CALL(waitall, 4, out, EP_STATUSES_IGNORE);
        CALL(barrier, me->world);
    }
}

/* Taken by probes in one order, received in another, while a receive takes a third. */
static void probes(struct self *me)
{
    int next = (me->rank + 1) % me->size, before = (me->rank + me->size - 1) % me->size;
    ep_message a, b;
    ep_status s;
    ep_request q;
    for (int i = 0; i < 3; i++)
        CALL(send, BYTES(length(me, next, 40, 0)), next, 40, me->world);
    CALL(mprobe, before, 40, me->world, &a, EP_STATUS_IGNORE);
    CALL(mprobe, MPI_ANY_SOURCE, 40, me->world, &b, EP_STATUS_IGNORE);
    CALL(probe, before, 40, me->world, &s);
    CALL(recv, ANY, 40, me->world, &s);
    got(me, &s);
    CALL(mrecv, me->buffer, ROOM, MPI_BYTE, &b, &s);
    got(me, &s);
    CALL(imrecv, me->buffer, ROOM, MPI_BYTE, &a, &q);
    CALL(wait, &q, &s);
    got(me, &s);
    CALL(barrier, me->world);
}

static void persistents(struct self *me)
{
    int next = (me->rank + 1) % me->size, before = (me->rank + me->size - 1) % me->size;
    int small = length(me, next, 50, 0), large = length(me, next, 50, 90000);
    ep_request q[4];
    ep_status s[4];
    CALL(recv_init, me->buffer, ROOM / 4, MPI_BYTE, before, 50, me->world, &q[0]);
    CALL(recv_init, me->buffer + ROOM / 4, ROOM / 4, MPI_BYTE, MPI_ANY_SOURCE, 50, me->world, &q[1]);
    CALL(send_init, me->buffer + ROOM / 2, small, MPI_BYTE, next, 50, me->world, &q[2]);
    CALL(send_init, me->buffer + ROOM / 2, large, MPI_BYTE, next, 50, me->world, &q[3]);
    for (int i = 0; i < 3; i++) {
        if (i > 0) { /* of the same lengths again, which differ in time alone */
            log_message(me, "S", me->rank, next, 50, small);
            log_message(me, "S", me->rank, next, 50, large);
        }
        if (i == 1) {
            for (int k = 0; k < 4; k++)
                CALL(start, &q[k]);
        } else {
            CALL(startall, 4, q);
        }
        CALL(waitall, 4, q, s);
        got(me, &s[0]);
        got(me, &s[1]);
    }
    for (int i = 0; i < 4; i++)
        CALL(request_free, &q[i]);
    CALL(barrier, me->world);
}

/* Other communicators: ranks there are others than in the world. */
static void communicators(struct self *me)
{
    ep_comm half, inter;
    ep_status s;
    int side = me->rank % 2, rank, peers;
    CALL(comm_split, me->world, side, 0, &half);
    ep_comm_rank(half, &rank);
    ep_comm_size(half, &peers);
    int next = (rank + 1) % peers;
    CALL(send, BYTES(length(me, next * 2 + side, 60, 0)), next, 60, half);
    CALL(recv, ANY, 60, half, &s);
    got_from(me, &s, side, 2);
    CALL(intercomm_create, half, 0, me->world, side ? 0 : 1, 61, &inter);
    ep_comm_remote_size(inter, &peers);
    int across = rank < peers ? rank : 0; /* both halves have the same size */
    CALL(send, BYTES(length(me, across * 2 + !side, 60, 0)), across, 60, inter);
    CALL(recv, ANY, MPI_ANY_TAG, inter, &s);
    got_from(me, &s, !side, 2);
    CALL(comm_free, &inter);
    CALL(comm_free, &half);
    CALL(barrier, me->world);
}

/* Messages that were not sent, or taken back, change nothing for those after them. */
static void failures(struct self *me, int near)
{
    int next = (me->rank + 1) % me->size, flag;
    ep_request q;
    ep_status s;
    ep_comm_set_errhandler(me->world, EP_ERRORS_RETURN);
    CALL(send, BYTES(length(me, next, 70, 0)), next, 70, me->world);
    CALL(send, me->buffer, -1, MPI_BYTE, next, 70, me->world);
    if (near && me->index == 0) { /* its receiver is in this process */
        int n = ++me->sent + me->rank * STRIDE / 8;
        CALL(issend, BYTES(n), next, 70, me->world, &q);
        CALL(cancel, &q);
        CALL(wait, &q, &s);
        ep_test_cancelled(&s, &flag);
        log_message(me, flag ? "X" : "S", me->rank, next, 70, n);
    }
    CALL(send, BYTES(length(me, next, 70, 0)), next, 70, me->world);
    CALL(barrier, me->world);
    for (int i = 0; i < 2; i++) {
        CALL(recv, ANY, 70, me->world, &s);
        got(me, &s);
    }
    CALL(irecv, ANY, 71, me->world, &q);
    CALL(cancel, &q);
    CALL(wait, &q, EP_STATUS_IGNORE);
    CALL(barrier, me->world);
}

static void collectives(struct self *me)
{
    int x = 1, y;
    ep_request q;
    CALL(bcast, me->buffer, 100, MPI_INT, 1, me->world);
    CALL(bcast, me->buffer, 100000, MPI_INT, 1, me->world);
    CALL(allreduce, &x, &y, 1, MPI_INT, MPI_SUM, me->world);
    CALL(iallreduce, &x, &y, 1, MPI_INT, MPI_SUM, me->world, &q);
    CALL(wait, &q, EP_STATUS_IGNORE);
    CALL(barrier, me->world);
}

static void windows(struct self *me)
{
    ep_win w;
    double *memory, x = 1;
    CALL(win_allocate, 64, 8, MPI_INFO_NULL, me->world, &memory, &w);
    CALL(win_fence, 0, w);
    CALL(put, &x, 1, MPI_DOUBLE, (me->rank + 1) % me->size, 2, 1, MPI_DOUBLE, w);
    CALL(win_fence, 0, w);
    CALL(win_free, &w);
}

static void all(struct self *me, int endpoints)
{
    wildcards(me);
    tags(me);
    modes(me);
    completions(me);
    probes(me);
    persistents(me);
    communicators(me);
    failures(me, endpoints > 1);
    collectives(me);
    windows(me);
}

static void many(struct self *me)
{
    ep_status s;
    for (int i = 0; i < 100; i++) {
        CALL(send, BYTES(length(me, me->rank, 1, 0)), me->rank, 1, me->world);
        CALL(recv, ANY, 1, me->world, &s);
        got(me, &s);
    }
}

/* Two threads of one endpoint: one is in a call while the other makes several. */
static void shared(struct self *me)
{
    int first = length(me, me->rank, 80, 0), second = length(me, me->rank, 81, 0);
    omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 0) {
            ep_ssend(me->buffer, first, MPI_BYTE, me->rank, 80, me->world);
        } else {
            ep_probe(me->rank, 80, me->world,
                     EP_STATUS_IGNORE); /* it is in the ssend, and stays there until */
            ep_send(me->buffer + ROOM / 2, second, MPI_BYTE, me->rank, 81, me->world);
            ep_recv(me->buffer + ROOM / 4, ROOM / 4, MPI_BYTE, me->rank, 81, me->world, EP_STATUS_IGNORE);
            ep_recv(me->buffer + ROOM / 4, ROOM / 4, MPI_BYTE, me->rank, 80, me->world, EP_STATUS_IGNORE);
        }
    }
    log_message(me, "R", me->rank, me->rank, 80, first);
    log_message(me, "R", me->rank, me->rank, 81, second);
    count(me, "ssend");
    count(me, "probe");
    count(me, "send");
    count(me, "recv");
    count(me, "recv");
}

/* Tasks of one thread: each waits for one that comes after it. */
static void tasks(struct self *me)
{
    enum { TASKS = 12 };
    ep_status s[TASKS];
    static char in[MOST][TASKS][STRIDE];
    int n[TASKS];
    for (int i = 0; i < TASKS; i++)
        n[i] = length(me, me->rank, 90 + i, 0);
#pragma omp taskgroup
    {
        for (int i = 0; i < TASKS; i++) {
#pragma omp task shared(s, me)
            ep_recv(in[me->index][i], STRIDE, MPI_BYTE, me->rank, 90 + i, me->world, &s[i]);
        }
        for (int i = TASKS - 1; i >= 0; i--) {
#pragma omp task shared(n, me)
            ep_ssend(me->buffer, n[i], MPI_BYTE, me->rank, 90 + i, me->world);
        }
    }
    for (int i = 0; i < TASKS; i++) {
        got(me, &s[i]);
        count(me, "recv");
        count(me, "ssend");
    }
}

static void run(const char *what, struct self *me, int endpoints)
{
    if (strcmp(what, "many") == 0)
        many(me);
    else if (strcmp(what, "shared") == 0)
        shared(me);
    else if (strcmp(what, "tasks") == 0)
        tasks(me);
    else
        all(me, endpoints);
    if (strcmp(what, "alone") != 0)
        CALL(barrier, me->world);
    CALL(comm_free, &me->world);
    for (int i = 0; me->call[i].name; i++) {
        char text[100];
        snprintf(text, sizeof text, "C %d %s %d\n", me->rank, me->call[i].name, me->call[i].n);
        line(me, text);
    }
}

static void write_log(const char *name, int process, int endpoints)
{
    char path[4096];
    snprintf(path, sizeof path, "%s.%d", name, process);
    FILE *f = fopen(path, "w");
    for (int i = 0; f && i < endpoints; i++)
        if (used[i] < ROOM)
            fputs(logs[i], f);
    if (f)
        fclose(f);
}

int main(int argc, char **argv)
{
    int level = argc > 4 ? atoi(argv[4]) : MPI_THREAD_MULTIPLE, provided, process, endpoints = atoi(argv[3]);
    ep_comm e[MOST];
    MPI_Init_thread(&argc, &argv, level, &provided);
    if (provided > level)
        fprintf(stderr, "asked for level %d, got %d\n", level, provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &process);
    ep_comm_create_endpoints(strcmp(argv[1], "alone") == 0 ? MPI_COMM_SELF : MPI_COMM_WORLD, endpoints,
                             MPI_INFO_NULL, e);
#pragma omp parallel num_threads(endpoints)
    {
        struct self me = {.world = e[omp_get_thread_num()], .index = omp_get_thread_num()};
        ep_comm_rank(me.world, &me.rank);
        ep_comm_size(me.world, &me.size);
        me.buffer = calloc(1, ROOM);
        logs[me.index] = calloc(1, ROOM);
        run(argv[1], &me, endpoints);
        free(me.buffer);
    }
    write_log(argv[2], process, endpoints);
    for (int i = 0; i < endpoints; i++)
        free(logs[i]);
    MPI_Finalize();
    return 0;
}
