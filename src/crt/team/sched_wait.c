/* SPDX-License-Identifier: BSD-3-Clause */
/* The kinds of waiting: what the worker may start meanwhile. */
#include "crt/cond.h"
#include "crt/team/queue.h"
#include "crt/team/reduction.h"
#include "crt/team/sched.h"

static bool sched_wait_signalled(struct worker *w, void *cond)
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
        sched_until(w, sched_wait_signalled, cond, cond);
}

void sched_wait_for_tasks(struct worker *w, crt_cond_t *cond, struct group *group)
{
    lock_assert_held(&w->team->lock);
    struct team *team = w->team;
    struct wait wait = {.worker = w, .task = w->task, .group = group};
    struct wakes wakes;
    wakes_init(&wakes);
    queue_wait_begin(&wait);
    if (unlikely(team->copyless.first))
        copies_lend(team, &wakes);
    team_unlock(team, &wakes);
    sched_wait(w, cond);
    lock_acquire(&team->lock);
    queue_wait_end(&wait);
    lock_release(&team->lock);
}

/* The first of the worker's stacks that waits like this tells the team, and the last. */
void sched_wait_external(struct worker *w, crt_cond_t *cond)
{
    if (w->external++ == 0)
        queue_count_external(w->team);
    sched_wait(w, cond);
    if (--w->external == 0)
        queue_uncount_external(w->team);
}

void sched_add_event(struct task *t)
{
    lock_assert_none();
    add_relaxed(&t->events, 1);
    queue_count_external(t->team);
}

void sched_wait_lock(struct worker *w, crt_cond_t *cond)
{
    if (w->locks++ == 0)
        queue_count_lock(w->team);
    sched_wait(w, cond);
    if (--w->locks == 0)
        queue_uncount_lock(w->team);
}
