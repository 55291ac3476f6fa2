/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * An endpoint's inbox: a ring (ring.h) that any thread pushes into and the holder of the endpoint's lock takes out of.
 *
 *   shared word   written by          order                      pairs with
 *   overflowing   under spill_lock    release                    acquire in inbox_claim, inbox_put, inbox_try
 *   the ring's    see ring.h
 *
 * When the ring is full, messages go to a list (the spill), under a lock. Order per sender: once a
 * sender has spilled, it sees `overflowing` and goes on spilling until the consumer has emptied the spill
 * and cleared the flag under the lock. The consumer takes the spill only up to a point where all ring lines
 * claimed before the spill was taken (`ring_limit`) have been consumed; a sender's ring messages before its
 * first spilled one are among those. So no sender's message overtakes another of its own.
 * tests/spin/inbox.pml is the model.
 */
#ifndef EP_P2P_INBOX_H
#define EP_P2P_INBOX_H

#include <assert.h>

#include "net/net.h"

enum {
    INBOX_LINES = 256, /* a power of two */
    INBOX_PUBLISH = 32,
    INBOX_AHEAD = 8 /* lines that the consumer fetches ahead, where there are several */
};

static inline bool arrival_is_inline(enum arrival_kind kind)
{
    return kind <= ARRIVAL_SHM;
}

/* A spilled message. */
struct spilled {
    struct spilled *next;
    struct line line[];
};

struct inbox {
    struct ring ring;
    /* consumer only */
    _Alignas(CACHE_LINE) struct consumer consumer;
    uint64_t ring_limit;
    struct spilled *detached, *current; /* current: the spilled message last given out */
    /* under spill_lock */
    _Alignas(CACHE_LINE) struct lock spill_lock;
    struct spilled *spill_first, **spill_end;
    /* here, since all look at it all the time, and nothing else in this line is written unless something is spilled; release
     * inbox_spill and detach_spill, acquire inbox_claim, inbox_put, inbox_try */
    _Atomic bool overflowing;

    struct line line[INBOX_LINES];
};

void inbox_init(struct inbox *b);

/* Fill the line that was claimed. */
static inline void inbox_write(struct inbox *b, uint64_t position, ep_comm view, int source, int tag,
                               const void *payload, size_t bytes)
{
    struct line *l = &b->line[position % INBOX_LINES];
    line_write_short(l, view, source, tag, payload, bytes);
    ring_complete(l, position);
    prefetch_write((const char *)l + 2 * sizeof *l); /* as in inbox_push, but at the ring's end in vain */
}

/* inbox_push for a message of one line (ARRIVAL_INLINE, at most FIRST_PAYLOAD bytes), which needs no pad. False: the ring is
 * full or something was spilled; nothing was done. */
static inline bool inbox_put(struct inbox *b, ep_comm view, int source, int tag, const void *payload,
                             size_t bytes)
{
    uint64_t position;
    unsigned none;
    if (unlikely(load_acquire(&b->overflowing)) ||
        unlikely(!ring_claim(&b->ring, INBOX_LINES, 1, &position, &none)))
        return false;
    chaos_point();
    inbox_write(b, position, view, source, tag, payload, bytes);
    return true;
}

/* The same, tried once: false also if another sender came in between. No EP_CHAOS. */
static inline bool inbox_try(struct inbox *b, ep_comm view, int source, int tag, const void *payload,
                             size_t bytes)
{
    uint64_t position;
    if (unlikely(load_acquire(&b->overflowing)) ||
        unlikely(!ring_claim_line(&b->ring, INBOX_LINES, &position)))
        return false;
    inbox_write(b, position, view, source, tag, payload, bytes);
    return true;
}

/* inbox_put for a message of several lines. */
bool inbox_put_long(struct inbox *b, ep_comm view, int source, int tag, const void *payload, size_t bytes);

/* Put a message in. h->lines and h->inline_bytes are set from bytes, which is at most INLINE_MAX.
 * False without memory for the spill. Any thread. */
bool inbox_push(struct inbox *b, struct header *h, const void *payload, size_t bytes);

/* The same for what is not in lines. */
static inline bool inbox_push_arrival(struct inbox *b, struct header *h, const struct net_arrival *a)
{
    h->kind = ARRIVAL_OBJECT;
    return inbox_push(b, h, a, sizeof *a);
}

/* Out of line: something was spilled, or the ring's next is a pad. */
const struct line *inbox_next_slow(struct inbox *b);
void inbox_done_spilled(struct inbox *b);

/* The next message, or NULL. Valid until inbox_done. Consumer. */
static inline const struct line *inbox_next(struct inbox *b)
{
    if (unlikely(load_relaxed(&b->overflowing)))
        return inbox_next_slow(b);
    const struct line *l = ring_next(b->line, INBOX_LINES, &b->consumer);
    if (l && unlikely(l->head.header.kind == ARRIVAL_PAD))
        return inbox_next_slow(b);
    return l;
}

static inline void inbox_done(struct inbox *b, const struct line *l)
{
    if (unlikely(b->current != NULL) && l == b->current->line)
        inbox_done_spilled(b);
    else
        ring_done(&b->ring, &b->consumer, l, INBOX_PUBLISH);
}

/* There was more than one message, so more have been written: fetch lines ahead. Not when there was only
 * one, since that would take away the line that its sender writes next. */
static inline void inbox_prefetch(struct inbox *b)
{
    __builtin_prefetch(&b->line[(load_relaxed(&b->consumer.head) + INBOX_AHEAD) % INBOX_LINES]);
}

/* Nothing is in it, nor claimed by a sender who still writes. Consumer. */
static inline bool inbox_empty(struct inbox *b)
{
    return load_acquire(&b->ring.tail) == load_relaxed(&b->consumer.head) &&
           !load_acquire(&b->overflowing);
}

/* May there be a message? Sure for the consumer, a hint for others. */
static inline bool inbox_ready(struct inbox *b)
{
    return ring_ready(b->line, INBOX_LINES, &b->consumer) || load_relaxed(&b->overflowing);
}

#endif
