/* SPDX-License-Identifier: BSD-3-Clause */
/* External events of tasks, and giving way. */
#include <crt.h>

#include <sched.h>

#include "crt/idle.h"
#include "crt/poll.h"
#include "crt/team/queue.h"
#include "crt/team/sched.h"

void crt_set_task_aware(int aware)
{
    thread_self()->unaware = !aware;
}

int crt_get_task_aware(void)
{
    return !thread_here || !thread_here->unaware;
}

crt_task_t crt_bind(void)
{
    struct worker *w = worker_suspends();
    struct task *t = w ? w->task : NULL;
    if (!t || t == &w->implicit ||
        t->undeferred) /* the creator of an undeferred one goes on when its body has ended */
        return NULL;
    sched_add_event(t);
    return (crt_task_t)t;
}

void crt_release(crt_task_t task)
{
    task_event((struct task *)task);
}

void crt_yield(void)
{
    struct worker *w = worker_here();
    if (!w) {
        poll_call();
        sched_yield();
        return;
    }
    if (poll_is_set() && poll_was_before(w->thread, POLL_YIELD_NS))
        poll_try(w->thread);
    idle_missed();
}
