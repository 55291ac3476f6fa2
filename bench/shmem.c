/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * shmem.c: OpenSHMEM, a plain program: one source, which epshcc makes for ep and oshcc for Open MPI's OSHMEM. That has
 * OpenSHMEM 1.4; where 1.5 has more, a kernel has a form for 1.4 of what programs do there.
 *
 * PE 0 works on the memory of the last PE, and the others wait in a barrier (shmem_access.c, shmem_atomic.c):
 *
 *   p, g            a long; p: 64 to different words, then a quiet
 *   p_static        the same to a static variable
 *   put, get        put and quiet, get: the same again and again
 *   put_nbi, get_nbi  64 of different words, then a quiet
 *   fetch_add, fetch_add_static, fetch_add4, cas, swap; add: 64, then a quiet
 *   lock            set and clear
 *
 * All PEs work:
 *
 *   ring            put with signal to the next PE, which waits for that from the one before: time per hop, with two PEs
 *                   half a round trip. With 1.4: put, fence, p of the signal
 *   fetch_add_all, cas_all  the same word of PE 0: time of one PE's call
 *   barrier, sync, broadcast, reduce, fcollect, alltoall
 *                   shmem_coll.c; time of the slowest PE. team_broadcast, ...: 1.5's functions for teams, without team_:
 *                   those of active sets. Broadcasts have 16 buffers in turn and a sync after the last; the others, in
 *                   which nobody can be two calls ahead, have two
 *
 * Every value that is waited for, fetched or collected is compared with what it must be; what was put is looked at by its
 * target when the cell ends.
 */
#include "shmem_bench.h"

#include <stdio.h>
#include <string.h>

enum { MAX_BATCHES = 64, MAX_PES = 64 };

static void fail(const struct pe *p, const char *what)
{
    fprintf(stderr, "PE %d: %s went wrong\n", p->me, what);
    shmem_global_exit(1);
}

/* PE 0 gives the slowest time to all: all come to the same decisions. */
static double slowest(struct pe *p, double took)
{
    shmem_double_p(&p->times[p->me], took, 0);
    shmem_barrier_all();
    if (p->me == 0) {
        double most = 0;
        for (int i = 0; i < p->n; i++)
            most = p->times[i] > most ? p->times[i] : most;
        for (int i = 0; i < p->n; i++)
            shmem_double_p(&p->times[MAX_PES], most, i);
    }
    shmem_barrier_all();
    return p->times[MAX_PES];
}

/* Seconds of so many calls. */
static double batch(struct pe *p, const struct cell *c, long calls)
{
    double took = 0;
    shmem_barrier_all();
    if (c->all || p->me == 0) {
        double start = bench_now();
        c->call(p, c->bytes, calls);
        took = bench_now() - start;
    }
    p->serial += calls;
    return slowest(p, took);
}

/* Warm up with doubling numbers of calls; the number that takes a batch's share of the time. */
static long warm_up(struct pe *p, const struct cell *c, double goal)
{
    long calls = 1;
    double took = batch(p, c, calls);
    for (; took < goal / 2; took = batch(p, c, calls))
        calls *= 2;
    long fit = (long)((double)calls * goal / took + 0.5);
    return fit > 1 ? fit : 1;
}

static void begin(struct pe *p, const struct cell *c)
{
    p->serial = p->own = 0;
    p->wrong = false;
    memset(p->words, 0, WINDOW * sizeof *p->words);
    *p->signal = 0;
    if (c->prepare)
        c->prepare(p, c->bytes);
    shmem_barrier_all();
}

static void end(struct pe *p, const struct cell *c)
{
    shmem_barrier_all();
    if (p->wrong || (c->arrived && !c->arrived(p, c->bytes)))
        fail(p, c->name);
    shmem_barrier_all();
}

static void measure(struct pe *p, const struct cell *c)
{
    int batches = p->opt.batches < MAX_BATCHES ? p->opt.batches : MAX_BATCHES, done = 0;
    double us[MAX_BATCHES], used = 0;
    begin(p, c);
    long calls = warm_up(p, c, p->opt.seconds / batches);
    while (done < batches && used < 2 * p->opt.seconds) {
        double took = batch(p, c, calls);
        us[done++] = took * 1e6 / (double)calls / (c->per_call ? c->per_call : p->n);
        used += took;
    }
    end(p, c);
    if (p->me == 0)
        bench_print(c->name, c->bytes, us, done);
}

static void measure_all(struct pe *p, const struct cell *cells)
{
    for (const struct cell *c = cells; c->name; c++)
        if (bench_wanted(p->opt.kernels, c->name) && c->bytes <= p->opt.max_size)
            measure(p, c);
}

static void *symmetric(const struct pe *p, size_t bytes)
{
    void *at = shmem_align(4096, bytes);
    if (!at)
        fail(p, "shmem_align");
    memset(at, 0, bytes);
    return at;
}

int main(int argc, char **argv)
{
    struct pe self = {0}, *p = &self;
    bench_parse(&p->opt, argc, argv);
    shmem_init();
    p->me = shmem_my_pe();
    p->n = shmem_n_pes();
    p->target = p->n - 1;
    if (p->n > MAX_PES)
        fail(p, "the number of PEs");
    size_t collected = 2 * (size_t)p->n * COLL_MOST, ring = (size_t)RING * COLL_MOST;
    p->source = symmetric(p, LARGE);
    p->dest = symmetric(p, collected > ring ? collected : ring);
    p->words = symmetric(p, WINDOW * sizeof *p->words);
    p->signal = symmetric(p, sizeof *p->signal);
    p->times = symmetric(p, (MAX_PES + 1) * sizeof *p->times);
    coll_begin(p);
    shmem_barrier_all();
    measure_all(p, access_cells);
    measure_all(p, atomic_cells);
    measure_all(p, coll_cells);
    if (p->me == 0) {
        puts("# end");
        fflush(stdout);
    }
    shmem_barrier_all();
    shmem_finalize();
    return 0;
}
