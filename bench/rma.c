/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rma.c: one-sided communication, compiled once per peer (peer.h). Rank 0 accesses the memory of the last rank, which
 * waits in a barrier meanwhile, and measures. A kernel's name says what kind of window it has: create_put,
 * allocate_put, ... All but lock are in one epoch of lock_all; a call is followed by a flush.
 *
 *   put, get      8 bytes and 1 MiB, the same again and again
 *   stream        puts of 8 bytes with a flush after 64 of them, per put
 *   fop           fetch and add of 8 bytes
 *   cas, cas4     compare and swap of 8 and of 4 bytes; always a success
 *   acc           accumulate, sum, 256 bytes of 8-byte integers
 *   sum           the same of doubles, 8 bytes to 1 MiB
 *   xor           accumulate, exclusive or, of ints
 *   replace       accumulate, replace, of bytes
 *   lock          exclusive lock, put of 8 bytes, unlock
 *
 * floor_copy, floor_add: what the machine does at best: memcpy of the same 1 MiB again and again, an atomic add to a word
 * that nobody else wants; by one thread, in no window.
 *
 * Results are checked after each cell.
 */
#include "harness.h"
#include "peer.h"

#include <stdatomic.h>
#include <stdint.h>
#include <string.h>

enum { LARGE = 1 << 20, STREAM = 64, MAX_BATCHES = 64 };

#ifdef PEER_EP
typedef ep_win peer_win;
#else
typedef MPI_Win peer_win;
#endif

static const struct {
    int (*create)(void *, MPI_Aint, int, MPI_Info, peer_comm, peer_win *);
    int (*allocate)(MPI_Aint, int, MPI_Info, peer_comm, void *, peer_win *);
    int (*free)(peer_win *);
    int (*put)(const void *, int, MPI_Datatype, int, MPI_Aint, int, MPI_Datatype, peer_win);
    int (*get)(void *, int, MPI_Datatype, int, MPI_Aint, int, MPI_Datatype, peer_win);
    int (*accumulate)(const void *, int, MPI_Datatype, int, MPI_Aint, int, MPI_Datatype, MPI_Op, peer_win);
    int (*fetch_and_op)(const void *, void *, MPI_Datatype, int, MPI_Aint, MPI_Op, peer_win);
    int (*compare_and_swap)(const void *, const void *, void *, MPI_Datatype, int, MPI_Aint, peer_win);
    int (*lock)(int, int, int, peer_win);
    int (*unlock)(int, peer_win);
    int (*lock_all)(int, peer_win);
    int (*unlock_all)(peer_win);
    int (*flush)(int, peer_win);
    int (*barrier)(peer_comm);
} rma = {
#ifdef PEER_EP
    ep_win_create,   ep_win_allocate,   ep_win_free,         ep_put,      ep_get,
    ep_accumulate,   ep_fetch_and_op,   ep_compare_and_swap, ep_win_lock, ep_win_unlock,
    ep_win_lock_all, ep_win_unlock_all, ep_win_flush,        ep_barrier,
#else
    MPI_Win_create,   MPI_Win_allocate,   MPI_Win_free,         MPI_Put,      MPI_Get,
    MPI_Accumulate,   MPI_Fetch_and_op,   MPI_Compare_and_swap, MPI_Win_lock, MPI_Win_unlock,
    MPI_Win_lock_all, MPI_Win_unlock_all, MPI_Win_flush,        MPI_Barrier,
#endif
};

/* One rank: what its thread works with. */
struct rank {
    const struct bench_options *opt;
    int rank, size, target;
    peer_comm world;
    peer_win win;
    char *memory;   /* exposed */
    int64_t *local; /* what is put and got */
    int64_t serial; /* calls of this cell so far */
};

/* One line of the result. */
struct cell {
    const char *name;
    void (*call)(struct rank *, int bytes);  /* serial counts them */
    void (*check)(struct rank *, int bytes); /* after calls; in an epoch */
    int bytes;
    int per_call; /* operations */
    bool floor, locks;
};

