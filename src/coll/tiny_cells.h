/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Cells: how the endpoints of a communicator that lives in one process tell each other a few bytes per
 * collective call without a lock. See tiny.h for what is done with them.
 *
 * Each endpoint has a column with a ring of RING cells. In its k-th tiny call (k = 0, 1, ...; all endpoints make
 * the same calls) an endpoint posts at most once, in cell k % RING of its own ring, and only after reading what
 * it has to.
 *
 *   word             written by   order                                      read by
 *   cell.number     the owner    release: k + 1                             others, acquire, until >= k + 1
 *   all else in it   the owner    before cell.number                        after cell.number of this call was seen
 *   column.finished    the owner    release: calls it has finished, now        others who want to write and are not
 *                                 and then (every PUBLISH calls)             sure, acquire
 *   column.calls,      the owner                                               the owner
 *   column.known
 *   column.awaits      the owner    relaxed, before cells.sleepers             who rings
 *   cells.sleepers   who may      add, relaxed, before bell_prepare          who rings, after a light fence
 *                    sleep
 *
 * No cell is overwritten too early. Entry k % RING may be written in call k when all others have finished call
 * k - RING: their count of finished calls is at least k - RING + 1. `known` is a lower bound of that count: what
 * was read from `finished` (never ahead of the truth), or k' after a call k' in which the endpoint has heard of all
 * others (directly, or through whom they told) that they came to it, since then they have finished calls 0 .. k' - 1.
 * The acquire of either orders the others' reads of the cell before the write.
 *
 * No cell is read too late or too early. The number of an cell only grows, by RING at a time, and that of call k
 * stays until all have finished call k; so a reader in call k sees less than k + 1 or k + 1. 64 bits do not wrap.
 *
 * No two wait for each other. Of all endpoints take one in the lowest call j. It does not wait to write: all
 * have finished j calls and published at least j - PUBLISH + 1, which is enough as PUBLISH <= RING. So it waits for an
 * cell of call j, whose owner is in call j or beyond. If beyond, it has posted. If in j, it does not wait to write
 * either; it posts before reading, except up a tree, where it first reads those below, who have none at the leaves.
 *
 * Sleeping: a thread that waited long goes to p2p's wait (progress for the endpoint, then sleep on its bell).
 * Before, it counts itself in cells.sleepers. Who has changed a number looks there, after the light fence, and
 * rings those that await it. That is the pattern of crt/bell.h with two words for the sleeper's announcement, both
 * before its heavy fence.
 */
#ifndef EP_COLL_TINY_CELLS_H
#define EP_COLL_TINY_CELLS_H

#include "coll/tiny_number.h"

enum { RING = 16, PUBLISH = 8, CELL_BYTES = 112 };

/* Two cache lines, which some processors fetch together. */
struct cell {
    _Alignas(2 * CACHE_LINE) _Atomic uint64_t number;
    int bytes;
    int rc;                              /* of the owner: there are no data */
    _Alignas(16) char data[CELL_BYTES]; /* for any basic type */
};

struct column {
    _Alignas(2 * CACHE_LINE) _Atomic uint64_t finished;
    _Alignas(2 * CACHE_LINE) uint64_t calls;
    uint64_t known;
    _Atomic int awaits; /* local index */
    struct number number; /* of the last reduction, often that of the next */
    struct cell ring[RING];
};

struct cells {
    int n;
    _Atomic int sleepers;
    struct column column[];
};

/* One call in one endpoint. */
struct tiny {
    ep_comm view;
    struct cells *cells;
    struct column *mine;
    uint64_t call; /* number */
    int rc;
};

/* Those of a communicator, made when first asked for. NULL without memory, then for ever and for all. They go
 * with the communicator (comm_destroy). */
struct cells *cells_make(struct comm *c);

static inline struct cells *cells_of(struct comm *c)
{
    struct cells *cells = load_acquire(&c->cells);
    return likely(cells) ? cells : cells_make(c);
}

static inline struct tiny tiny_begin(ep_comm view)
{
    struct cells *cells = load_relaxed(&view->comm->cells);
    struct column *mine = &cells->column[view->index];
    return (struct tiny){view, cells, mine, mine->calls, MPI_SUCCESS};
}

void cells_ring(struct tiny *t);

/* A word of the own column was changed. */
static inline void tiny_tell(struct tiny *t)
{
    light_fence();
    if (unlikely(load_relaxed(&t->cells->sleepers) > 0))
        cells_ring(t);
}

static inline void tiny_end(struct tiny *t)
{
    t->mine->calls = t->call + 1;
    if ((t->call + 1) % PUBLISH == 0) {
        store_release(&t->mine->finished, t->call + 1);
        tiny_tell(t);
    }
}

/* All others have come to this call. */
static inline void tiny_met_all(struct tiny *t)
{
    t->mine->known = t->call;
}

/* Wait until the others allow to write. Out of line part of tiny_cell. */
void tiny_wait_free(struct tiny *t);

/* The own cell of this call, to be filled and posted. */
static inline struct cell *tiny_cell(struct tiny *t)
{
    if (unlikely(t->call - t->mine->known >= RING))
        tiny_wait_free(t);
    return &t->mine->ring[t->call % RING];
}

static inline void tiny_post(struct tiny *t, struct cell *e, size_t bytes)
{
    e->bytes = (int)bytes;
    e->rc = t->rc;
    chaos_point();
    store_release(&e->number, t->call + 1);
    tiny_tell(t);
    prefetch_write(&t->mine->ring[(t->call + 1) % RING]);
}

/* Out of line part of tiny_await. */
uint64_t tiny_await_slow(struct tiny *t, int index, _Atomic uint64_t *number, uint64_t least);

/* Wait until a number in another's column is at least `least`. Returns the number. */
static inline uint64_t tiny_await(struct tiny *t, int index, _Atomic uint64_t *number, uint64_t least)
{
    uint64_t now = load_acquire(number);
    chaos_point();
    return likely(now >= least) ? now : tiny_await_slow(t, index, number, least);
}

/* Data that the endpoint with a local index posts in this call. If it failed, or they are not `bytes` long, that is an
 * error of the call. */
static inline const char *tiny_read(struct tiny *t, int index, size_t bytes)
{
    struct cell *e = &t->cells->column[index].ring[t->call % RING];
    tiny_await(t, index, &e->number, t->call + 1);
    if (unlikely(e->rc || e->bytes != (int)bytes) && !t->rc)
        t->rc = e->rc ? e->rc : MPI_ERR_TRUNCATE;
    return e->data;
}

#endif
