/* SPDX-License-Identifier: BSD-3-Clause */
#include "datatype/iter.h"

#include <string.h>

#include "datatype/map_builder.h"
#include "datatype/row.h"

static struct type_block one_byte_block = {.bytes = 1, .times = 1};
static const struct type_map one_byte = {
    .basic = MPI_BYTE, .bytes = 1, .high = 1, .depth = 1, .n = 1, .all = 1, .block = &one_byte_block};

/* ---- where the walk is ---- */

/* Into block b, which is followed by its neighbours up to end, of a repetition that begins at base; pos bytes of the block on. */
static void iter_descend(struct type_iter *i, const struct type_block *b, const struct type_block *end,
                         char *base, size_t pos)
{
    for (;;) {
        struct type_frame *f = &i->frame[i->depth++];
        f->block = b;
        f->end = end;
        f->time = pos < b->bytes ? 0 : pos / b->bytes;
        f->at = row_shifted(base, b->offset + (ptrdiff_t)f->time * b->stride);
        pos -= f->time * b->bytes;
        if (b->parts == 0)
            break;
        base = f->at;
        end = &i->map->block[b->first] + b->parts;
        for (b = &i->map->block[b->first]; pos >= b->bytes * b->times; b++)
            pos -= b->bytes * b->times;
    }
    i->done = pos;
}

/* The same to the data pos bytes behind the beginning of b. False: behind all its neighbours. */
static bool iter_enter(struct type_iter *i, const struct type_block *b, const struct type_block *end,
                       char *base, size_t *pos)
{
    for (; b < end; b++) {
        size_t all = b->bytes * b->times;
        if (*pos < all) {
            iter_descend(i, b, end, base, *pos);
            return true;
        }
        *pos -= all;
    }
    return false;
}

/* The element is over: so are all the whole ones among the pos bytes. */
static void next_element(struct type_iter *i, size_t pos)
{
    const struct type_map *m = i->map;
    size_t whole = pos < m->bytes ? 0 : pos / m->bytes;
    pos -= whole * m->bytes;
    i->element = row_shifted(i->element, (ptrdiff_t)(whole + 1) * i->extent);
    i->elements -= whole + 1;
    iter_enter(i, m->block, m->block + m->n, i->element, &pos);
}

/* The loop of f comes to its next repetitions. False: it is over. */
static bool next_time(struct type_frame *f, size_t *pos)
{
    const struct type_block *b = f->block;
    size_t times = 1 + (*pos < b->bytes ? 0 : *pos / b->bytes), left = b->times - f->time;
    times = times < left ? times : left;
    *pos -= (times - 1) * b->bytes;
    f->time += times;
    f->at = row_shifted(f->at, (ptrdiff_t)times * b->stride);
    return times < left;
}

/* The last frame's block is over; the walk goes on pos bytes behind it. */
static void iter_leave(struct type_iter *i, size_t pos)
{
    for (;;) {
        const struct type_frame *over = &i->frame[--i->depth];
        if (i->depth == 0) {
            if (!iter_enter(i, over->block + 1, over->end, i->element, &pos))
                next_element(i, pos);
            return;
        }
        struct type_frame *f = &i->frame[i->depth - 1];
        const struct type_block *first = &i->map->block[f->block->first];
        if (iter_enter(i, over->block + 1, over->end, f->at, &pos))
            return;
        if (next_time(f, &pos)) {
            iter_enter(i, first, first + f->block->parts, f->at, &pos);
            return;
        }
    }
}

/* Past the end of its row, or into it. */
static void skip_any(struct type_iter *i, size_t pos, size_t rest)
{
    struct type_frame *f = &i->frame[i->depth - 1];
    const struct type_block *b = f->block;
    if (pos >= rest) {
        iter_leave(i, pos - rest);
        return;
    }
    size_t times = pos < b->bytes ? 0 : pos / b->bytes;
    f->time += times;
    f->at = row_shifted(f->at, (ptrdiff_t)times * b->stride);
    i->done = pos - times * b->bytes;
}

/* Mostly to the beginning of the next row. */
static inline void iter_skip(struct type_iter *i, size_t n)
{
    i->left -= n;
    if (i->left == 0)
        return;
    struct type_frame *f = &i->frame[i->depth - 1];
    const struct type_block *b = f->block;
    size_t pos = i->done + n, rest = (b->times - f->time) * b->bytes;
    if (pos != rest || b + 1 == f->end || b[1].parts > 0) {
        skip_any(i, pos, rest);
        return;
    }
    f->at = row_shifted(f->at, b[1].offset - b->offset - (ptrdiff_t)f->time * b->stride);
    f->block = b + 1;
    f->time = i->done = 0;
}

void type_iter_skip(struct type_iter *i, size_t n)
{
    iter_skip(i, n);
}

