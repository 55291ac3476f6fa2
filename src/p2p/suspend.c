/* SPDX-License-Identifier: BSD-3-Clause */
#include "p2p/suspend.h"

#include <sched.h>

#include "p2p/work.h"

/* Looks before the task makes way where nobody else would run: about what a message takes from process to process. */
enum { LOOKS = 64, PATIENCE = 1000 };

/* ---- until any of some requests ends ---- */

struct awaiting {
    struct awaiter awaiter;
    crt_cond_t cond;       /* signalled by the first who tells */
    _Atomic unsigned told; /* how many have; the last access of all but the first; acq_rel tell, acquire see_out */
};

static void tell(struct awaiter *awaiter)
{
    struct awaiting *a = container_of(awaiter, struct awaiting, awaiter);
    if (add_acq_rel(&a->told, 1) == 0)
        crt_signal(&a->cond);
}

/* Hold the lock of `port` instead of *held. */
static void change(struct port **held, struct port *port)
{
    if (*held == port)
        return;
    port_unlock(*held);
    port_lock(port);
    *held = port;
}

/* Until one is found that is done. How many were seen before it. */
static int await_all(struct awaiting *a, const struct wait *w, struct port **held)
{
    for (int i = 0; i < w->n; i++) {
        ep_request r = w->requests[i];
        if (!request_is_active(r))
            continue;
        if (request_is_done(r))
            return i;
        change(held, r->port);
        if (!request_await(r, &a->awaiter))
            return i;
    }
    return w->n;
}

/* The first n. How many ended while they were awaited. */
static unsigned unawait(const struct wait *w, int n, struct port **held)
{
    unsigned ended = 0;
    for (int i = 0; i < n; i++) {
        ep_request r = w->requests[i];
        if (!request_is_active(r))
            continue;
        change(held, r->port);
        ended += request_unawait(r);
    }
    return ended;
}

/* `a` goes when this returns: nobody may be about to tell. */
static void see_out(struct awaiting *a, unsigned ended)
{
    for (int i = 0; load_acquire(&a->told) < ended; i++)
        if (i < PATIENCE)
            cpu_pause();
        else
            sched_yield(); /* another thread was interrupted between setting DONE and telling */
}

static void wait_for_requests(struct port *port, struct wait *w)
{
    port_assert_held(port);
    struct awaiting a = {.awaiter = {tell}};
    struct port *held = port;
    int n = await_all(&a, w, &held);
    bool waits = n == w->n;
    if (waits) {
        port_unlock(held);
        crt_wait(&a.cond);
        port_lock(held);
    }
    unsigned ended = unawait(w, n, &held);
    if (!waits && ended > 0) {
        port_unlock(held);
        crt_wait(&a.cond); /* or its signal would come when it is gone */
        port_lock(held);
    }
    change(&held, port);
    see_out(&a, ended);
}

/* ---- until a look finds it ---- */

struct sleeper {
    struct work work; /* of the port, or: */
    struct node node; /* in its list of listeners */
    struct wait *wait;
    crt_cond_t cond;
};

static bool look(struct work *work)
{
    struct sleeper *s = container_of(work, struct sleeper, work);
    struct wait *w = s->wait;
    if (!w->done(w) && !(w->help && w->help(w) && w->done(w)))
        return false;
    crt_signal(&s->cond); /* it may be gone now */
    return true;
}

static void wait_for_look(struct port *port, struct wait *w)
{
    port_assert_held(port);
    struct sleeper s = {.work = {.step = look}, .wait = w};
    if (w->hears)
        list_append(&port->listeners, &s.node);
    else
        work_add(port, &s.work);
    port_unlock(port);
    crt_wait(&s.cond);
    port_lock(port);
}

void suspend_tell(struct port *port, const struct header *m)
{
    port_assert_held(port);
    for (struct node *n = port->listeners.first, *next; n; n = next) {
        struct sleeper *s = container_of(n, struct sleeper, node);
        next = n->next;
        if (!s->wait->hears(s->wait, m) || !s->wait->done(s->wait))
            continue;
        list_remove(&port->listeners, n);
        crt_signal(&s->cond); /* it may be gone now */
    }
}

/* ---- both ---- */

/* True if it came at once, or soon if nobody else needs the thread. */
static bool comes_soon(struct port *port, struct wait *w)
{
    port_assert_held(port);
    bool spins = !idle_yields_first() && !caller_has_company();
    for (int i = 0; i < LOOKS; i++) {
        if (w->done(w))
            return true;
        if (!wait_look(port, w) && (!spins || caller_has_others()))
            break;
    }
    return w->done(w);
}

void suspend_until(struct port *port, struct wait *w)
{
    port_assert_held(port);
    if (comes_soon(port, w))
        return;
    if (w->nudge) /* what a waiting thread does when it has waited long */
        w->nudge(w);
    while (!w->done(w)) {
        add_alone(&port->held.suspends, 1);
        hook_waits(port, w);
        if (w->n > 0)
            wait_for_requests(port, w);
        else
            wait_for_look(port, w);
    }
}
