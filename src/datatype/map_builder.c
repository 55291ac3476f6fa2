/* SPDX-License-Identifier: BSD-3-Clause */
#include "datatype/map_builder.h"

#include <string.h>

enum {
    MAP_BUILDER_FEW = 6
}; /* blocks that are listed rather than made a loop: they may join their neighbours */

struct type_block block_plain(ptrdiff_t offset, ptrdiff_t stride, size_t bytes, size_t times)
{
    if (times > 1 && stride == (ptrdiff_t)bytes) {
        bytes *= times;
        times = 1;
    }
    return (struct type_block){
        .offset = offset, .stride = times > 1 ? stride : 0, .bytes = bytes, .times = times};
}

/* The next place in the row of a block with times > 1. */
static ptrdiff_t row_end(const struct type_block *b)
{
    return b->offset + (ptrdiff_t)b->times * b->stride;
}

static bool map_builder_follows(const struct type_block *last, const struct type_block *next)
{
    return last->times == 1 && next->times == 1 && !last->parts && !next->parts &&
           last->offset + (ptrdiff_t)last->bytes == next->offset;
}

static bool is_alike(const struct type_block *a, const struct type_block *b)
{
    return a->bytes == b->bytes && a->parts == b->parts && (a->parts == 0 || a->first == b->first);
}

bool block_join(struct type_block *last, const struct type_block *next)
{
    bool one = last->times == 1;
    ptrdiff_t apart = next->offset - last->offset;
    if (map_builder_follows(last, next)) {
        last->bytes += next->bytes;
        return true;
    }
    if (!is_alike(last, next) || (one && next->times > 1 && next->stride != apart) ||
        (!one && (next->offset != row_end(last) || (next->times > 1 && next->stride != last->stride))))
        return false;
    if (one)
        last->stride = apart;
    last->times += next->times;
    return true;
}

/* ---- lists ---- */

static void builder_fail(struct type_builder *d)
{
    reserve_free(d->list.block);
    reserve_free(d->inner.block);
    d->list = d->inner = (struct type_list){0};
    d->failed = true;
}

/* Room for n more. */
static bool list_grow(struct type_builder *d, struct type_list *l, size_t n)
{
    size_t room = l->n + n > 2 * l->room ? l->n + n : 2 * l->room;
    struct type_block *larger;
    if (l->n + n <= l->room)
        return true;
    larger = l->n + n <= UINT32_MAX ? reserve_malloc(room * sizeof *larger) : NULL;
    if (!larger) {
        builder_fail(d);
        return false;
    }
    if (l->n > 0)
        memcpy(larger, l->block, l->n * sizeof *larger);
    reserve_free(l->block);
    l->block = larger;
    l->room = room;
    return true;
}

void builder_start(struct type_builder *d)
{
    *d = (struct type_builder){.map.basic = MPI_DATATYPE_NULL};
}

/* The last block is complete: it may continue the row of the one before. */
static void map_builder_settle(struct type_list *l)
{
    if (l->n > 1 && block_join(&l->block[l->n - 2], &l->block[l->n - 1]))
        l->n--;
}

/* A stretch grows as long as what comes has no gap to it; rows are made of whole stretches. */
static void map_builder_append(struct type_builder *d, struct type_block b)
{
    struct type_list *l = &d->list;
    if (l->n > 0 && map_builder_follows(&l->block[l->n - 1], &b)) {
        l->block[l->n - 1].bytes += b.bytes;
        return;
    }
    map_builder_settle(l);
    if (list_grow(d, l, 1))
        l->block[l->n++] = b;
}

/* ---- placing ---- */

static bool is_embedded(const struct type_builder *d, const struct type_map *m, uint32_t at, uint32_t all)
{
    const struct type_block *b = d->inner.block + at;
    uint32_t i = 0;
    for (; all == m->all && i < all; i++) {
        const struct type_block *a = &m->block[i];
        if (a->offset != b[i].offset || a->stride != b[i].stride || a->bytes != b[i].bytes ||
            a->times != b[i].times || a->parts != b[i].parts || (a->parts && a->first + at != b[i].first))
            return false;
    }
    return i == m->all;
}

