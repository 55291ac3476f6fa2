/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * coll.c: collectives of all ranks, compiled once per peer (peer.h). The time of a call is that of the
 * slowest rank for many of them in a row; root is rank 0, elements are doubles, reductions sum.
 *
 *   barrier
 *   bcast, reduce, allreduce   the size is that of the buffer
 *   allgather                  the size is what each rank brings
 *   alltoall                   the size is what each rank sends to each; also 16 KiB
 *   gather, scatter, allgatherv, alltoallv, reduce_scatter_block, scan   8 bytes and 64 KiB, not by hand: a block is what a
 *                              rank brings, or gets, or for alltoallv both of each pair; the vector ones have equal blocks
 *   bcast_shared, allreduce_shared  of MPI and OpenMP by hand alone (PEER_HYBRID): one copy of the result
 *                              for all threads of a process, which a program with ranks does not have
 *   bcast_touch, ...           as bcast, ..., from 64 KiB on, but before each call each rank rewrites all
 *                              that it brings, and after it reads all that it got; this time is in the
 *                              result, for all peers alike
 *
 * All data are checked, after each call where they are read then, else after the last one.
 */
#include "calls.h"
#include "harness.h"
#ifdef PEER_HYBRID
#include "hybrid_coll.h"
#endif

#include <string.h>

enum { TOUCH_FROM = 64 << 10, LARGEST = 1 << 20, MAX_BATCHES = 64 };
/* A batch must outlast the scheduler's slices where ranks share CPUs: more time for each cell. */
static const double patience = 3;

#ifdef PEER_HYBRID
typedef int coll_comm; /* the thread's number in its team */
#else
typedef peer_comm coll_comm;
#endif

static const struct {
    int (*barrier)(coll_comm);
    int (*bcast)(void *, int, MPI_Datatype, int root, coll_comm);
    int (*reduce)(const void *, void *, int, MPI_Datatype, MPI_Op, int root, coll_comm);
    int (*allreduce)(const void *, void *, int, MPI_Datatype, MPI_Op, coll_comm);
    int (*allgather)(const void *, int, MPI_Datatype, void *, int, MPI_Datatype, coll_comm);
    int (*alltoall)(const void *, int, MPI_Datatype, void *, int, MPI_Datatype, coll_comm);
#ifndef PEER_HYBRID
    int (*gather)(const void *, int, MPI_Datatype, void *, int, MPI_Datatype, int root, coll_comm);
    int (*scatter)(const void *, int, MPI_Datatype, void *, int, MPI_Datatype, int root, coll_comm);
    int (*allgatherv)(const void *, int, MPI_Datatype, void *, const int[], const int[], MPI_Datatype,
                      coll_comm);
    int (*alltoallv)(const void *, const int[], const int[], MPI_Datatype, void *, const int[], const int[],
                     MPI_Datatype, coll_comm);
    int (*reduce_scatter_block)(const void *, void *, int, MPI_Datatype, MPI_Op, coll_comm);
    int (*scan)(const void *, void *, int, MPI_Datatype, MPI_Op, coll_comm);
#endif
} coll = {
#ifdef PEER_EP
    ep_barrier,
    ep_bcast,
    ep_reduce,
    ep_allreduce,
    ep_allgather,
    ep_alltoall,
    ep_gather,
    ep_scatter,
    ep_allgatherv,
    ep_alltoallv,
    ep_reduce_scatter_block,
    ep_scan,
#elif defined(PEER_HYBRID)
    hybrid_barrier, hybrid_bcast, hybrid_reduce, hybrid_allreduce, hybrid_allgather, hybrid_alltoall,
#else
    MPI_Barrier,
    MPI_Bcast,
    MPI_Reduce,
    MPI_Allreduce,
    MPI_Allgather,
    MPI_Alltoall,
    MPI_Gather,
    MPI_Scatter,
    MPI_Allgatherv,
    MPI_Alltoallv,
    MPI_Reduce_scatter_block,
    MPI_Scan,
#endif
};

