/* SPDX-License-Identifier: BSD-3-Clause */
#include "p2p/wait.h"

#include "net/net.h"
#include "p2p/far.h"
#include "p2p/later.h"
#include "p2p/lend.h"
#include "p2p/poller.h"
#include "p2p/progress.h"
#include "p2p/suspend.h"
#include "p2p/work.h"

enum { NUDGE_EVERY = 256, GIVE_WAY = 200, LENT_NS = 2000 * 1000 };

/* Somebody else wants this endpoint: let him in. On shared cores he may need this one for that. */
static void give_way(struct port *port)
{
    port_assert_held(port);
    port_unlock(port);
    bool gave = idle_missed();
    for (int i = 0; !gave && i < GIVE_WAY && load_relaxed(&port->lock.wanted) > 0; i++)
        cpu_pause();
    port_lock(port);
    add_alone(&port->held.yields, gave);
}

/* Work for others. True if something happened. */
static bool look_around(struct port *port, struct wait *w)
{
    if (w->nudge)
        w->nudge(w);
    return progress_others(port);
}

static void yield_once(struct port *port, struct idle *idle)
{
    port_assert_held(port);
    add_alone(&port->held.yields, 1);
    port_unlock(port);
    later_run();
    idle_yield(idle);
    port_lock(port);
}

/* Sleep on the bell unless something came up or this thread has to poll. */
static void sleep_once(struct port *port, struct wait *w, struct idle *idle)
{
    port_assert_held(port);
    /* An inbox that stays ready has a message that its sender has claimed room for and not yet written. */
    if ((far_active() && poller_take()) || inbox_ready(&port->inbox)) {
        yield_once(port, idle);
        return;
    }
    poller_resign();
    uint32_t ticket = bell_prepare(&port->bell);
    work_step(port); /* what it waits for may have happened before the bell was armed */
    if (w->done(w) || (w->help && w->help(w)) || inbox_ready(&port->inbox) || port->jobs ||
        load_relaxed(&port->new_works) || (far_active() && poller_wanted()))
        return;
    add_alone(&port->held.sleeps, 1);
    port_unlock(port);
    bell_sleep(&port->bell, ticket, w->limit);
    port_lock(port);
}

/* Nothing to do at the moment. True if it came to sleeping or polling for sleepers. */
static bool idle_once(struct port *port, struct wait *w, struct idle *idle)
{
    port_assert_held(port);
    enum idle_advice advice = idle_turn(idle);
    add_alone(&port->held.spins, 1);
    if (unlikely(load_relaxed(&port->lock.wanted) > 0))
        give_way(port);
    if (likely(advice == IDLE_SPIN) && idle->turns % NUDGE_EVERY != 0)
        return false;
    hook_waits(port, w);
    if (look_around(port, w) || advice == IDLE_SPIN)
        return false;
    if (advice == IDLE_SLEEP) {
        sleep_once(port, w, idle);
        return true;
    }
    yield_once(port, idle);
    return false;
}

/* Looking at the inbox beyond the awaited message would take its next line away from the sender that has
 * just fetched it for writing. */
static bool take(struct port *port, const struct wait *w)
{
    return w->greedy ? progress_port(port) : progress_step(port);
}

bool wait_look(struct port *port, struct wait *w)
{
    port_assert_held(port);
    bool any = (inbox_ready(&port->inbox) || port_has_jobs(port)) && take(port, w);
    if (!any && w->help)
        any = w->help(w);
    if (!any && far_active())
        any = far_poll(&(struct far_receiver){.port = port, .take = progress_take}, w->greedy);
    return any;
}

enum { LOOKS = 32 };

/* A whole look takes many times as long as one at the two rings that what is awaited most likely comes by: so between
 * two of them these are looked at, and a message is found as soon as it is there. */
static void watch_rings(struct port *port, struct wait *w)
{
    for (int i = 0; i < LOOKS && !inbox_ready(&port->inbox) && !net_shm_ready() && !w->done(w); i++)
        continue;
}

static inline void occupy_until(struct port *port, struct wait *w)
{
    /* Where one polls for all others of the process, they had better sleep (poller.h). */
    struct idle idle = {.sleepy = w->sleepy || far_active()};
    bool slept = false, watches = far_active() && !idle_crowded();
    while (!w->done(w)) {
        if (wait_look(port, w)) {
            idle_reset(&idle);
            continue;
        }
        slept |= idle_once(port, w, &idle);
        if (watches)
            watch_rings(port, w);
    }
    if (unlikely(slept))
        poller_leave();
}

void wait_until(struct port *port, struct wait *w)
{
    port_assert_held(port);
    if (unlikely(caller_suspends()))
        suspend_until(port, w);
    else
        occupy_until(port, w);
    if (unlikely(w->watched))
        hook_waited(port, w);
}

static bool request_done(struct wait *w)
{
    return request_is_done(w->arg);
}

static bool request_help(struct wait *w)
{
    return lend_help(request_lender(w->arg));
}

static bool collective_help(struct wait *w)
{
    return request_assist(w->arg);
}

static void request_nudge(struct wait *w)
{
    lend_buffer(request_lender(w->arg));
}

void wait_request(ep_request r, bool greedy)
{
    port_assert_held(r->port);
    struct wait w = {.done = request_done, .arg = r, .greedy = greedy, .limit = -1};
    if (request_is_done(r))
        return;
    if (r->kind != REQUEST_COLLECTIVE) {
        w.requests = &r;
        w.n = 1;
    }
    if (r->kind == REQUEST_SEND && load_relaxed(&request_lender(r)->lend) != LEND_NONE) {
        w.help = request_help;
        w.nudge = request_nudge;
        /* its receiver may have looked at its inbox just before the message came, and compute now */
        w.limit = LENT_NS;
    } else if (r->kind == REQUEST_COLLECTIVE) {
        w.help = collective_help;
        w.limit = WORK_NS; /* it goes on in another endpoint's port, and nobody may be there */
    }
    wait_until(r->port, &w);
}
