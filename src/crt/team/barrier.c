/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The barrier of a team: over when all threads have arrived and all explicit tasks are complete. Waiting threads run tasks.
 *
 * Who arrives last and who completes the last task both write one counter and read the other, sequentially
 * consistent: one of the two sees both. Both decide under the lock, where the one that comes second finds
 * arrived at 0. So it is with leaving, at the end of a region that may be cancelled.
 */
#include "crt/team/cancel.h"
#include "crt/team/queue.h"
#include "crt/team/sched.h"

static void check_end(struct team *team, struct wakes *wakes)
{
    lock_assert_held(&team->lock);
    if (atomic_load(&team->leaving) != load_relaxed(&team->n) || atomic_load(&team->incomplete) != 0)
        return;
    store_release(&team->left, true); /* pairs with the acquire in has_left */
    queue_wake_all(team, wakes);
}

void team_barrier_check(struct team *team, struct wakes *wakes)
{
    lock_assert_held(&team->lock);
    if (cancel_is_on())
        check_end(team, wakes);
    if (atomic_load(&team->arrived) != load_relaxed(&team->n) || atomic_load(&team->incomplete) != 0)
        return;
    atomic_store(&team->arrived, 0);
    store_relaxed(&team->share_cancelled, false);
    /* release; pairs with the acquire in passed */
    store_release(&team->generation, load_relaxed(&team->generation) + 1);
    queue_wake_all(team, wakes);
}

static bool barrier_passed(struct worker *w, void *generation)
{
    return load_acquire(&w->team->generation) != *(unsigned *)generation;
}

static bool passed_or_cancelled(struct worker *w, void *generation)
{
    return load_acquire(&w->team->cancelled) || barrier_passed(w, generation);
}

static bool has_left(struct worker *w, void *unused)
{
    (void)unused;
    return load_acquire(&w->team->left);
}

/* One more of those that count has. */
static void barrier_arrive(struct team *team, _Atomic unsigned *count)
{
    struct wakes wakes;
    if (atomic_fetch_add(count, 1) + 1 == load_relaxed(&team->n) && atomic_load(&team->incomplete) == 0) {
        team_lock(team, &wakes);
        team_barrier_check(team, &wakes);
        team_unlock(team, &wakes);
    }
}

void team_barrier(struct worker *w)
{
    struct team *team = w->team;
    unsigned generation = load_relaxed(&team->generation); /* cannot change before this thread arrives */
    barrier_arrive(team, &team->arrived);
    if (!barrier_passed(w, &generation))
        sched_until(w, barrier_passed, &generation, NULL);
    task_forget_depends(w);
}

bool team_barrier_cancel(struct worker *w)
{
    struct team *team = w->team;
    unsigned generation = load_relaxed(&team->generation);
    if (!cancel_is_on()) {
        team_barrier(w);
        return false;
    }
    if (load_acquire(&team->cancelled))
        return true;
    barrier_arrive(team, &team->arrived);
    if (!passed_or_cancelled(w, &generation))
        sched_until(w, passed_or_cancelled, &generation, NULL);
    if (!barrier_passed(w, &generation))
        return true;
    task_forget_depends(w);
    return false;
}

void team_barrier_end(struct worker *w)
{
    if (!cancel_is_on()) {
        team_barrier(w);
        return;
    }
    barrier_arrive(w->team, &w->team->leaving);
    if (!has_left(w, NULL))
        sched_until(w, has_left, NULL, NULL);
    task_forget_depends(w);
}
