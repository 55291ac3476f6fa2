/* SPDX-License-Identifier: BSD-3-Clause */
#include "p2p/inbox.h"

#include <stdlib.h>

void inbox_init(struct inbox *b)
{
    memset(b, 0, sizeof *b);
    b->spill_end = &b->spill_first;
}

static void line_write(struct line *l, const struct header *h, const void *payload, size_t bytes)
{
    l->head.header = *h;
    if (bytes <= FIRST_PAYLOAD) {
        copy_few(l->head.payload, payload, bytes);
        return;
    }
    const unsigned char *from = payload;
    memcpy(l->head.payload, from, FIRST_PAYLOAD);
    from += FIRST_PAYLOAD;
    bytes -= FIRST_PAYLOAD;
    for (l++; bytes > MORE_PAYLOAD; l++, from += MORE_PAYLOAD, bytes -= MORE_PAYLOAD)
        memcpy(l->more, from, MORE_PAYLOAD);
    memcpy(l->more, from, bytes);
}

void line_read_more(const struct line *l, void *to, size_t bytes)
{
    unsigned char *at = to;
    memcpy(at, l->head.payload, FIRST_PAYLOAD);
    at += FIRST_PAYLOAD;
    bytes -= FIRST_PAYLOAD;
    for (l++; bytes > MORE_PAYLOAD; l++, at += MORE_PAYLOAD, bytes -= MORE_PAYLOAD)
        memcpy(at, l->more, MORE_PAYLOAD);
    memcpy(at, l->more, bytes);
}

/* Claim n consecutive lines and return the position of the first. If the message would wrap, the lines up
 * to the ring's end become a pad message. False when the ring is full. */
static bool claim(struct inbox *b, unsigned n, uint64_t *position)
{
    uint64_t tail = load_relaxed(&b->tail), pad;
    do {
        unsigned offset = (unsigned)(tail % INBOX_LINES);
        pad = offset + n > INBOX_LINES ? INBOX_LINES - offset : 0;
        /* signed: `tail` may be older than `taken`, and then the compare-and-swap fails */
        if (unlikely((int64_t)(tail + pad + n - load_acquire(&b->taken)) > INBOX_LINES))
            return false;
    } while (!cas_relaxed(&b->tail, &tail, tail + pad + n));
    if (pad) {
        struct line *l = &b->line[tail % INBOX_LINES];
        l->head.header = (struct header){.kind = ARRIVAL_PAD, .lines = (uint8_t)pad};
        store_release(&l->seq, tail + 1);
    }
    *position = tail + pad;
    return true;
}

static bool spill(struct inbox *b, const struct header *h, const void *payload, size_t bytes)
{
    struct spilled *s = aligned_alloc(CACHE_LINE, sizeof *s + h->lines * sizeof(struct line));
    if (!s)
        return false;
    s->next = NULL;
    line_write(s->line, h, payload, bytes);
    lock_acquire(&b->spill_lock);
    *b->spill_end = s;
    b->spill_end = &s->next;
    store_release(&b->overflowing, true);
    lock_release(&b->spill_lock);
    return true;
}

bool inbox_push(struct inbox *b, struct header *h, const void *payload, size_t bytes)
{
    uint64_t position;
    h->inline_bytes = (uint16_t)bytes;
    h->lines = 1;
    if (bytes > FIRST_PAYLOAD)
        h->lines = (uint8_t)(1 + (bytes - FIRST_PAYLOAD + MORE_PAYLOAD - 1) / MORE_PAYLOAD);
    if (unlikely(load_acquire(&b->overflowing)) || unlikely(!claim(b, h->lines, &position)))
        return spill(b, h, payload, bytes);
    chaos_point();
    struct line *l = &b->line[position % INBOX_LINES];
    line_write(l, h, payload, bytes);
    store_release(&l->seq, position + 1);
    /* The next message will be written there: fetch the line while nobody waits for it. */
    prefetch_write(&b->line[(position + h->lines + 1) % INBOX_LINES]);
    return true;
}

/* Take over the spill, or learn that there is none any more. */
static void detach_spill(struct inbox *b)
{
    lock_acquire(&b->spill_lock);
    b->detached = b->spill_first;
    b->spill_first = NULL;
    b->spill_end = &b->spill_first;
    b->ring_limit = load_relaxed(&b->tail);
    if (!b->detached)
        store_release(&b->overflowing, false);
    lock_release(&b->spill_lock);
}

/* The ring's next complete message, stepping over pads. */
static const struct line *ring_next(struct inbox *b)
{
    for (;;) {
        uint64_t head = load_relaxed(&b->head);
        struct line *l = &b->line[head % INBOX_LINES];
        if (load_acquire(&l->seq) != head + 1)
            return NULL;
        if (likely(l->head.header.kind != ARRIVAL_PAD))
            return l;
        inbox_done_ring(b, l);
    }
}

/* Something was spilled. Ring messages below ring_limit come first. */
static const struct line *spill_next(struct inbox *b)
{
    if (b->current)
        return b->current->line; /* given out, and it had to stay */
    if (!b->detached)
        detach_spill(b);
    if (!b->detached || load_relaxed(&b->head) < b->ring_limit)
        return ring_next(b);
    b->current = b->detached;
    b->detached = b->current->next;
    return b->current->line;
}

const struct line *inbox_next_slow(struct inbox *b)
{
    return load_relaxed(&b->overflowing) ? spill_next(b) : ring_next(b);
}

void inbox_done_spilled(struct inbox *b)
{
    free(b->current);
    b->current = NULL;
}