void type_iter_init(struct type_iter *i, char *buf, size_t count, const struct type *t,
                    const struct type_map *m)
{
    i->map = m;
    i->element = buf;
    i->extent = t->extent;
    i->elements = count;
    i->left = count * m->bytes;
    i->done = 0;
    i->depth = 0;
    if (i->left > 0)
        iter_descend(i, m->block, m->block + m->n, buf, 0);
}

void type_iter_shift(struct type_iter *i, ptrdiff_t by)
{
    i->element = row_shifted(i->element, by);
    for (unsigned k = 0; k < i->depth; k++)
        i->frame[k].at = row_shifted(i->frame[k].at, by);
}

void type_iter_bytes(struct type_iter *i, void *bytes, size_t n)
{
    static const struct type one = {.extent = 1};
    type_iter_init(i, bytes, n, &one, &one_byte);
}

/* ---- what comes next ---- */

/* Elements of one block of stretches: together one stretch, or one row if their rows meet. */
static inline void join_elements(struct type_row *r, const struct type_iter *i, const struct type_block *b)
{
    if (b->times == 1 && i->extent == (ptrdiff_t)b->bytes) {
        r->bytes = i->left;
        r->times = 1;
    } else if (i->done == 0 && (b->times == 1 || i->extent == (ptrdiff_t)b->times * b->stride)) {
        r->stride = b->times == 1 ? i->extent : b->stride;
        r->times += (i->elements - 1) * b->times;
    }
}

/* While anything is left. */
static inline struct type_row next_row(const struct type_iter *i)
{
    const struct type_frame *f = &i->frame[i->depth - 1];
    const struct type_block *b = f->block;
    struct type_row r = {row_shifted(f->at, (ptrdiff_t)i->done), b->stride, b->bytes - i->done,
                         i->done ? 1 : b->times - f->time};
    if (i->map->all == 1)
        join_elements(&r, i, b);
    return r;
}

size_t type_iter_peek(const struct type_iter *i, char **at)
{
    if (i->left == 0)
        return 0;
    struct type_row r = next_row(i);
    *at = r.at;
    if (r.bytes == i->left || i->frame[i->depth - 1].time + 1 < i->frame[i->depth - 1].block->times)
        return r.bytes;
    struct type_iter next = *i;
    type_iter_skip(&next, r.bytes);
    struct type_row more = next_row(&next);
    return row_shifted(r.at, (ptrdiff_t)r.bytes) == more.at ? r.bytes + more.bytes : r.bytes;
}

/* ---- copies ---- */

/* What is on the other side: packed bytes that are written or read, or the same layout. */
enum other { PACKED_TO, PACKED_FROM, APART_TO };

static inline __attribute__((always_inline)) void
copy_row(const struct type_row *r, char *other, ptrdiff_t stride, enum other way, size_t bytes, size_t times)
{
    if (way == PACKED_FROM)
        row_copy(r->at, r->stride, other, stride, bytes, times);
    else
        row_copy(other, stride, r->at, r->stride, bytes, times);
}

/* Repetitions of a flat list of stretches, from its first one on. */
struct lines {
    const struct type_block *block, *end;
    char *at;
    ptrdiff_t stride;
    size_t bytes, times;
};

static inline bool next_lines(const struct type_iter *i, struct lines *l)
{
    const struct type_frame *f = &i->frame[i->depth - 1];
    if (i->depth == 1) {
        *l = (struct lines){i->map->block, f->end, i->element, i->extent, i->map->bytes, i->elements};
        return i->map->flat && f->block == l->block && i->done == 0;
    }
    const struct type_frame *around = f - 1;
    const struct type_block *b = around->block;
    *l = (struct lines){&i->map->block[b->first], f->end, around->at, b->stride, b->bytes,
                        b->times - around->time};
    return b->flat && f->block == l->block && i->done == 0;
}

enum { LINES_MOST = 32, LINES_LEAST = 4, COLUMNS_MOST = 32 };

/* Column by column, some lines at a time: one row for each column. Returns the bytes, 0 if there are too few to gain anything. */
static inline __attribute__((always_inline)) size_t copy_lines(const struct type_iter *i, char *other,
                                                               ptrdiff_t apart, enum other way, size_t n)
{
    struct lines l;
    if (!next_lines(i, &l) || l.end - l.block > COLUMNS_MOST)
        return 0;
    size_t times = rows_of(l.times < LINES_MOST ? l.times : LINES_MOST, l.bytes, n);
    if (times < LINES_LEAST)
        return 0;
    for (const struct type_block *b = l.block; b < l.end; b++) {
        struct type_row r = {row_shifted(l.at, b->offset), l.stride, b->bytes, times};
        if (way == APART_TO)
            copy_row(&r, row_shifted(r.at, apart), l.stride, way, b->bytes, times);
        else
            copy_row(&r, other, (ptrdiff_t)l.bytes, way, b->bytes, times);
        other = row_shifted(other, (ptrdiff_t)b->bytes);
    }
    return times * l.bytes;
}