static void wrong(const struct rank *r, const char *what)
{
    fprintf(stderr, "rank %d: %s went wrong\n", r->rank, what);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

static void put(struct rank *r, int bytes)
{
    r->local[0] = r->serial;
    rma.put(r->local, bytes, MPI_BYTE, r->target, 0, bytes, MPI_BYTE, r->win);
    rma.flush(r->target, r->win);
}

static void get(struct rank *r, int bytes)
{
    rma.get(r->local, bytes, MPI_BYTE, r->target, 0, bytes, MPI_BYTE, r->win);
    rma.flush(r->target, r->win);
}

static void stream(struct rank *r, int bytes)
{
    for (int i = 0; i < STREAM; i++) {
        r->local[i] = r->serial + i;
        rma.put(&r->local[i], bytes, MPI_BYTE, r->target, (MPI_Aint)i * bytes, bytes, MPI_BYTE, r->win);
    }
    rma.flush(r->target, r->win);
}

static void fetch_and_add(struct rank *r, int bytes)
{
    int64_t one = 1;
    (void)bytes;
    rma.fetch_and_op(&one, r->local, MPI_INT64_T, r->target, 0, MPI_SUM, r->win);
    rma.flush(r->target, r->win);
}

static void swap(struct rank *r, int bytes)
{
    int64_t now = r->serial, next = now + 1;
    int32_t now4 = (int32_t)now, next4 = (int32_t)next;
    if (bytes == 8)
        rma.compare_and_swap(&next, &now, r->local, MPI_INT64_T, r->target, 0, r->win);
    else
        rma.compare_and_swap(&next4, &now4, r->local, MPI_INT32_T, r->target, 0, r->win);
    rma.flush(r->target, r->win);
}

static void accumulate(struct rank *r, int bytes)
{
    int count = bytes / (int)sizeof *r->local;
    rma.accumulate(r->local, count, MPI_INT64_T, r->target, 0, count, MPI_INT64_T, MPI_SUM, r->win);
    rma.flush(r->target, r->win);
}

static void sum(struct rank *r, int bytes)
{
    int count = bytes / (int)sizeof(double);
    rma.accumulate(r->local, count, MPI_DOUBLE, r->target, 0, count, MPI_DOUBLE, MPI_SUM, r->win);
    rma.flush(r->target, r->win);
}

static void exclusive_or(struct rank *r, int bytes)
{
    int count = bytes / (int)sizeof(int);
    rma.accumulate(r->local, count, MPI_INT, r->target, 0, count, MPI_INT, MPI_BXOR, r->win);
    rma.flush(r->target, r->win);
}

static void replace(struct rank *r, int bytes)
{
    r->local[0] = r->serial;
    rma.accumulate(r->local, bytes, MPI_BYTE, r->target, 0, bytes, MPI_BYTE, MPI_REPLACE, r->win);
    rma.flush(r->target, r->win);
}

static void lock(struct rank *r, int bytes)
{
    rma.lock(MPI_LOCK_EXCLUSIVE, r->target, 0, r->win);
    r->local[0] = r->serial;
    rma.put(r->local, bytes, MPI_BYTE, r->target, 0, bytes, MPI_BYTE, r->win);
    rma.unlock(r->target, r->win);
}

static void copy(struct rank *r, int bytes)
{
    r->local[0] = r->serial;
    memcpy(r->memory, r->local, (size_t)bytes);
    atomic_signal_fence(memory_order_seq_cst);
}

static void add(struct rank *r, int bytes)
{
    (void)bytes;
    atomic_fetch_add_explicit((_Atomic int64_t *)(void *)r->memory, 1, memory_order_acq_rel);
}

/* The target's first word, and its last one of `bytes`, are what the calls leave. */
static void check_words(struct rank *r, int bytes, int64_t first, int64_t last)
{
    int64_t got[2];
    rma.get(&got[0], 8, MPI_BYTE, r->target, 0, 8, MPI_BYTE, r->win);
    rma.get(&got[1], 8, MPI_BYTE, r->target, bytes - 8, 8, MPI_BYTE, r->win);
    rma.flush(r->target, r->win);
    if (got[0] != first || got[1] != (bytes > 8 ? last : first))
        wrong(r, "an access to a window");
}

static void check_put(struct rank *r, int bytes)
{
    check_words(r, bytes, r->serial - 1, r->local[bytes / 8 - 1]);
}

static void check_stream(struct rank *r, int bytes)
{
    check_words(r, STREAM * bytes, r->serial - 1, r->serial - 1 + STREAM - 1);
}

/* Untouched: zeros. */
static void check_get(struct rank *r, int bytes)
{
    if (r->local[0] != 0 || r->local[bytes / 8 - 1] != 0)
        wrong(r, "a get");
}

static void check_count(struct rank *r, int bytes)
{
    int64_t got = 0;
    int32_t got4 = 0;
    rma.get(bytes == 8 ? (void *)&got : &got4, bytes, MPI_BYTE, r->target, 0, bytes, MPI_BYTE, r->win);
    rma.flush(r->target, r->win);
    if (got + got4 != r->serial)
        wrong(r, "counting in a window");
}

/* local is all ones. */
static void check_sum(struct rank *r, int bytes)
{
    check_words(r, bytes, r->serial, r->serial);
}

static int64_t bits_of(double d)
{
    int64_t bits;
    memcpy(&bits, &d, sizeof bits);
    return bits;
}

/* local is all 1.0. */
static void check_doubles(struct rank *r, int bytes)
{
    int64_t all = bits_of((double)r->serial);
    check_words(r, bytes, all, all);
}

static void check_xor(struct rank *r, int bytes)
{
    check_words(r, bytes, r->serial % 2, r->serial % 2);
}

static void check_nothing(struct rank *r, int bytes)
{
    (void)r, (void)bytes;
}

static double batch(struct rank *r, const struct cell *c, long calls)
{
    double start = bench_now();
    for (long i = 0; i < calls; i++) {
        c->call(r, c->bytes);
        r->serial++;
    }
    return bench_now() - start;
}

/* Warm up with doubling numbers of calls; the number that takes a batch's share of the time. */
static long warm_up(struct rank *r, const struct cell *c, double goal)
{
    long calls = 1;
    double took = batch(r, c, calls);
    for (; took < goal / 2; took = batch(r, c, calls))
        calls *= 2;
    long fit = (long)((double)calls * goal / took + 0.5);
    return fit > 1 ? fit : 1;
}

static void lead(struct rank *r, const struct cell *c, const char *name)
{
    const struct bench_options *opt = r->opt;
    int batches = opt->batches < MAX_BATCHES ? opt->batches : MAX_BATCHES, done = 0;
    double us[MAX_BATCHES], used = 0;
    long calls = warm_up(r, c, opt->seconds / batches);
    while (done < batches && used < 4 * opt->seconds) {
        double took = batch(r, c, calls);
        us[done++] = took * 1e6 / ((double)calls * c->per_call);
        used += took;
    }
    bench_print(name, c->bytes, us, done);
}

/* Rank 0, while the others wait. */
static void access_window(struct rank *r, const struct cell *c, const char *name)
{
    for (size_t i = 0; i < LARGE / sizeof *r->local; i++)
        r->local[i] = c->call == sum ? bits_of(1.0) : c->call == accumulate || c->call == exclusive_or;
    r->serial = 0;
    if (!c->locks)
        rma.lock_all(0, r->win);
    lead(r, c, name);
    if (c->locks)
        rma.lock_all(0, r->win);
    c->check(r, c->bytes);
    rma.unlock_all(r->win);
}

static void expose(struct rank *r, bool allocate)
{
    if (allocate) {
        rma.allocate(LARGE, 1, MPI_INFO_NULL, r->world, &r->memory, &r->win);
    } else {
        r->memory = bench_buffer(LARGE);
        rma.create(r->memory, LARGE, 1, MPI_INFO_NULL, r->world, &r->win);
    }
    rma.lock_all(0, r->win);
    memset(r->memory, 0, LARGE);
    rma.unlock_all(r->win);
    rma.barrier(r->world);
}

/* A window of its own for each cell. */
static void measure(struct rank *r, const struct cell *c, bool allocate)
{
    char name[32];
    snprintf(name, sizeof name, "%s_%s", allocate ? "allocate" : "create", c->name);
    if (!bench_wanted(r->opt->kernels, name) || c->bytes > r->opt->max_size)
        return;
    expose(r, allocate);
    if (r->rank == 0)
        access_window(r, c, name);
    rma.barrier(r->world);
    rma.free(&r->win);
    if (!allocate)
        free(r->memory);
}

static void measure_floor(struct rank *r, const struct cell *c)
{
    if (!bench_wanted(r->opt->kernels, c->name) || c->bytes > r->opt->max_size)
        return;
    r->memory = bench_buffer(LARGE);
    if (r->rank == 0)
        lead(r, c, c->name);
    rma.barrier(r->world);
    free(r->memory);
}

static const struct cell cells[] = {
    {"put", put, check_put, 8, 1, false, false},
    {"get", get, check_get, 8, 1, false, false},
    {"stream", stream, check_stream, 8, STREAM, false, false},
    {"fop", fetch_and_add, check_count, 8, 1, false, false},
    {"cas", swap, check_count, 8, 1, false, false},
    {"cas4", swap, check_count, 4, 1, false, false},
    {"acc", accumulate, check_sum, 256, 1, false, false},
    {"sum", sum, check_doubles, 8, 1, false, false},
    {"sum", sum, check_doubles, 256, 1, false, false},
    {"sum", sum, check_doubles, 1 << 10, 1, false, false},
    {"sum", sum, check_doubles, 1 << 16, 1, false, false},
    {"sum", sum, check_doubles, LARGE, 1, false, false},
    {"xor", exclusive_or, check_xor, LARGE, 1, false, false},
    {"replace", replace, check_put, 16, 1, false, false},
    {"replace", replace, check_put, LARGE, 1, false, false},
    {"lock", lock, check_put, 8, 1, false, true},
    {"put", put, check_put, LARGE, 1, false, false},
    {"get", get, check_get, LARGE, 1, false, false},
    {"floor_copy", copy, check_nothing, LARGE, 1, true, false},
    {"floor_add", add, check_nothing, 8, 1, true, false},
};
enum { CELLS = sizeof cells / sizeof cells[0] };

static void body(const struct bench_options *opt, int thread)
{
    struct rank self = {.opt = opt, .world = peer_link(1, thread, 0, 0).comm}, *r = &self;
    r->rank = peer_process * opt->threads + thread;
    r->size = peer_processes * opt->threads;
    r->target = r->size - 1;
    r->local = bench_buffer(LARGE);
    memset(r->local, 0, LARGE);
    for (int i = 0; i < CELLS; i++) {
        if (cells[i].floor)
            measure_floor(r, &cells[i]);
        for (int allocate = 0; allocate < 2 && !cells[i].floor; allocate++)
            measure(r, &cells[i], allocate);
    }
    rma.barrier(r->world);
    free(r->local);
}

int main(int argc, char **argv)
{
    struct bench_options opt;
    bench_parse(&opt, argc, argv);
    peer_open(opt.threads, opt.multiple);
    peer_run(&opt, body);
    peer_close(opt.threads);
    return 0;
}
