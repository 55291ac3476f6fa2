/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Flag slots: how endpoints in one process tell each other a few bytes in a collective call without a lock.
 * small.h says what is told.
 *
 * Each endpoint has a column with a ring of RING slots. All endpoints of a communicator make the same small
 * calls, numbered k = 0, 1, ... In call k an endpoint posts at most once, in slot k % RING of its own
 * column.
 *
 *   word              written by             order                            read by
 *   number of a slot  the owner              release: k + 1                   others in call k, acquire
 *   rest of a slot    the owner              before its number                others, after its number
 *   column.finished   the owner              release: calls finished, told    others that post, acquire
 *                                            every PUBLISH calls
 *   column.calls,     the owner                                               the owner
 *   known, learnt
 *   column.awaits     the owner              before sleepers                  who notifies
 *   sleepers          who is going to sleep  before evcount_prepare           who notifies: light fence first
 *
 * No slot is overwritten too early. The slot for call k may be written when all others have finished call
 * k - RING, that is, at least k - RING + 1 calls. `known` is a lower bound of what they all have finished:
 * what was read from `finished`, which is never ahead of the truth; or, after a call k' in which the
 * endpoint has heard from all others, directly or by way of some, k': whoever comes to call k' has finished
 * those before. Either way the others' reads of the slot come before a release of theirs, and that before
 * the acquire of the writer (through those by whose way it heard, release by release), and that before the
 * write.
 *
 * No slot is read too early or too late. Its number grows by RING at a time or a multiple of that, and what
 * call k has put there stays until all have finished call k. So who is in call k sees a number below k + 1,
 * and waits, or k + 1. 64 bits do not wrap.
 *
 * Waiting ends. Consider an endpoint in the lowest call j that any of them is in. It does not wait to
 * write: all have finished j calls and told at least j - PUBLISH + 1, and j - RING + 1 is enough. So it
 * waits for a slot of call j. If the owner is beyond call j, it has posted it. If it is in call j, it does
 * not wait to write either, and posts before it reads, or, in the tree, after reading slots of those below,
 * who do the same: the lowest just post.
 *
 * Sleep: who has waited long goes to p2p's wait (makes progress for the endpoint, sleeps on its event count).
 * Before, it writes down whom it awaits and adds itself to the sleepers. Who has changed a number, after a
 * light fence, looks for sleepers and notifies those that await it. That is the pattern of crt/evcount.h,
 * with awaits and sleepers beside the event count's bit: all three are written before the sleeper's heavy
 * fence and read after the notifier's light one. tests/spin/small.pml models the slots, their notifications
 * and the sleep.
 */
#ifndef EP_COLL_FLAG_SLOTS_H
#define EP_COLL_FLAG_SLOTS_H

#include <string.h>

#include "coll/op.h"
#include "p2p/p2p.h"

enum { RING = 16, PUBLISH = 8, SLOT_BYTES = 112, BOARD_BYTES = 1024 };

/* Two cache lines, which some processors fetch together. */
struct flag_slot {
    _Alignas(2 * CACHE_LINE) _Atomic uint64_t number; /* release small_post, acquire small_await */
    int bytes;
    int rc;                             /* of the owner: there are no data */
    _Alignas(16) char data[SLOT_BYTES]; /* for any basic type */
};

/* What is done to elements of mpi. */
struct learnt {
    MPI_Datatype mpi;
    MPI_Op op;
    bool is; /* it is known */
    arith_kernel *kernel;
};

struct column {
    _Alignas(2 *
             CACHE_LINE) _Atomic uint64_t finished; /* release small_end and publish, acquire small_await */
    _Alignas(2 * CACHE_LINE) uint64_t calls;
    uint64_t known;
    _Atomic int awaits;   /* local index; relaxed */
    struct learnt learnt; /* about the last reduction, often good for the next */
    struct flag_slot ring[RING];
};

struct flag_slots {
    int n;
    bool crowded;         /* there were more endpoints than cores when they were made */
    _Atomic int sleepers; /* relaxed */
    char *boards;         /* several processes: RING times BOARD_BYTES, more room for the slots of index 0 */
    struct column column[];
};

/* One call in one endpoint. */
struct small_call {
    ep_comm view;
    struct flag_slots *flag_slots;
    struct column *mine;
    uint64_t call;    /* number */
    const char *name; /* of the function, for the watchdog */
    int rc;
};

