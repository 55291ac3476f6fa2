/* SPDX-License-Identifier: BSD-3-Clause */
#include "p2p/hall.h"

#include <string.h>

static void line_write(struct wire_line *l, const struct wire_header *h, const void *payload, size_t bytes)
{
    const unsigned char *from = payload;
    l->head.header = *h;
    if (likely(bytes <= WIRE_FIRST)) {
        if (bytes > 0) /* payload may be null */
            memcpy(l->head.payload, from, bytes);
        return;
    }
    memcpy(l->head.payload, from, WIRE_FIRST);
    from += WIRE_FIRST;
    bytes -= WIRE_FIRST;
    for (l++; bytes > WIRE_MORE; l++, from += WIRE_MORE, bytes -= WIRE_MORE)
        memcpy(l->more, from, WIRE_MORE);
    memcpy(l->more, from, bytes);
}

void wire_read(const struct wire_line *l, void *to)
{
    unsigned char *at = to;
    size_t bytes = l->head.header.bytes;
    if (likely(bytes <= WIRE_FIRST)) {
        memcpy(at, l->head.payload, bytes);
        return;
    }
    memcpy(at, l->head.payload, WIRE_FIRST);
    at += WIRE_FIRST;
    bytes -= WIRE_FIRST;
    for (l++; bytes > WIRE_MORE; l++, at += WIRE_MORE, bytes -= WIRE_MORE)
        memcpy(at, l->more, WIRE_MORE);
    memcpy(at, l->more, bytes);
}

/* n consecutive lines: the position of the first. If the message would wrap, the lines up to the ring's end become a pad.
 * False when the ring is full. */
static bool claim(struct ring *w, unsigned n, uint64_t *position)
{
    uint64_t tail = load_relaxed(&w->tail), pad;
    do {
        unsigned offset = (unsigned)(tail % RING_LINES);
        pad = offset + n > RING_LINES ? RING_LINES - offset : 0;
        /* signed: `tail` may be older than `taken`, and then the compare-and-swap fails */
        if (unlikely((int64_t)(tail + pad + n - load_acquire(&w->taken)) > RING_LINES))
            return false;
    } while (!cas_relaxed(&w->tail, &tail, tail + pad + n));
    wire_comes_in(w);
    if (unlikely(pad)) {
        struct wire_line *l = &w->line[tail % RING_LINES];
        l->head.header = (struct wire_header){.kind = WIRE_PAD, .lines = (uint8_t)pad};
        store_release(&l->seq, tail + 1);
    }
    *position = tail + pad;
    return true;
}

bool ring_push(struct ring *w, struct wire_header *h, const void *payload, size_t bytes)
{
    uint64_t position;
    h->bytes = (uint16_t)bytes;
    h->lines = 1;
    if (bytes > WIRE_FIRST)
        h->lines = (uint8_t)(1 + (bytes - WIRE_FIRST + WIRE_MORE - 1) / WIRE_MORE);
    if (unlikely(!claim(w, h->lines, &position)))
        return false;
    chaos_point();
    struct wire_line *l = &w->line[position % RING_LINES];
    line_write(l, h, payload, bytes);
    wire_goes_out(w);
    store_release(&l->seq, position + 1);
    prefetch_write(&w->line[(position + h->lines) % RING_LINES]);
    return true;
}

/* Stepping over pads. */
const struct wire_line *ring_next(struct ring *w, struct taker *t)
{
    for (;;) {
        const struct wire_line *l = &w->line[t->head % RING_LINES];
        if (load_acquire(&l->seq) != t->head + 1)
            return NULL;
        if (likely(l->head.header.kind != WIRE_PAD))
            return l;
        ring_done(w, t, l);
    }
}

void ring_done(struct ring *w, struct taker *t, const struct wire_line *l)
{
    t->head += l->head.header.lines;
    if (t->head - t->published >= RING_PUBLISH) {
        t->published = t->head;
        store_release(&w->taken, t->head);
    }
}
