/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cancel and cancellation point. A worksharing construct is cancelled until the next barrier of the team: its threads
 * go to its end as soon as they come to a cancellation point, nothing else changes. libgomp is told of a cancelled region
 * alone, whose worksharing constructs have threads missing when it tidies up.
 */
#include "crt/gomp/real.h"
#include "crt/team/cancel.h"
#include "crt/team/queue.h"

/* What is cancelled, as the compiler says it. */
enum { PARALLEL = 1, LOOP = 2, CANCEL_SECTIONS = 4, TASKGROUP = 8 };

_Atomic bool cancel_on; /* relaxed */

void cancel_learn(void)
{
    if (real_function()->omp_get_cancellation())
        store_relaxed(&cancel_on, true);
}

/* Of the task's taskgroups the one that it may cancel. */
static struct group *group_of(const struct task *t)
{
    struct group *g = t->groups;
    return g && g->workshare && g->outer ? g->outer : g;
}

static bool is_cancelled(const struct group *g)
{
    return g && load_relaxed(&g->cancelled);
}

bool cancel_has_come(const struct worker *w)
{
    return load_relaxed(&w->team->cancelled) || is_cancelled(group_of(w->task));
}

/* What its argument block has been constructed for it destroys itself: then it has to begin. */
bool cancel_has_discarded(const struct task *t)
{
    return !t->constructed && (load_relaxed(&t->team->cancelled) || is_cancelled(group_of(t)));
}

bool cancel_is_point(const struct worker *w, int which)
{
    if (which & (LOOP | CANCEL_SECTIONS))
        return load_relaxed(&w->team->share_cancelled);
    if ((which & TASKGROUP) && is_cancelled(group_of(w->task)))
        return true;
    return load_relaxed(&w->team->cancelled);
}

static void cancel_region(struct team *team)
{
    struct wakes wakes;
    team_lock(team, &wakes);
    store_release(&team->cancelled, true);
    queue_wake_all(team, &wakes);
    team_unlock(team, &wakes);
    real_function()->GOMP_cancel(PARALLEL, true);
}

bool cancel_ask(struct worker *w, int which, bool do_cancel)
{
    if (!cancel_is_on())
        return false;
    if (!do_cancel)
        return cancel_is_point(w, which);
    if (which & (LOOP | CANCEL_SECTIONS)) {
        /* A thread outside of regions has all of the loop. */
        if (!w->team->root)
            store_relaxed(&w->team->share_cancelled, true);
    } else if (which & TASKGROUP) {
        struct group *g = group_of(w->task);
        if (g)
            store_relaxed(&g->cancelled, true);
    } else if (!w->team->root) {
        cancel_region(w->team);
    }
    return true;
}
