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

void line_write(struct line *l, const struct header *h, const void *payload)
{
    assert(h->lines == line_count(h->inline_bytes));
    const unsigned char *from = payload;
    size_t bytes = h->inline_bytes;
    l->head.header = *h;
    if (likely(bytes <= FIRST_PAYLOAD)) {
        copy_few(l->head.payload, from, bytes);
        return;
    }
    memcpy(l->head.payload, from, FIRST_PAYLOAD);
    from += FIRST_PAYLOAD;
    bytes -= FIRST_PAYLOAD;
    for (l++; bytes > MORE_PAYLOAD; l++, from += MORE_PAYLOAD, bytes -= MORE_PAYLOAD)
        memcpy(l->more, from, MORE_PAYLOAD);
    memcpy(l->more, from, bytes);
}

void line_read_more(const struct line *l, void *to, size_t bytes)
{
    assert(bytes > FIRST_PAYLOAD && bytes <= INLINE_MAX);
    unsigned char *at = to;
    memcpy(at, l->head.payload, FIRST_PAYLOAD);
    at += FIRST_PAYLOAD;
    bytes -= FIRST_PAYLOAD;
    for (l++; bytes > MORE_PAYLOAD; l++, at += MORE_PAYLOAD, bytes -= MORE_PAYLOAD)
        memcpy(at, l->more, MORE_PAYLOAD);
    memcpy(at, l->more, bytes);
}
