/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * peer.h: the thin layer that lets one kernel source be compiled against ep (PEER_EP) and against
 * plain MPI. Ranks are numbered process by process. A link is one direction-pair to another rank
 * with everything worked out beforehand, so that a call in a kernel is one call of the library.
 *
 * Plain MPI with several threads in a process addresses a thread by the tag, as hybrid programs do.
 * With PEER_IMPROBE a receive is MPI_Improbe until there is a message, then MPI_Mrecv. With PEER_HYBRID the threads
 * are OpenMP's and only the first of a process calls MPI.
 */
#ifndef BENCH_PEER_H
#define BENCH_PEER_H

#include "harness.h"

#include <mpi.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#ifdef PEER_HYBRID
#include <omp.h>
#endif

enum { PEER_MAX_THREADS = 64 };

#ifdef PEER_EP
#include <ep.h>
typedef ep_comm peer_comm;
typedef ep_request peer_request;
static ep_comm peer_endpoints[PEER_MAX_THREADS];
#else
typedef MPI_Comm peer_comm;
typedef MPI_Request peer_request;
#endif

struct peer_link {
    peer_comm comm;
    int rank;     /* the other's rank in comm */
    int send_tag; /* of messages to it */
    int recv_tag; /* of messages from it */
};

static int peer_process, peer_processes;

/* Start MPI and make this process's ranks. THREAD_SINGLE only where nothing else was asked for. */
static inline void peer_open(int threads, bool multiple)
{
#ifdef PEER_EP
    multiple = true;
#endif
    int needed = multiple || threads > 1 ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE,
        provided = MPI_THREAD_SINGLE;
#ifdef PEER_HYBRID
    needed = MPI_THREAD_FUNNELED;
#endif
    if (needed > MPI_THREAD_SINGLE)
        MPI_Init_thread(NULL, NULL, needed, &provided);
    else
        MPI_Init(NULL, NULL);
    if (threads > PEER_MAX_THREADS || provided < needed) {
        fprintf(stderr, "too many threads, or MPI lacks the thread level\n");
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    MPI_Comm_rank(MPI_COMM_WORLD, &peer_process);
    MPI_Comm_size(MPI_COMM_WORLD, &peer_processes);
#ifdef PEER_EP
    ep_comm_create_endpoints(MPI_COMM_WORLD, threads, MPI_INFO_NULL, peer_endpoints);
#endif
}

static inline void peer_close(int threads)
{
#ifdef PEER_EP
    for (int t = 0; t < threads; t++)
        ep_comm_free(&peer_endpoints[t]);
#endif
    (void)threads;
    MPI_Finalize();
}

/* What the ranks of this process do, each in a thread of its own, the first in the one that is there. */
typedef void peer_body(const struct bench_options *, int thread);

struct peer_thread {
    const struct bench_options *opt;
    peer_body *body;
    int thread;
};

static inline void *peer_begin(void *arg)
{
    const struct peer_thread *self = arg;
    if (self->opt->pin)
        bench_pin(peer_process * self->opt->threads + self->thread);
    self->body(self->opt, self->thread);
    return NULL;
}

static inline void peer_run(const struct bench_options *opt, peer_body *body)
{
    struct peer_thread starts[PEER_MAX_THREADS];
    bench_cpus();
    for (int t = 0; t < opt->threads; t++)
        starts[t] = (struct peer_thread){opt, body, t};
#ifdef PEER_HYBRID
#pragma omp parallel num_threads(opt->threads)
    peer_begin(&starts[omp_get_thread_num()]);
#else
    pthread_t threads[PEER_MAX_THREADS];
    for (int t = 1; t < opt->threads; t++)
        pthread_create(&threads[t], NULL, peer_begin, &starts[t]);
    peer_begin(&starts[0]);
    for (int t = 1; t < opt->threads; t++)
        pthread_join(threads[t], NULL);
#endif
}

/* Thread t's link to rank other; messages of different kinds (0..7) do not match each other. */
static inline struct peer_link peer_link(int threads, int t, int other, int kind)
{
#ifdef PEER_EP
    (void)threads;
    return (struct peer_link){peer_endpoints[t], other, kind, kind};
#else
    int there = other % threads;
    int base = kind * PEER_MAX_THREADS * PEER_MAX_THREADS;
    return (struct peer_link){MPI_COMM_WORLD, other / threads, base + t * PEER_MAX_THREADS + there,
                              base + there * PEER_MAX_THREADS + t};
#endif
}

static inline void peer_send(const void *buf, int bytes, const struct peer_link *to)
{
#ifdef PEER_EP
    ep_send(buf, bytes, MPI_BYTE, to->rank, to->send_tag, to->comm);
#else
    MPI_Send(buf, bytes, MPI_BYTE, to->rank, to->send_tag, to->comm);
#endif
}

static inline void peer_recv(void *buf, int bytes, const struct peer_link *from)
{
#if defined(PEER_EP)
    ep_recv(buf, bytes, MPI_BYTE, from->rank, from->recv_tag, from->comm, EP_STATUS_IGNORE);
#elif defined(PEER_IMPROBE)
    MPI_Message message;
    int found = 0;
    while (!found)
        MPI_Improbe(from->rank, from->recv_tag, from->comm, &found, &message, MPI_STATUS_IGNORE);
    MPI_Mrecv(buf, bytes, MPI_BYTE, &message, MPI_STATUS_IGNORE);
#else
    MPI_Recv(buf, bytes, MPI_BYTE, from->rank, from->recv_tag, from->comm, MPI_STATUS_IGNORE);
#endif
}

static inline void peer_isend(const void *buf, int bytes, const struct peer_link *to, peer_request *request)
{
#ifdef PEER_EP
    ep_isend(buf, bytes, MPI_BYTE, to->rank, to->send_tag, to->comm, request);
#else
    MPI_Isend(buf, bytes, MPI_BYTE, to->rank, to->send_tag, to->comm, request);
#endif
}

static inline void peer_irecv(void *buf, int bytes, const struct peer_link *from, peer_request *request)
{
#ifdef PEER_EP
    ep_irecv(buf, bytes, MPI_BYTE, from->rank, from->recv_tag, from->comm, request);
#else
    MPI_Irecv(buf, bytes, MPI_BYTE, from->rank, from->recv_tag, from->comm, request);
#endif
}

static inline void peer_waitall(int count, peer_request requests[])
{
#ifdef PEER_EP
    ep_waitall(count, requests, EP_STATUSES_IGNORE);
#else
    MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
#endif
}

#endif
