/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/pool.h"

#include <stdlib.h>
#include <string.h>

#include "base/chaos.h"

enum { CHUNK_BYTES = 16384, CHUNK_MIN_ITEMS = 4 };

void pool_init(struct pool *p, size_t item_size)
{
    memset(p, 0, sizeof *p);
    p->item_size = (item_size + CACHE_LINE - 1) / CACHE_LINE * CACHE_LINE;
}

static size_t items_of_chunk(const struct pool *p)
{
    size_t n = CHUNK_BYTES / p->item_size;
    return n < CHUNK_MIN_ITEMS ? CHUNK_MIN_ITEMS : n;
}

/* A chunk is one line for the link to the next chunk, then the items. */
static bool pool_grow(struct pool *p)
{
    size_t n = items_of_chunk(p);
    size_t bytes = CACHE_LINE + n * p->item_size;
    char *chunk = aligned_alloc(CACHE_LINE, bytes);
    if (!chunk)
        return false;
    memset(chunk, 0, bytes);
    *(void **)(void *)chunk = p->chunks;
    p->chunks = chunk;
    while (n-- > 0)
        pool_put(p, chunk + CACHE_LINE + n * p->item_size);
    return true;
}

void *pool_get_slow(struct pool *p)
{
    p->free = swap_acquire(&p->remote, NULL);
    if (!p->free && !pool_grow(p))
        return NULL;
    return pool_get(p);
}

void pool_put_remote(struct pool *p, void *item)
{
    struct pool_item *i = item;
    chaos_point();
    i->next = load_relaxed(&p->remote);
    while (!atomic_compare_exchange_weak_explicit(&p->remote, &i->next, i, memory_order_release,
                                                  memory_order_relaxed))
        continue;
}

bool pool_any(struct pool *p, bool (*is)(const void *item, const void *arg), const void *arg)
{
    for (char *chunk = p->chunks; chunk; chunk = *(void **)(void *)chunk)
        for (size_t i = 0; i < items_of_chunk(p); i++)
            if (is(chunk + CACHE_LINE + i * p->item_size, arg))
                return true;
    return false;
}
