/* SPDX-License-Identifier: BSD-3-Clause */
#include "p2p/recv.h"

#include <assert.h>

#include "p2p/endpoint_views.h"
#include "p2p/far/far.h"
#include "p2p/send.h"
#include "p2p/progress/wait.h"

static ep_request recv_describe(ep_request r, const struct recv *v)
{
    if (unlikely(!r))
        return NULL;
    struct request_recv *q = request_to_recv(r);
    r->view = v->view;
    r->serial = v->view->serial;
    r->peer = v->source;
    r->tag = v->tag;
    r->call = v->call;
    q->data = v->data;
    q->data.mpi = type_hold(v->data.type, v->data.mpi,
                            !v->data.type->named && peer_is_remote(v->view, v->source, v->tag));
    q->bytes = span_bytes(&v->data);
    q->order = 0;
    return r;
}

ep_request recv_request(const struct recv *v)
{
    endpoint_assert_held(v->view->endpoint);
    ep_request r = request_new(v->view->endpoint, REQUEST_RECV);
    if (unlikely(!r) && !tag_is_user(v->tag))
        r = request_new_own(v->view->endpoint, REQUEST_RECV);
    return recv_describe(r, v);
}

/* Among the unexpected ones, or the first of the inbox, where it stays if there is no memory for an unexpected one. That of a
 * receive which was posted before is not this one's. */
static bool recv_has_come(const struct recv *v)
{
    struct matcher *m = matcher_of(v->view);
    const struct line *l = inbox_next(&v->view->endpoint->inbox);
    const struct header *h = l ? &l->head.header : NULL;
    return match_peek(m, v->source, v->tag) ||
           (h && h->view == v->view && match_suits(v->source, v->tag, h->source, h->tag) &&
            !match_arrived(m, h->source, h->tag));
}

ep_request recv_request_kept(const struct recv *v)
{
    ep_request r = recv_request(v);
    if (unlikely(!r) && recv_has_come(v))
        r = recv_describe(request_new_kept(v->view->endpoint, REQUEST_RECV), v);
    return r;
}

void recv_start(ep_request r)
{
    endpoint_assert_held(r->endpoint);
    struct request_recv *q = request_to_recv(r);
    ep_message m = match_posted(matcher_of(r->view), q);
    if (m)
        message_deliver(m, q);
}

/* Wait for r, copy its outcome, let it go. */
static int recv_finish(ep_request r, struct outcome *out)
{
    endpoint_assert_held(r->endpoint);
    wait_request(r, false);
    *out = r->out;
    request_release(r);
    return out->error;
}

/* ---- the short way, out of line parts ---- */

enum { LONG_WAY_EVERY = 64 };

/* A receive that polls. */
struct looking {
    const struct recv *v;
    struct outcome *out;
    ep_request request; /* instead, if its message is not in lines: it is matched with it */
    MPI_Request left; /* or, without memory for one, what MPI has in hand of it */
    struct far_receiver here;
    bool polls, done;
};

/* Into the buffer without a request, if MPI has it all by now. */
static bool take_now(struct looking *k, const struct header *h, const struct net_arrival *a)
{
    struct endpoint *endpoint = k->here.endpoint;
    int rc;
    if (!a->ops->receive_now || !a->ops->receive_now(a, &k->v->data, &k->left, &rc))
        return false;
    size_t bytes = outcome_receive(k->out, h->source, h->tag, a->bytes, span_bytes(&k->v->data));
    k->out->error = rc;
    add_alone(&endpoint->held.received_far, 1);
    add_alone(&endpoint->held.received_far_bytes, bytes);
    if (unlikely(k->left != MPI_REQUEST_NULL) && (k->request = recv_request(k->v))) {
        k->request->out = *k->out;
        far_adopt(k->request, k->left);
    } else {
        k->done = true;
    }
    return true;
}

static bool take_polled(struct endpoint *endpoint, const struct header *h, const struct net_arrival *a,
                        void *arg)
{
    endpoint_assert_held(endpoint);
    struct looking *k = arg;
    if (k->done || k->request || !recv_gets(k->v, h))
        return false;
    if (likely(arrival_is_inline(h->kind))) {
        recv_take(endpoint, k->v, h, a->object, k->out);
        k->done = true;
        return true;
    }
    if (take_now(k, h, a))
        return true;
    if (!(k->request = recv_request(k->v)))
        return false;
    assert(!a->ops->claim);
    arrival_deliver(h, a, request_to_recv(k->request));
    return true;
}

static bool looking_ends(void *looking)
{
    struct looking *k = looking;
    struct endpoint *endpoint = k->here.endpoint;
    return k->done || k->request || inbox_next(&endpoint->inbox) || load_relaxed(&endpoint->lock.wanted) > 0;
}

static bool look_far(void *looking)
{
    struct looking *k = looking;
    if (k->polls)
        far_poll(&k->here, false);
    return false; /* however much comes, it does not look longer */
}

/* Look on at the inbox a little, and at what comes from other processes if that may be awaited. The endpoint's lock is held all
 * the time, so the receive is as good as posted; who wants the lock finds it posted in truth (wait.h). */
