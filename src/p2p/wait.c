/* SPDX-License-Identifier: BSD-3-Clause */
#include "p2p/wait.h"

#include "net/net.h"
#include "p2p/far.h"
#include "p2p/later.h"
#include "p2p/rndv.h"
#include "p2p/poller.h"
#include "p2p/progress.h"
#include "p2p/suspend.h"
#include "p2p/work.h"

enum { NUDGE_EVERY = 256, GIVE_WAY = 200, RNDV_NS = 2000 * 1000 };

/* Somebody else wants this endpoint: let it in. On shared cores it may need this one for that. */
static void give_way(struct endpoint *endpoint)
{
    endpoint_assert_held(endpoint);
    endpoint_unlock(endpoint);
    bool gave = idle_missed();
    for (int i = 0; !gave && i < GIVE_WAY && load_relaxed(&endpoint->lock.wanted) > 0; i++)
        cpu_pause();
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

static void yield_once(struct endpoint *endpoint, struct idle *idle)
{
    endpoint_assert_held(endpoint);
    add_alone(&endpoint->held.yields, 1);
    endpoint_unlock(endpoint);
    later_run();
    idle_yield(idle);
    endpoint_lock(endpoint);
}

/* Sleep on the event count unless something came up or this thread has to poll. */
static void wait_sleep_once(struct endpoint *endpoint, struct wait *w, struct idle *idle)
{
    endpoint_assert_held(endpoint);
    /* An inbox that stays ready has a message that its sender has claimed room for and not yet written. */
    if ((far_active() && poller_take()) || inbox_ready(&endpoint->inbox)) {
        yield_once(endpoint, idle);
        return;
    }
    poller_resign();
    uint32_t ticket = evcount_prepare(&endpoint->evcount);
    work_step(endpoint); /* what it waits for may have happened before the event count was armed */
    if (w->done(w) || (w->help && w->help(w)) || inbox_ready(&endpoint->inbox) || endpoint->jobs ||
        load_relaxed(&endpoint->new_works) || (far_active() && poller_wanted()))
        return;
    add_alone(&endpoint->held.sleeps, 1);
    endpoint_unlock(endpoint);
    evcount_wait(&endpoint->evcount, ticket, w->limit);
    endpoint_lock(endpoint);
}

/* Nothing to do at the moment. True if it came to sleeping or polling for sleepers. */
static bool idle_once(struct endpoint *endpoint, struct wait *w, struct idle *idle)
{
    endpoint_assert_held(endpoint);
    enum idle_advice advice = idle_round(idle);
    add_alone(&endpoint->held.spins, 1);
    if (unlikely(load_relaxed(&endpoint->lock.wanted) > 0))
        give_way(endpoint);
    if (likely(advice == IDLE_SPIN) && idle->turns % NUDGE_EVERY != 0)
        return false;
    hook_waits(endpoint, w);
    if (look_around(endpoint, w) || advice == IDLE_SPIN)
        return false;
    if (advice == IDLE_SLEEP) {
        wait_sleep_once(endpoint, w, idle);
        return true;
    }
    yield_once(endpoint, idle);
    return false;
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

enum { WAIT_LOOKS = 32 };

/* A whole look takes many times as long as one at the two rings that what is awaited most likely comes by: so between
 * two of them these are looked at, and a message is found as soon as it is there. */
static void watch_rings(struct endpoint *endpoint, struct wait *w)
{
    for (int i = 0; i < WAIT_LOOKS && !inbox_ready(&endpoint->inbox) && !net_shm_ready() && !w->done(w); i++)
        continue;
}

static inline void occupy_until(struct endpoint *endpoint, struct wait *w)
{
    /* Where one polls for all others of the process, they had better sleep (poller.h). */
    struct idle idle = {.sleepy = w->sleepy || far_active()};
    bool slept = false, watches = far_active() && !idle_crowded();
    while (!w->done(w)) {
        if (wait_look(endpoint, w)) {
            idle_reset(&idle);
            continue;
        }
        slept |= idle_once(endpoint, w, &idle);
        if (watches)
            watch_rings(endpoint, w);
    }
    if (unlikely(slept))
        poller_leave();
}

void wait_until(struct endpoint *endpoint, struct wait *w)
{
    endpoint_assert_held(endpoint);
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
    struct wait w = {.done = request_done, .arg = r, .greedy = greedy, .limit = -1};
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
        w.limit = RNDV_NS;
    } else if (r->kind == REQUEST_COLLECTIVE) {
        w.help = collective_help;
        w.limit = WORK_NS; /* it goes on in another endpoint, and nobody may be there */
    }
    wait_until(r->endpoint, &w);
}
