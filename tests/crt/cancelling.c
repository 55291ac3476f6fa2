/* SPDX-License-Identifier: BSD-3-Clause */
/* cancelling.c: cancellation of what has tasks and threads that are blocked. OMP_CANCELLATION is on. */
#include "tasks.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

enum { N = 40 };
static crt_cond_t conds[N];
static atomic_int begun, seen, done;

static void reset(void)
{
    atomic_store(&begun, 0);
    atomic_store(&seen, 0);
    atomic_store(&done, 0);
}

static void *signal_all(void *unused)
{
    for (int i = 0; i < N; i++)
        crt_signal(&conds[i]);
    return unused;
}

/* Members that have begun and are blocked come to their cancellation point later; those not yet begun never begin. */
static void taskgroup(void)
{
    reset();
#pragma omp parallel
#pragma omp single
#pragma omp taskgroup
    {
        for (int i = 0; i < N; i++)
#pragma omp task
        {
            atomic_fetch_add(&begun, 1);
            crt_wait(&conds[i]);
            atomic_fetch_add(&seen, 1);
#pragma omp cancellation point taskgroup
            atomic_fetch_add(&done, 1);
        }
        while (atomic_load(&begun) < N)
            crt_yield();
#pragma omp task if (0)
        {
#pragma omp cancel taskgroup
        }
#pragma omp task
        atomic_fetch_add(&begun, 1);
        signal_all(NULL);
    }
    CHECK(atomic_load(&begun) == N);
    CHECK(atomic_load(&seen) == N);
    CHECK(atomic_load(&done) == 0);
}

/* ---- Tasks with an event (detach) that are discarded ---- */

static uintptr_t handles[N + 1];

static void fulfil_all(void)
{
    for (int i = 0; i <= N; i++)
        omp_fulfill_event((omp_event_handle_t)handles[i]);
}

static void *fulfil_in_thread(void *unused)
{
    while (atomic_load(&begun) < 2)
        sched_yield();
    fulfil_all();
    return unused;
}

/* Members that have an event and cannot begin before conds[0] is signalled are discarded. */
static void discard(void)
{
#pragma omp parallel
#pragma omp single
#pragma omp taskgroup
    {
#pragma omp task depend(out : conds[0])
        {
            atomic_fetch_add(&begun, 1);
            crt_wait(&conds[0]);
        }
        for (int i = 0; i < N; i++) {
            omp_event_handle_t event;
#pragma omp task detach(event) depend(in : conds[0])
            atomic_fetch_add(&seen, 1);
            handles[i] = (uintptr_t)event;
        }
        while (atomic_load(&begun) < 1)
            crt_yield();
#pragma omp task if (0)
        {
#pragma omp cancel taskgroup
        }
        omp_event_handle_t event = (omp_event_handle_t)UINTPTR_MAX;
#pragma omp task detach(event)
        atomic_fetch_add(&seen, 1);
        handles[N] = (uintptr_t)event; /* of a task that was not even created */
        atomic_store(&begun, 2);
        crt_signal(&conds[0]);
    }
}

/* They complete without their events, which may be fulfilled at any time, or never. */
static void discarded(void)
{
    for (int round = 0; round < 20; round++) {
        pthread_t thread;
        reset();
        if (round % 2)
            pthread_create(&thread, NULL, fulfil_in_thread, NULL);
        discard();
        if (round % 2)
            pthread_join(thread, NULL);
        CHECK(atomic_load(&seen) == 0);
    }
}

/* Events of discarded tasks are not those of other tasks that come after them. */
static void fulfilled_late(void)
{
    reset();
    discard();
#pragma omp parallel
#pragma omp single
    {
        omp_event_handle_t events[N];
        for (int i = 0; i < N; i++) {
            omp_event_handle_t event;
#pragma omp task detach(event) depend(out : conds[i])
            atomic_fetch_add(&done, 1);
            events[i] = event;
#pragma omp task depend(in : conds[i])
            atomic_fetch_add(&seen, 1);
        }
        while (atomic_load(&done) < N)
            crt_yield();
        fulfil_all();
        for (int i = 0; i < 2 * N; i++)
            crt_yield();
        CHECK(atomic_load(&seen) == 0);
        for (int i = 0; i < N; i++)
            omp_fulfill_event(events[i]);
    }
    CHECK(atomic_load(&seen) == N);
}

/* A region is cancelled while its tasks are blocked: threads leave its barrier, and wait for the tasks at the end. */
static void region(void)
{
    pthread_t thread;
    reset();
#pragma omp parallel
    {
        int first = omp_get_thread_num() == 0;
        if (first) {
            for (int i = 0; i < N; i++)
#pragma omp task
            {
                atomic_fetch_add(&begun, 1);
                crt_wait(&conds[i]);
                atomic_fetch_add(&seen, 1);
            }
            while (atomic_load(&begun) < N)
                crt_yield();
            pthread_create(&thread, NULL, signal_all, NULL);
        }
#pragma omp cancel parallel if (first)
#pragma omp barrier
        atomic_fetch_add(&done, 1);
    }
    CHECK(atomic_load(&seen) == N);
    CHECK(atomic_load(&done) == 0);
    pthread_join(thread, NULL);
    /* The next one is whole. */
    int threads = 0;
#pragma omp parallel reduction(+ : threads)
    {
#pragma omp cancellation point parallel
#pragma omp barrier
        threads++;
    }
    CHECK(threads == omp_get_max_threads());
}

/* A loop is cancelled while the tasks of its iterations, and an iteration itself, are blocked. */
static void loop(void)
{
    static crt_cond_t own[1];
    reset();
#pragma omp parallel
    {
#pragma omp for schedule(dynamic)
        for (int i = 0; i < N; i++) {
#pragma omp task
            {
                crt_wait(&conds[i]);
                atomic_fetch_add(&seen, 1);
            }
            if (i == N - 1) {
#pragma omp task
                signal_all(NULL);
#pragma omp task
                crt_signal(&own[0]);
                crt_wait(&own[0]);
#pragma omp cancel for
            }
        }
#pragma omp for
        for (int i = 0; i < N; i++) {
#pragma omp cancellation point for
            atomic_fetch_add(&done, 1);
        }
    }
    CHECK(atomic_load(&seen) == N);
    CHECK(atomic_load(&done) == N);
}

static const struct test tests[] = {
    {"taskgroup", taskgroup},
    {"discarded", discarded},
    {"fulfilled_late", fulfilled_late},
    {"region", region},
    {"loop", loop},
};

int main(int argc, char **argv)
{
    if (!omp_get_cancellation() || omp_get_external() != omp_external_task) {
        fprintf(stderr, "cancellation %d, level %d\n", omp_get_cancellation(), omp_get_external());
        return 2;
    }
    return TESTS_MAIN(argc, argv, tests);
}
