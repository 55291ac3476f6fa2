/* SPDX-License-Identifier: BSD-3-Clause */
#include "p2p/recv.h"

#include "p2p/endpoint.h"
#include "p2p/far.h"
#include "p2p/match.h"
#include "p2p/send.h"
#include "p2p/wait.h"

ep_request recv_request(const struct recv *v)
{
    port_assert_held(v->view->port);
    ep_request r = request_new(v->view->port, REQUEST_RECV);
    if (unlikely(!r) && !tag_is_user(v->tag))
        r = request_new_own(v->view->port, REQUEST_RECV);
    if (unlikely(!r))
        return NULL;
    r->view = v->view;
    r->serial = v->view->serial;
    r->data = v->data;
    r->data.mpi = type_hold(v->data.type, v->data.mpi);
    r->bytes = span_bytes(&v->data);
    r->peer = v->source;
    r->tag = v->tag;
    r->call = v->call;
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

/* ---- the short way ---- */

enum { LOOKS = 64 };

/* Look on at the inbox a little, and at what comes from other processes if that may be awaited. The port's lock is held all
 * the time, so the receive is as good as posted; who wants the lock finds it posted in truth (wait.h). */
__attribute__((noinline)) static const struct line *look_on(const struct recv *v)
{
    struct port *port = v->view->port;
    const struct line *l = NULL;
    if (mode_is_task() ||
        ++port->looks % LOOKS == 0) /* now and then as if it did not come: others wait, too */
        return NULL;
    bool polls = far_active() && (v->source == MPI_ANY_SOURCE || !near_dest(v->view, v->source, v->tag));
    unsigned n = 0;
    while (n < LOOKS && !(l = inbox_next(&port->inbox)) && load_relaxed(&port->lock.wanted) == 0) {
        if (polls)
            far_poll(false);
        n++;
    }
    add_alone(&port->held.spins, n);
    return l;
}

/* If v were posted now: would the message at the head of the inbox go to it, and be done with? */
static inline bool gets(const struct recv *v, const struct header *h)
{
    struct matcher *m = v->view->matcher;
    return likely(arrival_is_inline(h->kind)) && likely(h->view == v->view) &&
           likely(match_suits(v->source, v->tag, h->source, h->tag)) &&
           (likely(m->nposted == 0) || !match_arrived(m, h->source, h->tag));
}

/*
 * Receive without a request what is at the head of the inbox, or comes there at once. It is what posting the receive and taking
 * one message out of the inbox would do: earlier messages (unexpected ones) and earlier receives that want the message come first.
 * False: nothing was done, the general way is to be taken.
 */
static inline bool receive_now(const struct recv *v, struct outcome *out)
{
    struct port *port = v->view->port;
    struct matcher *m = v->view->matcher;
    if (observed_by(OBSERVER_TRACE) || unlikely(m->unexpected.count > 0) || unlikely(m->closed) ||
        unlikely(port_has_jobs(port)) || unlikely(!v->data.type->contiguous))
        return false;
    const struct line *l = inbox_next(&port->inbox);
    if ((!l && !(l = look_on(v))) || unlikely(!gets(v, &l->head.header)))
        return false;
    chaos_point();
    const struct header *h = &l->head.header;
    size_t bytes = outcome_receive(out, h->source, h->tag, h->inline_bytes, span_bytes(&v->data));
    line_read(l, span_start(&v->data), bytes);
    if (likely(h->kind == ARRIVAL_INLINE)) {
        add_alone(&port->held.received_near, 1);
        add_alone(&port->held.received_near_bytes, bytes);
    } else {
        add_alone(&port->held.received_far, 1);
        add_alone(&port->held.received_far_bytes, bytes);
    }
    inbox_done(&port->inbox, l);
    return true;
}

__attribute__((noinline)) static int receive_posted(const struct recv *v, struct outcome *out)
{
    ep_request r = recv_request(v);
    if (unlikely(!r))
        return MPI_ERR_NO_MEM;
    recv_start(r);
    return recv_finish(r, out);
}

int p2p_recv(const struct recv *v, struct outcome *out)
{
    struct port *port = v->view->port;
    port_lock(port);
    int rc = likely(receive_now(v, out)) ? out->error : receive_posted(v, out);
    port_unlock(port);
    return rc;
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
    port_assert_held(v->view->port);
    ep_request r = recv_request(v);
    if (!r)
        return NULL;
    m->view->matcher->nposted--;
    endpoint_check_settled(m->view);
    message_claim(m); /* taken by a probe: it cannot be withdrawn */
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
