/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * p2p.c: point-to-point kernels, compiled once per peer (peer.h). Rank i of the lower half talks
 * with rank i + size/2; rank 0 measures.
 *
 *   latency  ping-pong with ONE buffer per rank: what is sent was received into the same buffer before
 *   touch    the same, but each rank rewrites its whole buffer before it sends and reads the whole after
 *            receiving; this time is in the result, for all peers alike. Checks the data too.
 *   bw       a window of messages, each with its own buffer, then one answer
 *   rate     the same with 64 messages of 8 bytes
 *   ring     one token, 10,000 messages around all ranks
 */
#include "harness.h"
#include "peer.h"

#include <string.h>

enum { SMALL_WINDOW = 64, LARGE_WINDOW = 8, LARGE = 64 << 10 };
enum { TOUCH_FROM = 64 << 10, RING = 10000, MAX_BATCHES = 64 };
enum { DATA, CONTROL };

/* One rank: what its thread works with. */
struct rank {
    const struct bench_options *opt;
    int thread, rank, size;
    bool low;                /* member of the half that begins */
    struct peer_link pair;   /* to its partner */
    struct peer_link answer; /* the same, for answers that end a window */
    unsigned char *buf;
    unsigned long seen;      /* keeps the reads of touch alive */
};

/* One line of the result. A kernel does iters rounds; one round is per_round messages in the result. */
struct cell {
    const char *name;
    void (*kernel)(struct rank *, const struct cell *, long iters);
    long size;
    int window;
    double per_round;
    long fixed; /* rounds to do at once, 0: find out */
};

static void latency(struct rank *r, const struct cell *c, long iters)
{
    for (long i = 0; i < iters; i++) {
        if (r->low)
            peer_send(r->buf, (int)c->size, &r->pair);
        peer_recv(r->buf, (int)c->size, &r->pair);
        if (!r->low)
            peer_send(r->buf, (int)c->size, &r->pair);
    }
}

static void touch_send(struct rank *r, const struct cell *c, unsigned long value)
{
    bench_write(r->buf, (size_t)c->size, value);
    peer_send(r->buf, (int)c->size, &r->pair);
}

