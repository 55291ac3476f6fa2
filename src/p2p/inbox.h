/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * An endpoint's inbox: a ring of cache lines that any thread pushes into and the holder of the
 * endpoint's lock takes out of.
 *
 * A message takes one or more consecutive lines. Positions count lines for ever; position p is in
 * line[p % INBOX_LINES]. The head of a message at position p has seq == p + 1 once it is complete.
 * Nobody resets seq: values of earlier rounds are smaller, and the seq words of a message's further lines
 * are never written, so the value p + 1 appears at p's line exactly when the message is there.
 * One line per small message travels from sender to receiver and nothing travels back, except that
 * the taker publishes how far it is (`taken`) every INBOX_PUBLISH lines.
 *
 *   shared word   written by          order                      pairs with
 *   tail          senders             CAS, relaxed               only claims lines
 *   line.seq      the line's sender   release (inbox_push)       acquire in inbox_ready, ring_next
 *   taken         taker               release (inbox_done)       acquire in claim: what is before it is free
 *   overflowing   under spill_lock    release                    acquire in inbox_push
 *
 * When the ring is full, messages go to a list (the spill), under a lock. Order per sender: once a
 * sender has spilled, it sees `overflowing` and goes on spilling until the taker has emptied the spill
 * and cleared the flag under the lock. The taker takes the spill only up to a point where all ring lines
 * claimed before the spill was taken (`ring_limit`) have been consumed; a sender's ring messages before its
 * first spilled one are among those. So no sender's message overtakes another of its own.
 * tests/spin/inbox.pml is the model.
 */
#ifndef EP_P2P_INBOX_H
#define EP_P2P_INBOX_H

#include <string.h>

#include "comm/comm.h"

enum {
    INBOX_LINES = 256, /* a power of two */
    INBOX_PUBLISH = 32,
    FIRST_PAYLOAD = 32,
    MORE_PAYLOAD = 56,
    INLINE_LINES = 19,
    INLINE_MAX =
        FIRST_PAYLOAD + (INLINE_LINES - 1) * MORE_PAYLOAD /* bytes of payload that travel in the ring */
};

enum arrival_kind {
    ARRIVAL_INLINE, /* payload follows */
    ARRIVAL_LENT,   /* struct lent: the sender's buffer */
    ARRIVAL_FAR,    /* struct far_arrival: a matched MPI message */
    ARRIVAL_PAD     /* skip to the ring's beginning */
};

struct lent {
    ep_request lender;
    size_t bytes;
};

struct far_arrival {
    MPI_Message message;
    size_t bytes;
};

/* What the sender says about a message, before the payload. */
struct header {
    ep_comm view; /* of the receiver */
    int source, tag;
    uint8_t kind, lines;
    uint16_t inline_bytes;
};

struct line {
    _Alignas(CACHE_LINE) _Atomic uint64_t seq;
    union {
        struct {
            struct header header;
            unsigned char payload[FIRST_PAYLOAD];
        } head;
        unsigned char more[MORE_PAYLOAD];
    };
};

/* A spilled message. */
struct spilled {
    struct spilled *next;
    struct line line[];
};

struct inbox {
    /* senders */
    _Alignas(CACHE_LINE) _Atomic uint64_t tail;
    /* read by senders, written by the taker now and then */
    _Alignas(CACHE_LINE) _Atomic uint64_t taken;
    _Atomic bool overflowing;
    /* taker only */
    _Alignas(CACHE_LINE) _Atomic uint64_t head; /* others look at it, to know whether help is needed */
    uint64_t published;
    uint64_t ring_limit;
    struct spilled *detached, *current; /* current: the spilled message last given out */
    /* under spill_lock */
    _Alignas(CACHE_LINE) struct lock spill_lock;
    struct spilled *spill_first, **spill_end;

    struct line line[INBOX_LINES];
};

_Static_assert(sizeof(struct line) == CACHE_LINE, "a line is one cache line");

void inbox_init(struct inbox *b);

/* Put a message in. h->lines and h->inline_bytes are set from bytes, which is at most INLINE_MAX.
 * False without memory for the spill. Any thread. */
bool inbox_push(struct inbox *b, struct header *h, const void *payload, size_t bytes);

/* The next message, or NULL. Valid until inbox_done. Taker. */
const struct line *inbox_next(struct inbox *b);
void inbox_done(struct inbox *b, const struct line *l);

/* Copy bytes of payload out of a message. */
void line_read(const struct line *l, void *to, size_t bytes);

/* There was more than one message, so more have been written: fetch lines ahead. Not when there was only
 * one, since that would take away the line that its sender writes next. */
static inline void inbox_prefetch(struct inbox *b)
{
    uint64_t head = load_relaxed(&b->head);
    __builtin_prefetch(&b->line[(head + 1) % INBOX_LINES]);
    __builtin_prefetch(&b->line[(head + 2) % INBOX_LINES]);
}

/* Nothing is in it, nor claimed by a sender who still writes. Taker. */
static inline bool inbox_empty(struct inbox *b)
{
    return load_acquire(&b->tail) == load_relaxed(&b->head) && !load_acquire(&b->overflowing);
}

/* May there be a message? Sure for the taker, a hint for others. */
static inline bool inbox_ready(struct inbox *b)
{
    uint64_t head = load_relaxed(&b->head);
    return load_acquire(&b->line[head % INBOX_LINES].seq) == head + 1 || load_relaxed(&b->overflowing);
}

#endif
