/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Pools of equal objects. Memory is type-stable: it is not given back (but by pool_end), so that a stale handle, or the
 * last look of a thread that signalled an object's owner, still reads an object of that type.
 *
 * get and put are for one thread at a time (the caller holds the lock of whatever owns the pool);
 * pool_put_remote is for any thread and lock-free. It pairs (release) with the swap (acquire) by which get
 * takes all returned objects at once, so there is no ABA.
 *
 * Objects begin with a struct pool_item, which is the pool's while the object is free.
 */
#ifndef EP_BASE_POOL_H
#define EP_BASE_POOL_H

#include <assert.h>

#include "base/atomics.h"

enum { POOL_LOWEST = 4096 }; /* nothing is mapped below */

struct pool_item {
    struct pool_item *next;
};

struct pool {
    struct pool_item *free; /* holder of the owner's lock */
    size_t item_size;       /* constant */
    void *chunks;           /* all memory, linked, so that leak checkers see it */
    _Atomic(struct pool_item *)
        remote; /* any thread; release pool_put_remote, acquire pool_get_slow and pool_get_given */
};

void pool_init(struct pool *p, size_t item_size);
/* Out of line: takes back what others returned, else allocates a chunk; NULL without memory. */
void *pool_get_slow(struct pool *p);
/* The same, but without memory from the reserve (reserve.h), of which the pool keeps what it took. NULL: that is used up, too. */
void *pool_get_reserve(struct pool *p);
/* Objects in memory of the caller's, at a cache line, which the pool keeps; a line of it is the pool's own. */
void pool_give(struct pool *p, void *memory, size_t bytes);
/* One of those that there are; NULL: none is free. */
void *pool_get_given(struct pool *p);
void pool_put_remote(struct pool *p, void *item);
/* Gives the memory back. Nobody looks at the objects any more, and none of them came from the reserve or from pool_give. */
void pool_end(struct pool *p);

/* Is `is` true of any object, in use or free? The owner's lock is held. */
bool pool_any(struct pool *p, bool (*is)(const void *item, const void *arg), const void *arg);

/* Call `run` for each object, in use or free. The owner's lock is held. */
void pool_each(struct pool *p, void (*run)(void *item));

/* May an object be there? Handles are addresses of objects, and programs pass other things in their place: constants, small
 * numbers, addresses of their own data, most of which are aligned otherwise. What may be one can be looked at, unless
 * it comes from nowhere; then the object's magic, the first word behind the item in each kind, says whether it is one. */
#define pool_may_hold(handle)                                                                                \
    (((uintptr_t)(handle) & (CACHE_LINE - 1)) == 0 && (uintptr_t)(handle) >= POOL_LOWEST)

/* Is an object there whose magic is that? */
static inline bool pool_holds(const void *handle, uint32_t magic)
{
    const void *word = (const char *)handle + sizeof(struct pool_item);
    return likely(pool_may_hold(handle)) && load_relaxed((const _Atomic uint32_t *)word) == magic;
}

/* An object, zeroed when its memory is new. */
static inline void *pool_get(struct pool *p)
{
    struct pool_item *i = p->free;
    if (unlikely(!i))
        return pool_get_slow(p);
    p->free = i->next;
    return i;
}

static inline void pool_put(struct pool *p, void *item)
{
    assert(item != p->free && pool_may_hold(item));
    struct pool_item *i = item;
    i->next = p->free;
    p->free = i;
}

#endif
