/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * floor.c: what the machine can do at best, measured between two threads pinned to two CPUs.
 *
 *   line    a flag there and back, one cache line per direction: one way. Each batch uses other
 *           lines, because the time depends on where in the shared cache a line lives.
 *   copy    memcpy of what the other thread has just written, into a buffer nobody else reads
 *   relay   a ping-pong of memcpys, what the best one-copy message passing does in the kernel "latency":
 *           one thread copies from the other's buffer into its own, then it is the other's turn
 *           (without the flag that hands over)
 *   split   as relay, but both copy one half of each message, always the one that the other wrote
 *   touch   rewriting and reading a buffer of one's own: what the kernel of that name adds to a message
 */
#include "harness.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_BATCHES = 64 };

/* Two lines apart: the prefetcher fetches lines in pairs. */
struct flag {
    _Alignas(128) _Atomic long value;
};

struct side {
    int me;
    long turn; /* counted over the whole program */
    struct flag *mine, *others;
    double spent; /* timed inside the turns */
    unsigned long seen;
};

typedef void turn_fn(struct side *, size_t bytes);

enum { PLACES = 64 }; /* pairs of flags */
static struct flag flags[PLACES][2], orders;
static _Atomic long order_iters;
static turn_fn *_Atomic order_turn;
static _Atomic size_t order_bytes;
static unsigned char *buffers[2];

static void await(struct flag *flag, long value)
{
    while (atomic_load_explicit(&flag->value, memory_order_acquire) < value) {
    }
}

static void raise_flag(struct flag *flag, long value)
{
    atomic_store_explicit(&flag->value, value, memory_order_release);
}

static void turn_line(struct side *s, size_t bytes)
{
    (void)s, (void)bytes;
}

static void turn_copy(struct side *s, size_t bytes)
{
    if (s->me == 1) {
        bench_write(buffers[1], bytes, (unsigned long)s->turn);
        return;
    }
    double start = bench_now();
    memcpy(buffers[0], buffers[1], bytes);
    s->spent += bench_now() - start;
}

static void turn_relay(struct side *s, size_t bytes)
{
    memcpy(buffers[s->me], buffers[!s->me], bytes);
}

/* iters turns each; side 0 begins. */
static void exchange(struct side *s, turn_fn *turn, size_t bytes, long iters)
{
    for (long i = 0; i < iters; i++) {
        s->turn++;
        if (s->me == 1)
            await(s->others, s->turn);
        turn(s, bytes);
        raise_flag(s->mine, s->turn);
        if (s->me == 0)
            await(s->others, s->turn);
    }
}

/* First 0's buffer goes to 1, then 1's to 0; a barrier of two flags after each. */
static void exchange_split(struct side *s, size_t bytes, long iters)
{
    size_t half = bytes / 2;
    for (long i = 0; i < 2 * iters; i++) {
        int to = (int)(i & 1);
        size_t at = s->me == to ? half : 0;
        memcpy(buffers[to] + at, buffers[!to] + at, half);
        s->turn++;
        raise_flag(s->mine, s->turn);
        await(s->others, s->turn);
    }
}

static void run_turns(struct side *s, long order, turn_fn *turn, size_t bytes, long iters)
{
    struct flag *pair = flags[order % PLACES];
    s->mine = &pair[s->me];
    s->others = &pair[!s->me];
    if (turn)
        exchange(s, turn, bytes, iters);
    else
        exchange_split(s, bytes, iters);
}

static void *other_side(void *arg)
{
    struct side s = {.me = 1};
    (void)arg;
    bench_pin(1);
    for (long order = 1;; order++) {
        await(&orders, order);
        long iters = atomic_load(&order_iters);
        if (iters == 0)
            return NULL;
        run_turns(&s, order, atomic_load(&order_turn), atomic_load(&order_bytes), iters);
    }
}

/* Seconds for iters turns of each side. 0 turns: the other side ends. */
static double batch(struct side *s, turn_fn *turn, size_t bytes, long iters)
{
    static long order;
    atomic_store(&order_turn, turn);
    atomic_store(&order_bytes, bytes);
    atomic_store(&order_iters, iters);
    double start = bench_now();
    s->spent = 0;
    raise_flag(&orders, ++order);
    if (iters > 0)
        run_turns(s, order, turn, bytes, iters);
    return bench_now() - start;
}

/* Measure one cell: us per turn, or what was timed inside the turns, less a constant. */
static int cell(struct side *s, const struct bench_options *opt, turn_fn *turn, long size, double less,
                double us[])
{
    int batches = opt->batches < MAX_BATCHES ? opt->batches : MAX_BATCHES;
    double goal = opt->seconds / batches;
    long iters = 1;
    double took = batch(s, turn, (size_t)size, iters);
    for (; took < goal / 2; took = batch(s, turn, (size_t)size, iters))
        iters *= 2;
    iters = (long)((double)iters * goal / took) + 1;
    for (int i = 0; i < batches; i++) {
        took = batch(s, turn, (size_t)size, iters);
        double turns = s->spent > 0 ? (double)iters : 2.0 * (double)iters;
        us[i] = (s->spent > 0 ? s->spent : took) * 1e6 / turns - less;
    }
    return batches;
}

/* What reading the clock twice adds, us. */
static double clock_cost(void)
{
    double start = bench_now();
    for (int i = 0; i < 1000; i++)
        bench_now();
    return (bench_now() - start) * 1e6 / 1000;
}

static void own_touch(struct side *s, const struct bench_options *opt, long size)
{
    int batches = opt->batches < MAX_BATCHES ? opt->batches : MAX_BATCHES;
    double us[MAX_BATCHES];
    for (int i = 0; i < batches; i++) {
        double start = bench_now(), took = 0;
        long n = 0;
        for (; took < opt->seconds / batches; took = bench_now() - start, n++) {
            bench_write(buffers[0], (size_t)size, (unsigned long)n);
            s->seen += bench_sum(buffers[0], (size_t)size);
        }
        us[i] = took * 1e6 / (double)n;
    }
    bench_print("touch", size, us, batches);
}

int main(int argc, char **argv)
{
    struct bench_options opt;
    struct side me = {.me = 0};
    pthread_t other;
    bench_parse(&opt, argc, argv);
    if (bench_cpus() < 2) {
        fprintf(stderr, "floor: needs two CPUs, this process may use one\n");
        return 0;
    }
    buffers[0] = bench_buffer((size_t)opt.max_size);
    buffers[1] = bench_buffer((size_t)opt.max_size);
    pthread_create(&other, NULL, other_side, NULL);
    bench_pin(0); /* after the thread was made: it must not inherit this CPU */
    double us[MAX_BATCHES], clock = clock_cost();
    int n = cell(&me, &opt, turn_line, 8, 0, us);
    bench_print("line", 8, us, n);
    double line = us[0]; /* they are sorted now */
    for (long size = 1 << 10; size <= opt.max_size; size *= 4) {
        n = cell(&me, &opt, turn_copy, size, clock, us);
        bench_print("copy", size, us, n);
        n = cell(&me, &opt, turn_relay, size, line, us);
        bench_print("relay", size, us, n);
        n = cell(&me, &opt, NULL, size, line, us);
        bench_print("split", size, us, n);
        if (size >= 64 << 10)
            own_touch(&me, &opt, size);
    }
    batch(&me, NULL, 0, 0);
    pthread_join(other, NULL);
    free(buffers[0]);
    free(buffers[1]);
    return me.seen == 1; /* never: keeps the reads */
}
