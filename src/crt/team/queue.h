/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Ready tasks, and which of them a worker may start.
 *
 * The task scheduling constraint of OpenMP: a thread with suspended tied tasks starts only what descends from all of them.
 * Programs rely on it where they use threadprivate memory. So a worker with suspended taskwaits takes only what
 * an innermost one waits for: ready members of the group, then ready children (struct ready). Innermost: none of the worker's others is that of a descendant. Mostly there is one, the last; but where
 * a creator made way for its task and that waits, and the creator goes on and waits too, the first is. And its next
 * task, started at once likewise, may wait beside it: a few more tasks than the standard allows may then be started, for
 * a thread must not wait for what it cannot start.
 *
 * The constraint is lifted
 *  - while anything in the team, or in a region within, waits in crt_wait or for an event (crt_bind, detach): the awaited may
 *    be the doing of any task;
 *  - while the running task is in crt_yield.
 * A worker on which something waits for a lock starts nothing new, lest all tasks that want the lock are started. But the
 * holder may be in one of the suspended taskwaits: while anything in the team waits for a lock a worker may start
 * what any of its suspended taskwaits waits for, not only an innermost.
 *
 * Everything here is called with the team's lock held, but queue_may_have, queue_lifted and the counting functions.
 *
 * Why no task is left while somebody who may start it sleeps: who lies down has found nothing, under the lock. A new task wakes
 * whoever waits for it, else somebody who may start any task, else, if the constraint is lifted, anybody. Where the constraint
 * is relaxed, that is counted first, and then one is woken, who wakes the next when there are more tasks. And who was woken
 * and does something else first, or finds that it may start nothing any more, wakes another in its place.
 */
#ifndef EP_CRT_QUEUE_H
#define EP_CRT_QUEUE_H

#include "crt/team/team.h"
#include "crt/team/wakes.h"

/* False: there is nothing. May be out of date either way. */
static inline bool queue_may_have(struct team *team)
{
    return load_relaxed(&team->ready) != 0;
}

/* Into the lists; t->released says which. */
void queue_put(struct team *team, struct task *t, struct wakes *wakes);
/* What w may start next, or NULL; it stays where it is. */
struct task *queue_look(struct worker *w);
/* The ready child of a task that has been ready for longest, or NULL. */
struct task *queue_oldest(struct task *parent);
/* Of what queue_look looks at, what the latest of its suspended taskwaits waits for. */
struct task *queue_look_last(struct worker *w);
/* A suspended taskwait begins, and ends. */
void queue_wait_begin(struct wait *wait);
void queue_wait_end(struct wait *wait);
/* Take t out; wakes another worker if there are more. */
void queue_take(struct team *team, struct task *t, struct wakes *wakes);
/* Wake one idle worker that may start something. */
void queue_wake(struct team *team, struct wakes *wakes);
/* Wake all idle workers. */
void queue_wake_all(struct team *team, struct wakes *wakes);
/* Into the list of idle workers, unless there is a task to start, and out of it. queue_get_up: false if it was woken. */
bool queue_park(struct worker *w, struct wakes *wakes);
bool queue_get_up(struct worker *w);

/* One more, or less, in this team and those around it of what lifts the constraint. */
void queue_count_external(struct team *team);
void queue_uncount_external(struct team *team);
/* One more, or less, that waits for a lock: in the team, and what lifts the constraint of those around it. */
void queue_count_lock(struct team *team);
void queue_uncount_lock(struct team *team);

static inline bool queue_lifted(struct team *team)
{
    return load_relaxed(&team->external) != 0;
}

#endif
