/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Ready tasks, and which of them a worker may start.
 *
 * The task scheduling constraint of OpenMP: a thread with suspended tied tasks starts only what descends from all of them.
 * Programs rely on it where they use threadprivate memory. So a worker with suspended taskwaits takes only what
 * an innermost one waits for: ready members of the group, then ready children, newest first, which also keeps recursion
 * depth first. Innermost: none of the worker's others is that of a descendant. Mostly there is one, the last; but where
 * a creator made way for its task and that waits, and the creator goes on and waits too, the first is. And its next
 * task, started at once likewise, may wait beside it: a few more tasks than the standard allows may then be started, for
 * a thread must not wait for what it cannot start.
 *
 * The constraint is lifted
 *  - while anything in the team waits in crt_wait: the awaited may be the doing of any task;
 *  - while the running task is in crt_yield.
 * A worker on which something waits for a lock starts nothing new, lest all tasks that want the lock are started. But the
 * holder may be in one of the suspended taskwaits: while anything in the team waits for a lock a worker may start
 * what any of its suspended taskwaits waits for, not only an innermost.
 *
 * Everything here is called with the team's lock held, but queue_may_have.
 */
#ifndef EP_CRT_QUEUE_H
#define EP_CRT_QUEUE_H

#include "crt/team.h"
#include "crt/wakes.h"

/* False: there is nothing. May be out of date either way. */
static inline bool queue_may_have(struct team *team)
{
    return load_relaxed(&team->ready) != 0;
}

void queue_put(struct team *team, struct task *t, struct wakes *wakes);
/* What w may start next, or NULL; it stays where it is. */
struct task *queue_look(struct worker *w);
/* Of that, what the latest of its suspended taskwaits waits for. */
struct task *queue_look_last(struct worker *w);
/* A suspended taskwait begins, and ends. */
void queue_wait_begin(struct wait *wait);
void queue_wait_end(struct wait *wait);
/* Take t out; wakes another worker if there are more. */
void queue_take(struct team *team, struct task *t, struct wakes *wakes);
/* Wake one idle worker that may start something. */
void queue_wake(struct team *team, struct wakes *wakes);
/* Does something in the team wait in crt_wait? */
bool queue_lifted(struct team *team);

#endif
