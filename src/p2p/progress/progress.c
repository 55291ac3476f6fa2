/* SPDX-License-Identifier: BSD-3-Clause */
#include "p2p/progress/progress.h"

#include "p2p/endpoint_views.h"
#include "p2p/far/far.h"
#include "p2p/progress/later.h"
#include "p2p/rndv.h"
#include "p2p/match.h"
#include "p2p/message.h"
#include "p2p/far/recall.h"
#include "p2p/progress/suspend.h"
#include "p2p/progress/work.h"

enum { HELP_EVERY = 16 };

static inline bool progress_dispatch(struct endpoint *p, const struct header *h, const struct net_arrival *a)
{
    endpoint_assert_held(p);
    struct matcher *m = matcher_of(h->view);
    struct request_recv *r = match_arrived(m, h->source, h->tag);
    if (r && net_arrival_claim(a)) {
        match_unpost(m, r);
        hook_arrived(&r->flow, h);
        arrival_deliver(h, a, r);
        endpoint_check_settled(h->view);
    } else if (r || (m->closed && tag_is_user(h->tag))) {
        uint64_t unused;
        hook_arrived(&unused, h);
        net_arrival_drop(a, p);
    } else if (unlikely(h->tag == RECALL_TAG)) {
        recall_serve(p, h, a);
    } else {
        ep_message msg = message_keep(p, h, a);
        if (!msg)
            return false;
        hook_arrived(&msg->flow, h);
        match_keep(m, msg);
        if (unlikely(p->listeners.first != NULL))
            suspend_tell(p, h);
    }
    return true;
}

bool progress_take(struct endpoint *p, const struct header *h, const struct net_arrival *a, void *unused)
{
    endpoint_assert_held(p);
    (void)unused;
    bool taken = progress_dispatch(p, h, a);
    /* Another thread may sleep in a probe for it: it was in no inbox, so nobody else tells. */
    evcount_notify(&p->evcount);
    return taken;
}

/* The next message. False if there is none or it has to stay. */
static inline bool take_one(struct endpoint *p)
{
    endpoint_assert_held(p);
    const struct line *l = inbox_next(&p->inbox);
    if (!l)
        return false;
    chaos_point();
    struct net_arrival a = line_arrival(l);
    if (!progress_dispatch(p, &l->head.header, &a))
        return false;
    inbox_done(&p->inbox, l);
    return true;
}

/* Sends by rendezvous and other work, not the inbox. */
static bool do_jobs(struct endpoint *p)
{
    endpoint_assert_held(p);
    bool any = p->jobs && rndv_jobs(p);
    if (any)
        work_settle(p);
    return work_step(p) || any;
}

bool progress_step(struct endpoint *p)
{
    endpoint_assert_held(p);
    if (unlikely(endpoint_has_jobs(p)) && do_jobs(p))
        return true;
    return take_one(p);
}

unsigned progress_inbox(struct endpoint *p)
{
    endpoint_assert_held(p);
    unsigned n = 0;
    while (take_one(p))
        n++;
    return n;
}

bool progress_endpoint(struct endpoint *p)
{
    endpoint_assert_held(p);
    bool any = false;
    while (take_one(p)) {
        if (any)
            inbox_prefetch(&p->inbox);
        any = true;
    }
    if (unlikely(endpoint_has_jobs(p)))
        any |= do_jobs(p);
    return any;
}

/* Between endpoint_enter and endpoint_left. A single owner's jobs are left to the owner and to the senders,
 * since working on them lets go of the endpoint meanwhile as its owner does. */
bool progress_helper(struct endpoint *p, struct endpoint *mine)
{
    endpoint_assert_held(p);
    unsigned n = progress_inbox(p);
    add_alone(&p->held.helped_by, n);
    if (mine)
        add_alone(&mine->held.helped, n);
    bool any = p->single_owner ? work_step(p) : endpoint_has_jobs(p) && do_jobs(p);
    return any || n > 0;
}

void progress_once(struct endpoint *p)
{
    endpoint_assert_held(p);
    static _Thread_local unsigned turn;
    progress_endpoint(p);
    struct far_receiver here = {.endpoint = p, .take = progress_take};
    if (far_poll(&here, false))
        progress_endpoint(p);
    if (++turn % HELP_EVERY == 0) /* a program that tests in a loop waits */
        progress_others(p);
}

void progress_missed(void)
{
    lock_assert_none();
    later_run();
    wait_missed();
}

bool progress_others(struct endpoint *mine)
{
    bool any = false;
    for (struct endpoint *p = endpoint_first(); p; p = p->next) {
        if (p == mine || !(inbox_ready(&p->inbox) || load_relaxed(&p->busy)) || !endpoint_enter(p))
            continue;
        any |= progress_helper(p, mine);
        endpoint_left(p);
    }
    return any;
}

int progress_process(void *unused)
{
    (void)unused;
    bool any = far_poll(NULL, false);
    return progress_others(NULL) || any;
}
