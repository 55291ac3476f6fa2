/* SPDX-License-Identifier: BSD-3-Clause */
/* blocking.c: blocking sends and receives block their task alone. The first tests hang where the thread blocks and
 * there is one. */
#include "ends.h"

#include <crt.h>
#include <stdatomic.h>
#include <stdlib.h>

/* A waits for a message that its sibling B, created later, sends: to itself, and around the ring. */
static void sibling(team_t *t, void *arg)
{
    (void)arg;
    int to[2] = {t->rank, right_of(t)}, from[2] = {t->rank, left_of(t)};
    for (int k = 0; k < 2; k++) {
        int got = -1, order[2], n = 0;
        ep_status status;
#pragma omp task shared(got, order, n, status)
        {
            EXPECT_OK(ep_recv(&got, 1, MPI_INT, from[k], 5, t->comm, &status));
            order[n++] = 1;
        }
#pragma omp task shared(order, n)
        {
            if (t->rank == to[k])
                order[n++] = 2;
            EXPECT_OK(ep_ssend(&t->rank, 1, MPI_INT, to[k], 5, t->comm));
        }
#pragma omp taskwait
        EXPECT_EQ(got, from[k]);
        EXPECT_EQ(status.MPI_SOURCE, from[k]);
        EXPECT_EQ(status.MPI_TAG, 5);
        EXPECT_EQ(order[n - 1], 1);
    }
}
IN_TASKS(sibling)

/* Task i receives from its neighbour's task i + 1 and then sends to the other neighbour's task i - 1: nothing moves
 * before the end of the chain is set going. */
static void chain_of(team_t *t, int n, int distance, int backwards)
{
    int to = (t->rank + distance) % t->size, from = (t->rank + t->size - distance) % t->size, v = 0;
    for (int k = 0; k < n; k++) {
        int i = backwards ? n - 1 - k : k;
#pragma omp task firstprivate(i)
        {
            int value = -1;
            EXPECT_OK(ep_recv(&value, 1, MPI_INT, from, i + 1, t->comm, EP_STATUS_IGNORE));
            EXPECT_EQ(value, n - i - 1);
            value++;
            EXPECT_OK(ep_send(&value, 1, MPI_INT, to, i, t->comm));
        }
    }
    EXPECT_OK(ep_send(&v, 1, MPI_INT, to, n, t->comm));
    EXPECT_OK(ep_recv(&v, 1, MPI_INT, from, 0, t->comm, EP_STATUS_IGNORE));
    EXPECT_EQ(v, n);
#pragma omp taskwait
}

static void chain(team_t *t, void *arg)
{
    (void)arg;
    int n = effort(1000);
    for (int distance = 0; distance < 2; distance++) {
        chain_of(t, n, distance, 0);
        chain_of(t, n, distance, 1);
        chain_of(t, n, distance, t->rank % 2);
    }
}
IN_TASKS(chain)

/* Two endpoints: one creates its tasks from the first to the last, the other from the last to the first. All of
 * them block. */
static void opposite(team_t *t, void *arg)
{
    (void)arg;
    int n = effort(4000), up = t->rank % 2 == 0, peer = t->rank ^ 1;
    if (peer >= t->size)
        return;
    for (int k = 0; k < n; k++) {
        int i = up ? k : n - 1 - k;
#pragma omp task firstprivate(i)
        if ((i + t->rank) % 2 == 0) {
            EXPECT_OK(ep_ssend(&i, 1, MPI_INT, peer, i, t->comm));
        } else {
            int got = -1;
            EXPECT_OK(ep_recv(&got, 1, MPI_INT, peer, i, t->comm, EP_STATUS_IGNORE));
            EXPECT_EQ(got, i);
        }
    }
#pragma omp taskwait
}
IN_TASKS(opposite)

/* The same between all endpoints at once, and with messages of which one blocks a sender. */
static void opposite_large(team_t *t, void *arg)
{
    (void)arg;
    enum { BYTES = 200000, ROUNDS = 6 };
    for (int k = 0; k < ROUNDS * t->size; k++) {
        int i = t->rank % 2 ? k : ROUNDS * t->size - 1 - k, peer = i % t->size;
#pragma omp task firstprivate(i, peer)
        {
            char *data = xmalloc(BYTES);
            fill(data, BYTES, (unsigned)(t->rank * 1000 + i / t->size));
            EXPECT_OK(ep_send(data, BYTES, MPI_CHAR, peer, i / t->size, t->comm));
            free(data);
        }
#pragma omp task firstprivate(i, peer)
        {
            char *data = xmalloc(BYTES);
            EXPECT_OK(ep_recv(data, BYTES, MPI_CHAR, peer, i / t->size, t->comm, EP_STATUS_IGNORE));
            EXPECT_FILLED(data, BYTES, (unsigned)(peer * 1000 + i / t->size));
            free(data);
        }
    }
#pragma omp taskwait
}
IN_TASKS(opposite_large)

