/* SPDX-License-Identifier: BSD-3-Clause */
#include "p2p/progress/suspend.h"

#include "p2p/progress/work.h"

/* ---- until any of some requests ends ---- */

struct awaiting {
    struct awaiter awaiter;
    crt_cond_t cond; /* signalled by the first who tells */
    _Atomic unsigned
        told; /* how many have; the last access of all but the first; acq_rel suspend_tell_wait, acquire awaiting_is_told */
    unsigned ended; /* how many must have */
};

static void suspend_tell_wait(struct awaiter *awaiter)
{
    struct awaiting *a = container_of(awaiter, struct awaiting, awaiter);
    if (add_acq_rel(&a->told, 1) == 0)
        crt_signal(&a->cond);
}

/* Hold the lock of `endpoint` instead of *held. */
static void suspend_change(struct endpoint **held, struct endpoint *endpoint)
{
    if (*held == endpoint)
        return;
    endpoint_unlock(*held);
    endpoint_lock(endpoint);
    *held = endpoint;
}

/* Until one is found that is done. How many were seen before it. */
static int await_all(struct awaiting *a, const struct wait *w, struct endpoint **held)
{
    for (int i = 0; i < w->n; i++) {
        ep_request r = w->requests[i];
        if (!request_is_active(r))
            continue;
        if (request_is_done(r))
            return i;
        suspend_change(held, r->endpoint);
        if (!request_await(r, &a->awaiter))
            return i;
    }
    return w->n;
}

/* The first n. How many ended while they were awaited. */
static unsigned suspend_unawait(const struct wait *w, int n, struct endpoint **held)
{
    unsigned ended = 0;
    for (int i = 0; i < n; i++) {
        ep_request r = w->requests[i];
        if (!request_is_active(r))
            continue;
        suspend_change(held, r->endpoint);
        ended += request_unawait(r);
    }
    return ended;
}

static bool awaiting_is_told(void *awaiting)
{
    struct awaiting *a = awaiting;
    return load_acquire(&a->told) >= a->ended;
}

/* `a` goes when this returns: nobody may be about to tell. Holds the lock of `endpoint` then, instead of `held`. */
static void see_out(struct awaiting *a, struct endpoint *held, struct endpoint *endpoint)
{
    if (!awaiting_is_told(a)) {
        endpoint_unlock(held);
        wait_for(awaiting_is_told, a, POLICY_SHORTLY);
        endpoint_lock(endpoint);
    } else {
        suspend_change(&held, endpoint);
    }
}

static void wait_for_requests(struct endpoint *endpoint, struct wait *w)
{
    endpoint_assert_held(endpoint);
    struct awaiting a = {.awaiter = {suspend_tell_wait}};
    struct endpoint *held = endpoint;
    int n = await_all(&a, w, &held);
    bool waits = n == w->n;
    if (waits) {
        endpoint_unlock(held);
        crt_wait(&a.cond);
        endpoint_lock(held);
    }
    a.ended = suspend_unawait(w, n, &held);
    if (!waits && a.ended > 0) {
        endpoint_unlock(held);
        crt_wait(&a.cond); /* or its signal would come when it is gone */
        endpoint_lock(held);
    }
    see_out(&a, held, endpoint);
}

/* ---- until a look finds it ---- */

struct sleeper {
    struct work work; /* of the endpoint, or: */
    struct node node; /* in its list of listeners */
    struct wait *wait;
    crt_cond_t cond;
};

static bool suspend_look(struct work *work)
{
    struct sleeper *s = container_of(work, struct sleeper, work);
    struct wait *w = s->wait;
    if (!wait_found(w) && !(w->help && w->help(w) && wait_found(w)))
        return false;
    crt_signal(&s->cond); /* it may be gone now */
    return true;
}

static void wait_for_look(struct endpoint *endpoint, struct wait *w)
{
    endpoint_assert_held(endpoint);
    struct sleeper s = {.work = {.step = suspend_look}, .wait = w};
    if (w->hears)
        list_append(&endpoint->listeners, &s.node);
    else
        work_add(endpoint, &s.work);
    endpoint_unlock(endpoint);
    crt_wait(&s.cond);
    endpoint_lock(endpoint);
}

void suspend_tell(struct endpoint *endpoint, const struct header *m)
{
    endpoint_assert_held(endpoint);
    for (struct node *n = endpoint->listeners.first, *next; n; n = next) {
        struct sleeper *s = container_of(n, struct sleeper, node);
        next = n->next;
        if (!s->wait->hears(s->wait, m) || !wait_found(s->wait))
            continue;
        list_remove(&endpoint->listeners, n);
        crt_signal(&s->cond); /* it may be gone now */
    }
}

/* ---- both ---- */

/* Looks before the task makes way. */
struct looks {
    struct endpoint *endpoint;
    struct wait *wait;
    bool spins; /* nobody else needs the thread */
    bool over;
};

static bool task_look(void *looks)
{
    struct looks *k = looks;
    return wait_found(k->wait) || k->over;
}

static bool task_serve(void *looks)
{
    struct looks *k = looks;
    k->over = !wait_look(k->endpoint, k->wait) && (!k->spins || caller_has_others());
    return false; /* however much comes, the task makes way */
}

/* True if it came at once, or soon if nobody else needs the thread. */
static bool comes_soon(struct endpoint *endpoint, struct wait *w)
{
    endpoint_assert_held(endpoint);
    struct looks k = {endpoint, w, !wait_shared() && !caller_has_company(), false};
    wait_serving(task_look, task_serve, &k, POLICY_LOOKS);
    return w->found;
}

void suspend_until(struct endpoint *endpoint, struct wait *w)
{
    endpoint_assert_held(endpoint);
    if (comes_soon(endpoint, w))
        return;
    if (w->nudge) /* what a waiting thread does when it has waited long */
        w->nudge(w);
    while (!wait_found(w)) {
        add_alone(&endpoint->held.suspends, 1);
        hook_waits(endpoint, w);
        if (w->n > 0)
            wait_for_requests(endpoint, w);
        else
            wait_for_look(endpoint, w);
    }
}
