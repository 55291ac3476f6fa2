/* SPDX-License-Identifier: BSD-3-Clause */
/* p2p.c: every kind of send and receive, probe and cancel, called by tasks that share their threads. */
#include "ends.h"

#include <stdlib.h>

typedef int sender(const void *buf, int n, int dest, int tag, ep_comm comm);

static int standard(const void *buf, int n, int dest, int tag, ep_comm comm)
{
    return ep_send(buf, n, MPI_CHAR, dest, tag, comm);
}

static int synchronous(const void *buf, int n, int dest, int tag, ep_comm comm)
{
    return ep_ssend(buf, n, MPI_CHAR, dest, tag, comm);
}

static int nonblocking(const void *buf, int n, int dest, int tag, ep_comm comm)
{
    ep_request r;
    int rc = ep_isend(buf, n, MPI_CHAR, dest, tag, comm, &r);
    return rc ? rc : ep_wait(&r, EP_STATUS_IGNORE);
}

/* The receiver says when it is ready. */
static int ready(const void *buf, int n, int dest, int tag, ep_comm comm)
{
    char token;
    int rc = ep_recv(&token, 1, MPI_CHAR, dest, tag + 1000, comm, EP_STATUS_IGNORE);
    return rc ? rc : ep_rsend(buf, n, MPI_CHAR, dest, tag, comm);
}

static sender *const senders[] = {standard, synchronous, nonblocking, ready};
enum { SENDERS = sizeof senders / sizeof *senders };
static const int sizes[] = {0, 8, 4096, 70000, 1600000};
enum { SIZES = sizeof sizes / sizeof *sizes };

static void send_one(team_t *t, int kind, int n, int tag)
{
    char *data = xmalloc((size_t)n + 1);
    fill(data, (size_t)n, (unsigned)(t->rank * 100 + tag));
    EXPECT_OK(senders[kind](data, n, right_of(t), tag, t->comm));
    free(data);
}

static void receive_one(team_t *t, int kind, int n, int tag)
{
    char *data = xmalloc((size_t)n + 1), token = 0;
    int left = left_of(t), count = -1;
    ep_status status;
    if (senders[kind] == ready) {
        ep_request r;
        EXPECT_OK(ep_irecv(data, n, MPI_CHAR, left, tag, t->comm, &r));
        EXPECT_OK(ep_send(&token, 1, MPI_CHAR, left, tag + 1000, t->comm));
        EXPECT_OK(ep_wait(&r, &status));
    } else {
        EXPECT_OK(ep_recv(data, n, MPI_CHAR, left, tag, t->comm, &status));
    }
    EXPECT_OK(ep_get_count(&status, MPI_CHAR, &count));
    EXPECT_EQ(count, n);
    EXPECT_EQ(status.MPI_SOURCE, left);
    EXPECT_FILLED(data, (size_t)n, (unsigned)(left * 100 + tag));
    free(data);
}

/* All kinds and sizes at once, senders first and receivers first. */
static void kinds(team_t *t, void *arg)
{
    (void)arg;
    for (int first = 0; first < 2; first++) {
        for (int half = 0; half < 2; half++)
            for (int i = 0; i < SENDERS * SIZES; i++) {
                int kind = i / SIZES, n = sizes[i % SIZES];
                if (half == first)
#pragma omp task firstprivate(i, kind, n)
                    send_one(t, kind, n, i);
                else
#pragma omp task firstprivate(i, kind, n)
                    receive_one(t, kind, n, i);
            }
#pragma omp taskwait
    }
}
IN_TASKS(kinds)

/* Large messages that both sides' tasks are blocked in, several at a time for each pair. */
static void large(team_t *t, void *arg)
{
    (void)arg;
    enum { N = 3, BYTES = 3 << 20 };
    for (int i = 0; i < N; i++) {
#pragma omp task firstprivate(i)
        send_one(t, i % 2, BYTES, i);
#pragma omp task firstprivate(i)
        receive_one(t, i % 2, BYTES, i);
    }
#pragma omp taskwait
}
IN_TASKS(large)

