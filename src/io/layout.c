/* SPDX-License-Identifier: BSD-3-Clause */
#include "io/layout.h"

const char *const file_datarep_names[DATAREPS] = {"native", "internal"};

/* ---- which types are allowed ---- */

/* Where the data of part of a type begin and end, and whether they lie in order there. */
struct layout_order {
    ptrdiff_t from, to;
    bool ascends, overlaps;
    size_t pieces;
};

static void order_append(struct layout_order *all, const struct layout_order *next, bool first)
{
    if (first) {
        *all = *next;
        return;
    }
    all->ascends &= next->ascends && next->from >= all->from;
    all->overlaps |= next->overlaps || next->from < all->to;
    all->to = next->to > all->to ? next->to : all->to;
    all->pieces += next->pieces;
}

static struct layout_order order_of_blocks(const struct type_map *m, uint32_t first, uint32_t n);

/* All repetitions of a block, seen from one repetition of the block around it. */
static struct layout_order order_of_block(const struct type_map *m, const struct type_block *b)
{
    struct layout_order o = {.from = 0, .to = (ptrdiff_t)b->bytes, .ascends = true, .pieces = 1};
    if (b->parts > 0)
        o = order_of_blocks(m, b->first, b->parts);
    if (b->times > 1) {
        o.ascends &= b->stride >= 0;
        o.overlaps |= b->stride < o.to - o.from;
        o.to += (ptrdiff_t)(b->times - 1) * b->stride;
        o.pieces *= b->times;
    }
    o.from += b->offset;
    o.to += b->offset;
    return o;
}

static struct layout_order order_of_blocks(const struct type_map *m, uint32_t first, uint32_t n)
{
    struct layout_order all = {.ascends = true};
    for (uint32_t i = 0; i < n; i++) {
        struct layout_order next = order_of_block(m, &m->block[first + i]);
        order_append(&all, &next, i == 0);
    }
    return all;
}

static const char *layout_fault(struct file_layout *l, bool written)
{
    const struct type_map *m = l->map;
    struct layout_order o = order_of_blocks(m, 0, m->n);
    l->pieces = o.pieces;
    l->sorted = o.ascends && !o.overlaps && o.to - o.from <= l->filetype->extent;
    if (l->etype->size == 0 || m->bytes % l->etype->size != 0)
        return "filetype is not made of whole etypes";
    if (m->low < 0)
        return "filetype has data at negative displacements";
    if (!o.ascends)
        return "displacements in filetype decrease";
    if (l->filetype->extent < 0 || (m->bytes > 0 && l->filetype->extent == 0))
        return "filetype has no extent to be repeated with";
    if (written && o.overlaps)
        return "data in filetype overlap, and the file can be written";
    return NULL;
}

/* ---- making ---- */

int file_layout_make(struct file_layout *l, MPI_Datatype etype, MPI_Datatype filetype, bool written,
                     const char **why)
{
    l->etype = type_find(etype);
    l->filetype = type_find(filetype);
    l->map = type_map_of(l->filetype, filetype, TYPE_DATA);
    if (!l->map)
        return MPI_ERR_NO_MEM;
    *why = layout_fault(l, written);
    if (*why)
        return MPI_ERR_TYPE;
    l->etype_mpi = type_hold(l->etype, etype, true);
    l->filetype_mpi = type_hold(l->filetype, filetype, true);
    if (l->etype_mpi != MPI_DATATYPE_NULL && l->filetype_mpi != MPI_DATATYPE_NULL)
        return MPI_SUCCESS;
    file_layout_free(l);
    return MPI_ERR_NO_MEM;
}

bool file_layout_init(struct file_layout *l)
{
    const char *why;
    *l = (struct file_layout){.datarep = DATAREP_NATIVE};
    return file_layout_make(l, MPI_BYTE, MPI_BYTE, true, &why) == MPI_SUCCESS;
}

void file_layout_free(struct file_layout *l)
{
    type_drop(l->etype, l->etype_mpi);
    type_drop(l->filetype, l->filetype_mpi);
}

/* ---- places ---- */

bool file_layout_reaches(const struct file_layout *l, int64_t offset, size_t n)
{
    int64_t size = (int64_t)l->map->bytes, end, at;
    if (offset < 0 || __builtin_mul_overflow(offset, (int64_t)l->etype->size, &end) ||
        __builtin_add_overflow(end, n, &end))
        return false;
    int64_t tile = size > 0 && end > 0 ? (end - 1) / size : 0;
    return !__builtin_mul_overflow(tile, (int64_t)l->filetype->extent, &at) &&
           !__builtin_add_overflow(at, l->disp, &at) &&
           !__builtin_add_overflow(at, (int64_t)l->map->high, &at);
}

bool file_layout_walk(const struct file_layout *l, struct type_iter *i, size_t pos, size_t n)
{
    size_t size = l->map->bytes, tile = size ? pos / size : 0, skip = size ? pos % size : 0;
    char *at = (char *)(uintptr_t)(l->disp + (int64_t)tile * l->filetype->extent);
    if (size == 0)
        return false;
    type_iter_init(i, at, (skip + n + size - 1) / size, l->filetype, l->map);
    if (skip > 0 && i->left > 0)
        type_iter_skip(i, skip);
    return true;
}

int64_t file_layout_place(const struct file_layout *l, size_t pos)
{
    struct type_iter i;
    char *at = NULL;
    return file_layout_walk(l, &i, pos, 1) && type_iter_peek(&i, &at) > 0 ? (int64_t)(uintptr_t)at : l->disp;
}

size_t file_layout_data_before(const struct file_layout *l, int64_t end)
{
    const struct type_map *m = l->map;
    struct type_iter i;
    int64_t behind = end - l->disp - m->low, extent = l->filetype->extent;
    char *at;
    if (m->bytes == 0 || behind <= 0)
        return 0;
    size_t tile = (size_t)((behind - 1) / extent), n = 0;
    file_layout_walk(l, &i, tile * m->bytes, m->bytes);
    for (size_t bytes; (bytes = type_iter_peek(&i, &at)) > 0; type_iter_skip(&i, bytes)) {
        int64_t left = end - (int64_t)(uintptr_t)at;
        if (left < (int64_t)bytes) {
            n += left > 0 ? (size_t)left : 0;
            break;
        }
        n += bytes;
    }
    return tile * m->bytes + n;
}

void file_layout_bounds(const struct file_layout *l, size_t pos, size_t n, int64_t *from, int64_t *to)
{
    *from = file_layout_place(l, pos);
    *to = file_layout_place(l, pos + n - 1) + 1;
}
