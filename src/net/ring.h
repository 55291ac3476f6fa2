/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A ring of cache lines that any thread pushes messages into and one consumer takes them out of: of an endpoint's inbox
 * (p2p/inbox.h), and of a process's shared-memory segment (shm.h), where senders are in other processes.
 *
 * A message takes one or more consecutive lines. Positions count lines for ever; position p is in
 * line[p % size]. The first line of a message at position p has seq == p + 1 once it is complete.
 * Nobody resets seq: values of earlier rounds are smaller, and the seq words of a message's further lines
 * are never written, so the value p + 1 appears at p's line exactly when the message is there.
 * One line per small message travels from sender to receiver and nothing travels back, except that
 * the consumer publishes how far it is (`taken`) now and then. tests/spin/inbox.pml is the model, with the spill of an inbox.
 *
 *   shared word   written by          order                        pairs with
 *   tail          senders             CAS, relaxed                 only claims lines (acquire: inbox_empty)
 *   line.seq      the line's sender   release (ring_complete)      acquire in ring_next, ring_ready
 *   taken         consumer               release (ring_free)          acquire in ring_has_room: what is before it is free
 *   limit         senders                release (ring_has_room)      acquire in ring_has_room
 *
 * `limit` is `taken` plus the ring's size, as some sender has found it; the others rely on it as long as it suffices, so that
 * `taken` stays in the consumer's cache most of the time: else each time it is published the consumer's next stores and the
 * sender's next message wait for its line. A sender that was held up may store an older value, which says less, and never more
 * than what is free, since `taken` only grows. What makes a line free for who reads `limit`: the consumer's reads are before its
 * release of `taken`, which the sender who acquired it released again in `limit`.
 */
#ifndef EP_NET_RING_H
#define EP_NET_RING_H

#include <assert.h>
#include <string.h>

#include "comm/comm.h"

enum {
    FIRST_PAYLOAD = 32,
    MORE_PAYLOAD = 56,
    INLINE_LINES = 19,
    INLINE_MAX =
        FIRST_PAYLOAD + (INLINE_LINES - 1) * MORE_PAYLOAD /* bytes of payload that travel in the ring */
};

/* What a message in a ring is. */
enum arrival_kind {
    ARRIVAL_INLINE,     /* payload follows */
    ARRIVAL_SHM,        /* the same, from another process of the machine */
    ARRIVAL_OBJECT,     /* in an inbox: struct net_arrival (arrival.h) */
    ARRIVAL_DESCRIPTOR, /* in a segment: struct net_note */
    ARRIVAL_AM,         /* in a segment: an active message (am.h) */
    ARRIVAL_AM_APART,   /* the same in a descriptor */
    ARRIVAL_PAD         /* skip to the ring's beginning */
};

/* What the sender says about a message, before the payload. */
struct header {
    union {
        ep_comm view;     /* in an inbox: of the receiver */
        uint64_t context; /* in a segment: of the communicator */
    };
    int source, tag; /* in a segment: union rank, tag with its kind */
    int dest;        /* in a segment: local index */
    uint8_t kind, lines;
    uint16_t inline_bytes;
};

/* A message of one line in an inbox? */
static inline bool header_is_short(const struct header *h)
{
    return h->kind == ARRIVAL_INLINE && h->lines == 1;
}

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

struct ring {
    /* senders */
    _Alignas(CACHE_LINE) _Atomic uint64_t tail;
    _Atomic uint64_t limit; /* of tail */
    /* read by senders and written by the consumer now and then */
    _Alignas(CACHE_LINE) _Atomic uint64_t taken;
};

/* How far the consumer is. */
struct consumer {
    _Atomic uint64_t head; /* others look at it, to know whether help is needed; relaxed */
};

_Static_assert(sizeof(struct line) == CACHE_LINE, "a line is one cache line");

