/* SPDX-License-Identifier: BSD-3-Clause */
#include "p2p/progress/wait.h"

#include "net/net.h"
#include "p2p/far/far.h"
#include "p2p/progress/later.h"
#include "p2p/rndv.h"
#include "p2p/progress/poller.h"
#include "p2p/progress/progress.h"
#include "p2p/progress/suspend.h"
#include "p2p/progress/work.h"

enum { NUDGE_EVERY = 256 };

static bool nobody_wants(void *lock)
{
    return load_relaxed(&((struct lock *)lock)->wanted) == 0;
}

/* Somebody else wants this endpoint: let it in. On shared cores it may need this one for that. */
static void give_way(struct endpoint *endpoint)
{
    endpoint_assert_held(endpoint);
    endpoint_unlock(endpoint);
    bool gave = wait_missed();
    if (!gave)
        wait_for(nobody_wants, &endpoint->lock, POLICY_GIVE_WAY);
    endpoint_lock(endpoint);
    add_alone(&endpoint->held.yields, gave);
}

/* Work for others. True if something happened. */
static bool look_around(struct endpoint *endpoint, struct wait *w)
{
    if (w->nudge)
        w->nudge(w);
    return progress_others(endpoint);
}

static void yield_once(struct endpoint *endpoint, struct waiter *waiter)
{
    endpoint_assert_held(endpoint);
    add_alone(&endpoint->held.yields, 1);
    endpoint_unlock(endpoint);
    later_run();
    waiter->prompt = far_in_hand();
    wait_rest(waiter, ADVICE_YIELD);
    endpoint_lock(endpoint);
}

/* Sleep on the event count unless something came up or this thread has to poll. */
static void wait_sleep_once(struct endpoint *endpoint, struct wait *w, struct waiter *waiter)
{
    endpoint_assert_held(endpoint);
    /* An inbox that stays ready has a message that its sender has claimed room for and not yet written. */
    if ((far_active() && poller_take()) || inbox_ready(&endpoint->inbox)) {
        yield_once(endpoint, waiter);
        return;
    }
    poller_resign();
    uint32_t ticket = evcount_prepare(&endpoint->evcount);
    work_step(endpoint); /* what it waits for may have happened before the event count was armed */
    if (wait_found(w) || (w->help && w->help(w)) || inbox_ready(&endpoint->inbox) || endpoint->jobs ||
        load_relaxed(&endpoint->new_works) || (far_active() && poller_wanted()))
        return;
    add_alone(&endpoint->held.sleeps, 1);
    endpoint_unlock(endpoint);
    evcount_wait(&endpoint->evcount, ticket, wait_sleep_limit(w->policy));
    endpoint_lock(endpoint);
}

/* A thread that waits. */
struct occupying {
    struct endpoint *endpoint;
    struct wait *wait;
    bool watches; /* the rings, between two whole looks */
    bool slept;   /* it came to sleeping or polling for sleepers */
};

/* Nothing to do at the moment. */
static void idle_once(struct occupying *o, struct waiter *waiter, enum wait_advice advice)
{
    struct endpoint *endpoint = o->endpoint;
    endpoint_assert_held(endpoint);
    add_alone(&endpoint->held.spins, 1);
    if (unlikely(load_relaxed(&endpoint->lock.wanted) > 0))
        give_way(endpoint);
    if (likely(advice == ADVICE_SPIN) && waiter->turns % NUDGE_EVERY != 0)
        return;
    hook_waits(endpoint, o->wait);
    if (look_around(endpoint, o->wait) || advice == ADVICE_SPIN)
        return;
    if (advice == ADVICE_SLEEP) {
        wait_sleep_once(endpoint, o->wait, waiter);
        o->slept = true;
    } else {
        yield_once(endpoint, waiter);
    }
}

/* Looking at the inbox beyond the awaited message would take its next line away from the sender that has
 * just fetched it for writing. */
