/* SPDX-License-Identifier: BSD-3-Clause */
#include "io/transfer.h"

#include <stdlib.h>

/* A call of the system costs as much as so many bytes that are copied between the page cache and the buffer.
 * */
enum { CALL_BYTES = 4096 };

size_t file_piece_take(struct type_iter *i, size_t most, int64_t *at)
{
    char *p = NULL;
    size_t all = 0, n = type_iter_peek(i, &p);
    *at = (int64_t)(uintptr_t)p;
    while (n > 0 && (int64_t)(uintptr_t)p == *at + (int64_t)all) {
        if (n >= most - all) {
            type_iter_skip(i, most - all);
            return most;
        }
        all += n;
        type_iter_skip(i, n);
        n = type_iter_peek(i, &p);
    }
    return all;
}

void file_transfer_skip(struct file_transfer *t, size_t n)
{
    type_iter_skip(&t->memory, n);
    type_iter_skip(&t->place, n);
    t->left -= n;
    t->moved += n;
}

/* ---- buffers ---- */

struct file_buffer *file_buffer_take(_Atomic(struct file_buffer *) *kept, size_t bytes)
{
    struct file_buffer *b = swap_acq_rel(kept, NULL);
    if (b && b->bytes >= bytes)
        return b;
    free(b);
    b = aligned_alloc(CACHE_LINE, (sizeof *b + bytes + CACHE_LINE - 1) / CACHE_LINE * CACHE_LINE);
    if (b)
        b->bytes = bytes;
    return b;
}

void file_buffer_give(_Atomic(struct file_buffer *) *kept, struct file_buffer *b)
{
    if (b)
        free(swap_acq_rel(kept, b));
}

/* ---- pieces ---- */

/* What comes next, as far as it fits into the buffer; or one piece that does not. */
struct file_block {
    int64_t from, to;
    size_t data, pieces;
};

/* Of a row of pieces, as many as fit. False: not all. */
static bool block_add(struct file_block *w, const struct type_iov *v, int64_t room)
{
    if (w->pieces == 0)
        *w = (struct file_block){.from = v->offset, .to = v->offset};
    int64_t least = v->offset + v->bytes - w->from, fit = v->times;
    if (least > room)
        fit = w->pieces == 0;
    else if (v->stride > 0 && v->times > 1)
        fit = (room - least) / v->stride + 1;
    fit = fit < v->times ? fit : v->times;
    if (v->offset < w->from || fit == 0)
        return false;
    int64_t to = v->offset + (fit - 1) * v->stride + v->bytes;
    w->to = to > w->to ? to : w->to;
    w->data += (size_t)fit * v->bytes;
    w->pieces += (size_t)fit;
    return fit == v->times;
}

static struct file_block block_next(const struct file_transfer *t)
{
    struct type_iter place = t->place;
    struct file_block w = {0};
    struct type_iov row;
    unsigned n;
    bool all = true;
    while (all && w.data < t->left) {
        type_iter_take(&place, t->left - w.data, 1, &row, 1, &n);
        all = block_add(&w, &row, (int64_t)t->room);
    }
    return w;
}

/* Written, the block is moved twice. */
static bool block_is_sieved(const struct file_transfer *t, const struct file_block *w)
{
    size_t moved = (size_t)(w->to - w->from);
    if (!t->sieves || moved > t->room || moved == w->data)
        return false;
    return (t->writes ? 2 * moved : moved) < w->data + w->pieces * CALL_BYTES;
}

/* Piece by piece. */
static void block_pieces(struct file_transfer *t, size_t data)
{
    while (data > 0 && !t->ended) {
        struct type_iter place = t->place;
        int64_t at;
        size_t n = file_piece_take(&place, data, &at);
        file_transfer_direct(t, at, n);
        data -= n;
    }
}

static void block_move(struct file_transfer *t, const struct file_block *w)
{
    bool sieved = block_is_sieved(t, w);
    if (sieved && !t->buffer)
        t->buffer = file_buffer_take(t->kept, t->room);
    if (sieved && t->buffer)
        file_transfer_sieve(t, w->from, w->to, w->data);
    else
        block_pieces(t, w->data);
}

void file_transfer_run(struct file_transfer *t)
{
    while (t->left > 0 && !t->ended) {
        struct file_block w = block_next(t);
        struct file_range range = {.from = w.from, .to = w.to};
        if (t->locks && (t->error = file_range_lock(&t->file->ranges, t->file->fd, &range, true)))
            break;
        block_move(t, &w);
        if (t->locks)
            file_range_unlock(&t->file->ranges, t->file->fd, &range);
    }
    file_buffer_give(t->kept, t->buffer);
    t->buffer = NULL;
}
