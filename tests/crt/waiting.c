/* SPDX-License-Identifier: BSD-3-Clause */
/* waiting.c: what waits for tasks that block, or is held by them: taskwait, taskgroup, dependences, critical, events. */
#include "tasks.h"

#include <errno.h>
#include <sched.h>
#include <stdatomic.h>
#include <string.h>

/* taskwait waits for children that blocked, those made before and after a block, and not for grandchildren. */
static void taskwait(void)
{
    static crt_cond_t conds[4];
    static atomic_int done, late;
    atomic_store(&done, 0);
    atomic_store(&late, 0);
#pragma omp parallel
#pragma omp single
    {
#pragma omp task
        {
#pragma omp task
            {
                crt_wait(&conds[0]);
                atomic_fetch_add(&done, 1);
            }
            crt_wait(&conds[1]);
#pragma omp task
            {
                atomic_fetch_add(&done, 1);
#pragma omp task
                {
                    crt_wait(&conds[2]);
                    atomic_fetch_add(&late, 1);
                }
            }
#pragma omp taskwait
            CHECK(atomic_load(&done) == 2);
            CHECK(atomic_load(&late) == 0);
            crt_signal(&conds[2]);
        }
#pragma omp task
        crt_signal(&conds[1]);
#pragma omp task
        {
            crt_wait(&conds[3]);
            crt_signal(&conds[0]);
        }
#pragma omp task
        crt_signal(&conds[3]);
#pragma omp taskwait
        CHECK(atomic_load(&done) == 2);
    }
    CHECK(atomic_load(&late) == 1);
}

/* taskgroup waits for descendants; an outsider that it needs is blocked for a while. */
static void taskgroup(void)
{
    static crt_cond_t conds[3];
    static atomic_int members;
    atomic_store(&members, 0);
#pragma omp parallel
#pragma omp single
    {
#pragma omp task
        {
            crt_wait(&conds[0]);
            crt_signal(&conds[1]);
        }
#pragma omp taskgroup
        {
#pragma omp task
            {
#pragma omp task
                {
#pragma omp task
                    {
                        crt_wait(&conds[1]);
                        atomic_fetch_add(&members, 1);
                    }
                    crt_signal(&conds[0]);
                    atomic_fetch_add(&members, 1);
                }
                atomic_fetch_add(&members, 1);
            }
        }
        CHECK(atomic_load(&members) == 3);
    }
}

/* Dependences hold while those that are waited for are blocked. */
static void depend(void)
{
    static crt_cond_t conds[4];
    static int data[4];
    data[0] = data[1] = data[2] = 0;
#pragma omp parallel
#pragma omp single
    {
#pragma omp task depend(out : data[0])
        {
            crt_wait(&conds[0]);
            data[0] = 1;
        }
#pragma omp task depend(in : data[0]) depend(out : data[1])
        {
            crt_wait(&conds[1]);
            CHECK(data[0] == 1);
            data[1] = 2;
        }
#pragma omp task depend(in : data[0]) depend(out : data[2])
        {
            CHECK(data[0] == 1);
            data[2] = 3;
        }
#pragma omp task depend(inout : data[0])
        {
            CHECK(data[1] == 2 && data[2] == 3);
            data[0] = 4;
        }
#pragma omp task
        crt_signal(&conds[1]);
#pragma omp task
        crt_signal(&conds[0]);
#pragma omp task if (0) depend(in : data[0])
        CHECK(data[0] == 4);
#pragma omp task depend(out : data[3])
        {
            crt_wait(&conds[2]);
            data[3] = 5;
        }
#pragma omp task
        crt_signal(&conds[2]);
#pragma omp taskwait depend(in : data[3])
        CHECK(data[3] == 5);
    }
}

/* An undeferred task that blocks takes its creator along, not the thread. */
static void undeferred(void)
{
    static crt_cond_t conds[2];
    static int steps[4], n;
    n = 0;
#pragma omp parallel
#pragma omp single
    {
#pragma omp task
        {
#pragma omp task if (0)
            {
                crt_wait(&conds[0]);
                steps[n++] = 1;
            }
            steps[n++] = 2;
        }
#pragma omp task
        crt_signal(&conds[0]);
#pragma omp task final(1)
        {
#pragma omp task
            {
                crt_wait(&conds[1]);
                CHECK(omp_in_final());
            }
        }
#pragma omp task
        crt_signal(&conds[1]);
    }
    CHECK(n == 2 && steps[0] == 1 && steps[1] == 2);
}

/* critical around a wait: others of the same thread want it meanwhile. */
static void critical(void)
{
    static crt_cond_t cond;
    static int in_it, most, n;
    n = most = 0;
#pragma omp parallel
#pragma omp single
    {
        for (int i = 0; i < 20; i++) {
#pragma omp task firstprivate(i)
#pragma omp critical(name)
            {
                most = ++in_it > most ? in_it : most;
                if (i == 0)
                    crt_wait(&cond);
                n++;
                in_it--;
            }
        }
#pragma omp task
        crt_signal(&cond);
    }
    CHECK(n == 20 && most == 1);
}