static inline __attribute__((always_inline)) void iter_copy(struct type_iter *i, char *other, ptrdiff_t apart,
                                                            enum other way, size_t n)
{
    while (n > 0) {
        size_t done = copy_lines(i, other, apart, way, n);
        if (done == 0) {
            struct type_row r = next_row(i);
            size_t bytes = r.bytes < n ? r.bytes : n, times = rows_of(r.times, bytes, n);
            if (way == APART_TO)
                copy_row(&r, row_shifted(r.at, apart), r.stride, way, bytes, times);
            else
                copy_row(&r, other, (ptrdiff_t)bytes, way, bytes, times);
            done = bytes * times;
        }
        iter_skip(i, done);
        other = row_shifted(other, (ptrdiff_t)done);
        n -= done;
    }
}

void type_iter_read(struct type_iter *from, void *to, size_t n)
{
    iter_copy(from, to, 0, PACKED_TO, n);
}

void type_iter_write(struct type_iter *to, const void *from, size_t n)
{
    iter_copy(to, (char *)(uintptr_t)from, 0, PACKED_FROM, n);
}

void type_iter_move(struct type_iter *from, ptrdiff_t apart, size_t n)
{
    iter_copy(from, NULL, apart, APART_TO, n);
}

static size_t iter_least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* As a row of pieces of so many bytes, at most as many pieces as `times` says: a stretch is cut. */
static inline size_t row_cut(struct type_row *r, size_t bytes, size_t times)
{
    if (r->bytes == bytes)
        return iter_least(r->times, times);
    r->stride = (ptrdiff_t)bytes;
    return rows_of(times, bytes, r->bytes);
}

void type_iter_copy(struct type_iter *to, struct type_iter *from, size_t n)
{
    while (n > 0) {
        struct type_row source = next_row(from), sink = next_row(to);
        size_t bytes = iter_least(iter_least(source.bytes, sink.bytes), n);
        size_t times = bytes == source.bytes ? source.times : bytes == sink.bytes ? sink.times : 1;
        times = row_cut(&sink, bytes, row_cut(&source, bytes, rows_of(times, bytes, n)));
        row_copy(sink.at, sink.stride, source.at, source.stride, bytes, times);
        iter_skip(from, bytes * times);
        iter_skip(to, bytes * times);
        n -= bytes * times;
    }
}

/* ---- pieces for another process ---- */

/* As much of what comes next as may be taken when `budget` of max_bytes are left: bytes 0 if nothing. */
static struct type_block next_piece(const struct type_iter *i, size_t budget, size_t max_bytes, size_t unit)
{
    struct type_row r = next_row(i);
    size_t most = UINT32_MAX - UINT32_MAX % unit, bytes = r.bytes, times = 1;
    if (bytes > max_bytes)
        bytes = iter_least(bytes, budget - budget % unit);
    if (bytes > budget)
        bytes = 0;
    if (bytes > most)
        bytes = most;
    if (bytes == r.bytes)
        times = iter_least(iter_least(budget / bytes, r.times), UINT32_MAX);
    return (struct type_block){.offset = (ptrdiff_t)(uintptr_t)r.at,
                               .stride = times > 1 ? r.stride : 0,
                               .bytes = bytes,
                               .times = times};
}

static bool iov_join(struct type_iov *v, const struct type_block *b)
{
    struct type_block both = {
        .offset = (ptrdiff_t)v->offset, .stride = (ptrdiff_t)v->stride, .bytes = v->bytes, .times = v->times};
    if (!block_join(&both, b) || both.bytes > UINT32_MAX || both.times > UINT32_MAX)
        return false;
    *v = (struct type_iov){both.offset, both.stride, (uint32_t)both.bytes, (uint32_t)both.times};
    return true;
}

size_t type_iter_take(struct type_iter *i, size_t max_bytes, size_t unit, struct type_iov *iov, unsigned room,
                      unsigned *n)
{
    size_t taken = 0;
    *n = 0;
    while (i->left > 0 && taken < max_bytes) {
        struct type_block b = next_piece(i, max_bytes - taken, max_bytes, unit);
        if (b.bytes == 0)
            break;
        if (*n == 0 || !iov_join(&iov[*n - 1], &b)) {
            if (*n == room)
                break;
            iov[(*n)++] = (struct type_iov){b.offset, b.stride, (uint32_t)b.bytes, (uint32_t)b.times};
        }
        type_iter_skip(i, b.bytes * b.times);
        taken += b.bytes * b.times;
    }
    return taken;
}

void type_iov_each(const struct type_iov *iov, unsigned n, char *base,
                   void (*stretch)(void *arg, char *at, size_t bytes), void *arg)
{
    for (unsigned k = 0; k < n; k++) {
        const struct type_iov *v = &iov[k];
        for (int64_t t = 0; t < v->times; t++)
            stretch(arg, row_shifted(base, (ptrdiff_t)(v->offset + t * v->stride)), v->bytes);
    }
}
