/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The barrier of a team: over when all threads have arrived and all explicit tasks are complete. Waiting threads run tasks.
 *
 * Who arrives last and who completes the last task both write one counter and read the other, sequentially
 * consistent: one of the two sees both. Both decide under the lock, where the one that comes second finds
 * arrived at 0.
 */
#include "crt/depend.h"
#include "crt/queue.h"
#include "crt/sched.h"

void team_barrier_check(struct team *team, struct wakes *wakes)
{
    if (atomic_load(&team->arrived) != load_relaxed(&team->n) || atomic_load(&team->incomplete) != 0)
        return;
    atomic_store(&team->arrived, 0);
    /* release; pairs with the acquire in passed */
    store_release(&team->generation, load_relaxed(&team->generation) + 1);
    queue_wake_all(team, wakes);
}

static bool passed(struct worker *w, void *generation)
{
    return load_acquire(&w->team->generation) != *(unsigned *)generation;
}

void team_barrier(struct worker *w)
{
    struct team *team = w->team;
    unsigned generation = load_relaxed(&team->generation); /* cannot change before this thread arrives */
    struct wakes wakes;
    wakes_init(&wakes);
    if (atomic_fetch_add(&team->arrived, 1) + 1 == load_relaxed(&team->n) &&
        atomic_load(&team->incomplete) == 0) {
        lock_acquire(&team->lock);
        team_barrier_check(team, &wakes);
        lock_release(&team->lock);
        wakes_go(&wakes);
    }
    if (!passed(w, &generation))
        sched_until(w, passed, &generation, NULL);
    task_forget_depends(w);
}
