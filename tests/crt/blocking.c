/* SPDX-License-Identifier: BSD-3-Clause */
/* blocking.c: tasks that block. The first tests hang where only threads block and there is one. */
#include "tasks.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

/* A blocks, its sibling B, created later, signals. */
static void sibling(void)
{
    static crt_cond_t cond;
    static int order[2], n;
    n = 0;
#pragma omp parallel
#pragma omp single
    {
#pragma omp task
        {
            crt_wait(&cond);
            order[n++] = 1;
        }
#pragma omp task
        {
            order[n++] = 2;
            crt_signal(&cond);
        }
    }
    CHECK(n == 2 && order[0] == 2 && order[1] == 1);
}

/* Each waits for the next one, created in one order or the other. */
static void chain_of(int n, bool backwards)
{
    crt_cond_t *conds = calloc((size_t)n + 1, sizeof *conds);
    static atomic_int done;
    atomic_store(&done, 0);
#pragma omp parallel
#pragma omp single
    {
        for (int k = 0; k < n; k++) {
            int i = backwards ? n - 1 - k : k;
#pragma omp task firstprivate(i)
            {
                crt_wait(&conds[i + 1]);
                atomic_fetch_add(&done, 1);
                crt_signal(&conds[i]);
            }
        }
        crt_signal(&conds[n]);
        crt_wait(&conds[0]); /* the implicit task waits, too */
        CHECK(atomic_load(&done) == n);
    }
    free(conds);
}

static void chain(void)
{
    chain_of(1000, false);
    chain_of(1000, true);
}

static void many(void)
{
    int n = effort(100000);
    crt_cond_t *conds = calloc((size_t)n, sizeof *conds);
    static atomic_int begun, done;
    atomic_store(&begun, 0);
    atomic_store(&done, 0);
#pragma omp parallel
#pragma omp single
    {
        for (int i = 0; i < n; i++)
#pragma omp task firstprivate(i)
        {
            atomic_fetch_add(&begun, 1);
            crt_wait(&conds[i]);
            atomic_fetch_add(&done, 1);
        }
        while (atomic_load(&begun) < n)
            crt_yield();
        CHECK(atomic_load(&done) == 0);
        for (int i = 0; i < n; i++)
            crt_signal(&conds[i]);
    }
    CHECK(atomic_load(&done) == n);
    free(conds);
}

/* The implicit tasks of several threads wait for tasks, and the barrier waits for all. */
static void implicit(void)
{
    static crt_cond_t conds[64];
    static atomic_int passed;
    atomic_store(&passed, 0);
#pragma omp parallel
    {
        int me = omp_get_thread_num(), n = omp_get_num_threads();
        for (int round = 0; round < 50; round++) {
#pragma omp task firstprivate(me, n)
            crt_signal(&conds[(me + 1) % n]);
            crt_wait(&conds[me]);
#pragma omp barrier
#pragma omp master
            atomic_fetch_add(&passed, 1);
#pragma omp task
            CHECK(atomic_load(&passed) >= round);
#pragma omp barrier
        }
    }
    CHECK(atomic_load(&passed) == 50);
}

/* Signals from a thread that is not OpenMP's. */
enum { FOREIGN = 2000 };
static crt_cond_t foreign_conds[FOREIGN];

static void *signal_all(void *arg)
{
    for (int i = 0; i < FOREIGN; i++)
        crt_signal(&foreign_conds[i]);
    return arg;
}

static void foreign(void)
{
    static atomic_int done;
    pthread_t thread;
    atomic_store(&done, 0);
    pthread_create(&thread, NULL, signal_all, NULL);
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < FOREIGN; i++)
#pragma omp task firstprivate(i)
    {
        crt_wait(&foreign_conds[i]);
        atomic_fetch_add(&done, 1);
    }
    pthread_join(thread, NULL);
    CHECK(atomic_load(&done) == FOREIGN);
}

/* Only the poll function ends the waits. */
enum { POLLED = 500 };
static crt_cond_t polled_conds[POLLED];
static atomic_int posted, answered, inside, overlap, calls;
static int patience = 1; /* calls for each answer: with many of them somebody becomes the poller */

