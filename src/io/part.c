/* SPDX-License-Identifier: BSD-3-Clause */
#include "io/part.h"

#include <assert.h>
#include <stdlib.h>

/* Where in the data the part that is before `end` in the file is over. */
static size_t part_until(const struct file_part *p, int64_t end)
{
    size_t at = file_layout_data_before(p->layout, end);
    return at < p->pos ? p->pos : at > p->pos + p->bytes ? p->pos + p->bytes : at;
}

bool file_part_source(const struct file_part *p, int64_t from, int64_t to, struct file_source *s)
{
    size_t first = part_until(p, from), end = part_until(p, to);
    s->left = end - first;
    if (s->left == 0)
        return true;
    if (type_iter_span(&s->memory, &p->data, TYPE_DATA) != MPI_SUCCESS)
        return false;
    if (first > p->pos)
        type_iter_skip(&s->memory, first - p->pos);
    file_layout_walk(p->layout, &s->place, first, s->left);
    file_layout_bounds(p->layout, first, s->left, &s->from, &s->to);
    return true;
}

size_t file_source_before(const struct file_source *s, int64_t end)
{
    struct type_iter place = s->place;
    struct type_iov row;
    unsigned rows;
    size_t n = 0;
    while (n < s->left) {
        type_iter_take(&place, s->left - n, 1, &row, 1, &rows);
        for (uint32_t k = 0; k < row.times; k++) {
            int64_t at = row.offset + k * row.stride;
            if (at + row.bytes > end)
                return n + (at < end ? (size_t)(end - at) : 0);
            n += row.bytes;
        }
    }
    return n;
}

size_t file_part_pieces(const struct file_part *p)
{
    size_t size = p->layout->map->bytes, extent = (size_t)p->layout->filetype->extent;
    if (p->layout->pieces == 1 && size == extent)
        return 1; /* all together */
    return size ? (size_t)((double)p->bytes / (double)size * (double)p->layout->pieces) + 1 : 1;
}

/* ---- as a list ---- */

struct type_iov *file_source_rows(const struct file_source *s, size_t *n)
{
    struct type_iter place = s->place;
    size_t room = 16, taken = 0;
    struct type_iov *rows = malloc(room * sizeof *rows);
    *n = 0;
    while (rows && taken < s->left) {
        unsigned more;
        if (*n == room) {
            struct type_iov *larger = realloc(rows, 2 * room * sizeof *rows);
            if (!larger)
                free(rows);
            rows = larger;
            room *= 2;
            continue;
        }
        taken += type_iter_take(&place, s->left - taken, 1, rows + *n, (unsigned)(room - *n), &more);
        *n += more;
    }
    return rows;
}

struct file_places *file_places_source(const struct type_iov *rows, size_t n, char *bytes,
                                       struct file_source *s)
{
    assert(n > 0);
    struct file_places *p = malloc(sizeof *p + n * sizeof p->block[0]);
    if (!p)
        return NULL;
    p->type = (struct type){.extent = 0};
    p->map = (struct type_map){.n = (uint32_t)n, .all = (uint32_t)n, .depth = 1, .block = p->block};
    for (size_t i = 0; i < n; i++) {
        const struct type_iov *v = &rows[i];
        p->block[i] = (struct type_block){
            .offset = v->offset, .stride = v->stride, .bytes = v->bytes, .times = v->times};
        p->map.bytes += (size_t)v->bytes * v->times;
    }
    s->left = p->map.bytes;
    s->from = rows[0].offset;
    s->to = rows[n - 1].offset + (rows[n - 1].times - 1) * rows[n - 1].stride + rows[n - 1].bytes;
    type_iter_init(&s->place, NULL, 1, &p->type, &p->map);
    type_iter_bytes(&s->memory, bytes, s->left);
    return p;
}
