/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Task reductions (reduction.h).
 *
 * GOMP_taskgroup_reduction_register comes after GOMP_taskgroup_start, _unregister after GOMP_taskgroup_end
 * or, with libgomp's arrays, after GOMP_parallel_reductions. GOMP_task_reduction_remap(count,
 * count_originals, pointers) comes first in a task with in_reduction: pointers[i] is an original or lies in
 * somebody's private copy of it, and becomes the same place in this thread's copy; for i < count_originals
 * pointers[count + i] becomes the original. GOMP_workshare_task_reduction_unregister ends loop, sections
 * and scope with reduction(task, ...): all threads have merged, the memory goes, and it has a barrier.
 */
#include <stdlib.h>
#include <string.h>

#include "crt/real.h"
#include "crt/reduction.h"
#include "crt/team.h"

/* What RED_FIRST of a registration of ours points at. libgomp's points at a table of its own. */
static const char ours;

static uintptr_t *next_of(const uintptr_t *d)
{
    return (uintptr_t *)d[RED_NEXT];
}

/* The next array of the same registration, or NULL. */
static uintptr_t *next_within(const uintptr_t *d)
{
    uintptr_t *next = next_of(d);
    return next && next[RED_FIRST] == 0 ? next : NULL;
}

static void allocate(uintptr_t *d, unsigned threads)
{
    size_t align = d[RED_MEMORY] < sizeof(void *) ? sizeof(void *) : d[RED_MEMORY];
    size_t bytes = d[RED_STRIDE] * threads;
    char *memory = aligned_alloc(align, (bytes + align - 1) / align * align);
    if (!memory)
        abort(); /* OpenMP has no way to say so */
    memset(memory, 0, bytes);
    d[RED_MEMORY] = (uintptr_t)memory;
    d[RED_END] = d[RED_MEMORY] + bytes;
}

void reduction_register(struct worker *w, uintptr_t *arrays)
{
    struct group *g = w->task->groups;
    for (uintptr_t *d = arrays;; d = next_of(d)) {
        allocate(d, load_relaxed(&w->team->n));
        d[RED_FIRST] = 0;
        if (!next_of(d))
            break;
    }
    arrays[RED_FIRST] = (uintptr_t)&ours;
    g->reductions = arrays;
}

void reduction_group(struct worker *w, uintptr_t *arrays)
{
    task_group_begin(w)->reductions = arrays;
}

/* ---- Finding a variable ---- */

struct place {
    const uintptr_t *array;
    uintptr_t offset;   /* in a thread's bytes */
    uintptr_t original; /* 0: within a variable that does not begin there */
};

static bool find_original(const uintptr_t *d, uintptr_t p, struct place *found)
{
    const uintptr_t *v = d + RED_VARIABLES;
    for (uintptr_t i = 0; i < d[RED_COUNT]; i++, v += 3)
        if (v[0] == p) {
            *found = (struct place){d, v[1], p};
            return true;
        }
    return false;
}

static bool find_copy(const uintptr_t *d, uintptr_t p, struct place *found)
{
    const uintptr_t *v = d + RED_VARIABLES;
    if (p < d[RED_MEMORY] || p >= d[RED_END])
        return false;
    *found = (struct place){d, (p - d[RED_MEMORY]) % d[RED_STRIDE], 0};
    for (uintptr_t i = 0; i < d[RED_COUNT]; i++, v += 3)
        if (v[1] == found->offset)
            found->original = v[0];
    return true;
}

/* From the innermost taskgroup outwards. */
static bool find(const struct worker *w, uintptr_t p,
                 bool (*matches)(const uintptr_t *d, uintptr_t p, struct place *found), struct place *found)
{
    for (const struct group *g = w->task->groups; g; g = g->outer)
        for (const uintptr_t *d = g->reductions; d; d = next_within(d))
            if (matches(d, p, found))
                return true;
    return false;
}

void GOMP_task_reduction_remap(size_t count, size_t count_originals, void **pointers)
{
    struct worker *w = worker_here();
    if (!w) {
        real()->GOMP_task_reduction_remap(count, count_originals, pointers);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        struct place at;
        uintptr_t p = (uintptr_t)pointers[i];
        if ((!find(w, p, find_original, &at) && !find(w, p, find_copy, &at)) ||
            (i < count_originals && at.original == 0)) {
            log_error("in_reduction: %p is no variable of a task_reduction or of a reduction(task, ...)",
                      pointers[i]);
            abort();
        }
        pointers[i] = (char *)at.array[RED_MEMORY] + w->number * at.array[RED_STRIDE] + at.offset;
        if (i < count_originals)
            pointers[count + i] = (void *)at.original;
    }
}

/* ---- Beginning and end ---- */

void GOMP_taskgroup_reduction_register(uintptr_t *data)
{
    struct worker *w = worker_here();
    if (w)
        reduction_register(w, data);
    else
        real()->GOMP_taskgroup_reduction_register(data);
}

void GOMP_taskgroup_reduction_unregister(uintptr_t *data)
{
    if (data[RED_FIRST] != (uintptr_t)&ours) {
        real()->GOMP_taskgroup_reduction_unregister(data);
        return;
    }
    for (uintptr_t *d = data; d; d = next_of(d))
        free((void *)d[RED_MEMORY]);
}

void GOMP_workshare_task_reduction_unregister(bool cancelled)
{
    struct worker *w = worker_here();
    if (!w) {
        real()->GOMP_workshare_task_reduction_unregister(cancelled);
        return;
    }
    task_group_end(w);
    /* As if cancelled it does all but the barrier. */
    real()->GOMP_workshare_task_reduction_unregister(true);
    team_barrier(w);
}
