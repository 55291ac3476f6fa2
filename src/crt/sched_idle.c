/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A worker with nothing to do. It polls and spins for a while, then lies down in the team's list of idle workers, where
 * whoever makes a task ready finds it, and sleeps on its thread's bell.
 *
 * Why no wake-up is lost. bell_prepare announces the sleeper; any ring after it makes bell_sleep return. Then it
 * looks once more for each thing that ends the sleep: a signal of the condition it has published itself in, a
 * task (under the team's lock, under which it is put into the list), the end of a barrier (likewise), a
 * fiber that was resumed. Each of these is done first and rung after, or rung to those found in the list.
 */
#include "crt/cond.h"
#include "crt/idle.h"
#include "crt/poll.h"
#include "crt/queue.h"
#include "crt/sched.h"

/* How often a spinning worker polls when nothing of its team waits for it. */
enum { POLL_SELDOM = 16 };

static bool poll_now(struct worker *w, const struct idle *idle)
{
    bool due = load_relaxed(&w->external) || load_relaxed(&w->inner) || load_relaxed(&w->team->events) ||
               load_relaxed(&w->thread->polls);
    return (due || idle->turns % POLL_SELDOM == 0) && poll_try(w->thread);
}

/* Into the list of idle workers, unless there is a task to start. *polled: does anything have to be polled for? */
static bool lie_down(struct worker *w, bool *polled)
{
    struct team *team = w->team;
    lock_acquire(&team->lock);
    bool tired = !queue_look(w);
    if (tired) {
        list_append(&team->idle, &w->bed);
        w->in_bed = true;
        *polled = poll_is_set() && (load_relaxed(&team->events) > 0 || queue_lifted(team));
    }
    lock_release(&team->lock);
    return tired;
}

static void get_up(struct worker *w)
{
    lock_acquire(&w->team->lock);
    if (w->in_bed)
        list_remove(&w->team->idle, &w->bed);
    w->in_bed = false;
    lock_release(&w->team->lock);
}

/* True if the worker slept or need not; false if it has to go on polling. */
static bool sleep_once(struct worker *w, sched_until_fn *until, void *arg, crt_cond_t *cond)
{
    struct thread *t = w->thread;
    bool polled, slept = true;
    uint32_t ticket = bell_prepare(&t->bell);
    if ((cond && !cond_publish_thread(cond, t)) || !lie_down(w, &polled))
        return true;
    if (!until(w, arg) && !load_relaxed(&w->resumed)) {
        if (!polled)
            poll_leave(t); /* the role must not sleep: others may need it before this thread does again */
        slept = !polled || poll_sleep(t);
        if (slept)
            bell_sleep(&t->bell, ticket, -1);
        if (slept && polled)
            poll_awake(t);
    }
    get_up(w);
    return slept;
}

void sched_idle(struct worker *w, struct idle *idle, sched_until_fn *until, void *arg, crt_cond_t *cond)
{
    if (poll_now(w, idle)) {
        idle_reset(idle);
        return;
    }
    enum idle_advice advice = idle_turn(idle);
    if (advice == IDLE_SPIN)
        return;
    /* Where every thread has a core idle.c would have it yield for ever, since a thread in MPI must poll. */
    bool yields =
        settings.wait == WAIT_SPIN || settings.wait == WAIT_YIELD || (advice == IDLE_YIELD && idle_crowded());
    if (yields || !sleep_once(w, until, arg, cond))
        idle_yield(idle);
}
