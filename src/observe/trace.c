/* SPDX-License-Identifier: BSD-3-Clause */
/* Recording: events into rings, and the numbers of messages. */
#include "observe/trace.h"

#include <stdlib.h>

#include "crt/crt.h"

enum { SLOTS_FIRST = 256, SLOTS_MIN = 1 << 16 };
static const uint64_t RECEIVING = 0x5bf0363546240c65u; /* an endpoint sends to itself, too */

static struct lock recorders_lock = LOCK_FREE(RECORDERS);
static _Atomic(struct recorder *) recorders; /* release trace_make, acquire trace_first */

/* Addresses: the low bits are the same in all, and what is left of the high ones, too. */
uint32_t trace_who(void)
{
    return (uint32_t)(caller_id() >> 4);
}

/* ---- recorders ---- */

static struct recorder *trace_find(int rank)
{
    for (struct recorder *r = load_acquire(&recorders); r; r = r->next)
        if (r->rank == rank)
            return r;
    return NULL;
}

static struct recorder *trace_make(int rank)
{
    struct recorder *r = calloc(1, sizeof *r);
    if (!r)
        return NULL;
    lock_init(&r->lock, LOCK_RECORDER);
    r->rank = rank;
    r->room = (uint64_t)settings.trace_events;
    r->ring = calloc(r->room, sizeof *r->ring); /* of a large one the system gives only what is written to */
    if (!r->ring)
        r->room = 0;
    r->next = load_relaxed(&recorders);
    store_release(&recorders, r);
    return r;
}

struct recorder *trace_recorder(int rank)
{
    struct recorder *r = trace_find(rank);
    if (r)
        return r;
    lock_acquire(&recorders_lock);
    r = trace_find(rank);
    if (!r)
        r = trace_make(rank);
    lock_release(&recorders_lock);
    return r;
}

struct recorder *trace_first(void)
{
    return load_acquire(&recorders);
}

void trace_opened(struct endpoint *endpoint)
{
    endpoint->recorder = endpoint->rank >= 0 ? trace_recorder(endpoint->rank) : NULL;
}

void trace_record(struct recorder *r, const struct event *e)
{
    lock_acquire(&r->lock);
    if (likely(r->room > 0))
        r->ring[r->n++ % r->room] = *e;
    else
        r->lost++;
    lock_release(&r->lock);
}

/* ---- numbers ---- */

static uint64_t trace_mix(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * 0xff51afd7ed558ccdu;
    return hash ^ hash >> 32;
}

/* The messages of one comm, sender, receiver (union ranks) and tag. */
static uint64_t trace_key_of(const struct comm *c, int source, int dest, int tag)
{
    uint64_t key =
        trace_mix(trace_mix(trace_mix(0, c->context), (uint64_t)(unsigned)source << 32 | (unsigned)dest),
                  (unsigned)tag);
    return trace_mix(key, 1) | 1; /* not 0 */
}

static struct tally *slot_of(struct tally *tallies, uint64_t slots, uint64_t key)
{
    uint64_t i = trace_mix(key, 2) & (slots - 1);
    while (tallies[i].key && tallies[i].key != key)
        i = (i + 1) & (slots - 1);
    return &tallies[i];
}

/* Room for another key; half of the slots stay vacant. Their number is bounded as that of events is. */
static bool trace_grow(struct recorder *r)
{
    lock_assert_held(&r->lock);
    uint64_t most = (uint64_t)settings.trace_events * 2;
    if (most < SLOTS_MIN)
        most = SLOTS_MIN;
    if (2 * r->keys < r->slots)
        return true;
    uint64_t slots = r->slots ? 2 * r->slots : SLOTS_FIRST;
    struct tally *more = slots / 2 < most ? calloc(slots, sizeof *more) : NULL;
    if (!more)
        return false;
    for (uint64_t i = 0; i < r->slots; i++)
        if (r->tallies[i].key)
            *slot_of(more, slots, r->tallies[i].key) = r->tallies[i];
    free(r->tallies);
    r->tallies = more;
    r->slots = slots;
    return true;
}

/* NULL without room. */
static struct tally *tally_of(struct recorder *r, uint64_t key)
{
    lock_assert_held(&r->lock);
    struct tally *t = r->slots ? slot_of(r->tallies, r->slots, key) : NULL;
    if (t && t->key)
        return t;
    if (!trace_grow(r))
        return NULL;
    t = slot_of(r->tallies, r->slots, key);
    t->key = key;
    r->keys++;
    return t;
}

/* The next of key, as a name. */
static uint64_t trace_number(struct recorder *r, uint64_t key, uint64_t direction)
{
    lock_acquire(&r->lock);
    struct tally *t = tally_of(r, key ^ direction);
    uint64_t flow = t ? trace_mix(trace_mix(key, ++t->n), 3) : 0;
    if (!t)
        r->nameless++;
    lock_release(&r->lock);
    return flow;
}

uint64_t trace_number_sent(struct recorder *r, const struct ep_comm_s *view, int dest, int tag)
{
    return trace_number(r, trace_key_of(view->comm, view_union_rank(view), view_target(view, dest, tag), tag),
                        0);
}

void trace_not_sent(struct recorder *r, const struct ep_comm_s *view, int dest, int tag)
{
    uint64_t key = trace_key_of(view->comm, view_union_rank(view), view_target(view, dest, tag), tag);
    lock_acquire(&r->lock);
    struct tally *t = r->slots ? slot_of(r->tallies, r->slots, key) : NULL;
    if (t && t->n > 0)
        t->n--;
    lock_release(&r->lock);
}

/* ---- what p2p tells ---- */

void trace_arrived(uint64_t *flow, const struct header *h)
{
    const struct ep_comm_s *view = h->view;
    struct recorder *r = view->endpoint->recorder;
    *flow = 0;
    if (r && tag_is_user(h->tag))
        *flow = trace_number(
            r, trace_key_of(view->comm, h->source + view->peer_base, view_union_rank(view), h->tag),
            RECEIVING);
}

/* A receive that got no message has no flow, or an old one. */
void trace_received(ep_request q)
{
    struct recorder *r = q->endpoint ? q->endpoint->recorder : NULL;
    uint64_t *flow = q->kind == REQUEST_RECV ? &request_to_recv(q)->flow : NULL;
    if (!r || !flow || q->out.source < 0 || !*flow)
        return;
    ep_comm view = request_view(q);
    struct event e = {.kind = EVENT_RECEIVED,
                      .begin = clock_ns(),
                      .flow = *flow,
                      .comm = view ? view->comm->context : TRACE_NONE,
                      .bytes = q->out.arrived,
                      .peer = q->out.source,
                      .tag = q->out.tag,
                      .who = trace_who()};
    *flow = 0;
    trace_record(r, &e);
}

void trace_unexpected(struct endpoint *endpoint)
{
    struct event e = {
        .kind = EVENT_UNEXPECTED, .begin = clock_ns(), .bytes = load_relaxed(&endpoint->held.unexpected_now)};
    if (endpoint->recorder)
        trace_record(endpoint->recorder, &e);
}
