/* SPDX-License-Identifier: BSD-3-Clause */
/* targets.c: what blocks in a target region on the host blocks the task of that region alone. */
#include "tasks.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

enum { MOST = 24 };
static crt_cond_t conds[MOST];

/* One thread suffices for a region that waits and a task, or another region, that lets it go on. */
static void sibling(void)
{
    static int order;
    order = 0;
#pragma omp parallel
#pragma omp single
    {
#pragma omp target nowait map(tofrom : order)
        {
            crt_wait(&conds[0]);
            order = order * 10 + 2;
        }
#pragma omp task shared(order)
        {
            order = 1;
            crt_signal(&conds[0]);
        }
#pragma omp taskwait
        CHECK(order == 12);
#pragma omp target nowait
        crt_wait(&conds[0]);
#pragma omp target nowait
        crt_signal(&conds[0]);
    }
}

/* Without nowait the creator waits, which may be a task. */
static void within_task(void)
{
    static int seen;
    seen = 0;
#pragma omp parallel
#pragma omp single
    {
#pragma omp task shared(seen)
        {
#pragma omp target map(tofrom : seen)
            {
                crt_wait(&conds[0]);
                seen += 1;
            }
            seen *= 10;
        }
#pragma omp task
        crt_wait(&conds[1]);
#pragma omp task
        crt_signal(&conds[0]);
#pragma omp target
        crt_signal(&conds[1]); /* the implicit task, with tasks around */
    }
    CHECK(seen == 10);
}

/* Each region waits for the one created next, or before. Its arrays are as they were when the construct was met. */
static void chain_of(int first, int step)
{
    static long sums[MOST];
#pragma omp parallel
#pragma omp single
    {
        long given[20];
#pragma omp taskgroup
        for (int n = 0, i = first; n < MOST; n++, i += step) {
            for (int k = 0; k < 20; k++)
                given[k] = i + k;
#pragma omp target nowait firstprivate(given, i) map(tofrom : sums [i:1])
            {
                if (i + 1 < MOST)
                    crt_wait(&conds[i]);
                sums[i] = 0;
                for (int k = 0; k < 20; k++)
                    sums[i] += given[k];
                if (i > 0)
                    crt_signal(&conds[i - 1]);
            }
        }
        for (int i = 0; i < MOST; i++)
            CHECK(sums[i] == 20 * i + 190);
    }
}

static void chain(void)
{
    chain_of(0, 1);
    chain_of(MOST - 1, -1);
}

/* A region that blocks keeps back what depends on it, and nothing else. */
static void depend(void)
{
    static int a, b, independent;
    a = b = independent = 0;
#pragma omp parallel
#pragma omp single
    {
#pragma omp task depend(out : a) shared(a)
        a = 1;
#pragma omp target nowait depend(inout : a) depend(out : b) map(tofrom : a, b)
        {
            crt_wait(&conds[0]);
            a = a * 10 + 2;
            b = 5;
        }
#pragma omp task depend(inout : a) shared(a)
        a = a * 10 + 3;
#pragma omp target nowait depend(inout : a) depend(in : b) map(tofrom : a, b)
        a = a * 10 + b;
#pragma omp task shared(independent)
        {
            independent = b == 0;
            crt_signal(&conds[0]);
        }
#pragma omp taskwait depend(in : b)
        CHECK(b == 5);
#pragma omp taskwait
    }
    CHECK(a == 1235 && independent);
}

/* The region is an initial task on a thread of its own team, with all that a program has. */
static void initial(void)
{
    int right = 0, loops = 0, region = 0, tasks = 0;
    int most = omp_get_max_threads();
#pragma omp parallel
#pragma omp single
#pragma omp taskgroup
    {
#pragma omp target nowait map(tofrom : right, loops, region, tasks)
        {
            right = omp_get_num_threads() == 1 && omp_get_thread_num() == 0 && omp_get_level() == 0 &&
                    !omp_in_parallel() && !omp_in_final() && omp_get_max_threads() == most;
#pragma omp task shared(tasks)
            {
                crt_wait(&conds[0]);
                tasks += 1;
            }
#pragma omp task shared(tasks)
            crt_signal(&conds[0]);
#pragma omp for schedule(dynamic) nowait
            for (int i = 0; i < 10; i++)
                loops += i;
            crt_wait(&conds[1]);
#pragma omp barrier
            loops += 100 * tasks;
#pragma omp parallel
#pragma omp atomic
            region++;
        }
#pragma omp task
        crt_signal(&conds[1]);
    }
    CHECK(right);
    CHECK(loops == 145 && tasks == 1);
    CHECK(region == most);
}

/* Regions that do not block take the places of threads: no more of them run at once. */
static _Atomic int running, most_running, run;

static void count_running(void)
{
    int now = ++running, before = most_running;
    while (before < now && !atomic_compare_exchange_weak(&most_running, &before, now))
        continue;
    run++;
    running--;
}

static void places(void)
{
    running = most_running = run = 0;
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < effort(100); i++)
#pragma omp target nowait
        count_running();
    CHECK(run == effort(100));
    CHECK(most_running <= omp_get_max_threads());
}

static void locks(void)
{
    static omp_lock_t lock;
    static int inside;
    inside = 0;
    omp_init_lock(&lock);
#pragma omp parallel
#pragma omp single
    {
#pragma omp task
        {
            omp_set_lock(&lock);
            crt_wait(&conds[0]);
            inside++;
            omp_unset_lock(&lock);
        }
        for (int i = 0; i < 3; i++)
#pragma omp target nowait map(tofrom : inside)
        {
#pragma omp critical(targets)
            {
                omp_set_lock(&lock);
                inside++;
                omp_unset_lock(&lock);
            }
        }
#pragma omp task
        crt_signal(&conds[0]);
    }
    omp_destroy_lock(&lock);
    CHECK(inside == 4);
}

/* It is task-aware if its thread is: else what blocks in it blocks the thread, and no other task of that begins. */
static void *signal_inside(void *inside)
{
    while (!atomic_load((atomic_bool *)inside))
        sched_yield();
    crt_signal(&conds[0]);
    return NULL;
}

static void unaware(void)
{
    static struct {
        atomic_bool inside, ended;
    } region;
    pthread_t helper;
    region.inside = region.ended = false;
    CHECK(pthread_create(&helper, NULL, signal_inside, &region.inside) == 0);
#pragma omp parallel num_threads(1)
    {
        crt_set_task_aware(0);
        for (int i = 0; i < 4; i++) {
#pragma omp task
            CHECK(region.inside == region.ended);
            if (i == 2) {
#pragma omp target nowait
                {
                    CHECK(!crt_get_task_aware());
                    region.inside = true;
                    crt_wait(&conds[0]);
                    region.ended = true;
                }
            }
        }
#pragma omp taskwait
        crt_set_task_aware(1);
    }
    pthread_join(helper, NULL);
}

static const struct test tests[] = {
    {"sibling", sibling}, {"within_task", within_task}, {"chain", chain}, {"depend", depend},
    {"initial", initial}, {"places", places},           {"locks", locks}, {"unaware", unaware},
};

int main(int argc, char **argv)
{
    return TESTS_MAIN(argc, argv, tests);
}
