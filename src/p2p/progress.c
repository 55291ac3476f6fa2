/* SPDX-License-Identifier: BSD-3-Clause */
#include "p2p/progress.h"

#include "p2p/endpoint.h"
#include "p2p/far.h"
#include "p2p/later.h"
#include "p2p/lend.h"
#include "p2p/match.h"
#include "p2p/message.h"
#include "p2p/recall.h"
#include "p2p/suspend.h"
#include "p2p/work.h"

enum { HELP_EVERY = 16 };

/* The message at the head of the inbox goes to its receive, to the unexpected queue, or nowhere.
 * False if it has to stay (no memory). */
static inline bool dispatch(struct port *p, const struct line *l)
{
    ep_comm view = l->head.header.view;
    struct matcher *m = view->matcher;
    ep_request r = match_arrived(m, l->head.header.source, l->head.header.tag);
    if (r && line_claim(l)) {
        match_unpost(m, r);
        hook_arrived(&r->flow, &l->head.header);
        line_deliver(l, r);
        endpoint_check_settled(view);
    } else if (r || (m->closed && tag_is_user(l->head.header.tag))) {
        uint64_t unused;
        hook_arrived(&unused, &l->head.header);
        line_drop(l);
    } else if (unlikely(l->head.header.kind == ARRIVAL_RECALL)) {
        recall_serve(p, &l->head.header, line_far(l));
    } else {
        ep_message msg = message_keep(p, l);
        if (!msg)
            return false;
        hook_arrived(&msg->flow, &l->head.header);
        match_keep(m, msg);
        if (unlikely(p->listeners.first != NULL))
            suspend_tell(p, &l->head.header);
    }
    return true;
}

/* The next message. False if there is none or it has to stay. */
static inline bool take_one(struct port *p)
{
    const struct line *l = inbox_next(&p->inbox);
    if (!l)
        return false;
    chaos_point();
    if (!dispatch(p, l))
        return false;
    inbox_done(&p->inbox, l);
    return true;
}

/* Lent sends and other work, not the inbox. */
static bool do_jobs(struct port *p)
{
    bool any = p->jobs && lend_jobs(p);
    if (any)
        work_settle(p);
    return work_step(p) || any;
}

bool progress_step(struct port *p)
{
    port_assert_held(p);
    if (unlikely(port_has_jobs(p)) && do_jobs(p))
        return true;
    return take_one(p);
}

unsigned progress_inbox(struct port *p)
{
    port_assert_held(p);
    unsigned n = 0;
    while (take_one(p))
        n++;
    return n;
}

bool progress_port(struct port *p)
{
    port_assert_held(p);
    bool any = false;
    while (take_one(p)) {
        if (any)
            inbox_prefetch(&p->inbox);
        any = true;
    }
    if (unlikely(port_has_jobs(p)))
        any |= do_jobs(p);
    return any;
}

/* Between port_enter and port_left. A single owner's jobs are left to him and to the senders, since working
 * on them lets go of the port meanwhile as its owner does. */
bool progress_helper(struct port *p, struct port *mine)
{
    port_assert_held(p);
    unsigned n = progress_inbox(p);
    add_alone(&p->held.helped_by, n);
    if (mine)
        add_alone(&mine->held.helped, n);
    bool any = p->single_owner ? work_step(p) : port_has_jobs(p) && do_jobs(p);
    return any || n > 0;
}

void progress_once(struct port *p)
{
    port_assert_held(p);
    static _Thread_local unsigned turn;
    progress_port(p);
    if (far_poll(false))
        progress_port(p);
    if (++turn % HELP_EVERY == 0) /* a program that tests in a loop waits */
        progress_others(p);
}

void progress_missed(void)
{
    later_run();
    idle_missed();
}

bool progress_others(struct port *mine)
{
    bool any = false;
    for (struct port *p = port_first(); p; p = p->next) {
        if (p == mine || !(inbox_ready(&p->inbox) || load_relaxed(&p->busy)) || !port_enter(p))
            continue;
        any |= progress_helper(p, mine);
        port_left(p);
    }
    return any;
}

int progress_process(void *unused)
{
    (void)unused;
    bool any = far_poll(false);
    return progress_others(NULL) || any;
}