static void touch_recv(struct rank *r, const struct cell *c, unsigned long value)
{
    peer_recv(r->buf, (int)c->size, &r->pair);
    unsigned long sum = bench_sum(r->buf, (size_t)c->size);
    if (sum != value * ((unsigned long)c->size / sizeof value)) {
        fprintf(stderr, "rank %d received wrong data in a message of %ld bytes\n", r->rank, c->size);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    r->seen += sum;
}

static void touch(struct rank *r, const struct cell *c, long iters)
{
    for (long i = 0; i < iters; i++) {
        unsigned long value = (unsigned long)i * 2 + 1;
        if (r->low)
            touch_send(r, c, value);
        touch_recv(r, c, r->low ? value + 1 : value);
        if (!r->low)
            touch_send(r, c, value + 1);
    }
}

static void bandwidth(struct rank *r, const struct cell *c, long iters)
{
    peer_request requests[SMALL_WINDOW];
    size_t stride = c->size < 64 ? 64 : (size_t)c->size;
    char word[4] = {0};
    for (long i = 0; i < iters; i++) {
        for (int w = 0; w < c->window; w++) {
            if (r->low)
                peer_isend(r->buf + (size_t)w * stride, (int)c->size, &r->pair, &requests[w]);
            else
                peer_irecv(r->buf + (size_t)w * stride, (int)c->size, &r->pair, &requests[w]);
        }
        peer_waitall(c->window, requests);
        if (r->low)
            peer_recv(word, sizeof word, &r->answer);
        else
            peer_send(word, sizeof word, &r->answer);
    }
}

static void ring(struct rank *r, const struct cell *c, long iters)
{
    int t = r->thread, threads = r->opt->threads;
    struct peer_link right = peer_link(threads, t, (r->rank + 1) % r->size, DATA);
    struct peer_link left = peer_link(threads, t, (r->rank + r->size - 1) % r->size, DATA);
    for (long hop = r->rank; hop <= iters; hop += r->size) {
        if (hop > 0)
            peer_recv(r->buf, (int)c->size, &left);
        if (hop < iters)
            peer_send(r->buf, (int)c->size, &right);
    }
}

/* Rank 0: tell the others to do iters rounds, do them too, wait for all; seconds. 0 rounds end the cell. */
static double batch(struct rank *r, const struct cell *c, long iters)
{
    double start = bench_now();
    for (int other = 1; other < r->size; other++) {
        struct peer_link link = peer_link(r->opt->threads, r->thread, other, CONTROL);
        peer_send(&iters, sizeof iters, &link);
    }
    if (iters == 0)
        return 0;
    c->kernel(r, c, iters);
    for (int other = 1; other < r->size; other++) {
        struct peer_link link = peer_link(r->opt->threads, r->thread, other, CONTROL);
        long done;
        peer_recv(&done, sizeof done, &link);
    }
    return bench_now() - start;
}

/* Warm up with doubling numbers of rounds; the number that takes a batch's share of the time. */
static long warm_up(struct rank *r, const struct cell *c, double goal)
{
    long iters = 1;
    double took = batch(r, c, iters);
    for (; took < goal / 2; took = batch(r, c, iters))
        iters *= 2;
    long fit = (long)((double)iters * goal / took + 0.5);
    return fit > 1 ? fit : 1;
}

static void lead(struct rank *r, const struct cell *c)
{
    const struct bench_options *opt = r->opt;
    int batches = c->fixed ? 1 : opt->batches < MAX_BATCHES ? opt->batches : MAX_BATCHES;
    double us[MAX_BATCHES];
    long iters = c->fixed ? c->fixed : warm_up(r, c, opt->seconds / batches);
    double used = 0;
    int done = 0;
    while (done < batches && used < 4 * opt->seconds) {
        double took = batch(r, c, iters);
        us[done++] = took * 1e6 / ((double)iters * c->per_round);
        used += took;
    }
    batch(r, c, 0);
    bench_print(c->name, c->size, us, done);
}

static void follow(struct rank *r, const struct cell *c)
{
    struct peer_link link = peer_link(r->opt->threads, r->thread, 0, CONTROL);
    long iters;
    for (peer_recv(&iters, sizeof iters, &link); iters > 0; peer_recv(&iters, sizeof iters, &link)) {
        c->kernel(r, c, iters);
        peer_send(&iters, sizeof iters, &link);
    }
}

static void measure(struct rank *r, const struct cell *c)
{
    if (!bench_wanted(r->opt->kernels, c->name))
        return;
    if (r->rank == 0)
        lead(r, c);
    else
        follow(r, c);
}

static void all_cells(struct rank *r)
{
    static const long sizes[] = {8, 64, 1 << 10, 4 << 10, 16 << 10, 64 << 10, 256 << 10, 1 << 20, 4 << 20};
    const int count = sizeof sizes / sizeof sizes[0];
    double pairs = r->size / 2;
    for (int i = 0; i < count && sizes[i] <= r->opt->max_size; i++)
        measure(r, &(struct cell){"latency", latency, sizes[i], 1, 2 * pairs, 0});
    for (int i = 0; i < count && sizes[i] <= r->opt->max_size; i++)
        if (sizes[i] >= TOUCH_FROM)
            measure(r, &(struct cell){"touch", touch, sizes[i], 1, 2 * pairs, 0});
    for (int i = 0; i < count && sizes[i] <= r->opt->max_size; i++) {
        int window = sizes[i] < LARGE ? SMALL_WINDOW : LARGE_WINDOW;
        measure(r, &(struct cell){"bw", bandwidth, sizes[i], window, window * pairs, 0});
    }
    measure(r, &(struct cell){"rate", bandwidth, 8, SMALL_WINDOW, SMALL_WINDOW * pairs, 0});
    measure(r, &(struct cell){"ring", ring, 8, 1, 1, RING});
}

static void body(const struct bench_options *opt, int thread)
{
    struct rank self = {.opt = opt, .thread = thread}, *r = &self;
    r->rank = peer_process * opt->threads + thread;
    r->size = peer_processes * opt->threads;
    r->low = r->rank < r->size / 2;
    int partner = r->low ? r->rank + r->size / 2 : r->rank - r->size / 2;
    r->pair = peer_link(opt->threads, thread, partner, DATA);
    r->answer = peer_link(opt->threads, thread, partner, CONTROL);
    long large = opt->max_size * LARGE_WINDOW, small = LARGE * SMALL_WINDOW;
    r->buf = bench_buffer((size_t)(large > small ? large : small));
    all_cells(r);
    free(r->buf);
}

int main(int argc, char **argv)
{
    struct bench_options opt;
    bench_parse(&opt, argc, argv);
    peer_open(opt.threads, opt.multiple);
    if (peer_processes * opt.threads % 2 != 0) {
        fprintf(stderr, "the number of ranks must be even\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    peer_run(&opt, body);
    peer_close(opt.threads);
    return 0;
}
