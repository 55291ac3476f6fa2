/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * memory.c: what one more communicator of all ranks takes, compiled once per peer (peer.h). Each kind is
 * made many times, all are kept, and the growth of the heap in between is divided by their number.
 *
 *   dup    duplicates of the world: ranks regularly spread over the processes
 *   split  one color, pseudo-random keys: nothing regular
 *   redup  duplicates of one of those
 *
 * Three lines for each, per process and communicator, of the process where it is most: KIND_bytes all memory;
 * KIND_inside the part that was allocated inside MPI's calls; KIND_comms how many MPI communicators were made.
 * In all of them size is the number of ranks.
 */
#define _GNU_SOURCE
#include "calls.h"
#include "harness.h"

#include <malloc.h>
#include <pthread.h>
#include <stdint.h>

/* Before it is measured some are made for what is allocated once only, and what pools have ready. */
enum { WARM = 128, COUNT = 512, KINDS = 3 };

struct rank {
    int thread, rank;
    peer_comm made[KINDS][WARM + COUNT];
};

typedef void kind_fn(struct rank *, int i, peer_comm *made);

static pthread_barrier_t local_ranks;
static struct {
    size_t inside; /* bytes allocated inside MPI */
    long comms;
} of_mpi; /* one thread at a time makes communicators with MPI */

/* Bytes in use, of all arenas and mapped ones, with malloc's own overhead. */
static size_t in_use(void)
{
    struct mallinfo2 m = mallinfo2();
    return m.uordblks + m.hblkhd;
}

static int count(int rc, size_t before)
{
    size_t after = in_use();
    of_mpi.inside += after > before ? after - before : 0;
    of_mpi.comms++;
    return rc;
}

/* Also calls made inside ep come here (MPI 14.2). */
int MPI_Comm_dup(MPI_Comm comm, MPI_Comm *made)
{
    size_t before = in_use();
    return count(PMPI_Comm_dup(comm, made), before);
}

int MPI_Comm_split(MPI_Comm comm, int color, int key, MPI_Comm *made)
{
    size_t before = in_use();
    return count(PMPI_Comm_split(comm, color, key, made), before);
}

int MPI_Comm_create(MPI_Comm comm, MPI_Group group, MPI_Comm *made)
{
    size_t before = in_use();
    return count(PMPI_Comm_create(comm, group, made), before);
}

int MPI_Comm_create_group(MPI_Comm comm, MPI_Group group, int tag, MPI_Comm *made)
{
    size_t before = in_use();
    return count(PMPI_Comm_create_group(comm, group, tag, made), before);
}

static void dup_world(struct rank *r, int i, peer_comm *made)
{
    (void)i;
    call.dup(peer_world(r->thread), made);
}

static void split_at_random(struct rank *r, int i, peer_comm *made)
{
    uint64_t x = ((uint64_t)i << 32 | (uint64_t)r->rank) + 1;
    for (int round = 0; round < 3; round++)
        x = (x ^ x >> 29) * 0xbf58476d1ce4e5b9u;
    call.split(peer_world(r->thread), 0, (int)(x >> 33), made);
}

static void dup_of_random(struct rank *r, int i, peer_comm *made)
{
    (void)i;
    call.dup(r->made[1][0], made);
}

/* All ranks of all processes; true in one thread of each process, while the others wait for meet_again. */
static bool meet(const struct rank *r)
{
    pthread_barrier_wait(&local_ranks);
    if (r->thread != 0)
        return false;
    MPI_Barrier(MPI_COMM_WORLD);
    return true;
}

static void meet_again(void)
{
    pthread_barrier_wait(&local_ranks);
}

static void print(const char *kind, const char *what, int ranks, double total)
{
    char name[32];
    double most, mine = total / COUNT;
    MPI_Reduce(&mine, &most, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    snprintf(name, sizeof name, "%s_%s", kind, what);
    if (peer_process == 0)
        bench_print(name, ranks, &most, 1);
}

static void measure(struct rank *r, const char *kind, kind_fn *make, peer_comm made[])
{
    size_t before = 0;
    for (int i = 0; i < WARM; i++)
        make(r, i, &made[i]);
    if (meet(r)) {
        of_mpi.inside = 0;
        of_mpi.comms = 0;
        before = in_use();
    }
    meet_again();
    for (int i = WARM; i < WARM + COUNT; i++)
        make(r, i, &made[i]);
    if (meet(r)) {
        size_t after = in_use();
        int ranks;
        call.size(made[0], &ranks);
        print(kind, "bytes", ranks, (double)after - (double)before);
        print(kind, "inside", ranks, (double)of_mpi.inside);
        print(kind, "comms", ranks, (double)of_mpi.comms);
    }
    meet_again();
}

static void *body(void *arg)
{
    struct rank *r = arg;
    measure(r, "dup", dup_world, r->made[0]);
    measure(r, "split", split_at_random, r->made[1]);
    measure(r, "redup", dup_of_random, r->made[2]);
    for (int kind = 0; kind < KINDS; kind++)
        for (int i = 0; i < WARM + COUNT; i++)
            call.free(&r->made[kind][i]);
    return NULL;
}

int main(int argc, char **argv)
{
    static struct rank ranks[PEER_MAX_THREADS];
    pthread_t threads[PEER_MAX_THREADS];
    struct bench_options opt;
    bench_parse(&opt, argc, argv);
    peer_open(opt.threads, opt.multiple);
    pthread_barrier_init(&local_ranks, NULL, (unsigned)opt.threads);
    for (int t = 0; t < opt.threads; t++) {
        ranks[t].thread = t;
        ranks[t].rank = peer_process * opt.threads + t;
    }
    for (int t = 1; t < opt.threads; t++)
        pthread_create(&threads[t], NULL, body, &ranks[t]);
    body(&ranks[0]);
    for (int t = 1; t < opt.threads; t++)
        pthread_join(threads[t], NULL);
    pthread_barrier_destroy(&local_ranks);
    peer_close(opt.threads);
    return 0;
}
