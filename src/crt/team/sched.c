/* SPDX-License-Identifier: BSD-3-Clause */
#include "crt/team/sched.h"

#include <errno.h>

#include "crt/apart.h"
#include "crt/cond.h"
#include "crt/poll.h"
#include "crt/team/cancel.h"
#include "crt/team/icv.h"
#include "crt/team/queue.h"
#include "crt/team/reduction.h"

/* Every so many turns what usually comes later comes first, so that nothing waits forever. */
enum { READY_FIRST = 8, YIELDED_FIRST = 16, NEW_FIRST = 32 };

/* The fiber, which runs no task now, is to run t. */
static void sched_give(struct worker *w, struct fiber *f, struct task *t)
{
    f->task = t;
    t->since = w->waits_begun;
    context_renew(&f->exec_context.context);
}

static struct fiber *fiber_for(struct worker *w, struct task *t)
{
    struct fiber *f = fiber_get(w->thread);
    f->worker = w;
    sched_give(w, f, t);
    return f;
}

/* A thread with enough to do polls too, if something is waited for and it has not done so for a while. */
static bool poll_due(struct worker *w)
{
    return unlikely(queue_lifted(w->team)) && poll_is_due(w->thread);
}

void sched_poll(struct worker *w)
{
    if (poll_due(w))
        poll_try(w->thread);
}

/* ---- On a fiber ---- */

static void sched_leave(struct worker *w, enum ask ask)
{
    struct fiber *f = w->fiber;
    f->task = w->task;
    w->ask = ask;
    poll_let_go(w->thread);
    exec_context_switch(&f->exec_context, &w->exec_context, w->exceptions);
}

/* In the middle of a task, which comes back to the same thread, where errno is. A fiber whose task is done may be another's next. */
static void sched_suspend(struct worker *w, enum ask ask)
{
    int saved = errno;
    sched_leave(w, ask);
    errno = saved;
}

void sched_leave_for(struct worker *w, crt_cond_t *cond)
{
    w->fiber->cond = cond;
    sched_suspend(w, ASK_WAIT);
}

static void chaos_suspend(struct worker *w)
{
    if (unlikely(settings.crt_chaos) && chaos_random() % 2)
        sched_yield_task(w, false);
}

void sched_fiber(void *fiber)
{
    struct fiber *f = fiber;
    exec_context_begin(&f->exec_context);
    for (;;) {
        struct worker *w = f->worker;
        struct task *t = w->task;
        chaos_suspend(w);
        if (likely(!cancel_discards(t)))
            t->fn(t->data);
        else
            task_forget_event(t);
        chaos_suspend(w);
        sched_leave(w, ASK_DONE);
    }
}

/* ---- The scheduler ---- */

/* May the fiber whose task is done take the next task from the queue? Or is there something that comes first? */
static bool may_go_on(struct worker *w)
{
    return ++w->turns % READY_FIRST != 0 && !w->handed && !w->ready.first && !load_relaxed(&w->resumed) &&
           !(w->awaited && cond_signalled(w->awaited)) && !poll_due(w);
}

/* f's task has ended. True if f has got another one. */
static bool sched_finish(struct worker *w, struct fiber *f)
{
    struct team *team = w->team;
    struct task *t = f->task, *next = NULL;
    struct wakes wakes;
    if (unlikely(t->icv != NULL))
        icv_drop(w, t);
    if (unlikely(t->copies != NULL))
        copies_release(w, t);
    if (task_last_event(t)) {
        team_lock(team, &wakes);
        task_complete(team, t, &wakes);
        if (may_go_on(w) && (next = queue_look(w)))
            queue_take(team, next, &wakes);
        team_unlock(team, &wakes);
    }
    if (next)
        sched_give(w, f, next);
    else
        fiber_put(w->thread, f);
    return next;
}

/* f has switched to the scheduler. Whom to switch to at once, or NULL. */
static struct fiber *sched_serve(struct worker *w, struct fiber *f)
{
    switch (w->ask) {
    case ASK_DONE:
        return sched_finish(w, f) ? f : NULL;
    case ASK_WAIT:
        return cond_publish_fiber(f->cond, f) ? NULL : f;
    case ASK_YIELD:
        fibers_append(&w->yielded, f);
        return NULL;
    case ASK_START:
        f->next = w->handed;
        w->handed = f;
        return fiber_for(w, w->start);
    }
    return NULL;
}

/* Run f, and who follows it at once. */
static bool sched_run(struct worker *w, struct fiber *f)
{
    struct task *own = w->task;
    poll_leave(w->thread);
    while (f) {
        w->fiber = f;
        w->task = f->task;
        icv_use(w, f->task);
        exec_context_switch(&w->exec_context, &f->exec_context, w->exceptions);
        w->fiber = NULL;
        f = sched_serve(w, f);
    }
    w->task = own;
    icv_use(w, own);
    return true;
}

