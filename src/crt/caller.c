/* SPDX-License-Identifier: BSD-3-Clause */
#include "crt/caller.h"

#include "crt/apart.h"
#include "crt/poll.h"
#include "crt/team/queue.h"
#include "crt/team/sched.h"

bool caller_has_worker(void)
{
    return worker_suspends() != NULL;
}

uintptr_t caller_id(void)
{
    struct worker *w = worker_here();
    return w && w->fiber ? (uintptr_t)w->fiber : (uintptr_t)&thread_here;
}

bool caller_has_others(void)
{
    return caller_suspends() && sched_has_other(worker_here());
}

bool caller_has_company(void)
{
    return caller_has_others() || (caller_suspends() && worker_here()->external > 0);
}

void caller_hastens_poll(void)
{
    if (thread_here)
        poll_hasten(thread_here);
}

/* It has nothing to do but wait. */
static bool caller_yield(void)
{
    if (thread_here)
        apart_blocks(thread_here);
    if (!caller_has_others())
        return false;
    sched_yield_task(worker_here(), true);
    return true;
}

__attribute__((constructor)) static void caller_start(void)
{
    static const struct wait_tasks tasks = {caller_has_others, caller_yield};
    wait_set_tasks(&tasks);
}

static _Atomic(const struct caller_binding *)
    binding; /* release caller_set_binding, acquire caller_get_binding */

void caller_set_binding(const struct caller_binding *functions)
{
    store_release(&binding, functions);
}

const struct caller_binding *caller_get_binding(void)
{
    return load_acquire(&binding);
}

void caller_thread_ends(void)
{
    if (thread_here)
        root_finish(thread_here);
}

/* ---- External events of tasks, and giving way (crt.h) ---- */

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
        wait_core();
        return;
    }
    if (poll_is_set() && poll_was_before(w->thread, POLL_YIELD_NS))
        poll_try(w->thread);
    wait_missed();
}
