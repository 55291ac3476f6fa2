/* SPDX-License-Identifier: BSD-3-Clause */
#include "shmem/heap_block.h"

#include <string.h>

/* ---- trees ---- */

/* Does (bytes, offset) stand in front of b? */
static bool heap_before(const struct heap_tree *t, size_t bytes, size_t offset, const struct heap_block *b)
{
    return t->by_bytes && bytes != b->bytes ? bytes < b->bytes : offset < b->offset;
}

/* As good as random; who has more is nearer to the root. */
static uint64_t heap_priority(const struct heap_block *b)
{
    uint64_t z = b->offset * 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

static void heap_tree_add(struct heap_tree *t, struct heap_block *b)
{
    struct heap_block **at = &t->root;
    uint64_t priority = heap_priority(b);
    while (*at && heap_priority(*at) >= priority)
        at = heap_before(t, b->bytes, b->offset, *at) ? &(*at)->left : &(*at)->right;
    /* What stood there is parted into what is in front of b and what is behind it. */
    struct heap_block *rest = *at, **left = &b->left, **right = &b->right;
    *at = b;
    while (rest) {
        if (heap_before(t, b->bytes, b->offset, rest)) {
            *right = rest;
            right = &rest->left;
            rest = rest->left;
        } else {
            *left = rest;
            left = &rest->right;
            rest = rest->right;
        }
    }
    *left = *right = NULL;
}

static void heap_tree_remove(struct heap_tree *t, struct heap_block *b)
{
    struct heap_block **at = &t->root;
    while (*at != b)
        at = heap_before(t, b->bytes, b->offset, *at) ? &(*at)->left : &(*at)->right;
    struct heap_block *left = b->left, *right = b->right;
    while (left && right) {
        if (heap_priority(left) >= heap_priority(right)) {
            *at = left;
            at = &left->right;
            left = left->right;
        } else {
            *at = right;
            at = &right->left;
            right = right->left;
        }
    }
    *at = left ? left : right;
}

/* The first one that does not stand in front of (bytes, offset), or NULL. */
static struct heap_block *heap_tree_from(const struct heap_tree *t, size_t bytes, size_t offset)
{
    struct heap_block *b = t->root, *found = NULL;
    while (b) {
        bool in_front = t->by_bytes && bytes != b->bytes ? b->bytes < bytes : b->offset < offset;
        if (!in_front)
            found = b;
        b = in_front ? b->right : b->left;
    }
    return found;
}

/* ---- blocks ---- */

static size_t heap_round(size_t n, size_t to)
{
    return (n + to - 1) & ~(to - 1);
}

static size_t heap_space(size_t asked)
{
    return heap_round(asked, asked < CACHE_LINE ? HEAP_GRANULE : CACHE_LINE);
}

static size_t heap_align(size_t space)
{
    return space < CACHE_LINE ? HEAP_GRANULE : CACHE_LINE;
}

/* A call needs two at most: it cuts off a space in front and one behind. They stay in the pool. */
static bool heap_has_spare(struct heap *h)
{
    void *one = pool_get(&h->blocks), *other = one ? pool_get(&h->blocks) : NULL;
    if (one)
        pool_put(&h->blocks, one);
    if (other)
        pool_put(&h->blocks, other);
    return other;
}

/* b ends at offset `at`; what was behind that is a new one, in no tree. */
static struct heap_block *heap_split(struct heap *h, struct heap_block *b, size_t at)
{
    struct heap_block *rest = pool_get(&h->blocks);
    assert(rest && at > b->offset && at < b->offset + b->bytes);
    *rest =
        (struct heap_block){.before = b, .after = b->after, .offset = at, .bytes = b->offset + b->bytes - at};
    if (b->after)
        b->after->before = rest;
    b->after = rest;
    b->bytes = at - b->offset;
    return rest;
}

/* b gets what its neighbour behind it has, which is in no tree. */
static void heap_absorb(struct heap *h, struct heap_block *b)
{
    struct heap_block *gone = b->after;
    b->bytes += gone->bytes;
    b->after = gone->after;
    if (b->after)
        b->after->before = b;
    pool_put(&h->blocks, gone);
}

static bool heap_is_free(const struct heap_block *b)
{
    return b && b->asked == 0;
}

/* b, in no tree, is free space now. */
static void heap_give(struct heap *h, struct heap_block *b)
{
    b->asked = 0;
    if (heap_is_free(b->after)) {
        heap_tree_remove(&h->free, b->after);
        heap_absorb(h, b);
    }
    if (heap_is_free(b->before)) {
        b = b->before;
        heap_tree_remove(&h->free, b);
        heap_absorb(h, b);
    }
    heap_tree_add(&h->free, b);
}

/* Free space for a block. It may be that many are large enough but for their alignment: after some of them it takes one that
 * is large enough wherever it begins, and looks at the others only if there is none. */
static struct heap_block *heap_fit(struct heap *h, size_t space, size_t align)
{
    enum { LOOKS = 8 };
    struct heap_block *b = heap_tree_from(&h->free, space, 0), *sure;
    for (int looks = 1; b && heap_round(b->offset, align) + space > b->offset + b->bytes; looks++) {
        if (looks == LOOKS && (sure = heap_tree_from(&h->free, space + align - HEAP_GRANULE, 0)))
            return sure;
        b = heap_tree_from(&h->free, b->bytes, b->offset + 1);
    }
    return b;
}

/* A block at `offset` in b, which is free; what is in front and behind stays so. */
static void heap_carve(struct heap *h, struct heap_block *b, size_t offset, size_t asked)
{
    heap_tree_remove(&h->free, b);
    if (offset > b->offset) {
        struct heap_block *front = b;
        b = heap_split(h, b, offset);
        heap_tree_add(&h->free, front);
    }
    size_t space = heap_space(asked);
    if (space < b->bytes)
        heap_tree_add(&h->free, heap_split(h, b, offset + space));
    b->asked = asked;
    heap_tree_add(&h->used, b);
}

/* The block that has `offset`, or NULL. */
static struct heap_block *heap_find(struct heap *h, size_t offset)
{
    struct heap_block *b = h->used.root, *found = NULL;
    while (b) {
        if (b->offset <= offset)
            found = b;
        b = b->offset <= offset ? b->right : b->left;
    }
    return found && offset - found->offset < found->bytes ? found : NULL;
}

/* ---- what the calls use ---- */

bool heap_open(struct heap *h, size_t bytes)
{
    memset(h, 0, sizeof *h);
    lock_init(&h->lock, LOCK_HEAP_BLOCKS);
    pool_init(&h->blocks, sizeof(struct heap_block));
    h->free.by_bytes = true;
    h->bytes = bytes / HEAP_GRANULE * HEAP_GRANULE;
    if (h->bytes == 0)
        return true;
    struct heap_block *all = pool_get(&h->blocks);
    if (!all)
        return false;
    *all = (struct heap_block){.bytes = h->bytes};
    heap_tree_add(&h->free, all);
    return true;
}

void heap_close(struct heap *h)
{
    pool_end(&h->blocks);
}

bool heap_reserve(struct heap *h)
{
    lock_acquire(&h->lock);
    bool has = heap_has_spare(h);
    lock_release(&h->lock);
    return has;
}

size_t heap_take(struct heap *h, size_t bytes, size_t align)
{
    size_t offset = HEAP_NOWHERE, space = heap_space(bytes);
    if (bytes == 0 || bytes > h->bytes || align > HEAP_ALIGN_MOST)
        return offset;
    if (align < heap_align(space))
        align = heap_align(space);
    lock_acquire(&h->lock);
    struct heap_block *b = heap_has_spare(h) ? heap_fit(h, space, align) : NULL;
    if (b) {
        offset = heap_round(b->offset, align);
        heap_carve(h, b, offset, bytes);
    }
    lock_release(&h->lock);
    return offset;
}

void heap_release(struct heap *h, size_t offset)
{
    lock_acquire(&h->lock);
    struct heap_block *b = heap_find(h, offset);
    assert(b && b->offset == offset);
    heap_tree_remove(&h->used, b);
    heap_give(h, b);
    lock_release(&h->lock);
}

static bool heap_resize_held(struct heap *h, struct heap_block *b, size_t bytes)
{
    lock_assert_held(&h->lock);
    size_t space = heap_space(bytes), room = b->bytes + (heap_is_free(b->after) ? b->after->bytes : 0);
    if (space > room || b->offset % heap_align(space) != 0 || !heap_has_spare(h))
        return false;
    if (heap_is_free(b->after)) {
        heap_tree_remove(&h->free, b->after);
        heap_absorb(h, b);
    }
    if (space < b->bytes)
        heap_tree_add(&h->free, heap_split(h, b, b->offset + space));
    b->asked = bytes;
    return true;
}

bool heap_resize(struct heap *h, size_t offset, size_t bytes)
{
    if (bytes > h->bytes)
        return false;
    lock_acquire(&h->lock);
    struct heap_block *b = heap_find(h, offset);
    assert(b && b->offset == offset && bytes > 0);
    bool can = heap_resize_held(h, b, bytes);
    lock_release(&h->lock);
    return can;
}

struct heap_place heap_at(struct heap *h, size_t offset)
{
    lock_acquire(&h->lock);
    struct heap_block *b = heap_find(h, offset);
    struct heap_place p = {b ? b->offset : HEAP_NOWHERE, b ? b->asked : 0};
    lock_release(&h->lock);
    return p;
}

size_t heap_largest(struct heap *h)
{
    lock_acquire(&h->lock);
    struct heap_block *b = h->free.root;
    while (b && b->right)
        b = b->right;
    size_t bytes = b ? b->bytes : 0;
    lock_release(&h->lock);
    return bytes;
}