struct rank {
    const struct bench_options *opt;
    int rank, size;
    coll_comm world;
    double *send, *recv;
    int *counts, *starts; /* of the blocks of vector calls */
    const double *result; /* of bcast_shared and allreduce_shared */
    double serial;        /* of the data; all ranks count alike */
};

/* count: elements of a block. */
struct operation {
    const char *name;
    void (*call)(struct rank *, int count);
    void (*write)(struct rank *, int count); /* what the rank brings */
    void (*read)(struct rank *, int count);  /* check what it got */
    bool further;                            /* fewer sizes than of those that programs call most */
};

static void no_data(struct rank *r, int count)
{
    (void)r, (void)count;
}

struct cell {
    const struct operation *op;
    int bytes;
    bool touch;
};

/* value as the word that the harness writes and sums. */
static unsigned long word_of(double value)
{
    unsigned long word;
    memcpy(&word, &value, sizeof word);
    return word;
}

static void fill(double *block, int count, double value)
{
    bench_write(block, (size_t)count * sizeof *block, word_of(value));
}

static void expect(const struct rank *r, const double *block, int count, double value)
{
    unsigned long sum = bench_sum(block, (size_t)count * sizeof *block);
    if (sum != word_of(value) * (unsigned long)count) {
        fprintf(stderr, "rank %d: wrong data in a block of %d elements\n", r->rank, count);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
}

static void barrier(struct rank *r, int count)
{
    (void)count;
    coll.barrier(r->world);
}

static void bcast(struct rank *r, int count)
{
    coll.bcast(r->recv, count, MPI_DOUBLE, 0, r->world);
}

static void bcast_write(struct rank *r, int count)
{
    if (r->rank == 0)
        fill(r->recv, count, r->serial);
}

static void bcast_read(struct rank *r, int count)
{
    expect(r, r->recv, count, r->serial);
}

static void own_write(struct rank *r, int count)
{
    fill(r->send, count, r->serial + r->rank);
}

static void reduce(struct rank *r, int count)
{
    coll.reduce(r->send, r->recv, count, MPI_DOUBLE, MPI_SUM, 0, r->world);
}

static void allreduce(struct rank *r, int count)
{
    coll.allreduce(r->send, r->recv, count, MPI_DOUBLE, MPI_SUM, r->world);
}

static void allreduce_read(struct rank *r, int count)
{
    int n = r->size;
    expect(r, r->recv, count, n * r->serial + n * (n - 1) / 2);
}

static void reduce_read(struct rank *r, int count)
{
    if (r->rank == 0)
        allreduce_read(r, count);
}

static void allgather(struct rank *r, int count)
{
    coll.allgather(r->send, count, MPI_DOUBLE, r->recv, count, MPI_DOUBLE, r->world);
}

static void allgather_read(struct rank *r, int count)
{
    for (int from = 0; from < r->size; from++)
        expect(r, r->recv + (size_t)from * (size_t)count, count, r->serial + from);
}

static void alltoall(struct rank *r, int count)
{
    coll.alltoall(r->send, count, MPI_DOUBLE, r->recv, count, MPI_DOUBLE, r->world);
}

static void alltoall_write(struct rank *r, int count)
{
    for (int to = 0; to < r->size; to++)
        fill(r->send + (size_t)to * (size_t)count, count, r->serial + r->rank * r->size + to);
}

static void alltoall_read(struct rank *r, int count)
{
    for (int from = 0; from < r->size; from++)
        expect(r, r->recv + (size_t)from * (size_t)count, count, r->serial + from * r->size + r->rank);
}

#ifndef PEER_HYBRID
static void gather(struct rank *r, int count)
{
    coll.gather(r->send, count, MPI_DOUBLE, r->recv, count, MPI_DOUBLE, 0, r->world);
}

static void gather_read(struct rank *r, int count)
{
    if (r->rank == 0)
        allgather_read(r, count);
}

static void scatter(struct rank *r, int count)
{
    coll.scatter(r->send, count, MPI_DOUBLE, r->recv, count, MPI_DOUBLE, 0, r->world);
}

static void scatter_write(struct rank *r, int count)
{
    for (int to = 0; to < r->size && r->rank == 0; to++)
        fill(r->send + (size_t)to * (size_t)count, count, r->serial + to);
}

static void scatter_read(struct rank *r, int count)
{
    expect(r, r->recv, count, r->serial + r->rank);
}

static void set_blocks(struct rank *r, int count)
{
    for (int i = 0; i < r->size; i++)
        r->counts[i] = count, r->starts[i] = i * count;
}

static void allgatherv(struct rank *r, int count)
{
    coll.allgatherv(r->send, count, MPI_DOUBLE, r->recv, r->counts, r->starts, MPI_DOUBLE, r->world);
}

static void allgatherv_write(struct rank *r, int count)
{
    set_blocks(r, count);
    own_write(r, count);
}

static void alltoallv(struct rank *r, int count)
{
    (void)count;
    coll.alltoallv(r->send, r->counts, r->starts, MPI_DOUBLE, r->recv, r->counts, r->starts, MPI_DOUBLE,
                   r->world);
}

static void alltoallv_write(struct rank *r, int count)
{
    set_blocks(r, count);
    alltoall_write(r, count);
}

static void reduce_scatter_block(struct rank *r, int count)
{
    coll.reduce_scatter_block(r->send, r->recv, count, MPI_DOUBLE, MPI_SUM, r->world);
}

static void reduce_scatter_block_write(struct rank *r, int count)
{
    own_write(r, r->size * count);
}

static void scan(struct rank *r, int count)
{
    coll.scan(r->send, r->recv, count, MPI_DOUBLE, MPI_SUM, r->world);
}

static void scan_read(struct rank *r, int count)
{
    int n = r->rank + 1;
    expect(r, r->recv, count, n * r->serial + n * (n - 1) / 2);
}
#endif

#ifdef PEER_HYBRID
static void bcast_shared(struct rank *r, int count)
{
    r->result = hybrid_bcast_shared(r->recv, count, r->world);
}

static void bcast_shared_read(struct rank *r, int count)
{
    expect(r, r->result, count, r->serial);
}

static void allreduce_shared(struct rank *r, int count)
{
    r->result = hybrid_allreduce_shared(r->send, count, r->world);
}

/* The result of the timed calls is gone: batch has called allreduce since. */
static void allreduce_shared_read(struct rank *r, int count)
{
    int n = r->size;
    allreduce_shared(r, count);
    expect(r, r->result, count, n * r->serial + n * (n - 1) / 2);
}
#endif

static void write_data(struct rank *r, const struct cell *c, int count)
{
    r->serial++;
    c->op->write(r, count);
}

static int count_of(const struct cell *c)
{
    return c->bytes / (int)sizeof(double);
}

/* So many calls; the seconds that the slowest rank took. */
static double batch(struct rank *r, const struct cell *c, long calls)
{
    int count = count_of(c);
    coll.barrier(r->world);
    double start = bench_now();
    for (long i = 0; i < calls; i++) {
        if (c->touch)
            write_data(r, c, count);
        c->op->call(r, count);
        if (c->touch)
            c->op->read(r, count);
    }
    double took = bench_now() - start, slowest;
    coll.allreduce(&took, &slowest, 1, MPI_DOUBLE, MPI_MAX, r->world);
    return slowest;
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

/* All ranks know the times, so all come to the same decisions. */
static void measure(struct rank *r, const struct cell *c)
{
    char name[32];
    snprintf(name, sizeof name, "%s%s", c->op->name, c->touch ? "_touch" : "");
    if (!bench_wanted(r->opt->kernels, name) || c->bytes > r->opt->max_size)
        return;
    int batches = r->opt->batches < MAX_BATCHES ? r->opt->batches : MAX_BATCHES, done = 0;
    double us[MAX_BATCHES], goal = patience * r->opt->seconds, used = 0;
    write_data(r, c, count_of(c));
    long calls = warm_up(r, c, goal / batches);
    while (done < batches && used < 2 * goal) {
        double took = batch(r, c, calls);
        us[done++] = took * 1e6 / (double)calls;
        used += took;
    }
    c->op->read(r, count_of(c));
    coll.barrier(r->world); /* what is shared may change now */
    if (r->rank == 0)
        bench_print(name, c->bytes, us, done);
}

static const struct operation operations[] = {
    {"barrier", barrier, no_data, no_data, false},
    {"bcast", bcast, bcast_write, bcast_read, false},
    {"reduce", reduce, own_write, reduce_read, false},
    {"allreduce", allreduce, own_write, allreduce_read, false},
    {"allgather", allgather, own_write, allgather_read, false},
    {"alltoall", alltoall, alltoall_write, alltoall_read, false},
#ifndef PEER_HYBRID
    {"gather", gather, own_write, gather_read, true},
    {"scatter", scatter, scatter_write, scatter_read, true},
    {"allgatherv", allgatherv, allgatherv_write, allgather_read, true},
    {"alltoallv", alltoallv, alltoallv_write, alltoall_read, true},
    {"reduce_scatter_block", reduce_scatter_block, reduce_scatter_block_write, allreduce_read, true},
    {"scan", scan, own_write, scan_read, true},
#else
    {"bcast_shared", bcast_shared, bcast_write, bcast_shared_read, false},
    {"allreduce_shared", allreduce_shared, own_write, allreduce_shared_read, false},
#endif
};
enum { OPERATIONS = sizeof operations / sizeof operations[0] };

/* 16 KiB: where alltoall has been compared with other libraries. */
static bool has_size(const struct operation *op, int bytes, bool touch)
{
    if (op->write == no_data || (touch && bytes < TOUCH_FROM))
        return false;
    if (op->further)
        return !touch && (bytes == 8 || bytes == TOUCH_FROM);
    return bytes != 16 << 10 || op->call == alltoall;
}

static void all_sizes(struct rank *r, const struct operation *op, bool touch)
{
    static const int sizes[] = {8, 4 << 10, 16 << 10, TOUCH_FROM, LARGEST};
    if (op->write == no_data)
        measure(r, &(struct cell){op, 0, touch});
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        if (has_size(op, sizes[i], touch))
            measure(r, &(struct cell){op, sizes[i], touch});
}

static coll_comm world_of(int thread)
{
#ifdef PEER_HYBRID
    return thread;
#else
    return peer_world(thread);
#endif
}

static void body(const struct bench_options *opt, int thread)
{
    struct rank self = {.opt = opt, .world = world_of(thread)}, *r = &self;
    r->rank = peer_process * opt->threads + thread;
    r->size = peer_processes * opt->threads;
    r->send = bench_buffer((size_t)r->size * LARGEST);
    r->recv = bench_buffer((size_t)r->size * LARGEST);
    r->counts = bench_buffer((size_t)r->size * sizeof *r->counts);
    r->starts = bench_buffer((size_t)r->size * sizeof *r->starts);
    for (int i = 0; i < 2 * OPERATIONS; i++)
        all_sizes(r, &operations[i % OPERATIONS], i >= OPERATIONS);
    coll.barrier(r->world);
    free(r->send);
    free(r->recv);
    free(r->counts);
    free(r->starts);
}

int main(int argc, char **argv)
{
    struct bench_options opt;
    bench_parse(&opt, argc, argv);
    peer_open(opt.threads, opt.multiple);
#ifdef PEER_HYBRID
    hybrid_open(peer_processes, opt.threads, LARGEST);
#endif
    peer_run(&opt, body);
#ifdef PEER_HYBRID
    hybrid_close();
#endif
    peer_close(opt.threads);
    return 0;
}