static int answer(void *arg)
{
    (void)arg;
    if (atomic_fetch_add(&inside, 1) > 0)
        atomic_store(&overlap, 1);
    int i = atomic_load(&answered), n = atomic_load(&posted);
    bool now = atomic_fetch_add(&calls, 1) % patience == 0 && i < n;
    if (now) {
        atomic_store(&answered, i + 1);
        crt_signal(&polled_conds[i]);
    }
    atomic_fetch_sub(&inside, 1);
    return now;
}

static void poller(void)
{
    static atomic_int done;
    atomic_store(&done, 0);
    atomic_store(&posted, 0);
    atomic_store(&answered, 0);
    crt_set_poll(answer, NULL);
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < POLLED; i++)
#pragma omp task
    {
        int mine = atomic_fetch_add(&posted, 1);
        crt_wait(&polled_conds[mine]);
        atomic_fetch_add(&done, 1);
    }
    crt_set_poll(NULL, NULL);
    CHECK(atomic_load(&done) == POLLED);
    CHECK(!atomic_load(&overlap)); /* one poller at a time */
}

/* Work, between rounds in which tasks wait to be polled for, that is long enough for other threads, the poller among them,
 * to fall asleep: then somebody else has to become the poller. */
static void poller_again(void)
{
    static atomic_int done;
    atomic_store(&done, 0);
    atomic_store(&posted, 0);
    atomic_store(&answered, 0);
    patience = 500;
    crt_set_poll(answer, NULL);
#pragma omp parallel
#pragma omp single
    for (int round = 0; round < POLLED; round++) {
        double end = omp_get_wtime() + 0.0005;
        while (omp_get_wtime() < end)
            continue;
#pragma omp task
        {
            int mine = atomic_fetch_add(&posted, 1);
            crt_wait(&polled_conds[mine]);
            atomic_fetch_add(&done, 1);
        }
#pragma omp taskwait
    }
    crt_set_poll(NULL, NULL);
    CHECK(atomic_load(&done) == POLLED);
}

/* A thread that has tasks to run, each of them long, polls between them. */
static void busy_poller(void)
{
    static atomic_int done, first;
    atomic_store(&done, 0);
    atomic_store(&first, 0);
    atomic_store(&posted, 0);
    atomic_store(&answered, 0);
    patience = 1;
    crt_set_poll(answer, NULL);
#pragma omp parallel num_threads(1)
#pragma omp single
    {
#pragma omp task
        {
            int mine = atomic_fetch_add(&posted, 1);
            crt_wait(&polled_conds[mine]);
            atomic_store(&first, atomic_load(&done));
        }
        for (int i = 0; i < 30; i++)
#pragma omp task
        {
            double end = omp_get_wtime() + 0.00005;
            while (omp_get_wtime() < end)
                continue;
            atomic_fetch_add(&done, 1);
        }
    }
    crt_set_poll(NULL, NULL);
    CHECK(atomic_load(&first) < 30);
}

static void *set_late(void *arg)
{
    while (atomic_load(&posted) < 1)
        continue;
    usleep(20000); /* time to fall asleep */
    crt_set_poll(answer, NULL);
    return arg;
}

/* The function is set when all sleep. */
static void late_poller(void)
{
    pthread_t thread;
    static atomic_int done;
    atomic_store(&done, 0);
    atomic_store(&posted, 0);
    atomic_store(&answered, 0);
    patience = 1;
    crt_set_poll(NULL, NULL);
    pthread_create(&thread, NULL, set_late, NULL);
#pragma omp parallel
#pragma omp single
#pragma omp task
    {
        atomic_fetch_add(&posted, 1);
        crt_wait(&polled_conds[0]);
        atomic_fetch_add(&done, 1);
    }
    pthread_join(thread, NULL);
    crt_set_poll(NULL, NULL);
    CHECK(atomic_load(&done) == 1);
}

/* Tasks outside of any region. */
static void orphan(void)
{
    static crt_cond_t conds[2];
    static atomic_int done;
    atomic_store(&done, 0);
#pragma omp task
    {
        crt_wait(&conds[0]);
        atomic_fetch_add(&done, 1);
    }
#pragma omp task
    crt_signal(&conds[0]);
#pragma omp taskwait
    CHECK(atomic_load(&done) == 1);
#pragma omp taskgroup
    {
#pragma omp task
        {
            crt_wait(&conds[1]);
            atomic_fetch_add(&done, 1);
        }
        crt_signal(&conds[1]);
    }
    CHECK(atomic_load(&done) == 2);
}