/* Tasks that do not know of each other: all are blocked at once, then as many messages come. */
static atomic_int begun, ended;
static atomic_llong sum;

static void receiver(team_t *t, int n, int source)
{
    for (int i = 0; i < n; i++) {
#pragma omp task
        {
            int got = -1;
            atomic_fetch_add(&begun, 1);
            EXPECT_OK(ep_recv(&got, 1, MPI_INT, source, 3, t->comm, EP_STATUS_IGNORE));
            atomic_fetch_add(&ended, 1);
            atomic_fetch_add(&sum, got);
        }
    }
    while (atomic_load(&begun) < n)
        crt_yield();
    EXPECT_EQ(atomic_load(&ended), 0);
    EXPECT_OK(ep_send(&n, 1, MPI_INT, source, 4, t->comm));
#pragma omp taskwait
    EXPECT_EQ(atomic_load(&ended), n);
    EXPECT_EQ(atomic_load(&sum), (long long)n * (n - 1) / 2);
}

static void many(team_t *t, void *arg)
{
    (void)arg;
    int last = t->size - 1,
        few = t->processes > 1 || harness_slowness() >= 8; /* TSan has 8128 threads and fibers */
    int n = effort(few ? 20000 : 100000);
    if (t->rank == 0) {
        atomic_store(&begun, 0);
        atomic_store(&ended, 0);
        atomic_store(&sum, 0);
        receiver(t, n, last);
    } else if (t->rank == last) {
        EXPECT_OK(ep_recv(&n, 1, MPI_INT, 0, 4, t->comm, EP_STATUS_IGNORE));
        for (int i = 0; i < n; i++)
            EXPECT_OK(ep_send(&i, 1, MPI_INT, 0, 3, t->comm));
    }
}
IN_TASKS(many)

/* Senders that wait for their receivers. */
static void senders(team_t *t, void *arg)
{
    (void)arg;
    int n = effort(4000), last = t->size - 1;
    long long total = 0;
    if (t->rank == 0)
        for (int i = 0; i < n; i++)
#pragma omp task firstprivate(i)
            EXPECT_OK(ep_ssend(&i, 1, MPI_INT, last, 8, t->comm));
    if (t->rank == last) {
        for (int i = 0; i < n; i++) {
            int got = 0;
            EXPECT_OK(ep_recv(&got, 1, MPI_INT, 0, 8, t->comm, EP_STATUS_IGNORE));
            total += got;
        }
        EXPECT_EQ(total, (long long)n * (n - 1) / 2);
    }
#pragma omp taskwait
}
IN_TASKS(senders)

/* Regions for a device, on a machine without: a thread of their own makes the calls. */
static void targets(team_t *t, void *arg)
{
    (void)arg;
    enum { N = 4 };
    int got[N] = {0}, to = right_of(t), from = left_of(t);
    ep_comm comm = t->comm;
    MPI_Datatype type = MPI_INT; /* which cannot be mapped itself */
    for (int i = 0; i < N; i++) {
#pragma omp target nowait map(tofrom : got[i : 1]) firstprivate(i, from, comm, type)
        EXPECT_OK(ep_recv(&got[i], 1, type, from, i, comm, EP_STATUS_IGNORE));
    }
    for (int i = 0; i < N; i++) {
        int value = 10 * t->rank + i;
#pragma omp target nowait firstprivate(i, to, value, comm, type)
        EXPECT_OK(ep_ssend(&value, 1, type, to, i, comm));
    }
#pragma omp taskwait
    for (int i = 0; i < N; i++)
        EXPECT_EQ(got[i], 10 * from + i);
}
IN_TASKS(targets)

static const harness_test tests[] = {
    {"sibling", NULL, sibling_in_tasks},   {"chain", NULL, chain_in_tasks},
    {"opposite", NULL, opposite_in_tasks}, {"opposite_large", NULL, opposite_large_in_tasks},
    {"senders", NULL, senders_in_tasks},   {"many", NULL, many_in_tasks},
    {"targets", NULL, targets_in_tasks}};

int main(int argc, char **argv)
{
    return HARNESS_MAIN(argc, argv, "tasks: blocking", tests);
}
