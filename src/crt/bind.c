/* SPDX-License-Identifier: BSD-3-Clause */
/* External events of tasks, and giving way. */
#include <crt.h>

#include <sched.h>

#include "crt/poll.h"
#include "crt/queue.h"
#include "crt/sched.h"

crt_task_t crt_bind(void)
{
    struct worker *w = worker_here();
    if (!w || w->task == &w->implicit)
        return NULL;
    struct task *t = w->task;
    if (!t->counted) {
        lock_acquire(&w->team->lock);
        task_count(t);
        lock_release(&w->team->lock);
    }
    add_relaxed(&t->events, 1);
    add_relaxed(&w->team->events, 1);
    return (crt_task_t)t;
}

void crt_release(crt_task_t task)
{
    task_event((struct task *)task);
}

void crt_yield(void)
{
    struct worker *w = worker_here();
    if (w) {
        poll_try(w->thread);
        sched_yield_task(w, true);
    } else {
        poll_call();
        sched_yield();
    }
}
