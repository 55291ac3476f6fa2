/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tasks_turns.c: what it costs to wait for another, compiled with ep (PEER_EP) and without. Two take turns:
 * each lets the other go on and waits until it is let go on itself. The time is that of one block and one
 * resume. They are tasks of one thread if there is one, which needs OMP_EXTERNAL=task, else two threads.
 *
 *   crt             crt_signal, crt_wait
 *   message         8 bytes by ep_send, ep_recv, between endpoints of this process
 *   cond            a mutex and a condition of pthreads
 *   futex           the system calls alone
 *   futex_one       the same with both threads on one CPU
 */
#define _GNU_SOURCE
#include "harness.h"

#ifdef PEER_EP
#include <crt.h>
#include <ep.h>
#endif
#include <linux/futex.h>
#include <omp.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { MAX_BATCHES = 64 };

/* ---- Ways to wait ------------------------------------------------------------------------------ */

/* signal lets the waiter number i go on; each has a place of its own. cpu: of the second, if it is a pthread. */
struct way {
    const char *name;
    int cpu;
    void (*wait)(int i);
    void (*signal)(int i);
};

static struct turn {
    _Alignas(128) atomic_uint word;
    bool on;
    pthread_mutex_t mutex;
    pthread_cond_t cond;
} turns[2] = {{.mutex = PTHREAD_MUTEX_INITIALIZER, .cond = PTHREAD_COND_INITIALIZER},
              {.mutex = PTHREAD_MUTEX_INITIALIZER, .cond = PTHREAD_COND_INITIALIZER}};

static void futex_sleep(atomic_uint *word, unsigned value)
{
    syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, value, NULL, NULL, 0);
}

static void futex_wait(int i)
{
    while (atomic_exchange(&turns[i].word, 0) == 0)
        futex_sleep(&turns[i].word, 0);
}

static void futex_signal(int i)
{
    atomic_store(&turns[i].word, 1);
    syscall(SYS_futex, &turns[i].word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

static void cond_wait(int i)
{
    pthread_mutex_lock(&turns[i].mutex);
    while (!turns[i].on)
        pthread_cond_wait(&turns[i].cond, &turns[i].mutex);
    turns[i].on = false;
    pthread_mutex_unlock(&turns[i].mutex);
}

static void cond_signal(int i)
{
    pthread_mutex_lock(&turns[i].mutex);
    turns[i].on = true;
    pthread_cond_signal(&turns[i].cond);
    pthread_mutex_unlock(&turns[i].mutex);
}

#ifdef PEER_EP
static crt_cond_t conds[2];
static ep_comm endpoints[2];

static void crt_way_wait(int i)
{
    crt_wait(&conds[i]);
}

static void crt_way_signal(int i)
{
    crt_signal(&conds[i]);
}

static void message_wait(int i)
{
    long got;
    ep_recv(&got, 1, MPI_LONG, 1 - i, 0, endpoints[i], EP_STATUS_IGNORE);
}

static void message_signal(int i)
{
    long value = i;
    ep_send(&value, 1, MPI_LONG, i, 0, endpoints[1 - i]);
}
#endif

static const struct way ways[] = {
#ifdef PEER_EP
    {"crt", 1, crt_way_wait, crt_way_signal},   {"message", 1, message_wait, message_signal},
#endif
    {"cond", 1, cond_wait, cond_signal},        {"futex", 1, futex_wait, futex_signal},
    {"futex_one", 0, futex_wait, futex_signal},
};
enum { WAYS = sizeof ways / sizeof ways[0] };

/* ---- Taking turns ------------------------------------------------------------------------------ */

static void side(const struct way *w, int i, long turns_left)
{
    for (; turns_left > 0; turns_left--) {
        if (i == 0)
            w->signal(1);
        w->wait(i);
        if (i == 1)
            w->signal(0);
    }
}

/* n turns of each. */
#ifdef PEER_EP
static void both_sides(const struct way *w, int threads, long n)
{
#pragma omp parallel num_threads(threads)
    {
        bench_pin(omp_get_thread_num());
        if (threads > 1) {
            side(w, omp_get_thread_num(), n);
        } else {
            for (int i = 0; i < 2; i++)
#pragma omp task
                side(w, i, n);
        }
    }
}
#else
/* By threads of its own: OpenMP's spin for a while when they have nothing to do. */
struct other {
    const struct way *way;
    long n;
};

static void *other_side(void *arg)
{
    const struct other *o = arg;
    bench_pin(o->way->cpu);
    side(o->way, 1, o->n);
    return NULL;
}

static void both_sides(const struct way *w, int threads, long n)
{
    struct other o = {w, n};
    pthread_t thread;
    (void)threads;
    bench_pin(0);
    pthread_create(&thread, NULL, other_side, &o);
    side(w, 0, n);
    pthread_join(thread, NULL);
}
#endif

/* Seconds for n turns of each. */
static double take_turns(const struct way *w, int threads, long n)
{
    double start = bench_now();
    both_sides(w, threads, n);
    return bench_now() - start;
}

static void measure(const struct bench_options *opt, const struct way *w)
{
    int batches = opt->batches < MAX_BATCHES ? opt->batches : MAX_BATCHES;
    double us[MAX_BATCHES], goal = opt->seconds / batches;
    long n = 16;
    double took = take_turns(w, opt->threads, n);
    for (; took < goal / 2; took = take_turns(w, opt->threads, n))
        n *= 2;
    n = (long)((double)n * goal / took) + 1;
    for (int i = 0; i < batches; i++)
        us[i] = take_turns(w, opt->threads, n) * 1e6 / (double)(2 * n);
    bench_print(w->name, opt->threads, us, batches);
}

/* ---- Program ----------------------------------------------------------------------------------- */

int main(int argc, char **argv)
{
    struct bench_options opt;
    bench_parse(&opt, argc, argv);
    bench_cpus();
#ifdef PEER_EP
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    ep_comm_create_endpoints(MPI_COMM_WORLD, 2, MPI_INFO_NULL, endpoints);
#endif
    for (int i = 0; i < WAYS; i++)
        if (bench_wanted(opt.kernels, ways[i].name))
            measure(&opt, &ways[i]);
#ifdef PEER_EP
    ep_comm_free(&endpoints[0]);
    ep_comm_free(&endpoints[1]);
    MPI_Finalize();
#endif
    return 0;
}
