/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tasks.c: what OpenMP's tasking costs, compiled with ep (PEER_EP) and without: then it is libgomp as it
 * comes. The time of an operation is that of many of them, by so many threads together.
 *
 *   flood     one thread creates many empty tasks
 *   batch     50 tasks, taskwait
 *   depend    8 chains of tasks, each linked by depend(inout)
 *   fib       the naive recursion, two tasks and a taskwait for each call
 *   if0       if(0): tasks that run at once
 *   taskloop  50 chunks, a task each
 *   parallel, barrier, critical
 *
 * That all of them ran is checked after each batch.
 */
#include "harness.h"

#ifdef PEER_EP
#include <crt.h>
#endif
#include <omp.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_BATCHES = 64, BATCH = 50, CHAINS = 8, FIB = 14, FIB_TASKS = 1218 };

static _Thread_local long ran; /* by this thread in this region */

/* n times what the kernel is about. */
struct kernel {
    const char *name;
    long operations;        /* in one of the n */
    void (*create)(long n); /* by one thread of the region ... */
    void (*all)(long n);    /* ... or by all; or, if region is false, without a region */
    bool region;
};

static void flood(long n)
{
    for (long i = 0; i < n; i++)
#pragma omp task
        ran++;
}

static void batch(long n)
{
    for (long i = 0; i < n; i++) {
        flood(BATCH);
#pragma omp taskwait
    }
}

static void depend(long n)
{
    static char links[CHAINS];
    for (long i = 0; i < n; i++) {
        char *link = &links[i % CHAINS];
#pragma omp task depend(inout : *link)
        ran++;
    }
}

static long fib(int n)
{
    long parts[2];
    if (n < 2)
        return n;
#pragma omp task shared(parts)
    {
        ran++;
        parts[0] = fib(n - 1);
    }
#pragma omp task shared(parts)
    {
        ran++;
        parts[1] = fib(n - 2);
    }
#pragma omp taskwait
    return parts[0] + parts[1];
}

static void fibs(long n)
{
    for (long i = 0; i < n; i++)
        if (fib(FIB) != 377)
            abort();
}

static void if0(long n)
{
    for (long i = 0; i < n; i++)
#pragma omp task if (0)
        ran++;
}

static void taskloop(long n)
{
    for (long i = 0; i < n; i++)
#pragma omp taskloop grainsize(1)
        for (int chunk = 0; chunk < BATCH; chunk++)
            ran++;
}

static void barrier(long n)
{
    for (long i = 0; i < n; i++) {
#pragma omp barrier
    }
    ran += omp_get_thread_num() == 0 ? n : 0;
}

static void critical(long n)
{
    static long inside;
    int threads = omp_get_num_threads(), me = omp_get_thread_num();
    for (long i = me; i < n; i += threads) {
#pragma omp critical
        inside++;
        ran++;
    }
}

static void parallel(long n)
{
    for (long i = 0; i < n; i++)
#pragma omp parallel
        ran += omp_get_thread_num() == 0;
}

static const struct kernel kernels[] = {
    {"flood", 1, flood, NULL, true},
    {"batch", BATCH, batch, NULL, true},
    {"depend", 1, depend, NULL, true},
    {"fib", FIB_TASKS, fibs, NULL, true},
    {"if0", 1, if0, NULL, true},
    {"taskloop", BATCH, taskloop, NULL, true},
    {"parallel", 1, NULL, parallel, false},
    {"barrier", 1, NULL, barrier, true},
    {"critical", 1, NULL, critical, true},
};
enum { KERNELS = sizeof kernels / sizeof kernels[0] };

/* Seconds for n. */
static double time_of(const struct kernel *k, long n)
{
    static atomic_long all;
    atomic_store(&all, 0);
    double start = bench_now();
    if (!k->region) {
        ran = 0;
        k->all(n);
        atomic_store(&all, ran);
    } else {
#pragma omp parallel
        {
            ran = 0;
            if (k->all)
                k->all(n);
#pragma omp single
            if (k->create)
                k->create(n);
            atomic_fetch_add(&all, ran);
        }
    }
    double took = bench_now() - start;
    if (atomic_load(&all) != n * k->operations) {
        fprintf(stderr, "%s: %ld of %ld ran\n", k->name, atomic_load(&all), n * k->operations);
        exit(1);
    }
    return took;
}

static void measure(const struct bench_options *opt, const struct kernel *k)
{
    int batches = opt->batches < MAX_BATCHES ? opt->batches : MAX_BATCHES;
    double us[MAX_BATCHES], goal = opt->seconds / batches;
    long n = 1;
    double took = time_of(k, n);
    for (; took < goal / 2; took = time_of(k, n))
        n *= 2;
    n = (long)((double)n * goal / took) + 1;
    for (int i = 0; i < batches; i++)
        us[i] = time_of(k, n) * 1e6 / (double)(n * k->operations);
    bench_print(k->name, opt->threads, us, batches);
}

/* Is it the mode that was asked for? */
static void check_mode(void)
{
#ifdef PEER_EP
    const char *mode = getenv("OMP_EXTERNAL");
    if ((mode && strcmp(mode, "task") == 0) != (omp_get_external() == omp_external_task)) {
        fprintf(stderr, "not in the mode of OMP_EXTERNAL\n");
        exit(1);
    }
#endif
}

int main(int argc, char **argv)
{
    struct bench_options opt;
    bench_parse(&opt, argc, argv);
    check_mode();
    bench_cpus();
    omp_set_dynamic(0);
    omp_set_num_threads(opt.threads);
#pragma omp parallel
    if (opt.pin)
        bench_pin(omp_get_thread_num());
    for (int i = 0; i < KERNELS; i++)
        if (bench_wanted(opt.kernels, kernels[i].name))
            measure(&opt, &kernels[i]);
    return 0;
}