/* At most FIRST_PAYLOAD bytes, without a call: two copies that overlap where they are no power of two. */
static inline void copy_few(unsigned char *to, const unsigned char *from, size_t bytes)
{
    assert(bytes <= FIRST_PAYLOAD);
    if (likely(bytes == 8)) { /* what most short messages have */
        uint64_t word;
        memcpy(&word, from, 8);
        memcpy(to, &word, 8);
    } else if (bytes >= 16) {
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

/* ---- senders ---- */

/* The first line of a message in an inbox, with the first `here` bytes of its payload. (In this order since gcc joins stores beside
 * each other by way of vectors, which takes more instructions.) */
static inline void line_write_first(struct line *l, ep_comm view, int source, int tag, const void *payload,
                                    size_t here, uint8_t lines, size_t bytes)
{
    struct header *h = &l->head.header;
    h->view = view;
    h->source = source;
    h->kind = ARRIVAL_INLINE;
    copy_few(l->head.payload, payload, here);
    h->tag = tag;
    h->lines = lines;
    h->inline_bytes = (uint16_t)bytes;
}

/* A message of one line in an inbox. */
static inline void line_write_short(struct line *l, ep_comm view, int source, int tag, const void *payload,
                                    size_t bytes)
{
    line_write_first(l, view, source, tag, payload, bytes, 1, bytes);
}

/* May the tail come to `end`? */
static inline bool ring_has_room(struct ring *r, unsigned size, uint64_t end)
{
    /* signed: `end` may be of an old tail, and then the compare-and-swap fails */
    if (likely((int64_t)(end - load_acquire(&r->limit)) <= 0))
        return true;
    uint64_t limit = load_acquire(&r->taken) + size;
    store_release(&r->limit, limit);
    return (int64_t)(end - limit) <= 0;
}

/* Claim n consecutive lines. If the message would wrap, the lines up to the ring's end before it, *pad of them, are claimed too, and
 * ring_pad is the next thing to do. False when the ring is full. */
static inline bool ring_claim(struct ring *r, unsigned size, unsigned n, uint64_t *position, unsigned *pad)
{
    assert(n > 0 && n <= INLINE_LINES);
    uint64_t tail = load_relaxed(&r->tail);
    do {
        unsigned offset = (unsigned)(tail % size);
        *pad = offset + n > size ? size - offset : 0;
        if (unlikely(!ring_has_room(r, size, tail + *pad + n)))
            return false;
    } while (unlikely(!cas_relaxed(&r->tail, &tail, tail + *pad + n)));
    *position = tail + *pad;
    return true;
}

/* The same for one line, tried once: false also when another sender was quicker. */
static inline bool ring_claim_line(struct ring *r, unsigned size, uint64_t *position)
{
    *position = load_relaxed(&r->tail);
    return likely(ring_has_room(r, size, *position + 1)) &&
           likely(cas_relaxed(&r->tail, position, *position + 1));
}

/* The first line of a message, or the only line of one, is written. */
static inline void ring_complete(struct line *l, uint64_t position)
{
    assert(load_relaxed(&l->seq) <= position);
    store_release(&l->seq, position + 1);
}

/* The `pad` lines before this position become a message that is skipped. */
void ring_pad(struct line *lines, unsigned size, uint64_t position, unsigned pad);

/* How many lines a message with a payload of so many bytes takes. */
static inline uint8_t line_count(size_t bytes)
{
    assert(bytes <= INLINE_MAX);
    if (likely(bytes <= FIRST_PAYLOAD))
        return 1;
    return (uint8_t)(1 + (bytes - FIRST_PAYLOAD + MORE_PAYLOAD - 1) / MORE_PAYLOAD);
}

void line_write(struct line *l, const struct header *h, const void *payload);
/* The same for a message of several lines in an inbox, whose header need not be in memory before. */
void line_write_long(struct line *l, ep_comm view, int source, int tag, const void *payload, size_t bytes);

/* ---- the consumer ---- */

void line_read_more(const struct line *l, void *to, size_t bytes);

/* Copy bytes of payload out of a message. */
static inline void line_read(const struct line *l, void *to, size_t bytes)
{
    if (likely(bytes <= FIRST_PAYLOAD))
        copy_few(to, l->head.payload, bytes);
    else
        line_read_more(l, to, bytes);
}

/* Is there a message? Sure for the consumer, a hint for others. */
static inline bool ring_ready(struct line *lines, unsigned size, struct consumer *t)
{
    uint64_t head = load_relaxed(&t->head);
    return load_acquire(&lines[head % size].seq) == head + 1;
}

/* The next complete message, which may be a pad, or NULL. Valid until ring_done. */
static inline const struct line *ring_next(struct line *lines, unsigned size, struct consumer *t)
{
    uint64_t head = load_relaxed(&t->head);
    struct line *l = &lines[head % size];
    return load_acquire(&l->seq) == head + 1 ? l : NULL;
}

/* The lines of the message that ring_next gave are free. Senders are told each `publish` lines, a power of two. */
static inline void ring_free(struct ring *r, struct consumer *t, unsigned lines, unsigned publish, bool chaos)
{
    assert(lines > 0);
    uint64_t head = load_relaxed(&t->head) + lines;
    store_relaxed(&t->head, head);
    if (unlikely(head % publish < lines)) { /* it has passed a multiple */
        if (chaos)
            chaos_point();
        store_release(&r->taken, head);
    }
}

static inline void ring_done(struct ring *r, struct consumer *t, const struct line *l, unsigned publish)
{
    ring_free(r, t, l->head.header.lines, publish, true);
}

#endif