/* A thread that is bound to no endpoint has a buffer of its own, which all tasks on it use. */
static void buffered(void)
{
    int n;
    team_t *ends = ends_open(&n);
#pragma omp parallel
    {
        int size = 1 << 20;
        void *room = xmalloc((size_t)size), *back = NULL;
        EXPECT_OK(ep_buffer_attach(room, size));
#pragma omp barrier
#pragma omp single
        for (int i = 0; i < n * 40; i++) {
            team_t *t = &ends[i % n];
            int tag = i / n;
#pragma omp task firstprivate(t, tag)
            {
                int got[100] = {-1};
                EXPECT_OK(ep_recv(got, 100, MPI_INT, left_of(t), tag, t->comm, EP_STATUS_IGNORE));
                EXPECT_EQ(got[99], tag);
            }
#pragma omp task firstprivate(t, tag)
            {
                int data[100] = {0};
                data[99] = tag;
                EXPECT_OK(ep_bsend(data, 100, MPI_INT, right_of(t), tag, t->comm));
            }
        }
        EXPECT_OK(ep_buffer_detach(&back, &size));
        EXPECT(back == room);
        free(room);
    }
    ends_close(ends, n);
}

/* Detaching blocks until the messages in the buffer are delivered, which tasks of the same thread see to. */
static void detach(void)
{
    int n;
    team_t *ends = ends_open(&n);
#pragma omp parallel
#pragma omp single
    {
        int size = 3 << 20, bytes = 300000;
        char *room = xmalloc((size_t)size);
        void *back = NULL;
        EXPECT_OK(ep_buffer_attach(room, size));
        for (int i = 0; i < n; i++) {
            team_t *t = &ends[i];
#pragma omp task firstprivate(t)
            {
                char *data = xmalloc((size_t)bytes), token;
                EXPECT_OK(ep_recv(&token, 1, MPI_CHAR, t->rank, 1, t->comm, EP_STATUS_IGNORE));
                EXPECT_OK(ep_recv(data, bytes, MPI_CHAR, left_of(t), 2, t->comm, EP_STATUS_IGNORE));
                EXPECT_FILLED(data, (size_t)bytes, (unsigned)left_of(t));
                free(data);
            }
        }
        for (int i = 0; i < n; i++) {
            team_t *t = &ends[i];
            char *data = xmalloc((size_t)bytes);
            fill(data, (size_t)bytes, (unsigned)t->rank);
            EXPECT_OK(ep_bsend(data, bytes, MPI_CHAR, right_of(t), 2, t->comm));
            free(data);
        }
        for (int i = 0; i < n; i++)
            EXPECT_OK(ep_send(room, 1, MPI_CHAR, ends[i].rank, 1, ends[i].comm));
        EXPECT_OK(ep_buffer_detach(&back, &size));
        EXPECT(back == room);
        free(room);
    }
    ends_close(ends, n);
}

static void sendrecv(team_t *t, void *arg)
{
    (void)arg;
    enum { N = 12 };
    for (int i = 0; i < N; i++) {
#pragma omp task firstprivate(i)
        {
            int n = i % 2 ? 100000 : 10, left = left_of(t);
            int *out = xmalloc((size_t)n * sizeof *out), *in = xmalloc((size_t)n * sizeof *in);
            for (int k = 0; k < n; k++)
                out[k] = t->rank * 1000 + i + k;
            EXPECT_OK(ep_sendrecv(out, n, MPI_INT, right_of(t), i, in, n, MPI_INT, left, i, t->comm,
                                  EP_STATUS_IGNORE));
            EXPECT_EQ(in[0], left * 1000 + i);
            EXPECT_EQ(in[n - 1], left * 1000 + i + n - 1);
            EXPECT_OK(ep_sendrecv_replace(out, n, MPI_INT, right_of(t), N + i, left, N + i, t->comm,
                                          EP_STATUS_IGNORE));
            EXPECT_EQ(out[n - 1], left * 1000 + i + n - 1);
            free(out);
            free(in);
        }
    }
#pragma omp taskwait
}
IN_TASKS(sendrecv)