/* A task with events completes when they are fulfilled. */
static void events(void)
{
    static crt_task_t bound[2];
    static omp_event_handle_t handle[1];
    static crt_cond_t cond;
    static int data[2];
    static atomic_int ended;
    data[0] = data[1] = 0;
    atomic_store(&ended, 0);
#pragma omp parallel
#pragma omp single
    {
#pragma omp task depend(out : data[0])
        {
            bound[0] = crt_bind();
            bound[1] = crt_bind();
            atomic_fetch_add(&ended, 1);
        }
        omp_event_handle_t h;
#pragma omp task detach(h) depend(out : data[1])
        atomic_fetch_add(&ended, 1);
        handle[0] = h;
#pragma omp task depend(in : data[0], data[1])
        {
            CHECK(data[0] == 1);
            crt_signal(&cond);
        }
        while (atomic_load(&ended) < 2)
            crt_yield();
        crt_release(bound[0]);
        omp_fulfill_event(handle[0]);
        crt_yield();
        data[0] = 1;
        crt_release(bound[1]);
        crt_wait(&cond);
    }
    CHECK(crt_bind() == NULL);
}

/* Who fulfils an event need not descend from who waits for the task that has it. */
static void unrelated(void)
{
    static crt_task_t bound[1];
    static omp_event_handle_t handle[1];
    static atomic_int begun, waited;
    atomic_store(&begun, 0);
    atomic_store(&waited, 0);
#pragma omp parallel
#pragma omp single
    {
#pragma omp task
        {
#pragma omp task
            {
                bound[0] = crt_bind();
                atomic_fetch_add(&begun, 1);
            }
#pragma omp taskwait
            CHECK(atomic_fetch_add(&waited, 1) > 0);
        }
#pragma omp task
        {
            while (atomic_load(&begun) < 1)
                crt_yield();
            atomic_fetch_add(&waited, 1);
            crt_release(bound[0]);
        }
#pragma omp taskwait
        CHECK(atomic_load(&waited) == 2);
#pragma omp task
#pragma omp taskgroup
        {
            omp_event_handle_t h;
#pragma omp task detach(h)
            atomic_fetch_add(&begun, 1);
            handle[0] = h;
            atomic_fetch_add(&begun, 1);
        }
#pragma omp task
        {
            while (atomic_load(&begun) < 3)
                crt_yield();
            omp_fulfill_event(handle[0]);
        }
    }
}

/* errno is a task's own, wherever it is suspended. */
static void keep_errno(int own, crt_cond_t *first, crt_cond_t *second)
{
    errno = own;
    crt_wait(first);
    CHECK(errno == own);
#pragma omp taskyield
    CHECK(errno == own);
#pragma omp task
    errno = 2000 + own;
#pragma omp taskwait
    CHECK(errno == own);
#pragma omp taskgroup
    {
#pragma omp task
        errno = 3000 + own;
    }
    CHECK(errno == own);
#pragma omp critical(keeping)
    {
        crt_yield();
        CHECK(errno == own);
    }
    crt_signal(second);
}

static void errors(void)
{
    enum { N = 20 };
    static crt_cond_t conds[N + 1];
#pragma omp parallel
    {
        errno = 1000 + omp_get_thread_num();
#pragma omp single nowait
        {
            for (int i = 0; i < N; i++)
#pragma omp task
                keep_errno(i + 1, &conds[i], &conds[i + 1]);
            crt_signal(&conds[0]);
#pragma omp taskwait
        }
#pragma omp barrier
        CHECK(errno == 1000 + omp_get_thread_num());
    }
    crt_wait(&conds[N]);
}

/* ---- Task reductions: who takes part reads its private copy, blocks, and writes it ---- */

enum { PARTS = 12 };
static crt_cond_t part_conds[PARTS];

/* Each signal had its wait: who waits next must not find one that was meant for nobody. */
static bool none_is_signalled(void)
{
    static const crt_cond_t empty[PARTS];
    return memcmp(part_conds, empty, sizeof empty) == 0;
}

/* Part i of n, and others take part on the same thread before it goes on: it waits for the one after it, the last for nobody. */
static void add_across_wait(int *sum, int i, int n)
{
    int before = *(volatile int *)sum;
    if (i + 1 < n)
        crt_wait(&part_conds[i]);
    *(volatile int *)sum = before + i + 1;
    if (i > 0)
        crt_signal(&part_conds[i - 1]);
}

static __attribute__((noinline)) int reduced_region(int n)
{
    int sum = 0;
#pragma omp parallel reduction(task, + : sum)
    {
        int before = *(volatile int *)&sum;
#pragma omp single
        for (int i = 0; i < n; i++)
#pragma omp task in_reduction(+ : sum)
            add_across_wait(&sum, i, n);
        *(volatile int *)&sum = before + 1000;
    }
    return sum;
}

