/* SPDX-License-Identifier: BSD-3-Clause */
/* reducing.c: task reductions. Who takes part reads its private copy, blocks, and writes it. */
#include "tasks.h"

#include <sched.h>
#include <stdatomic.h>
#include <string.h>

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

/* Who waits for a dependence on one of them does, too, which may be that of a task between, or of a taskgroup's member. */
enum { TASKWAIT, UNDEFERRED, TARGET, BETWEEN, GROUP, HOW_MANY };

static void await_dependence(int how, const int *depended)
{
    (void)depended; /* else GCC warns: it does not count clauses */
    switch (how) {
    case TASKWAIT: {
#pragma omp taskwait depend(in : depended[0])
        break;
    }
    case UNDEFERRED:
#pragma omp task if (0) depend(in : depended[0])
        ;
        break;
    case TARGET:
#pragma omp target depend(in : depended[0])
        ;
        break;
    case BETWEEN:
#pragma omp task depend(in : depended[0]) depend(out : depended[1])
        ;
#pragma omp task if (0) depend(in : depended[1])
        ;
        break;
    case GROUP:
#pragma omp taskgroup
        {
#pragma omp task depend(in : depended[0])
            ;
        }
    }
}

static _Atomic int parents;

static void add_and_await(int *sum, int how, int n)
{
    int *mine = sum, depended[2];
    for (parents++; parents < n;)
        crt_yield(); /* all copies are taken */
#pragma omp task in_reduction(+ : sum[0]) depend(out : depended[0])
    {
        int before = *(volatile int *)sum;
        crt_yield();
        *(volatile int *)sum = before + 1;
    }
    await_dependence(how, depended);
    int before = *(volatile int *)mine;
    crt_yield();
    *(volatile int *)mine = before + 1;
#pragma omp taskwait
}

static __attribute__((noinline)) int reduced_by_dependence(int how, int n)
{
    int sum[1] = {0};
    parents = 0;
#pragma omp parallel
#pragma omp single
#pragma omp taskgroup task_reduction(+ : sum[0])
    for (int i = 0; i < n; i++)
#pragma omp task in_reduction(+ : sum[0])
        add_and_await(sum, how, n);
    return sum[0];
}

static void depend_reduction(void)
{
    int n = omp_get_max_threads();
    for (int round = 0; round < 3; round++)
        for (int how = 0; how < HOW_MANY; how++)
            CHECK(reduced_by_dependence(how, n) == 2 * n);
}

/* In worksharing constructs the tasks of a thread share its copy: right if none blocks between reading and writing it, also
 * if all are blocked at once before they do, and after. */
static void add_between_waits(int *sum, int i, int n)
{
    if (i + 1 < n)
        crt_wait(&part_conds[i]);
    *sum += i + 1;
    crt_yield();
    *sum += i + 1;
    if (i > 0)
        crt_signal(&part_conds[i - 1]);
}

static __attribute__((noinline)) int reduced_loop(int n)
{
    int sum = 0;
#pragma omp parallel
#pragma omp for reduction(task, + : sum) schedule(dynamic)
    for (int i = 0; i < n; i++) {
        sum += 1000;
#pragma omp task in_reduction(+ : sum)
        add_between_waits(&sum, i, n);
    }
    return sum;
}

static __attribute__((noinline)) int reduced_sections(void)
{
    int sum = 0;
#pragma omp parallel
#pragma omp sections reduction(task, + : sum)
    {
#pragma omp section
        for (int i = 0; i < 2; i++)
#pragma omp task in_reduction(+ : sum)
            add_between_waits(&sum, i, 4);
#pragma omp section
        for (int i = 2; i < 4; i++)
#pragma omp task in_reduction(+ : sum)
            add_between_waits(&sum, i, 4);
    }
    return sum;
}

static void worksharing_reduction(void)
{
    for (int round = 0; round < 3; round++) {
        CHECK(reduced_loop(PARTS) == 1000 * PARTS + PARTS * (PARTS + 1));
        CHECK(reduced_sections() == 20);
        CHECK(none_is_signalled());
    }
}

static const struct test tests[] = {
    {"reduction", reduction},
    {"group_reduction", group_reduction},
    {"scarce_reduction", scarce_reduction},
    {"nested_reduction", nested_reduction},
    {"depend_reduction", depend_reduction},
    {"worksharing_reduction", worksharing_reduction},
};

int main(int argc, char **argv)
{
    return TESTS_MAIN(argc, argv, tests);
}
