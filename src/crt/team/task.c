/* SPDX-License-Identifier: BSD-3-Clause */
/* The end of a task, and waiting for it. task_spawn is in spawn.c. */
#include "crt/team/task.h"

#include <assert.h>
#include <stdlib.h>

#include "crt/cond.h"
#include "crt/team/queue.h"
#include "crt/team/sched.h"

void task_count(struct task *t)
{
    lock_assert_held(&t->team->lock);
    assert(!t->counted);
    t->counted = true;
    task_ref(t->parent);
    store_relaxed(&t->parent->children, load_relaxed(&t->parent->children) + 1);
    if (t->group)
        store_relaxed(&t->group->members, load_relaxed(&t->group->members) + 1);
    store_relaxed(&t->team->incomplete, load_relaxed(&t->team->incomplete) + 1);
}

void task_free(struct task *t)
{
    free(t->own);
    free(t->after);
    if (t->home == thread_here)
        pool_put(&t->home->tasks, t);
    else
        pool_put_remote(&t->home->tasks, t);
}

void task_unref(struct task *t)
{
    assert(load_relaxed(&t->references) > 0);
    while (t) {
        struct task *parent = t->parent;
        unsigned left = load_relaxed(&t->references) - 1;
        store_release(&t->references, left); /* pairs with the acquire of run_undeferred */
        if (left > 0 || !t->home)
            return;
        task_free(t);
        t = parent;
    }
}

void task_ready(struct team *team, struct task *t, struct wakes *wakes)
{
    lock_assert_held(&team->lock);
    t->released = true;
    if (!t->undeferred)
        queue_put(team, t, wakes);
    else if (t->start)
        wakes_cond(wakes, t->start);
}

/* One less of what a condition waits for; release: pairs with the acquire of who finds 0 without the lock. */
static void count_down(_Atomic unsigned *count, crt_cond_t **waiter, struct wakes *wakes)
{
    assert(load_relaxed(count) > 0);
    unsigned left = load_relaxed(count) - 1;
    crt_cond_t *cond = *waiter;
    if (left == 0 && cond) {
        *waiter = NULL;
        wakes_cond(wakes, cond);
    }
    store_release(count, left);
}

/* Only the last one has to be in one order with the arrivals at the barrier (barrier.c). */
static void count_incomplete(struct team *team, struct wakes *wakes)
{
    lock_assert_held(&team->lock);
    assert(load_relaxed(&team->incomplete) > 0);
    unsigned left = load_relaxed(&team->incomplete) - 1;
    if (left > 0) {
        store_release(&team->incomplete, left);
    } else {
        atomic_store(&team->incomplete, 0);
        team_barrier_check(team, wakes);
    }
}

/* t's descendants look for ancestors that are suspended (queue.c). Without this a long line of tasks, each created by the one
 * before, would keep all of them. */
static void leave_out_complete(struct task *t)
{
    lock_assert_held(&t->team->lock);
    struct task *parent = t->parent, *ancestor = parent;
    while (ancestor->complete)
        ancestor = ancestor->parent;
    if (ancestor == parent)
        return;
    task_ref(ancestor);
    t->parent = ancestor;
    task_unref(parent);
}

void task_complete(struct team *team, struct task *t, struct wakes *wakes)
{
    lock_assert_held(&team->lock);
    assert(!t->complete && t->before == 0);
    t->complete = true;
    for (unsigned i = 0; i < t->n_after; i++) {
        struct task *next = task_after(t)[i];
        if (--next->before == 0)
            task_ready(team, next, wakes);
    }
    if (t->depends)
        depend_clear(t);
    if (t->counted) {
        count_down(&t->parent->children, &t->parent->waiter, wakes);
        if (t->group)
            count_down(&t->group->members, &t->group->waiter, wakes);
        count_incomplete(team, wakes);
    } else {
        task_ref(t->parent);
    }
    leave_out_complete(t);
    task_unref(t);
}

bool task_last_event(struct task *t)
{
    assert(load_relaxed(&t->events) > 0);
    /* If there is one left it is the caller's: nobody else can take it, and only the task itself adds any. */
    return load_acquire(&t->events) == 1 || sub_acq_rel(&t->events, 1) == 1;
}

void task_body_ended(struct task *t)
{
    struct team *team = t->team;
    struct wakes wakes;
    if (!task_last_event(t))
        return;
    team_lock(team, &wakes);
    task_complete(team, t, &wakes);
    team_unlock(team, &wakes);
}

void task_event(struct task *t)
{
    queue_uncount_external(t->team); /* which is there as long as the task is not complete */
    task_body_ended(t);
}

/* ---- Events of detach ---- */

/* A handle: the task, whose memory stays a task's for ever; above it the number of the event, of which so many are told
 * apart; and bit 0, which libgomp's handles do not have. Whoever takes t->detached from outstanding to not
 * counts the event down: who fulfils it or, once, who discards the task. */
enum { NUMBER_SHIFT = 48, NUMBERS = 1 << 16 };

uintptr_t task_detach(struct task *t)
{
    uint32_t number = (load_relaxed(&t->detached) / 2 + 1) % NUMBERS;
    store_relaxed(&t->detached, 2 * number + 1);
    sched_add_event(t);
    return (uintptr_t)number << NUMBER_SHIFT | (uintptr_t)t | 1;
}

static bool take_event(struct task *t, uint32_t number)
{
    uint32_t outstanding = 2 * number + 1;
    return cas_acq_rel(&t->detached, &outstanding, 2 * number);
}

void task_fulfill(uintptr_t handle)
{
    struct task *t = (struct task *)(handle & (((uintptr_t)1 << NUMBER_SHIFT) - 2));
    if (t && take_event(t, (uint32_t)(handle >> NUMBER_SHIFT)))
        task_event(t);
}

void task_forget_event(struct task *t)
{
    if (take_event(t, load_relaxed(&t->detached) / 2)) {
        queue_uncount_external(t->team);
        sub_acq_rel(&t->events, 1); /* there is the body's yet */
    }
}

/* ---- Waiting ---- */

void task_forget_depends(struct worker *w)
{
    if (!w->task->depends)
        return;
    lock_acquire(&w->team->lock);
    depend_clear(w->task);
    lock_release(&w->team->lock);
}

void task_wait(struct worker *w)
{
    struct task *t = w->task;
    crt_cond_t cond = CRT_COND_INITIALIZER;
    if (load_acquire(&t->children) != 0) {
        lock_acquire(&w->team->lock);
        if (load_relaxed(&t->children) != 0) {
            t->waiter = &cond;
            sched_wait_for_tasks(w, &cond, NULL);
        } else {
            lock_release(&w->team->lock);
        }
    }
    task_forget_depends(w);
}

/* ---- Taskgroups ---- */

struct group *task_group_begin(struct worker *w)
{
    struct group *g = calloc(1, sizeof *g);
    if (!g)
        log_no_memory("a group of tasks");
    g->outer = w->task->groups;
    w->task->groups = g;
    return g;
}

void task_group_end(struct worker *w)
{
    struct group *g = w->task->groups;
    crt_cond_t cond = CRT_COND_INITIALIZER;
    /* The lock even if nobody is left: who completed the last member may still be inside. */
    lock_acquire(&w->team->lock);
    if (load_relaxed(&g->members) != 0) {
        g->waiter = &cond;
        sched_wait_for_tasks(w, &cond, g);
    } else {
        lock_release(&w->team->lock);
    }
    w->task->groups = g->outer;
    free(g);
}
