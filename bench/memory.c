/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * memory.c: what one more communicator of all ranks takes, compiled once per peer (peer.h). Each kind is
 * made many times, all are kept, and the growth of the heap in between is divided by their number.
 *
 *   dup    duplicates of the world: ranks regularly spread over the processes
 *   split  one color, pseudo-random keys: nothing regular
 *   redup  duplicates of one of those
 *
 * Lines, with the number of ranks as size, per process and communicator, means over the processes:
 *
 *   KIND_bytes  memory
 *   KIND_comms  how many MPI communicators were made for it
 *   mpi_bytes   what one of these takes. They are duplicates of the MPI communicator of the processes and
 *               duplicates of those in turn, as ep makes them: MPI talks on the communicator that it
 *               duplicates, and keeps something there for each process that it talked to
 */
#define _GNU_SOURCE
#include "calls.h"
#include "harness.h"

#include <malloc.h>
#include <pthread.h>
#include <stdint.h>

/* Before it is measured some are made for what is allocated once only, and what pools have ready. */
enum { WARM = 64, COUNT = 256, KINDS = 3 };

struct rank {
    int thread, rank;
    peer_comm made[KINDS][WARM + COUNT];
};

typedef void kind_fn(struct rank *, int i, peer_comm *made);

static pthread_barrier_t local_ranks;
static _Atomic long comms; /* MPI communicators made */

/* Calls made inside ep come here, too (MPI 14.2). */
int MPI_Comm_dup(MPI_Comm comm, MPI_Comm *made)
{
    comms++;
    return PMPI_Comm_dup(comm, made);
}

int MPI_Comm_split(MPI_Comm comm, int color, int key, MPI_Comm *made)
{
    comms++;
    return PMPI_Comm_split(comm, color, key, made);
}

int MPI_Comm_create_group(MPI_Comm comm, MPI_Group group, int tag, MPI_Comm *made)
{
    comms++;
    return PMPI_Comm_create_group(comm, group, tag, made);
}

/* Bytes in use, of all arenas and mapped ones, with malloc's own overhead. */
static double in_use(void)
{
    struct mallinfo2 m = mallinfo2();
    return (double)m.uordblks + (double)m.hblkhd;
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

static void print(const char *kind, const char *what, double total)
{
    char name[32];
    double mean, mine = total / COUNT;
    int ranks;
    call.size(peer_world(0), &ranks);
    MPI_Reduce(&mine, &mean, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    mean /= peer_processes;
    snprintf(name, sizeof name, "%s_%s", kind, what);
    if (peer_process == 0)
        bench_print(name, ranks, &mean, 1);
}

static void measure(struct rank *r, const char *kind, kind_fn *make, peer_comm made[])
{
    double before = 0;
    for (int i = 0; i < WARM; i++)
        make(r, i, &made[i]);
    if (meet(r)) {
        comms = 0;
        before = in_use();
    }
    meet_again();
    for (int i = WARM; i < WARM + COUNT; i++)
        make(r, i, &made[i]);
    if (meet(r)) {
        print(kind, "bytes", in_use() - before);
        print(kind, "comms", (double)comms);
    }
    meet_again();
}

/* The other threads wait meanwhile. */
static void measure_mpi(void)
{
    static MPI_Comm made[WARM + COUNT];
    MPI_Comm processes = MPI_COMM_WORLD;
    double before = 0;
#ifdef PEER_EP
    ep_comm_get_mpi_comm(peer_world(0), &processes);
#endif
    for (int i = 0; i < WARM + COUNT; i++) {
        before = i == WARM ? in_use() : before;
        MPI_Comm_dup(i % 2 ? made[i - 1] : processes, &made[i]);
    }
    print("mpi", "bytes", in_use() - before);
    for (int i = 0; i < WARM + COUNT; i++)
        MPI_Comm_free(&made[i]);
}

static void *body(void *arg)
{
    struct rank *r = arg;
    measure(r, "dup", dup_world, r->made[0]);
    measure(r, "split", split_at_random, r->made[1]);
    measure(r, "redup", dup_of_random, r->made[2]);
    if (meet(r))
        measure_mpi();
    meet_again();
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
