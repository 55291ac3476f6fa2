/* SPDX-License-Identifier: BSD-3-Clause */
#include "p2p/recv.h"

#include "p2p/endpoint.h"
#include "p2p/far.h"
#include "p2p/send.h"
#include "p2p/wait.h"

static ep_request describe(ep_request r, const struct recv *v)
{
    if (unlikely(!r))
        return NULL;
    r->view = v->view;
    r->serial = v->view->serial;
    r->data = v->data;
    r->data.mpi = type_hold(v->data.type, v->data.mpi,
                            !v->data.type->named && peer_is_remote(v->view, v->source, v->tag));
    r->bytes = span_bytes(&v->data);
    r->peer = v->source;
    r->tag = v->tag;
    r->call = v->call;
    return r;
}

ep_request recv_request(const struct recv *v)
{
    port_assert_held(v->view->port);
    ep_request r = request_new(v->view->port, REQUEST_RECV);
    if (unlikely(!r) && !tag_is_user(v->tag))
        r = request_new_own(v->view->port, REQUEST_RECV);
    return describe(r, v);
}

/* Among the unexpected ones, or at the head of the inbox, where it stays if there is no memory for an unexpected one. */
static bool has_come(const struct recv *v)
{
    const struct line *l = inbox_next(&v->view->port->inbox);
    const struct header *h = l ? &l->head.header : NULL;
    return match_peek(v->view->matcher, v->source, v->tag) ||
           (h && h->view == v->view && match_suits(v->source, v->tag, h->source, h->tag));
}

ep_request recv_request_kept(const struct recv *v)
{
    ep_request r = recv_request(v);
    if (unlikely(!r) && has_come(v))
        r = describe(request_new_kept(v->view->port, REQUEST_RECV), v);
    return r;
}

void recv_start(ep_request r)
{
    port_assert_held(r->port);
    ep_message m = match_posted(r->view->matcher, r);
    if (m)
        message_deliver(m, r);
}

/* Wait for r, copy its outcome, let it go. */
static int recv_finish(ep_request r, struct outcome *out)
{
    port_assert_held(r->port);
    wait_request(r, false);
    *out = r->out;
    request_release(r);
    return out->error;
}

/* ---- the short way, out of line parts ---- */

enum { LOOKS = 64 };

/* A receive that polls. */
struct looking {
    const struct recv *v;
    struct outcome *out;
    bool done;
};

static bool take_polled(struct port *port, const struct header *h, const struct net_arrival *a, void *arg)
{
    port_assert_held(port);
    struct looking *k = arg;
    if (k->done || !recv_gets(k->v, h))
        return false;
    recv_take(port, k->v, h, a->object, k->out);
    k->done = true;
    return true;
}

/* Look on at the inbox a little, and at what comes from other processes if that may be awaited. The port's lock is held all
 * the time, so the receive is as good as posted; who wants the lock finds it posted in truth (wait.h). */
static bool look_on(const struct recv *v, struct outcome *out)
{
    port_assert_held(v->view->port);
    struct port *port = v->view->port;
    struct looking k = {v, out, false};
    struct far_receiver here = {.port = port, .take = take_polled, .arg = &k};
    bool polls = far_active() && (v->source == MPI_ANY_SOURCE || !near_dest(v->view, v->source, v->tag));
    unsigned n = 0;
    while (n < LOOKS && !k.done && !inbox_next(&port->inbox) && load_relaxed(&port->lock.wanted) == 0) {
        if (polls)
            far_poll(&here, false);
        n++;
    }
    add_alone(&port->held.spins, n);
    return k.done || recv_line(v, out);
}

int recv_posted(struct recv v, struct outcome *out)
{
    port_assert_held(v.view->port);
    struct port *port = v.view->port;
    /* now and then as if it did not come: others wait, too */
    if (recv_is_open(&v) && !inbox_next(&port->inbox) && !mode_is_task() && ++port->looks % LOOKS != 0 &&
        look_on(&v, out))
        return out->error;
    ep_request r = recv_request(&v);
    if (unlikely(!r))
        return MPI_ERR_NO_MEM;
    recv_start(r);
    return recv_finish(r, out);
}

int p2p_recv(const struct recv *v, struct outcome *out)
{
    return recv_now(v, out);
}

struct posting {
    const struct recv *recv;
    ep_request request;
};

static bool is_posted(struct wait *w)
{
    struct posting *p = w->arg;
    if (!p->request && (p->request = recv_request_kept(p->recv)))
        recv_start(p->request);
    return p->request;
}

ep_request p2p_post(const struct recv *v)
{
    struct port *port = v->view->port;
    struct posting p = {v, NULL};
    struct wait w = {.done = is_posted, .arg = &p, .greedy = true, .limit = WORK_NS};
    port_lock(port);
    wait_until(port, &w);
    port_unlock(port);
    return p.request;
}

/* The inbox is left alone: what is in it will find the receive posted, and needs no place in the unexpected
 * queue. */
int p2p_irecv(const struct recv *v, ep_request *request)
{
    struct port *port = v->view->port;
    port_lock(port);
    ep_request r = recv_request(v);
    if (likely(r)) {
        recv_start(r);
        *request = r;
    }
    port_unlock(port);
    return r ? MPI_SUCCESS : MPI_ERR_NO_MEM;
}

static ep_request mrecv_start(const struct recv *v, ep_message m)
{
    port_assert_held(m->port);
    port_assert_held(v->view->port);
    ep_request r = recv_request(v);
    if (!r)
        return NULL;
    m->view->matcher->nposted--;
    endpoint_check_settled(m->view);
    net_arrival_claim(&m->arrival); /* taken by a probe: it cannot be withdrawn */
    message_deliver(m, r);
    return r;
}

int p2p_mrecv(const struct recv *v, ep_message m, struct outcome *out)
{
    struct port *port = v->view->port;
    int rc = MPI_ERR_NO_MEM;
    port_lock(port);
    ep_request r = mrecv_start(v, m);
    if (r)
        rc = recv_finish(r, out);
    port_unlock(port);
    return rc;
}

int p2p_imrecv(const struct recv *v, ep_message m, ep_request *request)
{
    struct port *port = v->view->port;
    port_lock(port);
    ep_request r = mrecv_start(v, m);
    port_unlock(port);
    if (r)
        *request = r;
    return r ? MPI_SUCCESS : MPI_ERR_NO_MEM;
}
