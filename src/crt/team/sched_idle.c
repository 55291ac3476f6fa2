/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A worker with nothing to do. It polls and spins for a while, then lies down in one of the team's lists of idle workers, where
 * whoever makes a task ready finds it, and sleeps on its thread's event count. The poller (poll.h) does not.
 *
 * Why no wake-up is lost. evcount_prepare announces the sleeper; any notification after it makes evcount_wait return. Then it
 * looks once more for each thing that ends the sleep: a signal of the condition it has published itself in, a
 * task (under the team's lock, under which it is put into the list), the end of a barrier (likewise), a
 * fiber that was resumed. Each of these is done first and notified after, or notified to those found in the list.
 */
#include "crt/apart.h"
#include "crt/cond.h"
#include "crt/poll.h"
#include "crt/team/queue.h"
#include "crt/team/sched.h"

/* In which turns a spinning worker polls when nothing of its team waits for it, beginning with the first. */
enum { POLL_SELDOM = 16 };

/* Does anything of the team have to be polled for? */
static bool polled_for(struct team *team)
{
    return queue_lifted(team) && poll_is_set();
}

static bool poll_now(struct worker *w, const struct waiter *waiter)
{
    bool due = queue_lifted(w->team) || load_relaxed(&w->thread->polls);
    return (due || waiter->turns % POLL_SELDOM == 1) && poll_try(w->thread);
}

/* Into the list of idle workers, unless there is a task to start. */
static bool lie_down(struct worker *w)
{
    struct wakes wakes;
    team_lock(w->team, &wakes);
    bool tired = queue_park(w, &wakes);
    team_unlock(w->team, &wakes);
    return tired;
}

/* If it was woken for a task and has something else to do it wakes another. */
static void get_up(struct worker *w, bool busy)
{
    struct wakes wakes;
    team_lock(w->team, &wakes);
    if (!queue_get_up(w) && busy)
        queue_wake(w->team, &wakes);
    team_unlock(w->team, &wakes);
}

/* Is there something else to do than to start a task? */
static bool sched_idle_busy(struct worker *w, sched_until_fn *until, void *arg)
{
    return until(w, arg) || load_relaxed(&w->resumed) || w->ready.first;
}

/* True if the worker slept or need not; false if it is the poller now. */
static bool sched_idle_sleep_once(struct worker *w, sched_until_fn *until, void *arg, crt_cond_t *cond)
{
    struct thread *t = w->thread;
    bool slept = true;
    uint32_t ticket = evcount_prepare(&t->evcount);
    if ((cond && !cond_publish_thread(cond, t)) || !lie_down(w))
        return true;
    if (!sched_idle_busy(w, until, arg)) {
        bool polled = polled_for(w->team);
        if (!polled)
            poll_leave(t); /* the role must not sleep: others may need it before this thread does again */
        slept = !polled || poll_sleep(t);
        if (slept)
            evcount_wait(&t->evcount, ticket, -1);
        if (slept && polled)
            poll_awake(t);
    }
    get_up(w, sched_idle_busy(w, until, arg));
    return slept;
}

void sched_rest(void *wait, struct waiter *waiter, enum wait_advice advice)
{
    struct sched_wait *s = wait;
    struct worker *w = s->worker;
    apart_blocks(w->thread);
    if (poll_now(w, waiter)) {
        wait_reset(waiter);
        return;
    }
    if (advice == ADVICE_SPIN)
        return;
    bool poller = load_relaxed(&w->thread->polls) && polled_for(w->team);
    if (advice == ADVICE_YIELD || poller || !sched_idle_sleep_once(w, s->until, s->arg, s->cond))
        wait_rest(waiter, ADVICE_YIELD);
}
