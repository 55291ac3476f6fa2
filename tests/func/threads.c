/* SPDX-License-Identifier: BSD-3-Clause */
/* threads.c: any thread with any endpoint: two on one, one on all, endpoints that wander, ep_run. */
#include "pairs.h"
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { MESSAGES = 200 };

typedef struct {
    team_t *t;
    int tag, rounds;
} lane;

/* Blocking calls of one endpoint in one lane of tags; another thread does the same in another. */
static void *run_lane(void *arg)
{
    lane *l = arg;
    team_t *t = l->t;
    int next = (t->rank + 1) % t->size, before = (t->rank + t->size - 1) % t->size;
    team_adopt(t);
    for (int i = 0; i < l->rounds; i++) {
        int out[2] = {t->rank, i}, in[2] = {-1, -1};
        ep_status status;
        if (!EXPECT_OK(
                ep_sendrecv(out, 2, MPI_INT, next, l->tag, in, 2, MPI_INT, before, l->tag, t->comm, &status)))
            break;
        EXPECT_EQ(in[0], before);
        EXPECT_EQ(in[1], i);
        EXPECT_EQ(status.MPI_TAG, l->tag);
    }
    return NULL;
}

static void two_on_one(team_t *t, void *arg)
{
    lane lanes[2] = {{t, 1, MESSAGES}, {t, 2, MESSAGES}};
    pthread_t thread;
    (void)arg;
    if (!EXPECT_EQ(pthread_create(&thread, NULL, run_lane, &lanes[1]), 0))
        return;
    run_lane(&lanes[0]);
    pthread_join(thread, NULL);
}

/* One thread sits in a receive while the other of the same endpoint sends what the first waits for. */
static void *receive_one(void *arg)
{
    team_t *t = arg;
    int got = -1;
    team_adopt(t);
    EXPECT_OK(ep_recv(&got, 1, MPI_INT, t->rank, 3, t->comm, EP_STATUS_IGNORE));
    EXPECT_EQ(got, 4711);
    return NULL;
}

static void feed_oneself(team_t *t, void *arg)
{
    int value = 4711;
    (void)arg;
    for (int i = 0; i < 20; i++) {
        pthread_t thread;
        if (!EXPECT_EQ(pthread_create(&thread, NULL, receive_one, t), 0))
            return;
        EXPECT_OK((i % 2 ? ep_send : ep_ssend)(&value, 1, MPI_INT, t->rank, 3, t->comm));
        pthread_join(thread, NULL);
    }
}

/* One thread probes while the other of the same endpoint receives. Who of the two sleeps and who polls differs from round
 * to round: in each the message is sent when one of them sleeps, if that comes soon. */
enum { PROBED = 5, ANSWERED, RECEIVED, READY, PROBES = 20, PROBERS = 4, PROBE_PATIENCE_MS = 100 };

typedef struct {
    team_t *t;
    int partner;
} probing;

static void *probe_and_answer(void *arg)
{
    probing *p = arg;
    team_adopt(p->t);
    EXPECT_OK(ep_probe(p->partner, PROBED, p->t->comm, EP_STATUS_IGNORE));
    hear(p->t, p->partner, PROBED);
    say(p->t, p->partner, ANSWERED);
    return NULL;
}

static void *receive_beside(void *arg)
{
    probing *p = arg;
    team_adopt(p->t);
    hear(p->t, p->partner, RECEIVED);
    return NULL;
}

static void probe_beside(probing *p, int sleeps, bool probe_first)
{
    pthread_t thread[2];
    MPI_Count before = 0, now;
    EXPECT_OK(ep_counter_read(p->t->comm, sleeps, &before));
    for (int i = 0; i < 2; i++)
        if (!EXPECT_EQ(pthread_create(&thread[i], NULL,
                                      probe_first == (i == 0) ? probe_and_answer : receive_beside, p),
                       0))
            return;
    now = before;
    for (double begin = MPI_Wtime(); now == before && MPI_Wtime() - begin < 1e-3 * PROBE_PATIENCE_MS;) {
        sched_yield();
        EXPECT_OK(ep_counter_read(p->t->comm, sleeps, &now));
    }
    say(p->t, p->partner, READY);
    for (int i = 0; i < 2; i++)
        pthread_join(thread[i], NULL);
}

static void probe_pair(team_t *t, int partner, void *arg)
{
    int sleeps = -1;
    probing p = {t, partner};
    (void)arg;
    EXPECT_OK(ep_counter_find("sleeps", &sleeps));
    for (int i = 0; i < PROBES && (t->rank < PROBERS || partner < PROBERS); i++) {
        if (t->rank > partner) {
            probe_beside(&p, sleeps, i % 2);
            continue;
        }
        hear(t, partner, READY);
        say(t, partner, PROBED);
        hear(t, partner, ANSWERED);
        say(t, partner, RECEIVED);
    }
}

static void probe_beside_receive(team_t *t, void *arg)
{
    for_pairs(t, probe_pair, arg);
}

/* A request started by one thread is completed by another. */
typedef struct {
    team_t *t;
    ep_request *request;
} errand;

static void *wait_for_it(void *arg)
{
    errand *e = arg;
    team_adopt(e->t);
    EXPECT_OK(ep_wait(e->request, EP_STATUS_IGNORE));
    return NULL;
}

