/* SPDX-License-Identifier: BSD-3-Clause */
#include "io/merge.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* All sources together: [from, to), and their bytes. */
struct extent_of_sources {
    int64_t from, to;
    size_t bytes;
};

static struct extent_of_sources merge_extent(const struct file_merge *m)
{
    struct extent_of_sources e = {INT64_MAX, INT64_MIN, 0};
    for (int i = 0; i < m->n; i++) {
        const struct file_source *s = &m->source[i];
        if (s->left == 0)
            continue;
        e.from = s->from < e.from ? s->from : e.from;
        e.to = s->to > e.to ? s->to : e.to;
        e.bytes += s->left;
    }
    return e;
}

/* ---- do the pieces fill the block? ---- */

/* splitmix64 */
static uint64_t merge_mix(uint64_t x)
{
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

/* Each piece is an edge from its first place to the one behind it. All of them are one path from `from` to
 * `to`, so none overlap and nothing is between them, if every other place is where as many begin as end:
 * edges that go forwards make no circles. Sums of hashes tell; that two which differ are equal by chance is
 * as unlikely as two equal random numbers of 64 bits. */
static bool merge_fills(const struct file_merge *m, const struct extent_of_sources *e)
{
    uint64_t sum = merge_mix((uint64_t)e->to) - merge_mix((uint64_t)e->from);
    if (e->bytes != (size_t)(e->to - e->from))
        return false;
    for (int i = 0; i < m->n; i++) {
        struct type_iter place = m->source[i].place;
        size_t left = m->source[i].left;
        while (left > 0) {
            struct type_iov v;
            unsigned rows;
            left -= type_iter_take(&place, left, 1, &v, 1, &rows);
            for (uint32_t k = 0; k < v.times; k++) {
                uint64_t at = (uint64_t)(v.offset + k * v.stride);
                sum += merge_mix(at) - merge_mix(at + v.bytes);
            }
        }
    }
    return sum == 0;
}

/* ---- through the buffer ---- */

static void merge_copy(struct file_source *s, char *block, int64_t from, bool writes, size_t n)
{
    struct type_iter place = s->place;
    if (n == 0)
        return;
    type_iter_shift(&place, (ptrdiff_t)((uintptr_t)block - (uintptr_t)from));
    if (writes)
        type_iter_copy(&place, &s->memory, n);
    else
        type_iter_copy(&s->memory, &place, n);
}

/* Which bytes of the block there are: 1 in mask. */
static void merge_mark(const struct file_source *s, char *mask, int64_t from)
{
    struct type_iter place = s->place;
    size_t left = s->left;
    while (left > 0) {
        struct type_iov v;
        unsigned rows;
        left -= type_iter_take(&place, left, 1, &v, 1, &rows);
        for (uint32_t k = 0; k < v.times; k++)
            memset(mask + (v.offset + k * v.stride - from), 1, v.bytes);
    }
}

/* What is between the pieces stays as it is. */
static void merge_write_pieces(struct file_merge *m, const struct extent_of_sources *e, const char *block)
{
    size_t n = (size_t)(e->to - e->from), at = 0;
    char *mask = calloc(1, n), *begin;
    if (!mask) {
        m->error = ENOMEM;
        return;
    }
    for (int i = 0; i < m->n; i++)
        merge_mark(&m->source[i], mask, e->from);
    while (!m->error && at < n && (begin = memchr(mask + at, 1, n - at))) {
        const char *end = memchr(begin, 0, (size_t)(mask + n - begin));
        size_t first = (size_t)(begin - mask), length = end ? (size_t)(end - begin) : n - first;
        file_write_bytes(m->file->fd, block + first, length, e->from + (int64_t)first, &m->error);
        at = first + length;
    }
    free(mask);
}

static void merge_write(struct file_merge *m, const struct extent_of_sources *e, char *block)
{
    bool fills = merge_fills(m, e);
    for (int i = 0; i < m->n; i++)
        merge_copy(&m->source[i], block, e->from, true, m->source[i].left);
    if (fills)
        file_write_bytes(m->file->fd, block, e->bytes, e->from, &m->error);
    else
        merge_write_pieces(m, e, block);
}

static void merge_read(struct file_merge *m, const struct extent_of_sources *e, char *block)
{
    size_t n = (size_t)(e->to - e->from), got = file_read_bytes(m->file->fd, block, n, e->from, &m->error);
    int64_t end = e->from + (int64_t)got;
    if (got < n && !m->error)
        m->eof = end;
    for (int i = 0; i < m->n; i++) {
        struct file_source *s = &m->source[i];
        merge_copy(s, block, e->from, false, got < n ? file_source_before(s, end) : s->left);
    }
}

static void merge_packed(struct file_merge *m, const struct extent_of_sources *e)
{
    struct file_buffer *b = file_buffer_take(m->kept, m->room);
    if (!b)
        file_merge_vector(m);
    else if (m->writes)
        merge_write(m, e, b->data);
    else
        merge_read(m, e, b->data);
    file_buffer_give(m->kept, b);
}

void file_merge_run(struct file_merge *m)
{
    struct extent_of_sources e = merge_extent(m);
    struct file_range range = {.from = e.from, .to = e.to};
    bool locks = m->writes && m->file->sieves;
    if (e.bytes == 0 || (locks && (m->error = file_range_lock(&m->file->ranges, m->file->fd, &range, true))))
        return;
    if (m->vector || (size_t)(e.to - e.from) > m->room)
        file_merge_vector(m);
    else
        merge_packed(m, &e);
    if (locks)
        file_range_unlock(&m->file->ranges, m->file->fd, &range);
}
