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
    struct wait wait = {.worker = w, .task = w->task, .group = group};
    queue_wait_begin(&wait);
    lock_release(&team->lock);
    sched_wait(w, cond);
    lock_acquire(&team->lock);
    queue_wait_end(&wait);
    lock_release(&team->lock);
}

/* The constraint of this team is less strict now: whoever idles because of it may start something. */
static void wake_constrained(struct team *team)
{
    struct wakes wakes;
    wakes_init(&wakes);
    if (!queue_may_have(team))
        return;
    lock_acquire(&team->lock);
    queue_wake(team, &wakes);
    lock_release(&team->lock);
    wakes_go(&wakes);
}

/* Wait while *count, of this worker, says so to those who apply the constraint. Teams further out see `inner`. */
static void wait_counted(struct worker *w, crt_cond_t *cond, _Atomic unsigned *count)
{
    struct worker *up;
    unsigned others = load_relaxed(count);
    store_relaxed(count, others + 1);
    if (others == 0) {
        wake_constrained(w->team);
        for (up = w->team->up; up; up = up->team->up) {
            add_relaxed(&up->inner, 1);
            wake_constrained(up->team);
        }
    }
    sched_wait(w, cond);
    others = load_relaxed(count) - 1;
    store_relaxed(count, others);
    for (up = others == 0 ? w->team->up : NULL; up; up = up->team->up)
        atomic_fetch_sub_explicit(&up->inner, 1, memory_order_relaxed);
}

void sched_wait_external(struct worker *w, crt_cond_t *cond)
{
    wait_counted(w, cond, &w->external);
}

void sched_wait_lock(struct worker *w, crt_cond_t *cond)
{
    wait_counted(w, cond, &w->locks);
}
