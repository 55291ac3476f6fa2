/* SPDX-License-Identifier: BSD-3-Clause */
#include "hybrid_coll.h"

#include "harness.h"

#include <stdlib.h>
#include <string.h>

/*
 * What the threads of this process share. Who writes what, and which barrier hands it over:
 *
 *   brought[t]   thread t, before the first barrier of a call; read by all until the second
 *   root[k]      the master, before the only barrier of every other bcast; read by all after it. The master may be in the
 *                next one by then, which has the other place, but not in the one after that
 *   out, in      out: each thread its part, before the first barrier; the master's call of MPI reads it between the barriers.
 *                in: that call, or all threads their slices; read by all after the last barrier. The next call writes it
 *                after its own first barrier, when all have read.
 */
static struct {
    int processes, threads;
    const double **brought, *root[2];
    double *out, *in;
} shared;

void hybrid_open(int processes, int threads, size_t largest)
{
    size_t ranks = (size_t)processes * (size_t)threads;
    shared.processes = processes;
    shared.threads = threads;
    shared.brought = calloc((size_t)threads, sizeof *shared.brought);
    shared.out = bench_buffer((size_t)threads * ranks * largest);
    shared.in = bench_buffer((size_t)threads * ranks * largest);
}

void hybrid_close(void)
{
    free(shared.brought);
    free(shared.out);
    free(shared.in);
}

static void meet(void)
{
#pragma omp barrier
}

static size_t bytes_of(long count)
{
    return (size_t)count * sizeof(double);
}

/* All arrive; the master hears of the other processes; all hear of it. */
int hybrid_barrier(int thread)
{
    meet();
    if (thread == 0)
        MPI_Barrier(MPI_COMM_WORLD);
    meet();
    return MPI_SUCCESS;
}

/* The master's own buffer is what the others read. */
const double *hybrid_bcast_shared(double *buf, int count, int thread)
{
    static _Thread_local unsigned turn;
    const double **root = &shared.root[turn++ % 2];
    if (thread == 0) {
        MPI_Bcast(buf, count, MPI_DOUBLE, 0, MPI_COMM_WORLD);
        *root = buf;
    }
    meet();
    return *root;
}

int hybrid_bcast(void *buf, int count, MPI_Datatype type, int root, int thread)
{
    (void)type, (void)root;
    const double *from = hybrid_bcast_shared(buf, count, thread);
    if (thread != 0)
        memcpy(buf, from, bytes_of(count));
    meet(); /* the master may change its buffer */
    return MPI_SUCCESS;
}

static void combine(double *restrict into, const double *restrict more, int count, MPI_Op op)
{
    if (op == MPI_SUM)
        for (int i = 0; i < count; i++)
            into[i] += more[i];
    else /* MPI_MAX */
        for (int i = 0; i < count; i++)
            into[i] = into[i] > more[i] ? into[i] : more[i];
}

/* Over the threads, into shared.in, each thread a slice. */
static void reduce_near(const double *send, int count, MPI_Op op, int thread)
{
    shared.brought[thread] = send;
    meet();
    int from = (int)((long)count * thread / shared.threads),
        to = (int)((long)count * (thread + 1) / shared.threads);
    memcpy(shared.in + from, shared.brought[0] + from, bytes_of(to - from));
    for (int t = 1; t < shared.threads; t++)
        combine(shared.in + from, shared.brought[t] + from, to - from, op);
    meet();
}

static void allreduce_near_far(const double *send, int count, MPI_Op op, int thread)
{
    reduce_near(send, count, op, thread);
    if (thread == 0)
        MPI_Allreduce(MPI_IN_PLACE, shared.in, count, MPI_DOUBLE, op, MPI_COMM_WORLD);
    meet();
}

int hybrid_allreduce(const void *send, void *recv, int count, MPI_Datatype type, MPI_Op op, int thread)
{
    (void)type;
    allreduce_near_far(send, count, op, thread);
    memcpy(recv, shared.in, bytes_of(count));
    return MPI_SUCCESS;
}

const double *hybrid_allreduce_shared(const double *send, int count, int thread)
{
    allreduce_near_far(send, count, MPI_SUM, thread);
    return shared.in;
}

int hybrid_reduce(const void *send, void *recv, int count, MPI_Datatype type, MPI_Op op, int root, int thread)
{
    (void)type, (void)root;
    reduce_near(send, count, op, thread);
    if (thread == 0)
        MPI_Reduce(shared.in, recv, count, MPI_DOUBLE, op, 0, MPI_COMM_WORLD);
    return MPI_SUCCESS;
}

int hybrid_allgather(const void *send, int count, MPI_Datatype type, void *recv, int recv_count,
                     MPI_Datatype recv_type, int thread)
{
    (void)type, (void)recv_count, (void)recv_type;
    memcpy(shared.out + (long)thread * count, send, bytes_of(count));
    meet();
    int each = shared.threads * count;
    if (thread == 0)
        MPI_Allgather(shared.out, each, MPI_DOUBLE, shared.in, each, MPI_DOUBLE, MPI_COMM_WORLD);
    meet();
    memcpy(recv, shared.in, bytes_of((long)shared.processes * each));
    return MPI_SUCCESS;
}

/* What goes to a process stands together: by the thread there, then by the thread here. */
int hybrid_alltoall(const void *send, int count, MPI_Datatype type, void *recv, int recv_count,
                    MPI_Datatype recv_type, int thread)
{
    (void)type, (void)recv_count, (void)recv_type;
    int threads = shared.threads;
    long each = (long)threads * threads * count;
    for (int to = 0; to < shared.processes * threads; to++)
        memcpy(shared.out + ((long)to * threads + thread) * count, (const double *)send + (long)to * count,
               bytes_of(count));
    meet();
    if (thread == 0)
        MPI_Alltoall(shared.out, (int)each, MPI_DOUBLE, shared.in, (int)each, MPI_DOUBLE, MPI_COMM_WORLD);
    meet();
    for (int p = 0; p < shared.processes; p++)
        memcpy((double *)recv + (long)p * threads * count,
               shared.in + p * each + (long)thread * threads * count, bytes_of((long)threads * count));
    return MPI_SUCCESS;
}
