/* SPDX-License-Identifier: BSD-3-Clause */
#include "p2p/inbox.h"

#include <assert.h>
#include <stdlib.h>

_Static_assert(sizeof(struct inbox) <= (16 << 10) + 512, "docs/memory.md");

void inbox_init(struct inbox *b)
{
    memset(b, 0, sizeof *b);
    b->spill_end = &b->spill_first;
    lock_init(&b->spill_lock, LOCK_SPILL);
}

static bool inbox_spill(struct inbox *b, const struct header *h, const void *payload)
{
    assert(h->lines > 0 && h->lines <= INLINE_LINES);
    size_t bytes = sizeof(struct spilled) + h->lines * sizeof(struct line);
    struct spilled *s = aligned_alloc(CACHE_LINE, bytes);
    if (!s && !tag_is_user(h->tag))
        s = reserve_take_last(bytes);
    if (!s)
        return false;
    s->next = NULL;
    line_write(s->line, h, payload);
    lock_acquire(&b->spill_lock);
    *b->spill_end = s;
    b->spill_end = &s->next;
    store_release(&b->overflowing, true);
    lock_release(&b->spill_lock);
    return true;
}

/* Room for so many lines; what would wrap has a pad before it. */
static inline bool inbox_claim(struct inbox *b, unsigned lines, uint64_t *position)
{
    unsigned pad;
    if (unlikely(load_acquire(&b->overflowing)) ||
        unlikely(!ring_claim(&b->ring, INBOX_LINES, lines, position, &pad)))
        return false;
    if (unlikely(pad))
        ring_pad(b->line, INBOX_LINES, *position, pad);
    chaos_point();
    return true;
}

static inline void inbox_complete(struct inbox *b, uint64_t position, unsigned lines)
{
    ring_complete(&b->line[position % INBOX_LINES], position);
    /* The next message will be written there: fetch the line while nobody waits for it. */
    prefetch_write(&b->line[(position + lines + 1) % INBOX_LINES]);
}

bool inbox_put_long(struct inbox *b, ep_comm view, int source, int tag, const void *payload, size_t bytes)
{
    uint64_t position;
    unsigned lines = line_count(bytes);
    if (unlikely(!inbox_claim(b, lines, &position)))
        return false;
    line_write_long(&b->line[position % INBOX_LINES], view, source, tag, payload, bytes);
    inbox_complete(b, position, lines);
    return true;
}

bool inbox_push(struct inbox *b, struct header *h, const void *payload, size_t bytes)
{
    assert(bytes <= INLINE_MAX);
    uint64_t position;
    h->inline_bytes = (uint16_t)bytes;
    h->lines = line_count(bytes);
    if (unlikely(!inbox_claim(b, h->lines, &position)))
        return inbox_spill(b, h, payload);
    line_write(&b->line[position % INBOX_LINES], h, payload);
    inbox_complete(b, position, h->lines);
    return true;
}

/* Take over the spill, or learn that there is none any more. */
static void detach_spill(struct inbox *b)
{
    lock_acquire(&b->spill_lock);
    b->detached = b->spill_first;
    b->spill_first = NULL;
    b->spill_end = &b->spill_first;
    b->ring_limit = load_relaxed(&b->ring.tail);
    if (!b->detached)
        store_release(&b->overflowing, false);
    lock_release(&b->spill_lock);
}

/* The ring's next message, stepping over pads. */
static const struct line *next_in_ring(struct inbox *b)
{
    const struct line *l;
    while ((l = ring_next(b->line, INBOX_LINES, &b->consumer)) && l->head.header.kind == ARRIVAL_PAD)
        ring_done(&b->ring, &b->consumer, l, INBOX_PUBLISH);
    return l;
}

/* Something was spilled. Ring messages below ring_limit come first. */
static const struct line *spill_next(struct inbox *b)
{
    if (b->current)
        return b->current->line; /* given out, and it had to stay */
    if (!b->detached)
        detach_spill(b);
    if (!b->detached || load_relaxed(&b->consumer.head) < b->ring_limit)
        return next_in_ring(b);
    b->current = b->detached;
    b->detached = b->current->next;
    return b->current->line;
}

const struct line *inbox_next_slow(struct inbox *b)
{
    return load_relaxed(&b->overflowing) ? spill_next(b) : next_in_ring(b);
}

void inbox_done_spilled(struct inbox *b)
{
    reserve_free(b->current);
    b->current = NULL;
}
