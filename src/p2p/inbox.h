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
 *   line.seq      the line's sender   release (inbox_push, _put) acquire in inbox_ready, inbox_next, ring_next
 *   taken         taker               release (inbox_done)       acquire in claim, inbox_put: what is before it is free
 *   overflowing   under spill_lock    release                    acquire in inbox_push, inbox_put
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
    INBOX_AHEAD = 8, /* lines that the taker fetches ahead, where there are several */
    FIRST_PAYLOAD = 32,
    MORE_PAYLOAD = 56,
    INLINE_LINES = 19,
    INLINE_MAX =
        FIRST_PAYLOAD + (INLINE_LINES - 1) * MORE_PAYLOAD /* bytes of payload that travel in the ring */
};

enum arrival_kind {
    ARRIVAL_INLINE, /* payload follows */
    ARRIVAL_WIRED,  /* the same, from another process of the machine */
    ARRIVAL_LENT,   /* struct lent: the sender's buffer */
    ARRIVAL_FAR,    /* struct far_arrival: a matched MPI message */
    ARRIVAL_PARCEL, /* struct parcel_arrival: of another process of the machine */
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

struct parcel_arrival {
    struct parcel *parcel; /* hall.h */
    struct mate *from;
    size_t bytes;
};

static inline bool arrival_is_inline(enum arrival_kind kind)
{
    return kind <= ARRIVAL_WIRED;
}

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

/* At most FIRST_PAYLOAD bytes, without a call: two copies that overlap where they are no power of two. */
static inline void copy_few(unsigned char *to, const unsigned char *from, size_t bytes)
{
    if (bytes >= 16) {
        unsigned char head[16], tail[16];
        memcpy(head, from, 16);
        memcpy(tail, from + bytes - 16, 16);
        memcpy(to, head, 16);
        memcpy(to + bytes - 16, tail, 16);
    } else if (bytes >= 8) {
        uint64_t head, tail;
        memcpy(&head, from, 8);
        memcpy(&tail, from + bytes - 8, 8);
        memcpy(to, &head, 8);
        memcpy(to + bytes - 8, &tail, 8);
    } else if (bytes >= 4) {
        uint32_t head, tail;
        memcpy(&head, from, 4);
        memcpy(&tail, from + bytes - 4, 4);
        memcpy(to, &head, 4);
        memcpy(to + bytes - 4, &tail, 4);
    } else {
        for (size_t i = 0; i < bytes; i++)
            to[i] = from[i];
    }
}

/* inbox_push for a message of one line (ARRIVAL_INLINE, at most FIRST_PAYLOAD bytes), which needs no pad. False: the ring is
 * full or something was spilled; nothing was done. */
static inline bool inbox_put(struct inbox *b, ep_comm view, int source, int tag, const void *payload,
                             size_t bytes)
{
    if (unlikely(load_acquire(&b->overflowing)))
        return false;
    uint64_t tail = load_relaxed(&b->tail);
    do {
        if (unlikely((int64_t)(tail + 1 - load_acquire(&b->taken)) > INBOX_LINES)) /* as in claim */
            return false;
    } while (unlikely(!cas_relaxed(&b->tail, &tail, tail + 1)));
    chaos_point();
    struct line *l = &b->line[tail % INBOX_LINES];
    l->head.header = (struct header){view, source, tag, ARRIVAL_INLINE, 1, (uint16_t)bytes};
    copy_few(l->head.payload, payload, bytes);
    store_release(&l->seq, tail + 1);
    prefetch_write(&b->line[(tail + 2) % INBOX_LINES]); /* as in inbox_push */
    return true;
}

/* Put a message in. h->lines and h->inline_bytes are set from bytes, which is at most INLINE_MAX.
 * False without memory for the spill. Any thread. */
bool inbox_push(struct inbox *b, struct header *h, const void *payload, size_t bytes);

/* Out of line: something was spilled, or the ring's next is a pad. */
const struct line *inbox_next_slow(struct inbox *b);
/* Out of line parts of those below. */
void inbox_done_spilled(struct inbox *b);
void line_read_more(const struct line *l, void *to, size_t bytes);

/* The ring's lines up to l's last are free. */
static inline void inbox_done_ring(struct inbox *b, const struct line *l)
{
    uint64_t head = load_relaxed(&b->head) + l->head.header.lines;
    store_relaxed(&b->head, head);
    if (unlikely(head - b->published >= INBOX_PUBLISH)) {
        b->published = head;
        chaos_point();
        store_release(&b->taken, head);
    }
}

/* The next message, or NULL. Valid until inbox_done. Taker. */
static inline const struct line *inbox_next(struct inbox *b)
{
    if (unlikely(load_relaxed(&b->overflowing)))
        return inbox_next_slow(b);
    uint64_t head = load_relaxed(&b->head);
    const struct line *l = &b->line[head % INBOX_LINES];
    if (load_acquire(&l->seq) != head + 1)
        return NULL;
    return likely(l->head.header.kind != ARRIVAL_PAD) ? l : inbox_next_slow(b);
}

static inline void inbox_done(struct inbox *b, const struct line *l)
{
    if (unlikely(b->current != NULL) && l == b->current->line)
        inbox_done_spilled(b);
    else
        inbox_done_ring(b, l);
}

/* Copy bytes of payload out of a message. */
static inline void line_read(const struct line *l, void *to, size_t bytes)
{
    if (likely(bytes <= FIRST_PAYLOAD))
        copy_few(to, l->head.payload, bytes);
    else
        line_read_more(l, to, bytes);
}

/* There was more than one message, so more have been written: fetch lines ahead. Not when there was only
 * one, since that would take away the line that its sender writes next. */
static inline void inbox_prefetch(struct inbox *b)
{
    __builtin_prefetch(&b->line[(load_relaxed(&b->head) + INBOX_AHEAD) % INBOX_LINES]);
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
