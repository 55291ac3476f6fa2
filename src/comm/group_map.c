/* SPDX-License-Identifier: BSD-3-Clause */
#include "comm/group_map.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"

_Static_assert(sizeof(struct run) == 24 && sizeof(struct group_map) + sizeof(struct run) == 40,
               "docs/memory.md");

/* How many members, from position i on, are regularly spaced; a member alone has stride 1. */
static int run_length(const struct identity members[], int n, int i, int *stride)
{
    int end = i + 1;
    *stride = 1;
    if (end == n || members[end].origin != members[i].origin || members[end].rank == members[i].rank)
        return 1;
    *stride = members[end].rank - members[i].rank;
    while (end < n && members[end].origin == members[i].origin &&
           members[end].rank - members[end - 1].rank == *stride)
        end++;
    return end - i;
}

static struct group_map *group_map_new(int size, int nruns)
{
    struct group_map *r = malloc(sizeof *r + (size_t)nruns * sizeof r->run[0]);
    if (!r)
        return NULL;
    store_relaxed(&r->refs, 1);
    r->size = size;
    r->nruns = nruns;
    return r;
}

/* Greedy, so that equal lists get equal runs. */
struct group_map *group_map_make(const struct identity members[], int n)
{
    int nruns = 0, stride;
    for (int i = 0; i < n; i += run_length(members, n, i, &stride))
        nruns++;
    struct group_map *r = group_map_new(n, nruns);
    if (!r)
        return NULL;
    for (int i = 0, k = 0; k < nruns; k++) {
        int count = run_length(members, n, i, &stride);
        r->run[k] = (struct run){members[i].origin, members[i].rank, stride, count, i};
        i += count;
    }
    return r;
}

struct group_map *group_map_from(const void *records, size_t stride, int n)
{
    struct identity *who = malloc((size_t)n * sizeof *who);
    struct group_map *r = NULL;
    for (int i = 0; who && i < n; i++)
        memcpy(&who[i], (const char *)records + (size_t)i * stride, sizeof *who);
    if (who)
        r = group_map_make(who, n);
    free(who);
    return r;
}

struct group_map *group_map_range(uint64_t origin, int first, int count)
{
    struct group_map *r = group_map_new(count, count > 0);
    if (r && count > 0)
        r->run[0] = (struct run){origin, first, 1, count, 0};
    return r;
}

struct group_map *group_map_hold(struct group_map *r)
{
    assert(load_relaxed(&r->refs) > 0);
    add_relaxed(&r->refs, 1);
    return r;
}

void group_map_drop(struct group_map *r)
{
    assert(!r || load_relaxed(&r->refs) > 0);
    if (r && sub_acq_rel(&r->refs, 1) == 1)
        free(r);
}

struct identity group_map_at(const struct group_map *r, int i)
{
    assert((unsigned)i < (unsigned)r->size);
    int low = 0, high = r->nruns; /* run[low].at <= i < run[high].at */
    while (high - low > 1) {
        int mid = low + (high - low) / 2;
        if (r->run[mid].at <= i)
            low = mid;
        else
            high = mid;
    }
    const struct run *run = &r->run[low];
    return (struct identity){run->origin, run->first + (i - run->at) * run->stride};
}

int group_map_find(const struct group_map *r, struct identity who)
{
    for (const struct run *run = r->run; run < r->run + r->nruns; run++) {
        int steps = (who.rank - run->first) / run->stride;
        if (run->origin == who.origin && (unsigned)steps < (unsigned)run->count &&
            run->first + steps * run->stride == who.rank)
            return run->at + steps;
    }
    return -1;
}

/* A member and its position, to be sorted by member. */
struct group_map_entry {
    uint64_t origin;
    int rank, at;
};

static int compare_entries(const void *a, const void *b)
{
    const struct group_map_entry *x = a, *y = b;
    if (x->origin != y->origin)
        return x->origin < y->origin ? -1 : 1;
    return (x->rank > y->rank) - (x->rank < y->rank);
}

static struct group_map_entry *sorted_entries(const struct group_map *r)
{
    struct group_map_entry *entries = malloc((size_t)r->size * sizeof *entries), *e = entries;
    if (!entries)
        return NULL;
    for (const struct run *run = r->run; run < r->run + r->nruns; run++)
        for (int i = 0; i < run->count; i++)
            *e++ = (struct group_map_entry){run->origin, run->first + i * run->stride, run->at + i};
    qsort(entries, (size_t)r->size, sizeof *entries, compare_entries);
    return entries;
}

/* With few runs or few questions, looking through the runs is quicker than sorting. Without memory it is what remains. */
enum { GROUP_MAP_FEW = 8 };

void group_map_locate(const struct group_map *of, const struct group_map *in, int at[])
{
    struct group_map_entry *entries =
        in->nruns <= GROUP_MAP_FEW || of->size <= GROUP_MAP_FEW ? NULL : sorted_entries(in);
    bool direct = !entries;
    for (const struct run *run = of->run; run < of->run + of->nruns; run++)
        for (int i = 0; i < run->count; i++) {
            struct group_map_entry who = {run->origin, run->first + i * run->stride, -1};
            const struct group_map_entry *found = &who;
            if (direct)
                who.at = group_map_find(in, (struct identity){who.origin, who.rank});
            else
                found = bsearch(&who, entries, (size_t)in->size, sizeof *entries, compare_entries);
            *at++ = found ? found->at : -1;
        }
    free(entries);
}