/* A thread that OpenMP does not know ends without waiting for its tasks: one is blocked, one has a child that is, one an event. */
static crt_cond_t ending_conds[3];
static atomic_int ended;
static omp_event_handle_t ending_event[1];

static void *end_with_tasks(void *unused)
{
#pragma omp task
    {
        crt_wait(&ending_conds[0]);
        atomic_fetch_add(&ended, 1);
#pragma omp task
        {
            crt_wait(&ending_conds[1]);
            atomic_fetch_add(&ended, 1);
        }
    }
    omp_event_handle_t event;
#pragma omp task detach(event)
    atomic_fetch_add(&ended, 1);
    ending_event[0] = event;
    crt_signal(&ending_conds[2]);
    return unused;
}

static void thread_ends(void)
{
    for (int round = 1; round <= 20; round++) {
        pthread_t thread;
        pthread_create(&thread, NULL, end_with_tasks, NULL);
        crt_wait(&ending_conds[2]);
        if (round % 2) /* mostly after the end of its function; now and then before */
            sched_yield();
        crt_signal(&ending_conds[0]);
        crt_signal(&ending_conds[1]);
        omp_fulfill_event(ending_event[0]);
        pthread_join(thread, NULL);
        CHECK(atomic_load(&ended) == 3 * round);
    }
}

/* A region within a task; tasks of both block. */
static void nested(void)
{
    static crt_cond_t conds[8];
    static atomic_int done;
    atomic_store(&done, 0);
    omp_set_max_active_levels(2);
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < 4; i++)
#pragma omp task firstprivate(i)
    {
#pragma omp parallel num_threads(2)
#pragma omp single
        {
#pragma omp task
            {
                crt_wait(&conds[2 * i]);
                atomic_fetch_add(&done, 1);
            }
#pragma omp task
            crt_signal(&conds[2 * i]);
        }
        atomic_fetch_add(&done, 1);
    }
    CHECK(atomic_load(&done) == 8);
}

/* Many tasks that wait for each other at random. */
static void random_pairs(void)
{
    int n = effort(4000);
    crt_cond_t *conds = calloc((size_t)n, sizeof *conds);
    int *order = malloc((size_t)n * sizeof *order);
    static atomic_int done;
    for (int round = 0; round < 5; round++) {
        atomic_store(&done, 0);
        for (int i = 0; i < n; i++)
            order[i] = i;
        for (int i = n - 1; i > 0; i--) {
            int j = (int)draw((unsigned)i + 1), k = order[i];
            order[i] = order[j];
            order[j] = k;
        }
#pragma omp parallel
        {
            /* each thread creates a part; task k waits for its own condition and signals that of its successor */
#pragma omp for nowait
            for (int i = 0; i < n; i++) {
#pragma omp task firstprivate(i)
                {
                    if (order[i] != 0)
                        crt_wait(&conds[order[i]]);
                    if (draw(3) == 0) {
#pragma omp taskyield
                    }
                    atomic_fetch_add(&done, 1);
                    if (order[i] + 1 < n)
                        crt_signal(&conds[order[i] + 1]);
                }
                if (draw(16) == 0)
                    crt_yield();
            }
        }
        CHECK(atomic_load(&done) == n);
    }
    free(conds);
    free(order);
}

static long fib(int n)
{
    static long small[2] = {0, 1};
    long parts[2];
    if (n < 2)
        return small[n];
#pragma omp task shared(parts)
    parts[0] = fib(n - 1);
#pragma omp task shared(parts)
    parts[1] = fib(n - 2);
#pragma omp taskwait
    return parts[0] + parts[1];
}

static void recursion(void)
{
    long result[1] = {0};
#pragma omp parallel
#pragma omp single
    result[0] = fib(18);
    CHECK(result[0] == 2584);
}

static const struct test tests[] = {
    {"sibling", sibling},         {"chain", chain},
    {"implicit", implicit},       {"foreign", foreign},
    {"poller", poller},           {"poller_again", poller_again},
    {"busy_poller", busy_poller}, {"late_poller", late_poller},
    {"orphan", orphan},           {"thread_ends", thread_ends},
    {"nested", nested},           {"random_pairs", random_pairs},
    {"recursion", recursion},     {"many", many},
};

int main(int argc, char **argv)
{
    return TESTS_MAIN(argc, argv, tests);
}
