/* SPDX-License-Identifier: BSD-3-Clause */
#include "comm/roster.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"

_Static_assert(sizeof(struct run) == 24 && sizeof(struct roster) + sizeof(struct run) == 40, "docs/memory.md");

/* How many members, from position i on, are regularly spaced; a member alone has stride 1. */
static int run_length(const struct identity members[], int n, int i, int *stride)
{
    int end = i + 1;
    *stride = 1;
    if (end == n || members[end].birth != members[i].birth || members[end].rank == members[i].rank)
        return 1;
    *stride = members[end].rank - members[i].rank;
    while (end < n && members[end].birth == members[i].birth &&
           members[end].rank - members[end - 1].rank == *stride)
        end++;
    return end - i;
}

static struct roster *roster_new(int size, int nruns)
{
    struct roster *r = malloc(sizeof *r + (size_t)nruns * sizeof r->run[0]);
    if (!r)
        return NULL;
    store_relaxed(&r->refs, 1);
    r->size = size;
    r->nruns = nruns;
    return r;
}

/* Greedy, so that equal lists get equal runs. */
struct roster *roster_make(const struct identity members[], int n)
{
    int nruns = 0, stride;
    for (int i = 0; i < n; i += run_length(members, n, i, &stride))
        nruns++;
    struct roster *r = roster_new(n, nruns);
    if (!r)
        return NULL;
    for (int i = 0, k = 0; k < nruns; k++) {
        int count = run_length(members, n, i, &stride);
        r->run[k] = (struct run){members[i].birth, members[i].rank, stride, count, i};
        i += count;
    }
    return r;
}

struct roster *roster_of(const void *records, size_t stride, int n)
{
    struct identity *who = malloc((size_t)n * sizeof *who);
    struct roster *r = NULL;
    for (int i = 0; who && i < n; i++)
        memcpy(&who[i], (const char *)records + (size_t)i * stride, sizeof *who);
    if (who)
        r = roster_make(who, n);
    free(who);
    return r;
}

struct roster *roster_range(uint64_t birth, int first, int count)
{
    struct roster *r = roster_new(count, count > 0);
    if (r && count > 0)
        r->run[0] = (struct run){birth, first, 1, count, 0};
    return r;
}

struct roster *roster_hold(struct roster *r)
{
    assert(load_relaxed(&r->refs) > 0);
    add_relaxed(&r->refs, 1);
    return r;
}

void roster_drop(struct roster *r)
{
    assert(!r || load_relaxed(&r->refs) > 0);
    if (r && sub_acq_rel(&r->refs, 1) == 1)
        free(r);
}

struct identity roster_at(const struct roster *r, int i)
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
    return (struct identity){run->birth, run->first + (i - run->at) * run->stride};
}

int roster_find(const struct roster *r, struct identity who)
{
    for (const struct run *run = r->run; run < r->run + r->nruns; run++) {
        int steps = (who.rank - run->first) / run->stride;
        if (run->birth == who.birth && (unsigned)steps < (unsigned)run->count &&
            run->first + steps * run->stride == who.rank)
            return run->at + steps;
    }
    return -1;
}

/* A member and its position, to be sorted by member. */
struct entry {
    uint64_t birth;
    int rank, at;
};

static int compare_entries(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;
    if (x->birth != y->birth)
        return x->birth < y->birth ? -1 : 1;
    return (x->rank > y->rank) - (x->rank < y->rank);
}

static struct entry *sorted_entries(const struct roster *r)
{
    struct entry *entries = malloc((size_t)r->size * sizeof *entries), *e = entries;
    if (!entries)
        return NULL;
    for (const struct run *run = r->run; run < r->run + r->nruns; run++)
        for (int i = 0; i < run->count; i++)
            *e++ = (struct entry){run->birth, run->first + i * run->stride, run->at + i};
    qsort(entries, (size_t)r->size, sizeof *entries, compare_entries);
    return entries;
}

/* With few runs or few questions, looking through the runs is quicker than sorting. Without memory it is what remains. */
enum { FEW = 8 };

void roster_locate(const struct roster *of, const struct roster *in, int at[])
{
    struct entry *entries = in->nruns <= FEW || of->size <= FEW ? NULL : sorted_entries(in);
    bool direct = !entries;
    for (const struct run *run = of->run; run < of->run + of->nruns; run++)
        for (int i = 0; i < run->count; i++) {
            struct entry who = {run->birth, run->first + i * run->stride, -1};
            const struct entry *found = &who;
            if (direct)
                who.at = roster_find(in, (struct identity){who.birth, who.rank});
            else
                found = bsearch(&who, entries, (size_t)in->size, sizeof *entries, compare_entries);
            *at++ = found ? found->at : -1;
        }
    free(entries);
}
