/* SPDX-License-Identifier: BSD-3-Clause */
/* The kinds of waiting: what the worker may start meanwhile. */
#include "crt/cond.h"
#include "crt/queue.h"
#include "crt/sched.h"

static bool signalled(struct worker *w, void *cond)
{
    (void)w;
    return cond_signalled(cond);
}

void sched_wait(struct worker *w, crt_cond_t *cond)
{
    if (cond_signalled(cond))
        return;
    if (w->fiber)
        sched_leave_for(w, cond);
    else
        sched_until(w, signalled, cond, cond);
}

void sched_wait_for_tasks(struct worker *w, crt_cond_t *cond, struct group *group)
{
    struct team *team = w->team;
    struct wait wait = {.task = w->task, .group = group};
    list_append(&w->waits, &wait.node);
    lock_release(&team->lock);
    sched_wait(w, cond);
    lock_acquire(&team->lock);
    list_remove(&w->waits, &wait.node);
    lock_release(&team->lock);
}

/* The constraint is lifted in this team: whoever idles because of it may start something now. */
static void wake_constrained(struct team *team)
{
    if (!queue_may_have(team))
        return;
    struct wakes wakes = {0};
    lock_acquire(&team->lock);
    queue_wake(team, NULL, &wakes);
    lock_release(&team->lock);
    wakes_go(&wakes);
}

void sched_wait_external(struct worker *w, crt_cond_t *cond)
{
    unsigned before = load_relaxed(&w->external);
    store_relaxed(&w->external, before + 1);
    if (before == 0) {
        for (struct worker *up = w->team->up; up; up = up->team->up) {
            add_relaxed(&up->inner, 1);
            wake_constrained(up->team);
        }
        wake_constrained(w->team);
    }
    sched_wait(w, cond);
    unsigned left = load_relaxed(&w->external) - 1;
    store_relaxed(&w->external, left);
    for (struct worker *up = left == 0 ? w->team->up : NULL; up; up = up->team->up)
        atomic_fetch_sub_explicit(&up->inner, 1, memory_order_relaxed);
}

void sched_wait_lock(struct worker *w, crt_cond_t *cond)
{
    w->locks++;
    sched_wait(w, cond);
    w->locks--;
}