static void look_on(struct looking *k)
{
    const struct recv *v = k->v;
    endpoint_assert_held(v->view->endpoint);
    struct waiter w = {0};
    k->here = (struct far_receiver){v->view->endpoint, take_polled, k};
    k->polls = far_active() &&
               (v->source == MPI_ANY_SOURCE || !net_near(v->view, view_target(v->view, v->source, v->tag)));
    wait_with(&w, &(struct wait_way){.look = looking_ends, .serve = look_far}, k, POLICY_LOOKS);
    add_alone(&v->view->endpoint->held.spins, w.turns);
    k->done = k->done || (!k->request && recv_line(v, k->out) == RECV_TAKEN);
}

/* now and then as if it did not come: others wait, too */
static inline bool looks_on(struct endpoint *endpoint)
{
    return !mode_is_task() && ++endpoint->looks % LONG_WAY_EVERY != 0;
}

static bool first_comes(void *arg)
{
    struct endpoint *endpoint = arg;
    return inbox_next(&endpoint->inbox) || load_relaxed(&endpoint->lock.wanted) > 0;
}

/* Look on at the inbox alone. The lock is held, as in look_on. */
static void look_near(struct endpoint *endpoint)
{
    static const struct wait_way way = {.look = first_comes};
    struct waiter w = {0};
    endpoint_assert_held(endpoint);
    if (unlikely(wait_crowded()))
        wait_with(&w, &way, endpoint, POLICY_LOOKS);
    else
        wait_with(&w, &way, endpoint, POLICY_NEAR_LOOKS);
    add_alone(&endpoint->held.spins, w.turns);
}

enum recv_look recv_quick(ep_comm view, int source, int tag, void *to, size_t room, ep_status *status)
{
    struct endpoint *endpoint = view->endpoint;
    endpoint_assert_held(endpoint);
    if (!looks_on(endpoint))
        return RECV_POSTED;
    look_near(endpoint);
    enum recv_look look = quick_take(endpoint, view, source, tag, to, room, status, true, false);
    return look == RECV_AWAITED ? RECV_POSTED : look;
}

int recv_posted(struct recv v, struct outcome *out, enum recv_look look)
{
    endpoint_assert_held(v.view->endpoint);
    struct looking k = {.v = &v, .out = out, .left = MPI_REQUEST_NULL};
    if (look == RECV_AWAITED && looks_on(v.view->endpoint))
        look_on(&k);
    if (k.done) {
        if (unlikely(k.left != MPI_REQUEST_NULL)) {
            int rc = far_await(k.left);
            out->error = out->error ? out->error : rc;
        }
        return out->error;
    }
    if (!k.request) {
        if (unlikely(!(k.request = recv_request(&v))))
            return MPI_ERR_NO_MEM;
        recv_start(k.request);
    }
    return recv_finish(k.request, out);
}

int p2p_recv(const struct recv *v, struct outcome *out)
{
    return recv_now(v, out);
}

struct posting {
    const struct recv *recv;
    ep_request request;
};

static bool recv_is_posted(struct wait *w)
{
    struct posting *p = w->arg;
    p->request = recv_request_kept(p->recv);
    if (p->request)
        recv_start(p->request);
    return p->request;
}

ep_request p2p_post(const struct recv *v)
{
    struct endpoint *endpoint = v->view->endpoint;
    struct posting p = {v, NULL};
    struct wait w = {.done = recv_is_posted, .arg = &p, .greedy = true, .policy = POLICY_ELSEWHERE};
    endpoint_lock(endpoint);
    wait_until(endpoint, &w);
    endpoint_unlock(endpoint);
    return p.request;
}

/* The inbox is left alone: what is in it will find the receive posted, and needs no place in the unexpected
 * queue. */
int p2p_irecv(const struct recv *v, ep_request *request)
{
    struct endpoint *endpoint = v->view->endpoint;
    endpoint_lock(endpoint);
    ep_request r = recv_request(v);
    if (likely(r)) {
        recv_start(r);
        *request = r;
    }
    endpoint_unlock(endpoint);
    return r ? MPI_SUCCESS : MPI_ERR_NO_MEM;
}

static ep_request mrecv_start(const struct recv *v, ep_message m)
{
    endpoint_assert_held(m->endpoint);
    endpoint_assert_held(v->view->endpoint);
    ep_request r = recv_request(v);
    if (!r)
        return NULL;
    matcher_of(m->view)->nposted--;
    endpoint_check_settled(m->view);
    net_arrival_claim(&m->arrival); /* taken by a probe: it cannot be withdrawn */
    message_deliver(m, request_to_recv(r));
    return r;
}

int p2p_mrecv(const struct recv *v, ep_message m, struct outcome *out)
{
    struct endpoint *endpoint = v->view->endpoint;
    int rc = MPI_ERR_NO_MEM;
    endpoint_lock(endpoint);
    ep_request r = mrecv_start(v, m);
    if (r)
        rc = recv_finish(r, out);
    endpoint_unlock(endpoint);
    return rc;
}

int p2p_imrecv(const struct recv *v, ep_message m, ep_request *request)
{
    struct endpoint *endpoint = v->view->endpoint;
    endpoint_lock(endpoint);
    ep_request r = mrecv_start(v, m);
    endpoint_unlock(endpoint);
    if (r)
        *request = r;
    return r ? MPI_SUCCESS : MPI_ERR_NO_MEM;
}