/* Was it embedded, or another one that says the same? MPI gives a type that is named twice under two handles. */
static bool find_embedded(struct type_builder *d, const struct type_map *m, uint32_t *at)
{
    unsigned i = 0, n = d->nembedded < BUILDER_KEPT ? d->nembedded : BUILDER_KEPT;
    while (i < n && d->embedded[i].map != m)
        i++;
    for (unsigned k = 0; i == n && k < n; k++)
        if (is_embedded(d, m, d->embedded[k].at, d->embedded[k].all))
            i = k;
    if (i == n)
        return false;
    d->embedded[i].map = m;
    *at = d->embedded[i].at;
    return true;
}

/* All of m stands in inner, once; where it begins there. */
static uint32_t map_builder_embed(struct type_builder *d, const struct type_map *m)
{
    struct type_list *l = &d->inner;
    uint32_t at = (uint32_t)l->n;
    if (find_embedded(d, m, &at) || !list_grow(d, l, m->all))
        return at;
    for (uint32_t i = 0; i < m->all; i++) {
        l->block[l->n] = m->block[i];
        l->block[l->n++].first += at;
    }
    d->embedded[d->nembedded % BUILDER_KEPT].map = m;
    d->embedded[d->nembedded % BUILDER_KEPT].at = at;
    d->embedded[d->nembedded++ % BUILDER_KEPT].all = m->all;
    return at;
}

/* Block i of m as one of the element. */
static void append_moved(struct type_builder *d, const struct type_map *m, uint32_t i, ptrdiff_t by, size_t n)
{
    struct type_block b = m->block[i];
    b.offset += by;
    b.times *= n;
    if (b.parts)
        b.first += map_builder_embed(d, m);
    if (!d->failed)
        map_builder_append(d, b);
}

/* Elements of one block may be a row together. */
static bool place_row(struct type_builder *d, const struct type_map *m, ptrdiff_t displacement, size_t n,
                      ptrdiff_t stride)
{
    const struct type_block *b = &m->block[0];
    if (m->n > 1 || (n > 1 && (b->times > 1 || b->parts) && stride != (ptrdiff_t)b->times * b->stride))
        return false;
    if (b->times == 1 && b->parts == 0)
        map_builder_append(d, block_plain(b->offset + displacement, stride, b->bytes, n));
    else
        append_moved(d, m, 0, displacement, n);
    return true;
}

static void place_loop(struct type_builder *d, const struct type_map *m, ptrdiff_t displacement, size_t n,
                       ptrdiff_t stride)
{
    struct type_block b = {displacement, n > 1 ? stride : 0,      m->bytes, n,
                           m->n,         map_builder_embed(d, m), m->flat};
    if (d->failed)
        return;
    map_builder_append(d, b);
    if (d->map.depth <= m->depth)
        d->map.depth = m->depth + 1;
}

static void place_list(struct type_builder *d, const struct type_map *m, ptrdiff_t displacement, size_t n,
                       ptrdiff_t stride)
{
    for (size_t i = 0; i < n; i++)
        for (uint32_t k = 0; k < m->n && !d->failed; k++)
            append_moved(d, m, k, displacement + (ptrdiff_t)i * stride, 1);
}

static ptrdiff_t map_builder_least(ptrdiff_t a, ptrdiff_t b)
{
    return a < b ? a : b;
}

