/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tasks_crowd.c: what it takes to have many that wait at the same time, compiled with ep (PEER_EP) and
 * without. Their number is given as --max. Lines, for each of them: bytes of memory, of page tables and of
 * the kernel's stacks while they wait, and the time to start and block, and to resume and end, the first
 * time and again.
 *
 *   blocked         tasks in crt_wait, all of one thread
 *   received        tasks in ep_recv
 *   threads         pthreads in a futex, with small stacks
 */
#include "harness.h"

#ifdef PEER_EP
#include <crt.h>
#include <ep.h>
#endif
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { SMALL_STACK = 64 << 10, KIB_EACH = 12 };

static void fail(const char *what)
{
    fprintf(stderr, "%s\n", what);
    exit(1);
}

/* KiB in the line of a file in /proc that begins with name. */
static double kib(const char *file, const char *name)
{
    char line[256];
    double value = 0;
    FILE *f = fopen(file, "r");
    while (f && fgets(line, sizeof line, f))
        if (strncmp(line, name, strlen(name)) == 0)
            value = atof(line + strlen(name));
    if (f)
        fclose(f);
    return value;
}

struct memory {
    double resident, tables, kernel;
};

static struct memory memory_now(void)
{
    return (struct memory){kib("/proc/self/status", "VmRSS:") * 1024,
                           kib("/proc/self/status", "VmPTE:") * 1024,
                           kib("/proc/meminfo", "KernelStack:") * 1024};
}

static void print(const char *crowd, const char *what, long n, double value)
{
    char name[64];
    snprintf(name, sizeof name, "%s_%s", crowd, what);
    bench_print(name, n, &value, 1);
}

static void print_memory(const char *crowd, long n, struct memory before)
{
    struct memory now = memory_now();
    print(crowd, "resident", n, (now.resident - before.resident) / (double)n);
    print(crowd, "tables", n, (now.tables - before.tables) / (double)n);
    print(crowd, "kernel", n, (now.kernel - before.kernel) / (double)n);
}

static bool have_room(long n)
{
    bool have = (double)n * KIB_EACH < kib("/proc/meminfo", "MemAvailable:");
    if (!have)
        fprintf(stderr, "too little memory for %ld\n", n);
    return have;
}

static atomic_long begun, ended;

/* Times of a crowd: what it is called when it has all begun to wait, and when it has ended. */
struct watch {
    const char *crowd;
    long n;
    bool again;
    struct memory before;
    double start;
};

static void all_wait(struct watch *w)
{
    double now = bench_now();
    print(w->crowd, w->again ? "start_again" : "start", w->n, (now - w->start) * 1e6 / (double)w->n);
    if (!w->again)
        print_memory(w->crowd, w->n, w->before);
    w->start = bench_now();
}

static void all_ended(struct watch *w)
{
    double now = bench_now();
    print(w->crowd, w->again ? "resume_again" : "resume", w->n, (now - w->start) * 1e6 / (double)w->n);
    if (atomic_load(&ended) != w->n)
        fail("not all went on");
}

#ifdef PEER_EP
static crt_cond_t *crowd_conds;
static ep_comm endpoints[2];

static void crowd_wait(long i)
{
    crt_wait(&crowd_conds[i]);
}

static void crowd_signal(long i)
{
    crt_signal(&crowd_conds[i]);
}

static void crowd_receive(long i)
{
    (void)i;
    long got;
    ep_recv(&got, 1, MPI_LONG, 1, 0, endpoints[0], EP_STATUS_IGNORE);
}

static void crowd_send(long i)
{
    ep_send(&i, 1, MPI_LONG, 0, 0, endpoints[1]);
}

/* One thread has n tasks begin to wait, then lets all of them go on. */
static void tasks(struct watch *w, void (*wait)(long), void (*signal)(long))
{
    w->start = bench_now();
    atomic_store(&begun, 0);
    atomic_store(&ended, 0);
#pragma omp parallel num_threads(1)
    {
        for (long i = 0; i < w->n; i++)
#pragma omp task
        {
            atomic_fetch_add(&begun, 1);
            wait(i);
            atomic_fetch_add(&ended, 1);
        }
        while (atomic_load(&begun) < w->n)
            crt_yield();
        all_wait(w);
        for (long i = 0; i < w->n; i++)
            signal(i);
    }
    all_ended(w);
}

static void crowds(const struct bench_options *opt)
{
    long n = opt->max_size;
    crowd_conds = bench_buffer((size_t)n * sizeof *crowd_conds);
    memset(crowd_conds, 0, (size_t)n * sizeof *crowd_conds);
    int provided;
    MPI_Init_thread(NULL, NULL, MPI_THREAD_MULTIPLE, &provided);
    ep_comm_create_endpoints(MPI_COMM_WORLD, 2, MPI_INFO_NULL, endpoints);
    for (int again = 0; again < 2; again++) {
        struct watch w = {.n = n, .again = again, .before = memory_now()};
        w.crowd = "blocked";
        if (bench_wanted(opt->kernels, w.crowd))
            tasks(&w, crowd_wait, crowd_signal);
        w.crowd = "received";
        if (bench_wanted(opt->kernels, w.crowd))
            tasks(&w, crowd_receive, crowd_send);
    }
    ep_comm_free(&endpoints[0]);
    ep_comm_free(&endpoints[1]);
    MPI_Finalize();
    free(crowd_conds);
}
#else
static atomic_uint gate;

static void *at_gate(void *arg)
{
    atomic_fetch_add(&begun, 1);
    while (atomic_load(&gate) == 0)
        syscall(SYS_futex, &gate, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0);
    atomic_fetch_add(&ended, 1);
    return arg;
}

/* The same of threads. Their end includes joining them. */
static void threads(struct watch *w, pthread_t ids[])
{
    pthread_attr_t attr;
    pthread_attr_init(&attr);
    pthread_attr_setstacksize(&attr, SMALL_STACK);
    w->start = bench_now();
    atomic_store(&begun, 0);
    atomic_store(&ended, 0);
    atomic_store(&gate, 0);
    for (long i = 0; i < w->n; i++)
        if (pthread_create(&ids[i], &attr, at_gate, NULL) != 0)
            fail("no more threads");
    while (atomic_load(&begun) < w->n)
        usleep(100);
    all_wait(w);
    atomic_store(&gate, 1);
    syscall(SYS_futex, &gate, FUTEX_WAKE_PRIVATE, w->n, NULL, NULL, 0);
    for (long i = 0; i < w->n; i++)
        pthread_join(ids[i], NULL);
    all_ended(w);
    pthread_attr_destroy(&attr);
}

static void crowds(const struct bench_options *opt)
{
    long n = opt->max_size;
    pthread_t *ids = bench_buffer((size_t)n * sizeof *ids);
    for (int again = 0; again < 2 && bench_wanted(opt->kernels, "threads"); again++)
        threads(&(struct watch){.crowd = "threads", .n = n, .again = again, .before = memory_now()}, ids);
    free(ids);
}
#endif

int main(int argc, char **argv)
{
    struct bench_options opt;
    bench_parse(&opt, argc, argv);
    if (have_room(opt.max_size))
        crowds(&opt);
    return 0;
}
