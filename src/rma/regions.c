/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Regions: two sorted arrays, searched by halves. Ranges with something in them are disjoint, so at most one can hold an
 * address: the last that begins at it or before. Empty ranges can be anywhere, several at one address and in the
 * midst of others, and serve for nothing but to be detached again; so they are kept apart.
 */
#include "rma/regions.h"

#include <mpi.h>
#include <stdlib.h>
#include <string.h>

void regions_init(struct regions *r)
{
    memset(r, 0, sizeof *r);
    lock_init(&r->lock, LOCK_REGIONS);
}

/* The first range that begins at `at` or later; n: none. */
static size_t regions_find(const struct ranges *s, uintptr_t at)
{
    size_t low = 0, high = s->n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (s->range[middle].begin < at)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool regions_make_room(struct ranges *s)
{
    if (s->n < s->room)
        return true;
    size_t room = s->room ? 2 * s->room : 8;
    struct range *range = malloc(room * sizeof *range);
    if (!range)
        return false;
    if (s->n > 0)
        memcpy(range, s->range, s->n * sizeof *range);
    free(s->range);
    s->range = range;
    s->room = room;
    return true;
}

static bool regions_insert(struct ranges *s, size_t i, struct range r)
{
    if (!regions_make_room(s))
        return false;
    memmove(s->range + i + 1, s->range + i, (s->n - i) * sizeof *s->range);
    s->range[i] = r;
    s->n++;
    return true;
}

/* Remove the range that begins at `at`. */
static bool take_out(struct ranges *s, uintptr_t at)
{
    size_t i = regions_find(s, at);
    if (i == s->n || s->range[i].begin != at)
        return false;
    s->n--;
    memmove(s->range + i, s->range + i + 1, (s->n - i) * sizeof *s->range);
    return true;
}

int regions_attach(struct regions *r, const void *base, size_t bytes)
{
    struct range new = {(uintptr_t)base, (uintptr_t)base + bytes};
    if (new.end < new.begin)
        return MPI_ERR_RMA_ATTACH; /* no such memory */
    lock_acquire(&r->lock);
    struct ranges *s = bytes > 0 ? &r->full : &r->empty;
    size_t i = regions_find(s, new.begin);
    bool overlaps = bytes > 0 &&
                    ((i > 0 && s->range[i - 1].end > new.begin) || (i < s->n && s->range[i].begin < new.end));
    int rc = overlaps ? MPI_ERR_RMA_ATTACH : regions_insert(s, i, new) ? MPI_SUCCESS : MPI_ERR_NO_MEM;
    lock_release(&r->lock);
    return rc;
}

/* An empty range goes first: what is attached at the same address may still be in use. */
bool regions_detach(struct regions *r, const void *base)
{
    lock_acquire(&r->lock);
    bool found = take_out(&r->empty, (uintptr_t)base) || take_out(&r->full, (uintptr_t)base);
    lock_release(&r->lock);
    return found;
}

/* Go from region to region as long as one begins where the last one ends. */
static bool regions_covers(const struct ranges *s, uintptr_t at, uintptr_t end)
{
    size_t i = regions_find(s, at);
    if (i == s->n || s->range[i].begin != at) {
        if (i == 0)
            return false;
        i--;
    }
    for (; i < s->n && s->range[i].begin <= at && at < s->range[i].end; i++) {
        at = s->range[i].end;
        if (at >= end)
            return true;
    }
    return false;
}

bool regions_have(struct regions *r, const void *at, size_t bytes)
{
    uintptr_t begin = (uintptr_t)at, end = begin + bytes;
    if (bytes == 0)
        return true;
    if (end < begin)
        return false;
    lock_acquire(&r->lock);
    bool have = regions_covers(&r->full, begin, end);
    lock_release(&r->lock);
    return have;
}

void regions_free(struct regions *r)
{
    free(r->full.range);
    free(r->empty.range);
    r->full = r->empty = (struct ranges){.range = NULL};
}