static void map_builder_widen(struct type_map *to, const struct type_map *m, ptrdiff_t displacement, size_t n,
                              ptrdiff_t stride)
{
    ptrdiff_t last = (ptrdiff_t)(n - 1) * stride, first = displacement + map_builder_least(last, 0);
    ptrdiff_t low = first + m->low, high = first + (last < 0 ? -last : last) + m->high;
    bool empty = to->bytes == 0;
    to->low = empty ? low : map_builder_least(to->low, low);
    to->high = empty ? high : -map_builder_least(-to->high, -high);
    if (empty)
        to->basic = m->basic;
    else if (to->basic != m->basic)
        to->basic = MPI_DATATYPE_NULL;
    to->bytes += n * m->bytes;
    if (to->depth < m->depth)
        to->depth = m->depth;
}

void builder_place(struct type_builder *d, const struct type_map *m, ptrdiff_t displacement, size_t n,
                   ptrdiff_t stride)
{
    if (!m && !d->failed)
        builder_fail(d);
    if (d->failed || n == 0 || m->n == 0)
        return;
    map_builder_widen(&d->map, m, displacement, n, stride);
    if (place_row(d, m, displacement, n, stride))
        return;
    if (n * m->n <= MAP_BUILDER_FEW || (n == 1 && d->list.n == 0) || m->depth == TYPE_DEPTH)
        place_list(d, m, displacement, n, stride);
    else
        place_loop(d, m, displacement, n, stride);
}

void builder_place_rows(struct type_builder *d, const struct type_map *m, ptrdiff_t displacement, size_t n,
                        ptrdiff_t stride, size_t length, ptrdiff_t extent)
{
    struct type_map *row = m ? map_repeat(m, length, extent) : NULL;
    builder_place(d, row, displacement, n, stride);
    builder_forget(d, row);
    reserve_free(row);
}

void builder_forget(struct type_builder *d, const struct type_map *m)
{
    for (unsigned i = 0; i < BUILDER_KEPT; i++)
        if (d->embedded[i].map == m)
            d->embedded[i].map = NULL;
}

/* ---- done ---- */

static bool is_flat(const struct type_list *l)
{
    size_t i = 0;
    while (i < l->n && l->block[i].times == 1 && l->block[i].parts == 0)
        i++;
    return i == l->n && l->n > 1;
}

/* Behind the element's own blocks stand the inner ones. */
static void map_builder_lay_out(struct type_map *m, const struct type_builder *d)
{
    *m = d->map;
    m->block = (struct type_block *)(m + 1);
    m->flat = is_flat(&d->list);
    m->n = (uint32_t)d->list.n;
    m->all = (uint32_t)(d->list.n + d->inner.n);
    if (d->list.n > 0)
        memcpy(m->block, d->list.block, d->list.n * sizeof m->block[0]);
    if (d->inner.n > 0)
        memcpy(m->block + d->list.n, d->inner.block, d->inner.n * sizeof m->block[0]);
    for (uint32_t i = 0; i < m->all; i++)
        m->block[i].first = m->block[i].parts ? m->block[i].first + m->n : 0;
}

struct type_map *builder_finish(struct type_builder *d)
{
    struct type_map *m;
    if (d->failed)
        return NULL;
    map_builder_settle(&d->list);
    m = d->list.n + d->inner.n <= UINT32_MAX
            ? reserve_malloc(sizeof *m + (d->list.n + d->inner.n) * sizeof m->block[0])
            : NULL;
    if (m)
        map_builder_lay_out(m, d);
    builder_fail(d);
    return m;
}

struct type_map *map_repeat(const struct type_map *m, size_t n, ptrdiff_t stride)
{
    struct type_builder d;
    builder_start(&d);
    builder_place(&d, m, 0, n, stride);
    return builder_finish(&d);
}

struct type_map *map_leaf(MPI_Datatype basic, size_t bytes)
{
    struct type_builder d;
    builder_start(&d);
    if (bytes > 0) {
        d.map = (struct type_map){.basic = basic, .bytes = bytes, .high = (ptrdiff_t)bytes, .depth = 1};
        map_builder_append(&d, block_plain(0, 0, bytes, 1));
    }
    return builder_finish(&d);
}
