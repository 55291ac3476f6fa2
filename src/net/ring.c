/* SPDX-License-Identifier: BSD-3-Clause */
#include "net/ring.h"

#include <assert.h>

void ring_pad(struct line *lines, unsigned size, uint64_t position, unsigned pad)
{
    assert(pad > 0 && pad < INLINE_LINES && (position - pad) % size + pad == size);
    struct line *l = &lines[(position - pad) % size];
    l->head.header = (struct header){.kind = ARRIVAL_PAD, .lines = (uint8_t)pad};
    ring_complete(l, position - pad);
}

/* The lines behind the first. They are written first: the consumer looks at the first line all the time, and would take it away from
 * a sender that has begun with it. */
static void line_write_more(struct line *l, const unsigned char *from, size_t bytes)
{
    for (; bytes > MORE_PAYLOAD; l++, from += MORE_PAYLOAD, bytes -= MORE_PAYLOAD)
        memcpy(l->more, from, MORE_PAYLOAD);
    memcpy(l->more, from, bytes);
}

void line_write(struct line *l, const struct header *h, const void *payload)
{
    assert(h->lines == line_count(h->inline_bytes));
    const unsigned char *from = payload;
    size_t bytes = h->inline_bytes;
    if (bytes > FIRST_PAYLOAD)
        line_write_more(l + 1, from + FIRST_PAYLOAD, bytes - FIRST_PAYLOAD);
    /* Field by field, and neighbours apart: *h has just been stored so, and a load of several waits until these stores are done. */
    struct header *to = &l->head.header;
    to->context = h->context;
    to->tag = h->tag;
    to->kind = h->kind;
    to->inline_bytes = h->inline_bytes;
    copy_few(l->head.payload, from, bytes < FIRST_PAYLOAD ? bytes : FIRST_PAYLOAD);
    to->source = h->source;
    to->dest = h->dest;
    to->lines = h->lines;
}

void line_write_long(struct line *l, ep_comm view, int source, int tag, const void *payload, size_t bytes)
{
    assert(bytes > FIRST_PAYLOAD);
    const unsigned char *from = payload;
    line_write_more(l + 1, from + FIRST_PAYLOAD, bytes - FIRST_PAYLOAD);
    line_write_first(l, view, source, tag, from, FIRST_PAYLOAD, line_count(bytes), bytes);
}

void line_read_more(const struct line *l, void *to, size_t bytes)
{
    assert(bytes > FIRST_PAYLOAD && bytes <= INLINE_MAX);
    unsigned char *at = to;
    for (unsigned i = 1; i < line_count(bytes); i++) /* all at once: the sender's cache has them */
        __builtin_prefetch(&l[i]);
    memcpy(at, l->head.payload, FIRST_PAYLOAD);
    at += FIRST_PAYLOAD;
    bytes -= FIRST_PAYLOAD;
    for (l++; bytes > MORE_PAYLOAD; l++, at += MORE_PAYLOAD, bytes -= MORE_PAYLOAD)
        memcpy(at, l->more, MORE_PAYLOAD);
    memcpy(at, l->more, bytes);
}
