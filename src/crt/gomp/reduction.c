/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Task reductions (reduction.h).
 *
 * GOMP_taskgroup_reduction_register comes after GOMP_taskgroup_start, _unregister after GOMP_taskgroup_end
 * or, with libgomp's arrays, after GOMP_parallel_reductions. GOMP_task_reduction_remap(count,
 * count_originals, pointers) comes first in a task with in_reduction: pointers[i] is an original or lies in
 * somebody's private copy of it, and becomes the same place in this task's copy; for i < count_originals
 * pointers[count + i] becomes the original. GOMP_workshare_task_reduction_unregister ends loop, sections
 * and scope with reduction(task, ...): all threads have merged, the memory goes, and it has a barrier.
 */
#include <stdlib.h>

#include "crt/gomp/gomp.h"
#include "crt/team/reduction.h"

/* What RED_FIRST of a registration of ours points at. libgomp's points at a table of its own. */
static const char ours;

static uintptr_t *gomp_reduction_next_of(const uintptr_t *d)
{
    return (uintptr_t *)d[RED_NEXT];
}

/* The next array of the same registration, or NULL. */
static uintptr_t *next_within(const uintptr_t *d)
{
    uintptr_t *next = gomp_reduction_next_of(d);
    return next && next[RED_FIRST] == 0 ? next : NULL;
}

void reduction_register(struct worker *w, uintptr_t *arrays)
{
    struct group *g = w->task->groups;
    for (uintptr_t *d = arrays; d; d = gomp_reduction_next_of(d)) {
        copies_make(d, load_relaxed(&w->team->n), false);
        d[RED_FIRST] = 0;
    }
    arrays[RED_FIRST] = (uintptr_t)&ours;
    g->reductions = arrays;
    g->own_copies = true;
}

void reduction_take_over(struct group *g, uintptr_t *arrays, unsigned threads)
{
    if (g->own_copies)
        return;
    for (uintptr_t *d = arrays; d; d = next_within(d))
        copies_make(d, threads, true);
    g->own_copies = true;
}

/* ---- Finding a variable ---- */

struct gomp_reduction_place {
    const struct group *group;
    uintptr_t *array;
    uintptr_t offset;   /* in a thread's bytes */
    uintptr_t original; /* 0: within a variable that does not begin there */
};

typedef bool matches_fn(const struct group *g, uintptr_t *d, uintptr_t p, struct gomp_reduction_place *found);

static bool find_original(const struct group *g, uintptr_t *d, uintptr_t p,
                          struct gomp_reduction_place *found)
{
    const uintptr_t *v = d + RED_VARIABLES;
    for (uintptr_t i = 0; i < d[RED_COUNT]; i++, v += 3)
        if (v[0] == p) {
            *found = (struct gomp_reduction_place){g, d, v[1], p};
            return true;
        }
    return false;
}

static bool find_copy(const struct group *g, uintptr_t *d, uintptr_t p, struct gomp_reduction_place *found)
{
    const uintptr_t *v = d + RED_VARIABLES;
    if (g->own_copies ? !copies_contain(d, p) : p < d[RED_MEMORY] || p >= d[RED_END])
        return false;
    *found = (struct gomp_reduction_place){g, d, (p - d[RED_MEMORY]) % d[RED_STRIDE], 0};
    for (uintptr_t i = 0; i < d[RED_COUNT]; i++, v += 3)
        if (v[1] == found->offset)
            found->original = v[0];
    return true;
}

/* From the innermost taskgroup outwards. */
static bool gomp_reduction_find(const struct worker *w, uintptr_t p, matches_fn *matches,
                                struct gomp_reduction_place *found)
{
    for (const struct group *g = w->task->groups; g; g = g->outer)
        for (uintptr_t *d = g->reductions; d; d = next_within(d))
            if (matches(g, d, p, found))
                return true;
    return false;
}

/* The copy of the running task. */
static char *gomp_reduction_copy_of(struct worker *w, const struct group *g, uintptr_t *d)
{
    if (!g->own_copies)
        return (char *)d[RED_MEMORY] + w->number * d[RED_STRIDE];
    return copies_get(w, d);
}

char *reduction_memory(struct worker *w, uintptr_t *d)
{
    return gomp_reduction_copy_of(w, w->task->group, d) - w->number * d[RED_STRIDE];
}

void reduction_remap(struct worker *w, size_t count, size_t count_originals, void **pointers)
{
    for (size_t i = 0; i < count; i++) {
        struct gomp_reduction_place at;
        uintptr_t p = (uintptr_t)pointers[i];
        if ((!gomp_reduction_find(w, p, find_original, &at) && !gomp_reduction_find(w, p, find_copy, &at)) ||
            (i < count_originals && at.original == 0)) {
            log_error("in_reduction: %p is no variable of a task_reduction or of a reduction(task, ...)",
                      pointers[i]);
            abort();
        }
        pointers[i] = gomp_reduction_copy_of(w, at.group, at.array) + at.offset;
        if (i < count_originals)
            pointers[count + i] = (void *)at.original;
    }
}

/* ---- Beginning and end ---- */

void GOMP_taskgroup_reduction_unregister(uintptr_t *data)
{
    if (data[RED_FIRST] == (uintptr_t)&ours) {
        for (uintptr_t *d = data; d; d = gomp_reduction_next_of(d))
            copies_free(d);
        return;
    }
    if (copies_are_taken(data))
        for (uintptr_t *d = data; d; d = next_within(d))
            copies_free(d);
    real_function()->GOMP_taskgroup_reduction_unregister(data);
}

void reduction_begin_share(uintptr_t *reductions)
{
    struct worker *w = reductions ? worker_get() : NULL;
    if (!w)
        return;
    struct group *g = task_group_begin(w);
    g->reductions = reductions;
    g->workshare = true;
}

void reduction_end_share(struct worker *w, bool cancelled)
{
    task_group_end(w);
    /* As if cancelled it does all but the barrier. */
    real_function()->GOMP_workshare_task_reduction_unregister(true);
    if (!cancelled)
        team_barrier(w);
}

/* How many copies there are of a region's, ours. */
static unsigned reduction_copies(const uintptr_t *arrays)
{
    unsigned most = 0;
    for (const uintptr_t *d = arrays; d; d = next_within(d))
        if (copies_count(d) > most)
            most = copies_count(d);
    return most;
}

/* libgomp looks at its argument itself: *data is the array of the reductions, and so is the first word of a region. */
unsigned GOMP_parallel_reductions(void (*fn)(void *), void *data, unsigned num_threads, unsigned flags)
{
    if (!region_wanted())
        return real_function()->GOMP_parallel_reductions(fn, data, num_threads, flags);
    struct region r;
    region_open(&r, fn, data, *(uintptr_t **)data);
    unsigned n = real_function()->GOMP_parallel_reductions(region_body, &r, num_threads, flags);
    region_close(&r);
    if (!r.group.own_copies)
        return n;
    copies_take(r.reductions);
    return reduction_copies(r.reductions); /* only the merge wants to know */
}
