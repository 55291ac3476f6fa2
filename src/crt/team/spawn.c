/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The beginning of a task.
 *
 * With many tasks ready already a new one is started at once, in place of its creator: that keeps memory
 * bounded. If it blocks the creator goes on. Blocked tasks do not count, so there is no limit on them. In
 * the team of a thread outside of any region all tasks are started at once.
 */
#include <stdlib.h>
#include <string.h>

#include "crt/cond.h"
#include "crt/gomp/real.h"
#include "crt/team/icv.h"
#include "crt/team/queue.h"
#include "crt/team/reduction.h"
#include "crt/team/sched.h"

/* Room for the argument block behind the task, in memory of its own if it does not fit. */
static void *spawn_room_for(struct task *t, long size, long align)
{
    if (size <= TASK_BYTES - TASK_ARGS && align <= 16)
        return (char *)t + TASK_ARGS;
    size_t a = align < 16 ? 16 : (size_t)align;
    t->own = aligned_alloc(a, ((size_t)size + a - 1) / a * a);
    if (!t->own)
        log_no_memory("the arguments of a task");
    return t->own;
}

static int priority_of(const struct spawn *s)
{
    int most = real_function()->omp_get_max_task_priority();
    return s->priority > most ? most : s->priority > 0 ? s->priority : 0;
}

static struct task *task_new(struct worker *w, const struct spawn *s, bool undeferred)
{
    struct task *parent = w->task;
    struct thread *home = w->thread;
    struct task *t = pool_get(&home->tasks);
    if (!t)
        log_no_memory("a task");
    memset(t, 0, offsetof(struct task, place));
    t->home = home;
    t->team = w->team;
    t->parent = parent;
    t->group = t->groups = parent->groups;
    t->fn = s->fn;
    t->data = s->data;
    t->final = parent->final || (s->flags & TASK_FINAL);
    t->undeferred = undeferred;
    if (unlikely(s->flags & TASK_PRIORITY))
        t->priority = priority_of(s);
    t->constructed = s->copy && !s->plain;
    t->icv = icv_inherit(parent);
    t->references = 1;
    t->events = 1;
    return t;
}

/* The handle goes into the variable and, as the first word, into the block that is about to be copied. */
static void make_detachable(struct task *t, const struct spawn *s)
{
    uintptr_t handle = task_detach(t);
    *(uintptr_t *)s->detach = handle;
    if (s->data)
        *(uintptr_t *)s->data = handle;
}

static void copy_args(struct task *t, const struct spawn *s)
{
    t->data = spawn_room_for(t, s->arg_size, s->arg_align);
    if (s->copy)
        s->copy(t->data, s->data);
    else if (s->arg_size > 0)
        memcpy(t->data, s->data, (size_t)s->arg_size);
}

/* An undeferred task that others have to know of: wait until its dependences are fulfilled. */
static void await_start(struct worker *w, struct task *t, void **depend)
{
    crt_cond_t cond = CRT_COND_INITIALIZER;
    lock_acquire(&w->team->lock);
    task_count(t);
    if (depend)
        depend_register(t, depend);
    if (t->before > 0) {
        t->start = &cond;
        sched_wait_for_tasks(w, &cond, NULL);
    } else {
        lock_release(&w->team->lock);
    }
}

/* On the creator's stack, or another one of its fiber: a thread's own, which libgomp has, may be larger. */
static void call_body(struct worker *w, struct task *t)
{
    if (!t->fn)
        return;
    if (w->fiber)
        fiber_call(w->thread, w->fiber, t->fn, t->data);
    else
        t->fn(t->data);
}

/* A call from the creator: if it blocks, so does the creator. */
static void run_undeferred(struct worker *w, struct task *t, const struct spawn *s)
{
    if (s->copy)
        copy_args(t, s);
    if (s->flags & (TASK_DEPEND | TASK_DETACH))
        await_start(w, t, s->flags & TASK_DEPEND ? s->depend : NULL);
    w->task = t;
    t->since = w->waits_begun;
    icv_use(w, t);
    call_body(w, t);
    w->task = t->parent;
    if (unlikely(t->icv != NULL))
        icv_drop(w, t);
    if (unlikely(t->copies != NULL))
        copies_release(w, t);
    icv_use(w, w->task);
    /* Nobody else knows of one that is not counted and has no children any more. */
    if (!t->counted && !t->depends && load_acquire(&t->references) == 1)
        task_free(t);
    else
        task_body_ended(t);
}

static bool many_ready(struct team *team)
{
    return load_relaxed(&team->ready) >= (unsigned)settings.crt_throttle * load_relaxed(&team->n);
}

/* What to start in place of the creator: the new task, or if that has to wait one of its siblings. */
static struct task *to_start(struct task *t, struct wakes *wakes)
{
    struct team *team = t->team;
    if (!team->root && !many_ready(team))
        return NULL;
    if (t->before == 0)
        return t;
    struct task *sibling = queue_oldest(t->parent);
    if (sibling)
        queue_take(team, sibling, wakes);
    return sibling;
}

static void run_deferred(struct worker *w, struct task *t, const struct spawn *s)
{
    struct team *team = w->team;
    struct wakes wakes;
    copy_args(t, s);
    team_lock(team, &wakes);
    task_count(t);
    if (s->flags & TASK_DEPEND)
        depend_register(t, s->depend);
    struct task *start = to_start(t, &wakes);
    if (start != t)
        t->parent->unstarted++;
    if (t->before == 0 && start != t)
        queue_put(team, t, &wakes);
    team_unlock(team, &wakes);
    if (start)
        sched_start(w, start);
    else
        sched_poll(w);
}

void task_spawn(struct worker *w, const struct spawn *s)
{
    bool undeferred = !s->if_clause || w->task->final;
    struct task *t = task_new(w, s, undeferred);
    if (s->flags & TASK_DETACH)
        make_detachable(t, s);
    if (undeferred)
        run_undeferred(w, t, s);
    else
        run_deferred(w, t, s);
}

void task_wait_depend(struct worker *w, void **depend)
{
    struct spawn s = {.flags = TASK_DEPEND, .depend = depend};
    task_spawn(w, &s);
}