static void handed_over(team_t *t, void *arg)
{
    int next = (t->rank + 1) % t->size, before = (t->rank + t->size - 1) % t->size;
    (void)arg;
    for (int i = 0; i < 20; i++) {
        int in = -1, out = 10 * t->rank + i;
        ep_request request;
        errand e = {t, &request};
        pthread_t thread;
        EXPECT_OK(ep_irecv(&in, 1, MPI_INT, before, 4, t->comm, &request));
        if (!EXPECT_EQ(pthread_create(&thread, NULL, wait_for_it, &e), 0))
            return;
        EXPECT_OK(ep_send(&out, 1, MPI_INT, next, 4, t->comm));
        pthread_join(thread, NULL);
        EXPECT_EQ(in, 10 * before + i);
        EXPECT(request == EP_REQUEST_NULL);
    }
}

/* The threads of a process pass their endpoints on from round to round. */
static void wandering(team_t *t, void *arg)
{
    static ep_comm *shared; /* endpoint of local index i; one array per process */
    (void)arg;
    if (t->index == 0)
        shared = xmalloc((size_t)t->local * sizeof *shared);
    team_barrier(t);
    shared[t->index] = t->comm;
    for (int round = 0; round < 5; round++) {
        team_barrier(t);
        int index = (t->index + round) % t->local, rank = t->rank - t->index + index, got = -1;
        int next = (rank + 1) % t->size, before = (rank + t->size - 1) % t->size;
        EXPECT_OK(ep_sendrecv(&rank, 1, MPI_INT, next, round, &got, 1, MPI_INT, before, round, shared[index],
                              EP_STATUS_IGNORE));
        EXPECT_EQ(got, before);
    }
    team_barrier(t);
    if (t->index == 0)
        free(shared);
}

/* ---- ep_run ---- */

static atomic_int entered;

static int run_ring(ep_comm world, void *arg)
{
    int rank, size, bound = -1, got = -1;
    atomic_fetch_add(&entered, 1);
    ep_comm_set_errhandler(world, EP_ERRORS_RETURN);
    EXPECT_OK(ep_comm_rank(world, &rank));
    EXPECT_OK(ep_comm_size(world, &size));
    EXPECT_OK(ep_comm_rank(EP_COMM_WORLD, &bound));
    EXPECT_EQ(bound, rank);
    int next = (rank + 1) % size, before = (rank + size - 1) % size;
    EXPECT_OK(ep_sendrecv(&rank, 1, MPI_INT, next, 1, &got, 1, MPI_INT, before, 1, world, EP_STATUS_IGNORE));
    EXPECT_EQ(got, before);
    return *(int *)arg;
}

static int fail_by_rank(ep_comm world, void *arg)
{
    int rank;
    ep_comm_rank(world, &rank);
    return ((int *)arg)[rank % 8];
}

static void runs(void)
{
    int n = team_local_count(), zero = 0, results[8] = {0, 0, 0, 0, 0, 0, 0, 0};
    for (int i = 0; i < 2; i++) {
        atomic_store(&entered, 0);
        EXPECT_EQ(ep_run(n, run_ring, &zero), 0);
        EXPECT_EQ(atomic_load(&entered), n);
    }
    /* All fail differently: each process gets the result of its first endpoint. */
    int rank, first = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Exscan(&n, &first, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    first = rank ? first : 0;
    for (int i = 0; i < 8; i++)
        results[i] = 50 + i;
    EXPECT_EQ(ep_run(n, fail_by_rank, results), n ? 50 + first % 8 : 0);
    /* One endpoint of all fails. */
    memset(results, 0, sizeof results);
    results[1] = 9;
    int reached = 0;
    for (int i = 0; i < n; i++)
        reached |= (first + i) % 8 == 1;
    EXPECT_EQ(ep_run(n, fail_by_rank, results), reached ? 9 : 0);
}

/* Processes that start no thread take part. */
static void run_with_zero(void)
{
    int rank, zero = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    atomic_store(&entered, 0);
    EXPECT_EQ(ep_run(rank == 0 ? 3 : 0, run_ring, &zero), 0);
    EXPECT_EQ(atomic_load(&entered), rank == 0 ? 3 : 0);
}

/* Twice as many rank threads as OpenMP would give, each opening a team of its own. */
static int run_nested(ep_comm world, void *arg)
{
    int rank, sum = 0;
    (void)arg;
    ep_comm_rank(world, &rank);
#pragma omp parallel for reduction(+ : sum) num_threads(2)
    for (int i = 0; i < 100; i++)
        sum += i;
    EXPECT_EQ(sum, 4950);
    return run_ring(world, &(int){0});
}

static void run_with_openmp(void)
{
    EXPECT_EQ(ep_run(team_local_count(), run_nested, NULL), 0);
}

static const harness_test tests[] = {
    {"two threads on one endpoint", two_on_one, NULL},
    {"feed oneself", feed_oneself, NULL},
    {"probe beside a receive", probe_beside_receive, NULL},
    {"request handed over", handed_over, NULL},
    {"endpoints wander", wandering, NULL},
    {"ep_run", NULL, runs},
    {"ep_run with zero", NULL, run_with_zero},
    {"ep_run with OpenMP inside", NULL, run_with_openmp},
};

int main(int argc, char **argv)
{
    return HARNESS_MAIN(argc, argv, "threads", tests);
}