static void reduction(void)
{
    enum { ALL = PARTS * (PARTS + 1) / 2 };
    for (int round = 0; round < 3; round++)
        CHECK(reduced_region(PARTS) == ALL + 1000 * omp_get_max_threads());
    CHECK(none_is_signalled());
}

static __attribute__((noinline)) void reduce(int *result, int n)
{
    int sum = 0;
#pragma omp taskgroup task_reduction(+ : sum)
    for (int i = n - 1; i >= 0; i--)
#pragma omp task in_reduction(+ : sum)
        add_across_wait(&sum, i, n);
    *result = sum;
}

/* In a taskgroup there are as many copies as threads, and any task may have any of them: also those of one thread. */
static int reduced_group(int n)
{
    static atomic_int done;
    int sum = 0;
    done = 0;
#pragma omp parallel
    {
#pragma omp single nowait
        {
            reduce(&sum, n);
            done = 1;
        }
        while (!done)
            sched_yield();
    }
    return sum;
}

static void group_reduction(void)
{
    int n = omp_get_max_threads() < PARTS ? omp_get_max_threads() : PARTS;
    for (int round = 0; round < 20; round++) {
        CHECK(reduced_group(n) == n * (n + 1) / 2);
        CHECK(none_is_signalled());
    }
}

/* Further ones wait until one is free. */
static _Atomic int have, most_have;

static void add_across_signal(int *sum, int i)
{
    int now = ++have, most = most_have;
    while (most < now && !atomic_compare_exchange_weak(&most_have, &most, now))
        continue;
    int before = *(volatile int *)sum;
    crt_wait(&part_conds[i]);
    *(volatile int *)sum = before + i + 1;
    have--;
}

static void signal_all(void)
{
    for (int i = 0; i < 2 * PARTS; i++)
        crt_yield(); /* let others begin */
    for (int i = 0; i < PARTS; i++)
        crt_signal(&part_conds[i]);
}

static __attribute__((noinline)) int scarce_group(void)
{
    int sum = 0;
#pragma omp parallel
#pragma omp single
#pragma omp taskgroup task_reduction(+ : sum)
    {
        for (int i = 0; i < PARTS; i++)
#pragma omp task in_reduction(+ : sum)
            add_across_signal(&sum, i);
#pragma omp task
        signal_all();
    }
    return sum;
}

static __attribute__((noinline)) int scarce_loop(void)
{
    int sum = 0;
#pragma omp parallel
#pragma omp single
    {
#pragma omp task
        signal_all();
#pragma omp taskloop grainsize(1) reduction(+ : sum)
        for (int i = 0; i < PARTS; i++)
            add_across_signal(&sum, i);
    }
    return sum;
}

static void scarce_reduction(void)
{
    enum { ALL = PARTS * (PARTS + 1) / 2 };
    most_have = 0;
    for (int round = 0; round < 10; round++) {
        CHECK(scarce_group() == ALL);
        CHECK(scarce_loop() == ALL);
    }
    CHECK(most_have <= omp_get_max_threads());
    CHECK(none_is_signalled());
}

/* Who waits for its descendants lets them have its copy, one at a time, through tasks that take no part. */
static void add_tree(int *sum, int depth)
{
    int *mine = sum;
    if (depth == 0) {
        int before = *(volatile int *)mine;
        crt_yield();
        *(volatile int *)mine = before + 1;
        return;
    }
#pragma omp task
    {
#pragma omp task in_reduction(+ : sum[0])
        add_tree(sum, depth - 1);
#pragma omp taskwait
    }
#pragma omp taskgroup
    {
#pragma omp task in_reduction(+ : sum[0])
        add_tree(sum, depth - 1);
    }
#pragma omp task if (0) in_reduction(+ : sum[0])
    add_tree(sum, depth - 1);
#pragma omp taskwait
    int before = *(volatile int *)mine;
    crt_yield();
    *(volatile int *)mine = before + 1;
}

static __attribute__((noinline)) int tree(int depth)
{
    int sum[1] = {0};
#pragma omp parallel
#pragma omp single
#pragma omp taskgroup task_reduction(+ : sum[0])
    {
#pragma omp task in_reduction(+ : sum[0])
        add_tree(sum, depth);
#pragma omp task in_reduction(+ : sum[0])
        add_tree(sum, depth);
    }
    return sum[0];
}

static void nested_reduction(void)
{
    for (int round = 0; round < 5; round++)
        CHECK(tree(4) == 2 * (1 + 3 + 9 + 27 + 81));
}

static const struct test tests[] = {
    {"taskwait", taskwait},
    {"taskgroup", taskgroup},
    {"depend", depend},
    {"undeferred", undeferred},
    {"critical", critical},
    {"events", events},
    {"unrelated", unrelated},
    {"reduction", reduction},
    {"errors", errors},
    {"group_reduction", group_reduction},
    {"scarce_reduction", scarce_reduction},
    {"nested_reduction", nested_reduction},
};

int main(int argc, char **argv)
{
    return TESTS_MAIN(argc, argv, tests);
}