/*
 * Slots of a communicator are made when first asked for, and go with it (comm_destroy). Without memory there
 * are none, for ever and for all: since the choice of the algorithm depends on it, it is the same in all
 * processes. So in the first call that could use them processes vote, in an operation of their own (run.c).
 */

/* One process: are there any? They are made if nobody has tried. */
bool flag_slots_make(struct comm *c);
/* Several: make them if there is memory; nobody uses them yet. Every endpoint asks before the vote. */
bool flag_slots_prepare(struct comm *c);
/* They are used from now on, or never. Every endpoint says so, and all the same. */
void flag_slots_settle(struct comm *c, bool used);

/* Are there any? Out of line part of flag_slots_exist: every endpoint calls it at the same call. */
bool flag_slots_ask(ep_comm view, const char *name);

static inline bool flag_slots_exist(ep_comm view, const char *name)
{
    return likely(load_acquire(&view->comm->coll->flag_slots) != NULL) || flag_slots_ask(view, name);
}

static inline struct small_call small_begin(ep_comm view, const char *name)
{
    struct flag_slots *flag_slots = load_relaxed(&view->comm->coll->flag_slots);
    struct column *mine = &flag_slots->column[view->index];
    return (struct small_call){view, flag_slots, mine, mine->calls, name, MPI_SUCCESS};
}

void flag_slots_notify(struct small_call *t);

/* A word of the own column was changed. */
static inline void small_tell(struct small_call *t)
{
    light_fence();
    if (unlikely(load_relaxed(&t->flag_slots->sleepers) > 0))
        flag_slots_notify(t);
}

static inline void small_end(struct small_call *t)
{
    t->mine->calls = t->call + 1;
    if ((t->call + 1) % PUBLISH == 0) {
        store_release(&t->mine->finished, t->call + 1);
        small_tell(t);
    }
}

/* All others have come to this call. */
static inline void small_met_all(struct small_call *t)
{
    t->mine->known = t->call;
}

/* Wait until the others allow to write. Out of line part of small_slot. */
void small_wait_free(struct small_call *t);

/* The own slot of this call, to be filled and posted. */
static inline struct flag_slot *small_slot(struct small_call *t)
{
    if (unlikely(t->call - t->mine->known >= RING))
        small_wait_free(t);
    return &t->mine->ring[t->call % RING];
}

static inline void small_post(struct small_call *t, struct flag_slot *flag_slot, size_t bytes)
{
    flag_slot->bytes = (int)bytes;
    flag_slot->rc = t->rc;
    chaos_point();
    store_release(&flag_slot->number, t->call + 1);
    small_tell(t);
    prefetch_write(&t->mine->ring[(t->call + 1) % RING]);
}

/* Out of line part of small_await. */
uint64_t small_await_slow(struct small_call *t, int index, _Atomic uint64_t *number, uint64_t least);

/* Wait until a number in another's column is at least `least`. Returns the number. */
static inline uint64_t small_await(struct small_call *t, int index, _Atomic uint64_t *number, uint64_t least)
{
    uint64_t now = load_acquire(number);
    chaos_point();
    return likely(now >= least) ? now : small_await_slow(t, index, number, least);
}

/* Data that the endpoint with a local index posts in this call. If it failed, or they are not `bytes`
 * long, that is an error of the call. */
static inline const char *small_read(struct small_call *t, int index, size_t bytes)
{
    struct flag_slot *flag_slot = &t->flag_slots->column[index].ring[t->call % RING];
    small_await(t, index, &flag_slot->number, t->call + 1);
    if (unlikely(flag_slot->rc || flag_slot->bytes != (int)bytes) && !t->rc)
        t->rc = flag_slot->rc ? flag_slot->rc : MPI_ERR_TRUNCATE;
    return flag_slot->data;
}

/* Before the first look at others who come at the same time: the line that one of them is just writing
 * would be taken away from its writer, which would have to fetch it again. */
static inline void small_hold_back(void)
{
    cpu_pause();
}

/* memcpy for what is mostly one number. */
static inline void small_copy(void *to, const void *from, size_t n)
{
    if (likely(n == sizeof(double)))
        memcpy(to, from, sizeof(double));
    else if (n > 0)           /* without data the buffer may be null */
        memmove(to, from, n); /* a user may give all endpoints the same buffer */
}

#endif
