/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Cells: how endpoints in one process tell each other a few bytes in a collective call without a lock. tiny.h
 * says what is told.
 *
 * Each endpoint has a column with a ring of RING cells. All endpoints of a communicator make the same tiny
 * calls, numbered k = 0, 1, ... In call k an endpoint posts at most once, in cell k % RING of its own
 * column.
 *
 *   word              written by             order                            read by
 *   cell.number       the owner              release: k + 1                   others in call k, acquire
 *   rest of the cell  the owner              before cell.number               others, after cell.number
 *   column.finished   the owner              release: calls finished, told    others who want to post, acquire
 *                                            every PUBLISH calls
 *   column.calls,     the owner                                               the owner
 *   known, learnt
 *   column.awaits     the owner              before cells.sleepers            who rings
 *   cells.sleepers    who is going to sleep  before bell_prepare              who rings, after a light fence
 *
 * No cell is overwritten too early. The cell for call k may be written when all others have finished call
 * k - RING, that is, at least k - RING + 1 calls. `known` is a lower bound of what they all have finished:
 * what was read from `finished`, which is never ahead of the truth; or, after a call k' in which the
 * endpoint has heard from all others, directly or by way of some, k': who comes to call k' has finished
 * those before. Either way the others' reads of the cell come before a release of theirs, and that before
 * the acquire of the writer (through those by whose way it heard, release by release), and that before the
 * write.
 *
 * No cell is read too early or too late. Its number grows by RING at a time or a multiple of that, and what
 * call k has put there stays until all have finished call k. So who is in call k sees a number below k + 1,
 * and waits, or k + 1. 64 bits do not wrap.
 *
 * Waiting ends. Consider an endpoint in the lowest call j that any of them is in. It does not wait to
 * write: all have finished j calls and told at least j - PUBLISH + 1, and j - RING + 1 is enough. So it
 * waits for a cell of call j. If the owner is beyond call j, it has posted it. If it is in call j, it does
 * not wait to write either, and posts before it reads, or, in the tree, after reading cells of those below,
 * who do the same: the lowest just post.
 *
 * Sleep: who has waited long goes to p2p's wait (makes progress for the endpoint, sleeps on its bell).
 * Before, it writes down whom it awaits and adds itself to the sleepers. Who has changed a number, after a
 * light fence, looks for sleepers and rings those that await it. That is the pattern of crt/bell.h, with
 * awaits and sleepers beside the bell's bit: all three are written before the sleeper's heavy fence and
 * read after the ringer's light one. tests/spin/tiny.pml models rings, tellings and the sleep.
 */
#ifndef EP_COLL_TINY_CELLS_H
#define EP_COLL_TINY_CELLS_H

#include <string.h>

#include "coll/attached.h"
#include "p2p/p2p.h"

enum { RING = 16, PUBLISH = 8, CELL_BYTES = 112, BOARD_BYTES = 1024 };

/* Two cache lines, which some processors fetch together. */
struct cell {
    _Alignas(2 * CACHE_LINE) _Atomic uint64_t number; /* release tiny_post, acquire tiny_await */
    int bytes;
    int rc;                             /* of the owner: there are no data */
    _Alignas(16) char data[CELL_BYTES]; /* for any basic type */
};

/* What is done to elements of mpi. */
struct learnt {
    MPI_Datatype mpi;
    MPI_Op op;
    bool is; /* it is known */
    arith_kernel *kernel;
};

struct column {
    _Alignas(2 * CACHE_LINE) _Atomic uint64_t finished; /* release tiny_end and publish, acquire tiny_await */
    _Alignas(2 * CACHE_LINE) uint64_t calls;
    uint64_t known;
    _Atomic int awaits;   /* local index; relaxed */
    struct learnt learnt; /* about the last reduction, often good for the next */
    struct cell ring[RING];
};

struct cells {
    int n;
    bool crowded; /* there were more endpoints than cores when they were made */
    _Atomic int sleepers; /* relaxed */
    char *boards; /* several processes: RING times BOARD_BYTES, more room for the cells of index 0 */
    struct column column[];
};

/* One call in one endpoint. */
struct tiny {
    ep_comm view;
    struct cells *cells;
    struct column *mine;
    uint64_t call;    /* number */
    const char *name; /* of the function, for the watchdog */
    int rc;
};

/*
 * Cells of a communicator are made when first asked for, and go with it (comm_destroy). Without memory there are none, for ever
 * and for all: since the choice of the algorithm depends on it, it is the same in all processes. So in the first call that could
 * use them processes vote, in an operation of their own (run.c).
 */

/* One process: are there any? They are made if nobody has tried. */
bool cells_make(struct comm *c);
/* Several: make them if there is memory; nobody uses them yet. Every endpoint asks before the vote. */
bool cells_prepare(struct comm *c);
/* They are used from now on, or never. Every endpoint says so, and all the same. */
void cells_settle(struct comm *c, bool used);

/* Are there any? Out of line part of cells_exist: every endpoint calls it at the same call. */
bool cells_ask(ep_comm view, const char *name);

static inline bool cells_exist(ep_comm view, const char *name)
{
    return likely(load_acquire(&view->comm->coll->cells) != NULL) || cells_ask(view, name);
}

static inline struct tiny tiny_begin(ep_comm view, const char *name)
{
    struct cells *cells = load_relaxed(&view->comm->coll->cells);
    struct column *mine = &cells->column[view->index];
    return (struct tiny){view, cells, mine, mine->calls, name, MPI_SUCCESS};
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

static inline void tiny_post(struct tiny *t, struct cell *cell, size_t bytes)
{
    cell->bytes = (int)bytes;
    cell->rc = t->rc;
    chaos_point();
    store_release(&cell->number, t->call + 1);
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

/* Data that the endpoint with a local index posts in this call. If it failed, or they are not `bytes`
 * long, that is an error of the call. */
static inline const char *tiny_read(struct tiny *t, int index, size_t bytes)
{
    struct cell *cell = &t->cells->column[index].ring[t->call % RING];
    tiny_await(t, index, &cell->number, t->call + 1);
    if (unlikely(cell->rc || cell->bytes != (int)bytes) && !t->rc)
        t->rc = cell->rc ? cell->rc : MPI_ERR_TRUNCATE;
    return cell->data;
}

/* Before the first look at others who come at the same time: the line that one of them is just writing
 * would be taken away from him, and he would have to fetch it again. */
static inline void tiny_hold_back(void)
{
    cpu_pause();
}

/* memcpy for what is mostly one number. */
static inline void tiny_copy(void *to, const void *from, size_t n)
{
    if (likely(n == sizeof(double)))
        memcpy(to, from, sizeof(double));
    else if (n > 0)           /* without data the buffer may be null */
        memmove(to, from, n); /* a user may give all endpoints the same buffer */
}

#endif
