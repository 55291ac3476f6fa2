/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/arrived.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/chaos.h"

enum { CHUNK_BYTES = 8192, CHUNK_MIN_ITEMS = 4 };

void pool_init(struct pool *p, size_t item_size)
{
    memset(p, 0, sizeof *p);
    p->item_size = (item_size + CACHE_LINE - 1) / CACHE_LINE * CACHE_LINE;
}

/* The first line of a chunk; the items follow. */
struct pool_chunk {
    struct pool_chunk *next;
    size_t n;
    _Alignas(CACHE_LINE) char items[];
};

static size_t items_of_chunk(const struct pool *p)
{
    size_t n = CHUNK_BYTES / p->item_size;
    return n < CHUNK_MIN_ITEMS ? CHUNK_MIN_ITEMS : n;
}

/* Put n items into use. chunk may be NULL. */
static bool pool_add(struct pool *p, struct pool_chunk *chunk, size_t n)
{
    assert(p->item_size > 0);
    if (!chunk || n == 0)
        return false;
    memset(chunk, 0, sizeof *chunk + n * p->item_size);
    chunk->n = n;
    chunk->next = p->chunks;
    p->chunks = chunk;
    while (n-- > 0)
        pool_put(p, chunk->items + n * p->item_size);
    return true;
}

static bool pool_grow(struct pool *p)
{
    size_t n = items_of_chunk(p);
    return pool_add(p, aligned_alloc(CACHE_LINE, sizeof(struct pool_chunk) + n * p->item_size), n);
}

void *pool_get_slow(struct pool *p)
{
    assert(p->item_size > 0);
    p->free = swap_acquire(&p->remote, NULL);
    if (!p->free && !pool_grow(p))
        return NULL;
    return pool_get(p);
}

void *pool_get_reserve(struct pool *p)
{
    void *item = pool_get(p);
    return item || !pool_add(p, reserve_take(sizeof(struct pool_chunk) + p->item_size), 1) ? item
                                                                                           : pool_get(p);
}

void *pool_get_last(struct pool *p)
{
    void *item = pool_get(p);
    return item || !pool_add(p, reserve_take_last(sizeof(struct pool_chunk) + p->item_size), 1) ? item
                                                                                                : pool_get(p);
}

void pool_give(struct pool *p, void *memory, size_t bytes)
{
    pool_add(p, memory, (bytes - sizeof(struct pool_chunk)) / p->item_size);
}

void *pool_get_given(struct pool *p)
{
    if (!p->free)
        p->free = swap_acquire(&p->remote, NULL);
    return p->free ? pool_get(p) : NULL;
}

void pool_put_remote(struct pool *p, void *item)
{
    assert(pool_may_hold(item));
    struct pool_item *i = item;
    chaos_point();
    i->next = load_relaxed(&p->remote);
    while (!atomic_compare_exchange_weak_explicit(&p->remote, &i->next, i, memory_order_release,
                                                  memory_order_relaxed))
        continue;
}

void pool_end(struct pool *p)
{
    for (struct pool_chunk *c = p->chunks, *next; c; c = next) {
        next = c->next;
        free(c);
    }
    pool_init(p, p->item_size);
}

bool pool_any(struct pool *p, bool (*is)(const void *item, const void *arg), const void *arg)
{
    for (struct pool_chunk *c = p->chunks; c; c = c->next)
        for (size_t i = 0; i < c->n; i++)
            if (is(c->items + i * p->item_size, arg))
                return true;
    return false;
}

void pool_each(struct pool *p, void (*run)(void *item))
{
    for (struct pool_chunk *c = p->chunks; c; c = c->next)
        for (size_t i = 0; i < c->n; i++)
            run(c->items + i * p->item_size);
}
