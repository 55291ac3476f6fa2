/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "rma/map_draft.h"

/* Addresses may be absolute, from a base of NULL, where the language knows no arithmetic. */
static inline char *shifted(const char *base, ptrdiff_t by)
{
    return (char *)((uintptr_t)base + (uintptr_t)by);
}

void cursor_init(struct cursor *c, char *buf, size_t count, const struct type *t, const struct map *m)
{
    *c = (struct cursor){
        .map = m, .element = buf, .extent = t->extent, .elements = count, .left = count * m->bytes};
}

__extension__ static const struct map one_byte = {
    .basic = MPI_BYTE, .bytes = 1, .high = 1, .n = 1, .block = {{.bytes = 1, .times = 1}}};

void cursor_init_bytes(struct cursor *c, void *bytes, size_t n)
{
    *c = (struct cursor){.map = &one_byte, .element = bytes, .extent = 1, .elements = n, .left = n};
}

/* What comes next, while anything is left: pieces of one length at a regular distance. */
struct row {
    char *at;
    ptrdiff_t stride;
    size_t bytes, times;
};

/* Elements of one block: together one stretch, or one row if their rows meet. */
static inline void join_elements(struct row *r, const struct cursor *c, const struct block *b)
{
    if (b->times == 1 && c->extent == (ptrdiff_t)b->bytes) {
        r->bytes = c->left;
        r->times = 1;
    } else if (c->done == 0 && (b->times == 1 || c->extent == (ptrdiff_t)b->times * b->stride)) {
        r->stride = b->times == 1 ? c->extent : b->stride;
        r->times += (c->elements - 1) * b->times;
    }
}

static inline struct row next_row(const struct cursor *c)
{
    const struct block *b = &c->map->block[c->block];
    ptrdiff_t at = b->offset + (ptrdiff_t)c->time * b->stride + (ptrdiff_t)c->done;
    struct row r = {shifted(c->element, at), b->stride, b->bytes - c->done, c->done ? 1 : b->times - c->time};
    if (c->map->n == 1)
        join_elements(&r, c, b);
    return r;
}

size_t cursor_peek(const struct cursor *c, char **at)
{
    if (c->left == 0)
        return 0;
    struct row r = next_row(c);
    const struct block *b = &c->map->block[c->block];
    *at = r.at;
    if (r.bytes == c->left || c->time + 1 < b->times)
        return r.bytes;
    bool same_element = c->block + 1 < c->map->n;
    const struct block *next = same_element ? b + 1 : c->map->block;
    const char *there = shifted(c->element, next->offset + (same_element ? 0 : c->extent));
    return shifted(r.at, (ptrdiff_t)r.bytes) == there ? r.bytes + next->bytes : r.bytes;
}

/* The element is over: so are all the whole ones among the n bytes. Returns what is left of these. */
static size_t leave_element(struct cursor *c, size_t n)
{
    size_t whole = n < c->map->bytes ? 0 : n / c->map->bytes;
    c->block = 0;
    c->element = shifted(c->element, (ptrdiff_t)(whole + 1) * c->extent);
    c->elements -= whole + 1;
    return n - whole * c->map->bytes;
}

static void stay_in_block(struct cursor *c, size_t n, size_t bytes)
{
    c->done += n;
    if (c->done >= bytes) {
        c->time += c->done / bytes;
        c->done %= bytes;
    }
}

void cursor_skip(struct cursor *c, size_t n)
{
    c->left -= n;
    while (n > 0) {
        const struct block *b = &c->map->block[c->block];
        size_t rest = (b->times - c->time) * b->bytes - c->done;
        if (n < rest) {
            stay_in_block(c, n, b->bytes);
            return;
        }
        n -= rest;
        c->time = c->done = 0;
        if (++c->block == c->map->n)
            n = leave_element(c, n);
    }
}

size_t cursor_left(const struct cursor *c)
{
    return c->left;
}