/* Fibers that other threads signalled, first in first out. */
static void take_resumed(struct worker *w)
{
    if (!load_relaxed(&w->resumed))
        return;
    struct fiber *last = swap_acquire(&w->resumed, NULL), *first = NULL;
    while (last) {
        struct fiber *f = last;
        last = f->next;
        f->next = first;
        first = f;
    }
    while (first) {
        struct fiber *f = first;
        first = f->next;
        fibers_append(&w->ready, f);
    }
}

static bool run_first(struct worker *w, struct fibers *l)
{
    struct fiber *f = fibers_pop(l);
    return f && sched_run(w, f);
}

static bool run_handed(struct worker *w)
{
    struct fiber *f = w->handed;
    if (!f)
        return false;
    w->handed = f->next;
    return sched_run(w, f);
}

static bool run_new(struct worker *w, struct task *look(struct worker *w))
{
    struct team *team = w->team;
    if (!queue_may_have(team))
        return false;
    struct wakes wakes;
    team_lock(team, &wakes);
    struct task *t = look(w);
    if (t)
        queue_take(team, t, &wakes);
    team_unlock(team, &wakes);
    return t && sched_run(w, fiber_for(w, t));
}

/* Run something. False: there is nothing. */
static bool sched_step(struct worker *w)
{
    unsigned turn = ++w->turns;
    sched_poll(w);
    take_resumed(w);
    if (turn % YIELDED_FIRST == 0 && run_first(w, &w->yielded))
        return true;
    if (turn % READY_FIRST == 0 && run_first(w, &w->ready))
        return true;
    /* What a task that just began to wait waits for comes before its creator: the creator might wait beside it. */
    if (w->handed && w->waits.last && run_new(w, queue_look_last))
        return true;
    if (run_handed(w) || (turn % NEW_FIRST == 1 && run_new(w, queue_look)))
        return true;
    return run_first(w, &w->ready) || run_new(w, queue_look) || run_first(w, &w->yielded);
}

static bool until_look(void *wait)
{
    struct sched_wait *s = wait;
    return s->until(s->worker, s->arg);
}

static bool until_serve(void *wait)
{
    return sched_step(((struct sched_wait *)wait)->worker);
}

void sched_until(struct worker *w, sched_until_fn *until, void *arg, crt_cond_t *cond)
{
    int saved = errno;
    struct sched_wait wait = {w, until, arg, cond};
    /* One polls, the others had better sleep. What is polled for may go on only while it is. */
    struct waiter waiter = {.sleepy = poll_is_set(), .prompt = true};
    bool waiting = w->waiting;                        /* within what a poll runs */
    poll_let_go(w->thread);
    crt_cond_t *awaited = w->awaited;
    w->waiting = true;
    w->awaited = cond;
    wait_with(&waiter, &(struct wait_way){until_look, until_serve, sched_rest}, &wait, POLICY_WORKER);
    w->waiting = waiting;
    w->awaited = awaited;
    poll_leave(w->thread);
    errno = saved;
}

bool sched_has_other(struct worker *w)
{
    /* Where a fiber runs and the scheduler's own stack does not wait, that one made way for it, or yielded. */
    bool own = w->fiber && (!w->waiting || (w->awaited && cond_signalled(w->awaited)));
    return own || w->handed || w->ready.first || w->yielded.first || load_relaxed(&w->resumed) ||
           queue_may_have(w->team);
}

/* ---- What tasks ask for ---- */

void sched_start(struct worker *w, struct task *t)
{
    w->start = t;
    if (w->fiber) {
        sched_suspend(w, ASK_START);
        return;
    }
    int saved = errno;
    /* A thread that only creates tasks must let those go on that were signalled. */
    sched_run(w, fiber_for(w, t));
    sched_poll(w);
    take_resumed(w);
    run_first(w, &w->ready);
    while (w->handed ? sched_step(w) : w->waits.last && run_new(w, queue_look_last))
        continue;
    errno = saved;
}

void sched_yield_task(struct worker *w, bool any)
{
    int saved = errno;
    apart_blocks(w->thread);
    w->any += any;
    if (w->fiber)
        sched_suspend(w, ASK_YIELD);
    else
        sched_step(w);
    w->any -= any;
    errno = saved;
}

void sched_yield_lock(struct worker *w)
{
    apart_blocks(w->thread);
    if (!sched_has_other(w))
        return;
    w->tries++;
    sched_yield_task(w, false);
    w->tries--;
}

void sched_resume(struct fiber *f)
{
    struct worker *w = f->worker;
    struct thread *t = w->thread;
    if (thread_here == t && t->worker == w) {
        fibers_append(&w->ready, f);
        return;
    }
    chaos_point();
    f->next = load_relaxed(&w->resumed);
    while (!atomic_compare_exchange_weak_explicit(&w->resumed, &f->next, f, memory_order_release,
                                                  memory_order_relaxed))
        continue;
    evcount_notify(&t->evcount);
}
