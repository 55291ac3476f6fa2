/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/arrived.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/atomics.h"
#include "base/lock.h"

_Static_assert(RESERVE_UNIT *RESERVE_UNITS == 1 << 20, "docs/out_of_memory.md");

/* A part of the reserve; they are never given back. */
struct reserve_arena {
    struct reserve_arena *next;  /* under the lock */
    uint16_t run[RESERVE_UNITS]; /* length of the run that begins there, 0: none does. Under the lock */
    _Alignas(CACHE_LINE) char unit[RESERVE_UNITS][RESERVE_UNIT];
};

static struct reserve_arena first;
static struct lock lock = LOCK_FREE(RESERVE);
static struct reserve_arena *arenas = &first; /* under the lock; newest first */
static int left = RESERVE_UNITS;              /* units; under the lock */
static _Atomic bool
    renewed; /* there are more than the first; before anything of them is given out; relaxed */

/* First fit: runs are short, and this is not where time counts. */
static void *take_from(struct reserve_arena *a, int units)
{
    lock_assert_held(&lock);
    for (int i = 0, gap = 0; i < RESERVE_UNITS;) {
        gap = a->run[i] ? 0 : gap + 1;
        i += a->run[i] ? a->run[i] : 1;
        if (gap < units)
            continue;
        a->run[i - gap] = (uint16_t)units;
        return a->unit[i - gap];
    }
    return NULL;
}

/* At least `spare` units stay. */
static void *reserve_do_take(size_t bytes, int spare)
{
    int units = bytes > 0 ? (int)((bytes + RESERVE_UNIT - 1) / RESERVE_UNIT) : 1;
    void *p = NULL;
    if (bytes > RESERVE_MOST)
        return NULL;
    lock_acquire(&lock);
    for (struct reserve_arena *a = arenas; a && !p && left - units >= spare; a = a->next)
        p = take_from(a, units);
    left -= p ? units : 0;
    lock_release(&lock);
    return p;
}

void *reserve_take(size_t bytes)
{
    return reserve_do_take(bytes, RESERVE_LAST);
}

void *reserve_take_last(size_t bytes)
{
    return reserve_do_take(bytes, 0);
}

void *reserve_malloc(size_t bytes)
{
    void *p = malloc(bytes);
    return likely(p) ? p : reserve_take(bytes);
}

void *reserve_calloc(size_t bytes)
{
    void *p = calloc(1, bytes);
    if (likely(p) || !(p = reserve_take(bytes)))
        return p;
    return memset(p, 0, bytes);
}

/* The arena that p is in, or NULL. */
static struct reserve_arena *arena_of(const void *p)
{
    struct reserve_arena *a = arenas;
    while (a && (uintptr_t)p - (uintptr_t)a->unit >= sizeof a->unit)
        a = a->next;
    return a;
}

void reserve_free(void *p)
{
    /* most of the time there is but the first, and what p is can be told without the lock */
    if (likely((uintptr_t)p - (uintptr_t)first.unit >= sizeof first.unit) &&
        likely(!load_relaxed(&renewed))) {
        free(p);
        return;
    }
    lock_acquire(&lock);
    struct reserve_arena *a = arena_of(p);
    if (a) {
        size_t at = (size_t)((char *)p - a->unit[0]) / RESERVE_UNIT;
        left += a->run[at];
        a->run[at] = 0;
    }
    lock_release(&lock);
    if (!a)
        free(p);
}

void reserve_renew(void)
{
    lock_acquire(&lock);
    bool low = left < RESERVE_UNITS / 2;
    lock_release(&lock);
    struct reserve_arena *more = low ? aligned_alloc(CACHE_LINE, sizeof *more) : NULL;
    if (!more)
        return;
    memset(more->run, 0, sizeof more->run);
    store_relaxed(&renewed, true);
    lock_acquire(&lock);
    more->next = arenas;
    arenas = more;
    left += RESERVE_UNITS;
    lock_release(&lock);
}
