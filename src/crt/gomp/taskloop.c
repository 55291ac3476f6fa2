/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * taskloop: the iterations are cut into chunks, one task each.
 *
 * The first two words (of the loop's type) of a task's argument block are the beginning and end of its
 * chunk; the copy function leaves them out. num_tasks is that clause, or with TASK_GRAINSIZE the grain
 * size, or 0. Unless TASK_NOGROUP the tasks are a taskgroup; with TASK_REDUCTION the third word points to
 * the arrays that are to be registered with it (reduction.h); the compiler unregisters them, or not if it
 * finds the memory to be 0, for an empty loop. The loop variable goes up by step, or down if it is
 * negative; without a sign TASK_UP says which.
 */
#include <stdlib.h>
#include <string.h>

#include "crt/gomp/gomp.h"

enum { FEW_VARIABLES = 8 };

/* How n iterations are dealt to tasks. */
struct deal {
    ull tasks, each;
    ull more; /* the first so many tasks get one more; or with fewer, the last gets less: */
    ull last; /* if not 0, what the last task gets */
};

struct gomp_taskloop_chunk {
    const struct spawn *proto;
    bool wide;
    ull start, end;
};

static uintptr_t **reductions_of(const struct taskloop *l, void *data)
{
    return (uintptr_t **)((char *)data + 2 * (l->wide ? sizeof(ull) : sizeof(long)));
}

/* A chunk with reductions finds the arrays in its block, and its copy by the number of its thread: it gets arrays of its own,
 * where that is the one for this task alone. They are copied while it runs. */
static void run_chunk(void *data)
{
    struct worker *w = worker_here();
    const struct group *g = w->task->group;
    uintptr_t **arrays = (uintptr_t **)((char *)data + g->arrays_at), *d = *arrays;
    size_t bytes = (RED_VARIABLES + 3 * d[RED_COUNT]) * sizeof *d;
    uintptr_t few[RED_VARIABLES + 3 * FEW_VARIABLES], *own = bytes <= sizeof few ? few : malloc(bytes);
    if (!own)
        log_no_memory("the reductions of a taskloop");
    memcpy(own, d, bytes);
    own[RED_MEMORY] = (uintptr_t)reduction_memory(w, d);
    *arrays = own;
    g->chunk(data);
    if (own != few)
        free(own);
}

static void begin_reduction(struct worker *w, const struct spawn *proto, const struct taskloop *l)
{
    struct group *g = w->task->groups;
    uintptr_t **arrays = reductions_of(l, proto->data);
    g->chunk = proto->fn;
    g->arrays_at = (size_t)((char *)arrays - (char *)proto->data);
    reduction_register(w, *arrays);
}

static struct deal deal_evenly(ull n, ull tasks)
{
    return (struct deal){.tasks = tasks, .each = n / tasks, .more = n % tasks};
}

static struct deal gomp_taskloop_deal(ull n, unsigned flags, ull num_tasks, unsigned threads)
{
    if (!(flags & TASK_GRAINSIZE)) {
        if (num_tasks == 0)
            num_tasks = threads;
        return deal_evenly(n, num_tasks < n ? num_tasks : n);
    }
    ull grain = num_tasks < 1 ? 1 : num_tasks, whole = n / grain;
    if (flags & TASK_STRICT)
        return (struct deal){.tasks = whole + (n % grain != 0), .each = grain, .last = n % grain};
    return deal_evenly(n, whole < 1 ? 1 : whole);
}

static void copy_chunk(void *to, void *from)
{
    const struct gomp_taskloop_chunk *c = from;
    if (c->proto->copy)
        c->proto->copy(to, c->proto->data);
    else
        memcpy(to, c->proto->data, (size_t)c->proto->arg_size);
    if (c->wide) {
        ((ull *)to)[0] = c->start;
        ((ull *)to)[1] = c->end;
    } else {
        ((long *)to)[0] = (long)c->start;
        ((long *)to)[1] = (long)c->end;
    }
}

static void spawn_chunks(struct worker *w, const struct spawn *proto, const struct taskloop *l,
                         const struct deal *d, bool reduces)
{
    struct gomp_taskloop_chunk c = {.proto = proto, .wide = l->wide, .end = l->start};
    struct spawn s = *proto;
    s.data = &c;
    s.copy = copy_chunk;
    s.plain = !proto->copy;
    if (reduces)
        s.fn = run_chunk;
    for (ull i = 0; i < d->tasks; i++) {
        ull count = i + 1 == d->tasks && d->last ? d->last : d->each + (i < d->more);
        c.start = c.end;
        /* Also the last's: in an unsigned loop the variable may step over its end and below 0. */
        c.end = c.start + count * l->step;
        task_spawn(w, &s);
    }
}

/* Its own taskgroup is not cancelled. */
static bool keeps_out(const struct worker *w, bool grouped)
{
    return grouped ? load_relaxed(&w->team->cancelled) : cancel_has_come(w);
}

void taskloop_run(struct worker *w, struct spawn *tasks, ull num_tasks, struct taskloop loop)
{
    unsigned flags = tasks->flags;
    bool grouped = !(flags & TASK_NOGROUP), reduces = grouped && (flags & TASK_REDUCTION);
    if (loop.n == 0 || (cancel_is_on() && keeps_out(w, grouped))) {
        if (reduces)
            (*reductions_of(&loop, tasks->data))[RED_MEMORY] = 0;
        return;
    }
    tasks->if_clause = flags & TASK_IF;
    tasks->flags = flags & (TASK_UNTIED | TASK_FINAL | TASK_MERGEABLE | TASK_PRIORITY);
    struct deal d = gomp_taskloop_deal(loop.n, flags, num_tasks, load_relaxed(&w->team->n));
    if (grouped)
        task_group_begin(w);
    if (reduces)
        begin_reduction(w, tasks, &loop);
    spawn_chunks(w, tasks, &loop, &d, reduces);
    if (grouped)
        task_group_end(w);
}

/* Iterations of a loop over a distance, by steps of this size. */
static ull taskloop_iterations(ull distance, ull step)
{
    return (distance - 1) / step + 1;
}

struct taskloop taskloop_long(long start, long end, long step)
{
    struct taskloop l = {.start = (ull)start, .step = (ull)step};
    if (step > 0 && start < end)
        l.n = taskloop_iterations((ull)end - l.start, l.step);
    else if (step < 0 && start > end)
        l.n = taskloop_iterations(l.start - (ull)end, -l.step);
    return l;
}

struct taskloop taskloop_ull(bool up, ull start, ull end, ull step)
{
    struct taskloop l = {.wide = true, .start = start, .step = step};
    if (up && start < end)
        l.n = taskloop_iterations(end - start, step);
    else if (!up && start > end)
        l.n = taskloop_iterations(start - end, -step);
    return l;
}
