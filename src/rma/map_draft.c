/* SPDX-License-Identifier: BSD-3-Clause */
#include "rma/map_draft.h"

#include <stdlib.h>

struct block block_plain(ptrdiff_t offset, ptrdiff_t stride, size_t bytes, size_t times)
{
    if (times > 1 && stride == (ptrdiff_t)bytes) {
        bytes *= times;
        times = 1;
    }
    return (struct block){offset, times > 1 ? stride : 0, bytes, times};
}

/* The next place in the row of a block with times > 1. */
static ptrdiff_t row_end(const struct block *b)
{
    return b->offset + (ptrdiff_t)b->times * b->stride;
}

bool block_join(struct block *last, const struct block *next)
{
    bool one = last->times == 1, alike = last->bytes == next->bytes;
    ptrdiff_t apart = next->offset - last->offset;
    if (one && next->times == 1 && apart == (ptrdiff_t)last->bytes) {
        last->bytes += next->bytes;
        return true;
    }
    if (!alike || (one && next->times > 1 && next->stride != apart) ||
        (!one && (next->offset != row_end(last) || (next->times > 1 && next->stride != last->stride))))
        return false;
    if (one)
        last->stride = apart;
    last->times += next->times;
    return true;
}

static void draft_fail(struct draft *d)
{
    free(d->map);
    d->map = NULL;
    d->failed = true;
}

static bool draft_grow(struct draft *d, size_t room)
{
    struct map *larger = realloc(d->map, sizeof *larger + room * sizeof larger->block[0]);
    if (!larger) {
        draft_fail(d);
        return false;
    }
    d->map = larger;
    d->room = room;
    return true;
}

void draft_start(struct draft *d)
{
    *d = (struct draft){0};
    if (draft_grow(d, 2))
        *d->map = (struct map){.basic = MPI_DATATYPE_NULL};
}

/* The last block is complete: it may continue the row of the one before. */
static void settle(struct map *m)
{
    if (m->n > 1 && block_join(&m->block[m->n - 2], &m->block[m->n - 1]))
        m->n--;
}

/* A stretch grows as long as what comes has no gap to it; rows are made of whole stretches. */
static void append(struct draft *d, struct block b)
{
    struct block *last = d->map->n > 0 ? &d->map->block[d->map->n - 1] : NULL;
    if (last && last->times == 1 && b.times == 1 && last->offset + (ptrdiff_t)last->bytes == b.offset) {
        last->bytes += b.bytes;
        return;
    }
    settle(d->map);
    if (d->map->n == d->room && !draft_grow(d, 2 * d->room))
        return;
    d->map->block[d->map->n++] = b;
}

/* Elements of one block may be a row together. */
static bool place_row(struct draft *d, const struct block *b, ptrdiff_t displacement, size_t n,
                      ptrdiff_t stride)
{
    if (b->times > 1 && n > 1 && stride != (ptrdiff_t)b->times * b->stride)
        return false;
    append(d,
           block_plain(b->offset + displacement, b->times > 1 ? b->stride : stride, b->bytes, n * b->times));
    return true;
}

void draft_place(struct draft *d, const struct map *m, ptrdiff_t displacement, size_t n, ptrdiff_t stride)
{
    if (!m && !d->failed)
        draft_fail(d);
    if (d->failed || n == 0 || m->n == 0)
        return;
    if (d->map->n == 0)
        d->map->basic = m->basic;
    else if (d->map->basic != m->basic)
        d->map->basic = MPI_DATATYPE_NULL;
    d->map->bytes += n * m->bytes;
    if (m->n == 1 && place_row(d, &m->block[0], displacement, n, stride))
        return;
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < m->n && !d->failed; k++) {
            struct block b = m->block[k];
            b.offset += displacement + (ptrdiff_t)i * stride;
            append(d, b);
        }
}

static void widen(struct map *m, const struct block *b, bool first)
{
    ptrdiff_t end = b->offset + (ptrdiff_t)(b->times - 1) * b->stride;
    ptrdiff_t low = end < b->offset ? end : b->offset, high = end > b->offset ? end : b->offset;
    high += (ptrdiff_t)b->bytes;
    if (first || low < m->low)
        m->low = low;
    if (first || high > m->high)
        m->high = high;
}

struct map *draft_finish(struct draft *d)
{
    struct map *m = d->map;
    if (d->failed)
        return NULL;
    settle(m);
    for (size_t i = 0; i < m->n; i++)
        widen(m, &m->block[i], i == 0);
    struct map *tight = realloc(m, sizeof *m + m->n * sizeof m->block[0]);
    return tight ? tight : m;
}

struct map *map_repeat(const struct map *m, size_t n, ptrdiff_t stride)
{
    struct draft d;
    draft_start(&d);
    draft_place(&d, m, 0, n, stride);
    return draft_finish(&d);
}

struct map *map_leaf(MPI_Datatype basic, size_t bytes)
{
    struct draft d;
    draft_start(&d);
    if (bytes > 0 && !d.failed) {
        append(&d, block_plain(0, 0, bytes, 1));
        d.map->basic = basic;
        d.map->bytes = bytes;
    }
    return draft_finish(&d);
}