/* One side of a copy of pieces. */
struct side {
    char *at;
    ptrdiff_t stride;
};

static inline void copy_pieces(struct side to, struct side from, size_t bytes, size_t times)
{
    for (ptrdiff_t i = 0; i < (ptrdiff_t)times; i++)
        memcpy(shifted(to.at, i * to.stride), shifted(from.at, i * from.stride), bytes);
}

/* Small ones without a call each. */
static void copy_any_pieces(struct side to, struct side from, size_t bytes, size_t times)
{
    if (bytes == 4)
        copy_pieces(to, from, 4, times);
    else if (bytes == 8)
        copy_pieces(to, from, 8, times);
    else if (bytes == 16)
        copy_pieces(to, from, 16, times);
    else
        copy_pieces(to, from, bytes, times);
}

static void copy(struct cursor *c, char *packed, size_t n, bool write)
{
    while (n > 0) {
        struct row r = next_row(c);
        size_t bytes = r.bytes < n ? r.bytes : n, times = n / bytes < r.times ? n / bytes : r.times;
        struct side typed = {r.at, r.stride}, dense = {packed, (ptrdiff_t)bytes};
        copy_any_pieces(write ? typed : dense, write ? dense : typed, bytes, times);
        cursor_skip(c, bytes * times);
        packed += bytes * times;
        n -= bytes * times;
    }
}

void cursor_read(struct cursor *c, void *to, size_t n)
{
    copy(c, to, n, false);
}

void cursor_write(struct cursor *c, const void *from, size_t n)
{
    copy(c, (char *)from, n, true);
}

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* As much of what comes next as may be taken when `budget` of max_bytes are left: bytes 0 if nothing. */
static struct block next_patch(const struct cursor *c, size_t budget, size_t max_bytes, size_t unit)
{
    struct row r = next_row(c);
    size_t most = UINT32_MAX - UINT32_MAX % unit, bytes = r.bytes, times = 1;
    if (bytes > max_bytes)
        bytes = least(bytes, budget - budget % unit);
    if (bytes > budget)
        bytes = 0;
    if (bytes > most)
        bytes = most;
    if (bytes == r.bytes)
        times = least(least(budget / bytes, r.times), UINT32_MAX);
    return (struct block){(ptrdiff_t)(uintptr_t)r.at, times > 1 ? r.stride : 0, bytes, times};
}

static bool patch_join(struct patch *p, const struct block *b)
{
    struct block both = {(ptrdiff_t)p->offset, (ptrdiff_t)p->stride, p->bytes, p->times};
    if (!block_join(&both, b) || both.bytes > UINT32_MAX || both.times > UINT32_MAX)
        return false;
    *p = (struct patch){both.offset, both.stride, (uint32_t)both.bytes, (uint32_t)both.times};
    return true;
}

size_t cursor_take(struct cursor *c, size_t max_bytes, size_t unit, struct patch *patches, unsigned room,
                   unsigned *n)
{
    size_t taken = 0;
    *n = 0;
    while (c->left > 0 && taken < max_bytes) {
        struct block b = next_patch(c, max_bytes - taken, max_bytes, unit);
        if (b.bytes == 0)
            break;
        if (*n == 0 || !patch_join(&patches[*n - 1], &b)) {
            if (*n == room)
                break;
            patches[(*n)++] = (struct patch){b.offset, b.stride, (uint32_t)b.bytes, (uint32_t)b.times};
        }
        cursor_skip(c, b.bytes * b.times);
        taken += b.bytes * b.times;
    }
    return taken;
}

void patches_each(const struct patch *patches, unsigned n, char *base,
                  void (*piece)(void *arg, char *at, size_t bytes), void *arg)
{
    for (unsigned i = 0; i < n; i++) {
        const struct patch *p = &patches[i];
        for (int64_t k = 0; k < p->times; k++)
            piece(arg, shifted(base, (ptrdiff_t)(p->offset + k * p->stride)), p->bytes);
    }
}
