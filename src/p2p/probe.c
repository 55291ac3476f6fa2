/* SPDX-License-Identifier: BSD-3-Clause */
#include "p2p/probe.h"

#include "p2p/match.h"
#include "p2p/progress.h"
#include "p2p/wait.h"

/* Look once. What two threads on one endpoint see is decided under the port's lock. */
static bool look(struct probe *p)
{
    port_assert_held(p->view->port);
    struct matcher *matcher = p->view->matcher;
    ep_message m;
    while ((m = match_peek(matcher, p->source, p->tag))) {
        if (!p->take)
            break;
        match_take(matcher, m);
        matcher->nposted++;
        if (net_arrival_match(&m->arrival))
            break;
        matcher->nposted--;
        message_drop(m); /* withdrawn just now */
    }
    if (!m)
        return false;
    p->message = m;
    p->status = (ep_status){m->source, m->tag, MPI_SUCCESS, 0, (MPI_Count)m->arrival.bytes};
    return true;
}

/* Asked more than once: what was found stays found. */
static bool found(struct wait *w)
{
    struct probe *p = w->arg;
    return p->message || look(p);
}

static bool hears(struct wait *w, const struct header *m)
{
    const struct probe *p = w->arg;
    return m->view == p->view && match_suits(p->source, p->tag, m->source, m->tag);
}

static void tell(const struct wait *w, struct plight *about)
{
    const struct probe *p = w->arg;
    *about = (struct plight){p->take ? "ep_mprobe" : "ep_probe", p->view, p->source, p->tag, false};
}

bool p2p_probe(struct probe *p)
{
    struct port *port = p->view->port;
    port_lock(port);
    progress_once(port);
    bool yes;
    p->message = NULL;
    if (p->block) {
        struct wait w = {.done = found, .arg = p, .limit = -1, .tell = tell, .hears = hears};
        wait_until(port, &w);
        yes = true;
    } else {
        yes = look(p);
    }
    port_unlock(port);
    if (!yes)
        progress_missed();
    return yes;
}
