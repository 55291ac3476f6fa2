/* SPDX-License-Identifier: BSD-3-Clause */
#include "p2p/probe.h"

#include "p2p/match.h"
#include "p2p/progress/progress.h"
#include "p2p/progress/wait.h"

/* Look once. What two threads on one endpoint see is decided under the endpoint's lock. */
static bool probe_look(struct probe *p)
{
    endpoint_assert_held(p->view->endpoint);
    struct matcher *matcher = matcher_of(p->view);
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

static bool probe_found(struct wait *w)
{
    return probe_look(w->arg);
}

static bool probe_hears(struct wait *w, const struct header *m)
{
    const struct probe *p = w->arg;
    return m->view == p->view && match_suits(p->source, p->tag, m->source, m->tag);
}

static void probe_tell(const struct wait *w, struct wait_info *about)
{
    const struct probe *p = w->arg;
    *about = (struct wait_info){p->take ? "ep_mprobe" : "ep_probe", p->view, p->source, p->tag, false};
}

bool p2p_probe(struct probe *p)
{
    struct endpoint *endpoint = p->view->endpoint;
    endpoint_lock(endpoint);
    progress_once(endpoint);
    bool yes;
    p->message = NULL;
    if (p->block) {
        struct wait w = {.done = probe_found, .arg = p, .tell = probe_tell, .hears = probe_hears};
        wait_until(endpoint, &w);
        yes = true;
    } else {
        yes = probe_look(p);
    }
    endpoint_unlock(endpoint);
    if (!yes)
        progress_missed();
    return yes;
}
