/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * comm.c: making and freeing communicators of all ranks, compiled once per peer (peer.h). The time of
 * an operation is that of the slowest rank over many of them in a row.
 *
 *   dup      comm_dup, free
 *   split2   comm_split into 2 colors (lower and upper half), free
 *   splitN2  comm_split into N/2 colors of two ranks each (rank modulo N/2), free
 *   inter    intercomm_create between lower and upper half, intercomm_merge, free both
 */
#include "calls.h"
#include "harness.h"

enum { MAX_BATCHES = 16, CONTROL = 1 };
/* These take long, and where ranks share CPUs also much longer once in a while: more time for each cell. */
static const double patience = 8;

struct rank {
    const struct bench_options *opt;
    int thread, rank, size;
    peer_comm world, half;
};

typedef void kernel_fn(struct rank *);

static void fail(const struct rank *r, const char *what)
{
    fprintf(stderr, "rank %d: %s\n", r->rank, what);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

/* What was made must have this many ranks; free it. */
static void check_and_free(const struct rank *r, peer_comm comm, int expected)
{
    int size;
    call.size(comm, &size);
    if (size != expected)
        fail(r, "a new communicator has a wrong size");
    call.free(&comm);
}

static void dup(struct rank *r)
{
    peer_comm made;
    call.dup(r->world, &made);
    check_and_free(r, made, r->size);
}

static void split2(struct rank *r)
{
    peer_comm made;
    call.split(r->world, r->rank >= r->size / 2, r->rank, &made);
    check_and_free(r, made, r->size / 2);
}

static void split_n2(struct rank *r)
{
    peer_comm made;
    call.split(r->world, r->rank % (r->size / 2), r->rank, &made);
    check_and_free(r, made, 2);
}

static void inter(struct rank *r)
{
    bool upper = r->rank >= r->size / 2;
    peer_comm joined, merged;
    call.join(r->half, 0, r->world, upper ? 0 : r->size / 2, 1, &joined);
    call.merge(joined, upper, &merged);
    check_and_free(r, merged, r->size);
    check_and_free(r, joined, r->size / 2);
}

static struct peer_link link_to(const struct rank *r, int other)
{
    return peer_link(r->opt->threads, r->thread, other, CONTROL);
}

/* Rank 0: have all ranks do it n times, wait for the last; seconds. n = 0 ends the cell. */
static double batch(struct rank *r, kernel_fn *kernel, long n)
{
    double start = bench_now();
    for (int other = 1; other < r->size; other++) {
        struct peer_link link = link_to(r, other);
        peer_send(&n, sizeof n, &link);
    }
    for (long i = 0; i < n; i++)
        kernel(r);
    for (int other = 1; other < r->size && n > 0; other++) {
        struct peer_link link = link_to(r, other);
        long done;
        peer_recv(&done, sizeof done, &link);
    }
    return bench_now() - start;
}

static void lead(struct rank *r, const char *name, kernel_fn *kernel)
{
    int batches = r->opt->batches < MAX_BATCHES ? r->opt->batches : MAX_BATCHES;
    double us[MAX_BATCHES], goal = patience * r->opt->seconds / batches;
    long n = 4;
    double took = batch(r, kernel, n);
    for (; took < goal / 2; took = batch(r, kernel, n))
        n *= 2;
    n = (long)((double)n * goal / took) + 1;
    for (int i = 0; i < batches; i++)
        us[i] = batch(r, kernel, n) * 1e6 / (double)n;
    batch(r, kernel, 0);
    bench_print(name, r->size, us, batches);
}

static void follow(struct rank *r, kernel_fn *kernel)
{
    struct peer_link link = link_to(r, 0);
    long n;
    for (peer_recv(&n, sizeof n, &link); n > 0; peer_recv(&n, sizeof n, &link)) {
        for (long i = 0; i < n; i++)
            kernel(r);
        peer_send(&n, sizeof n, &link);
    }
}

static void measure(struct rank *r, const char *name, kernel_fn *kernel)
{
    if (!bench_wanted(r->opt->kernels, name))
        return;
    if (r->rank == 0)
        lead(r, name, kernel);
    else
        follow(r, kernel);
}

static void body(const struct bench_options *opt, int thread)
{
    struct rank self = {.opt = opt, .thread = thread}, *r = &self;
    r->rank = peer_process * opt->threads + thread;
    r->size = peer_processes * opt->threads;
    r->world = peer_world(thread);
    call.split(r->world, r->rank >= r->size / 2, r->rank, &r->half);
    measure(r, "dup", dup);
    measure(r, "split2", split2);
    measure(r, "splitN2", split_n2);
    measure(r, "inter", inter);
    call.free(&r->half);
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
