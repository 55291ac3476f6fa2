/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The sender writes when it sent its n-th message for a process into memory that all processes share. The
 * receiver counts messages from each process, too, and so finds the time of each: MPI does not let messages
 * of one sender overtake each other. ep takes all messages by MPI_Improbe, from one thread at a time; plain
 * MPI, in these benchmarks, posts one receive for each message, in the order of the sends, and waits by
 * MPI_Waitall.
 */
#include "stencil_wire.h"

#include "harness.h"

#include <mpi.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

enum { RING = 64, HELD = 1024 };

/* Messages from one process to another. */
struct lane {
    _Atomic double when[RING];
};

/* A message, or in plain MPI a receive, and when it may be told of. */
struct held {
    MPI_Comm comm;
    MPI_Message message;
    MPI_Status status;
    double due;
    int source;
    unsigned long number;
};

static struct {
    double latency; /* seconds; 0: off */
    bool on;
    int me, processes;
    MPI_Win memory;
    struct lane *lanes; /* [from * processes + to] */
    atomic_ulong *sent; /* to each */
    unsigned long *received;
    struct held queue[HELD]; /* from first to end, modulo HELD */
    unsigned first, end;
} wire;

void wire_open(void)
{
    const char *us = getenv("BENCH_LATENCY");
    MPI_Comm machine;
    int here;
    wire.latency = us ? atof(us) * 1e-6 : 0;
    if (wire.latency <= 0)
        return;
    MPI_Comm_rank(MPI_COMM_WORLD, &wire.me);
    MPI_Comm_size(MPI_COMM_WORLD, &wire.processes);
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &machine);
    MPI_Comm_size(machine, &here);
    if (here != wire.processes) {
        fprintf(stderr, "BENCH_LATENCY is for processes of one machine\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    size_t n = (size_t)wire.processes, bytes = wire.me == 0 ? n * n * sizeof *wire.lanes : 0;
    MPI_Aint size;
    int unit;
    MPI_Win_allocate_shared((MPI_Aint)bytes, 1, MPI_INFO_NULL, machine, &wire.lanes, &wire.memory);
    MPI_Win_shared_query(wire.memory, 0, &size, &unit, &wire.lanes);
    wire.sent = calloc(n, sizeof *wire.sent);
    wire.received = calloc(n, sizeof *wire.received);
    MPI_Comm_free(&machine);
}

void wire_close(void)
{
    if (wire.latency <= 0)
        return;
    free(wire.sent);
    free(wire.received);
    MPI_Win_free(&wire.memory);
}

void wire_begin(void)
{
    wire.on = wire.latency > 0;
}

void wire_end(void)
{
    if (wire.first != wire.end)
        abort();
    wire.on = false;
}

int MPI_Isend(const void *buf, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm,
              MPI_Request *request)
{
    if (wire.on && dest >= 0) {
        unsigned long n = atomic_fetch_add(&wire.sent[dest], 1);
        struct lane *lane = &wire.lanes[wire.me * wire.processes + dest];
        atomic_store_explicit(&lane->when[n % RING], bench_now(), memory_order_release);
    }
    return PMPI_Isend(buf, count, type, dest, tag, comm, request);
}

/* When the next message from source may be told of: all of it is known once it has come. */
static double due(int source, unsigned long number)
{
    struct lane *lane = &wire.lanes[source * wire.processes + wire.me];
    return atomic_load_explicit(&lane->when[number % RING], memory_order_acquire) + wire.latency;
}

/* ---- ep ---------------------------------------------------------------------------------------- */

static int hold_next(int source, int tag, MPI_Comm comm)
{
    struct held *h = &wire.queue[wire.end % HELD];
    int found = 0, rc = MPI_SUCCESS;
    if (wire.end - wire.first < HELD)
        rc = PMPI_Improbe(source, tag, comm, &found, &h->message, &h->status);
    if (found) {
        int from = h->status.MPI_SOURCE;
        h->comm = comm;
        h->due = due(from, wire.received[from]++);
        wire.end++;
    }
    return rc;
}

int MPI_Improbe(int source, int tag, MPI_Comm comm, int *found, MPI_Message *message, MPI_Status *status)
{
    if (!wire.on)
        return PMPI_Improbe(source, tag, comm, found, message, status);
    int rc = hold_next(source, tag, comm);
    const struct held *h = &wire.queue[wire.first % HELD];
    *found = wire.first != wire.end && h->comm == comm && h->due <= bench_now();
    if (*found) {
        *message = h->message;
        *status = h->status;
        wire.first++;
    }
    return rc;
}

/* ---- Plain MPI --------------------------------------------------------------------------------- */

int MPI_Irecv(void *buf, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm,
              MPI_Request *request)
{
    if (wire.on && source >= 0) {
        struct held *h = &wire.queue[wire.end++ % HELD];
        h->source = source;
        h->number = wire.received[source]++;
    }
    return PMPI_Irecv(buf, count, type, source, tag, comm, request);
}

int MPI_Waitall(int count, MPI_Request requests[], MPI_Status statuses[])
{
    int rc = PMPI_Waitall(count, requests, statuses);
    for (; wire.on && wire.first != wire.end; wire.first++) {
        const struct held *h = &wire.queue[wire.first % HELD];
        double when = due(h->source, h->number);
        while (bench_now() < when)
            continue;
    }
    return rc;
}
