/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Who is to be woken once the team's lock is released: conditions to signal and threads to notify. Both stay valid: a
 * waiter does not go on before its condition is signalled, and threads are never freed.
 */
#ifndef EP_CRT_WAKES_H
#define EP_CRT_WAKES_H

#include "crt/team/team.h"

/* All threads of a team may have to be notified: not under its lock if possible. */
enum { WAKE_CONDS = 8, WAKE_THREADS = 64 };

struct wakes {
    unsigned n_conds, n_threads;
    crt_cond_t *conds[WAKE_CONDS];
    struct thread *threads[WAKE_THREADS];
};

static inline void wakes_init(struct wakes *k)
{
    k->n_conds = k->n_threads = 0;
}

/* Note one. Where there is no room left it is woken at once. */
void wakes_cond(struct wakes *k, crt_cond_t *cond);
void wakes_thread(struct wakes *k, struct thread *t);
/* Wake them. */
void wakes_all(struct wakes *k);

/* Take the team's lock, to note who is to be woken ... */
static inline void team_lock(struct team *team, struct wakes *k)
{
    wakes_init(k);
    lock_acquire(&team->lock);
}

/* ... and release it, and wake them. */
static inline void team_unlock(struct team *team, struct wakes *k)
{
    lock_release(&team->lock);
    if (unlikely(k->n_conds | k->n_threads))
        wakes_all(k);
}

#endif