static bool wait_take(struct endpoint *endpoint, const struct wait *w)
{
    return w->greedy ? progress_endpoint(endpoint) : progress_step(endpoint);
}

bool wait_look(struct endpoint *endpoint, struct wait *w)
{
    endpoint_assert_held(endpoint);
    bool any = (inbox_ready(&endpoint->inbox) || endpoint_has_jobs(endpoint)) && wait_take(endpoint, w);
    if (!any && w->help)
        any = w->help(w);
    if (!any && far_active())
        any = far_poll(&(struct far_receiver){.endpoint = endpoint, .take = progress_take}, w->greedy);
    return any;
}

static bool rings_look(void *occupying)
{
    struct occupying *o = occupying;
    return inbox_ready(&o->endpoint->inbox) || net_shm_ready() || wait_found(o->wait);
}

static bool occupy_look(void *occupying)
{
    return wait_found(((struct occupying *)occupying)->wait);
}

static bool occupy_serve(void *occupying)
{
    struct occupying *o = occupying;
    return wait_look(o->endpoint, o->wait);
}

/* A whole look takes many times as long as one at the two rings that what is awaited most likely comes by: so between
 * two of them these are looked at, and a message is found as soon as it is there. */
static void occupy_rest(void *occupying, struct waiter *waiter, enum wait_advice advice)
{
    struct occupying *o = occupying;
    idle_once(o, waiter, advice);
    if (o->watches)
        wait_for(rings_look, o, POLICY_RINGS);
}

/* For messages to this endpoint: then it is the one that has the next step, and yields before it sleeps. Where one polls for
 * all others of the process (poller.h), who waits for more than messages had better leave the cores to those. */
static inline bool awaits_messages(const struct wait *w)
{
    return w->n > 0 || w->hears;
}

static inline void occupy_until(struct endpoint *endpoint, struct wait *w)
{
    static const struct wait_way way = {occupy_look, occupy_serve, occupy_rest};
    bool rings = net_shm_own() && far_active(); /* else all comes by MPI, which only a whole look sees */
    struct occupying o = {endpoint, w, rings && !wait_crowded(), false};
    struct waiter waiter = {.sleepy = far_active() && !awaits_messages(w)};
    wait_with(&waiter, &way, &o, w->policy);
    if (unlikely(o.slept))
        poller_leave();
}

void wait_until(struct endpoint *endpoint, struct wait *w)
{
    endpoint_assert_held(endpoint);
    w->found = false;
    if (unlikely(caller_suspends()))
        suspend_until(endpoint, w);
    else
        occupy_until(endpoint, w);
    if (unlikely(w->watched))
        hook_waited(endpoint, w);
}

static bool request_done(struct wait *w)
{
    return request_is_done(w->arg);
}

static bool request_help(struct wait *w)
{
    return rndv_help(request_lender(w->arg));
}

static bool collective_help(struct wait *w)
{
    return request_assist(w->arg);
}

static void request_nudge(struct wait *w)
{
    rndv_buffer(request_lender(w->arg));
}

void wait_request(ep_request r, bool greedy)
{
    endpoint_assert_held(r->endpoint);
    struct wait w = {.done = request_done, .arg = r, .greedy = greedy};
    if (request_is_done(r))
        return;
    if (r->kind != REQUEST_COLLECTIVE) {
        w.requests = &r;
        w.n = 1;
    }
    if (r->kind == REQUEST_SEND && load_relaxed(&request_lender(r)->rndv) != RNDV_NONE) {
        w.help = request_help;
        w.nudge = request_nudge;
        /* its receiver may have looked at its inbox just before the message came, and compute now */
        w.policy = POLICY_ELSEWHERE;
    } else if (r->kind == REQUEST_COLLECTIVE) {
        w.help = collective_help;
        w.policy = POLICY_ELSEWHERE;
    }
    wait_until(r->endpoint, &w);
}
