/* SPDX-License-Identifier: BSD-3-Clause */
/* regions.c: parallel regions within tasks, in which threads and tasks block. Who lets them go on is in the region, or is no task
 * of the thread that met it: that one's others wait until the region has ended. */
#include "tasks.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

enum { MOST = 24 };
static crt_cond_t conds[MOST];

/* ---- Somebody outside who signals the first n, once each ---- */

static void *signal_all(void *n)
{
    for (int i = 0; i < *(int *)n; i++)
        crt_signal(&conds[i]);
    return NULL;
}

static int signals;
static pthread_t signaller;

static void signals_begin(int n)
{
    signals = n;
    CHECK(pthread_create(&signaller, NULL, signal_all, &signals) == 0);
}

static void signals_end(void)
{
    pthread_join(signaller, NULL);
}

/* ---- What OpenMP says of where the caller is ---- */

struct where {
    int level, active, number, threads, above, team_above, most;
};

static struct where here(void)
{
    int level = omp_get_level();
    return (struct where){level,
                          omp_get_active_level(),
                          omp_get_thread_num(),
                          omp_get_num_threads(),
                          omp_get_ancestor_thread_num(level - 1),
                          omp_get_team_size(level - 1),
                          omp_get_max_threads()};
}

static bool still(const struct where *was)
{
    struct where now = here();
    return now.level == was->level && now.active == was->active && now.number == was->number &&
           now.threads == was->threads && now.above == was->above && now.team_above == was->team_above &&
           now.most == was->most;
}

/* Wait, and be where one was. */
static void wait_there(crt_cond_t *cond)
{
    struct where was = here();
    crt_wait(cond);
    CHECK(still(&was));
}

/* A region of n threads whose first or last waits. */
static void region_that_waits(int n, bool first, crt_cond_t *cond)
{
    struct where was = here();
#pragma omp parallel num_threads(n)
    {
        CHECK(omp_get_level() == was.level + 1);
        CHECK(omp_get_ancestor_thread_num(was.level) == was.number);
        if (omp_get_thread_num() == (first ? 0 : omp_get_num_threads() - 1))
            wait_there(cond);
    }
    CHECK(still(&was));
}

/* ---- Tests ---- */

static void tasks_with_regions(int threads, bool first)
{
    static _Atomic int ended;
    ended = 0;
    signals_begin(MOST);
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < MOST; i++) {
#pragma omp task
        {
            region_that_waits(threads, first, &conds[i]);
            ended++;
        }
    }
    CHECK(ended == MOST);
    signals_end();
}

static void elsewhere(void)
{
    for (int levels = 1; levels <= 2; levels++) {
        omp_set_max_active_levels(levels);
        for (int threads = 1; threads <= 2; threads++) {
            tasks_with_regions(threads, true);
            tasks_with_regions(threads, false);
        }
    }
}

/* Tasks of the region let one another go on, and those outside when it has ended. */
static void pairs(int *order, crt_cond_t *outside)
{
#pragma omp parallel num_threads(2)
#pragma omp single
    {
        crt_cond_t own[2] = {CRT_COND_INITIALIZER, CRT_COND_INITIALIZER};
#pragma omp task shared(own)
        {
            wait_there(&own[0]);
            order[0] = order[1] + 1;
            crt_signal(&own[1]);
        }
#pragma omp task shared(own)
        {
            order[1] = 1;
            crt_signal(&own[0]);
        }
        wait_there(&own[1]);
        crt_signal(outside);
    }
}

static void inside(void)
{
    int order[MOST][2] = {{0}};
    omp_set_max_active_levels(2);
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < MOST; i++) {
#pragma omp task shared(order)
        {
            wait_there(&conds[i]);
            CHECK(order[i][0] == 2);
        }
#pragma omp task shared(order)
        pairs(order[i], &conds[i]);
    }
}

/* Regions within regions, each in a task. */
static void descend(int depth, int i)
{
#pragma omp parallel num_threads(depth % 2 + 1)
#pragma omp single
    if (depth > 1) {
#pragma omp task
        descend(depth - 1, i);
    } else {
        wait_there(&conds[i]);
    }
}

static void deep(void)
{
    enum { N = 4 };
    omp_set_max_active_levels(4);
    signals_begin(N);
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < N; i++) {
#pragma omp task
        descend(3, i);
    }
    signals_end();
}

/* The outer region's worksharing constructs go on where they were. */
static void worksharing(void)
{
    enum { LOOPS = 20 };
    static int singles, iterations;
    int threads = omp_get_max_threads();
    singles = iterations = 0;
    omp_set_max_active_levels(2);
    signals_begin(threads);
#pragma omp parallel num_threads(threads)
    {
        int own = omp_get_thread_num();
#pragma omp task
        region_that_waits(2, true, &conds[own]);
        for (int n = 0; n < LOOPS; n++) {
#pragma omp single nowait
#pragma omp atomic
            singles++;
#pragma omp for schedule(dynamic) nowait
            for (int i = 0; i < 10; i++)
#pragma omp atomic
                iterations++;
            crt_yield();
        }
    }
    CHECK(singles == LOOPS);
    CHECK(iterations == 10 * LOOPS);
    signals_end();
}

/* What is set in the region, in its task and in another one is not mixed up. */
static void settings(void)
{
    omp_set_max_active_levels(2);
    signals_begin(1);
#pragma omp parallel
#pragma omp single
    {
#pragma omp task
        {
            omp_set_num_threads(7);
            wait_there(&conds[1]);
            CHECK(omp_get_max_threads() == 7);
        }
#pragma omp task
        {
            omp_set_num_threads(3);
#pragma omp parallel num_threads(2)
#pragma omp single
            {
                omp_set_num_threads(5);
                wait_there(&conds[0]);
            }
            CHECK(omp_get_max_threads() == 3);
            crt_signal(&conds[1]);
        }
    }
    signals_end();
}

/* A task outside of all regions. */
static void root(void)
{
    signals_begin(1);
    omp_set_max_active_levels(1);
#pragma omp task
    {
        region_that_waits(2, true, &conds[0]);
        crt_signal(&conds[1]);
    }
    wait_there(&conds[1]);
#pragma omp taskwait
    signals_end();
}

/* On one thread this does not end: the one that would signal is suspended outside. */
static void siblings(void)
{
#pragma omp parallel
#pragma omp single
    {
#pragma omp task
        {
            crt_wait(&conds[0]);
            crt_signal(&conds[1]);
        }
#pragma omp taskyield
#pragma omp task
        {
#pragma omp parallel num_threads(1)
            {
                crt_signal(&conds[0]);
                crt_wait(&conds[1]);
            }
        }
    }
}

static const struct test tests[] = {
    {"elsewhere", elsewhere}, {"inside", inside}, {"deep", deep}, {"worksharing", worksharing},
    {"settings", settings},   {"root", root},
};

static const struct test deadlock = {"siblings", siblings};

int main(int argc, char **argv)
{
    return argc > 1 && strcmp(argv[1], deadlock.name) == 0 ? tests_main(argc, argv, &deadlock, 1) : TESTS_MAIN(argc, argv, tests);
}