static void persistent(team_t *t, void *arg)
{
    (void)arg;
    enum { N = 8 };
    for (int i = 0; i < N; i++) {
#pragma omp task firstprivate(i)
        {
            int in = -1, out = -1;
            ep_request r[2];
            EXPECT_OK(ep_recv_init(&in, 1, MPI_INT, left_of(t), i, t->comm, &r[0]));
            EXPECT_OK(i % 2 ? ep_ssend_init(&out, 1, MPI_INT, right_of(t), i, t->comm, &r[1])
                            : ep_send_init(&out, 1, MPI_INT, right_of(t), i, t->comm, &r[1]));
            for (int round = 0; round < 15; round++) {
                out = t->rank * 1000 + round;
                EXPECT_OK(ep_startall(2, r));
                if (round % 2) {
                    EXPECT_OK(ep_wait(&r[0], EP_STATUS_IGNORE));
                    EXPECT_OK(ep_wait(&r[1], EP_STATUS_IGNORE));
                } else {
                    EXPECT_OK(ep_waitall(2, r, EP_STATUSES_IGNORE));
                }
                EXPECT_EQ(in, left_of(t) * 1000 + round);
            }
            EXPECT_OK(ep_request_free(&r[0]));
            EXPECT_OK(ep_request_free(&r[1]));
        }
    }
#pragma omp taskwait
}
IN_TASKS(persistent)

/* Several tasks probe for the same messages. The matching probe gives each message to one of them. */
static void probe(team_t *t, void *arg)
{
    (void)arg;
    enum { N = 20 };
    int left = left_of(t), right = right_of(t), sum[1] = {0};
    for (int i = 0; i < N; i++) {
#pragma omp task firstprivate(i)
        {
            ep_status status;
            int n = 0, data[50];
            EXPECT_OK(ep_probe(left, i, t->comm, &status));
            EXPECT_OK(ep_get_count(&status, MPI_INT, &n));
            EXPECT_EQ(n, i + 1);
            EXPECT_OK(
                ep_recv(data, n, MPI_INT, status.MPI_SOURCE, status.MPI_TAG, t->comm, EP_STATUS_IGNORE));
            EXPECT_EQ(data[n - 1], left);
        }
#pragma omp task shared(sum)
        {
            ep_message message;
            ep_status status;
            int value = 0;
            EXPECT_OK(ep_mprobe(MPI_ANY_SOURCE, 777, t->comm, &message, &status));
            EXPECT_EQ(status.MPI_SOURCE, left);
            EXPECT_OK(ep_mrecv(&value, 1, MPI_INT, &message, EP_STATUS_IGNORE));
            EXPECT(message == EP_MESSAGE_NULL);
            __atomic_fetch_add(&sum[0], value, __ATOMIC_RELAXED);
        }
    }
    for (int i = N - 1; i >= 0; i--) {
#pragma omp task firstprivate(i)
        {
            int data[50];
            for (int k = 0; k < 50; k++)
                data[k] = t->rank;
            EXPECT_OK(ep_ssend(data, i + 1, MPI_INT, right, i, t->comm));
        }
#pragma omp task firstprivate(i)
        EXPECT_OK(ep_ssend(&i, 1, MPI_INT, right, 777, t->comm));
    }
#pragma omp taskwait
    EXPECT_EQ(sum[0], N * (N - 1) / 2);
}
IN_TASKS(probe)

/* One task waits for a receive that another one cancels, later. */
static void cancel(team_t *t, void *arg)
{
    (void)arg;
    for (int i = 0; i < 20; i++) {
        ep_request r[1];
        int buf[1], flag[1] = {0};
        EXPECT_OK(ep_irecv(buf, 1, MPI_INT, left_of(t), i, t->comm, &r[0]));
        ep_request same = r[0];
#pragma omp task shared(r, flag)
        {
            ep_status status;
            EXPECT_OK(ep_wait(&r[0], &status));
            EXPECT_OK(ep_test_cancelled(&status, &flag[0]));
        }
#pragma omp task firstprivate(same)
        EXPECT_OK(ep_cancel(&same));
#pragma omp taskwait
        EXPECT_EQ(flag[0], 1);
    }
}
IN_TASKS(cancel)

static const harness_test tests[] = {
    {"kinds", NULL, kinds_in_tasks},       {"large", NULL, large_in_tasks},
    {"buffered", NULL, buffered},          {"detach", NULL, detach},
    {"sendrecv", NULL, sendrecv_in_tasks}, {"persistent", NULL, persistent_in_tasks},
    {"probe", NULL, probe_in_tasks},       {"cancel", NULL, cancel_in_tasks}};

int main(int argc, char **argv)
{
    return HARNESS_MAIN(argc, argv, "tasks: point to point", tests);
}
