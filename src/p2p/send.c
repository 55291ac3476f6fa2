/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Three ways: near and small goes inline into the receiver's inbox and is complete (if it fits into one line and is
 * contiguous, by send_line, in line); near and large (or synchronous) goes by rendezvous; far goes through
 * memory or by MPI (far.h). The first needs no request, no
 * lock and no memory.
 */
#include "p2p/send.h"

#include "p2p/far/far.h"
#include "p2p/rndv.h"
#include "p2p/far/shm.h"
#include "p2p/endpoint.h"
#include "p2p/progress/wait.h"

static inline bool fits_inline(enum send_mode mode, size_t bytes, bool lends)
{
    return mode != MODE_SYNC && bytes <= (lends ? LEND_FROM : INLINE_MAX) && bytes <= (size_t)settings.eager;
}

/* May the receiver copy them later? */
static inline bool send_lends(const struct send *s, bool blocks)
{
    return !blocks && !s->copied && !wait_shared();
}

static int push_inline(ep_comm view, ep_comm to, const struct span *data, size_t bytes, int tag)
{
    unsigned char packed[INLINE_MAX];
    struct header h = {.view = to, .source = view->rank, .tag = tag, .kind = ARRIVAL_INLINE};
    const void *payload = span_start(data);
    if (unlikely(!data->type->contiguous)) {
        int rc = copy_pack(data, packed);
        if (rc != MPI_SUCCESS)
            return rc;
        payload = packed;
    }
    struct endpoint *endpoint = to->endpoint;
    if (unlikely(!inbox_push(&endpoint->inbox, &h, payload, bytes)))
        return MPI_ERR_NO_MEM;
    evcount_notify(&endpoint->evcount);
    return MPI_SUCCESS;
}

static inline void count_far(struct counters *c, size_t bytes)
{
    add_alone(&c->sent_far, 1);
    add_alone(&c->sent_far_bytes, bytes);
}

static ep_request send_describe(ep_request r, const struct send *s)
{
    if (unlikely(!r))
        return NULL;
    struct request_send *q = request_to_send(r);
    r->view = s->view;
    r->serial = s->view->serial;
    r->peer = s->dest;
    r->tag = s->tag;
    r->call = s->call;
    q->data = s->data;
    q->data.mpi = type_hold(s->data.type, s->data.mpi,
                            !s->data.type->named && peer_is_remote(s->view, s->dest, s->tag));
    q->bytes = span_bytes(&s->data);
    q->mode = (uint8_t)s->mode;
    q->lends = q->bytes > LEND_FROM && q->bytes <= INLINE_MAX && send_lends(s, false);
    q->shadow = NULL;
    store_relaxed(&q->rndv, RNDV_NONE);
    return r;
}

ep_request send_request(const struct send *s)
{
    ep_request r = request_new(s->view->endpoint, REQUEST_SEND);
    if (unlikely(!r) && !tag_is_user(s->tag))
        r = request_new_own(s->view->endpoint, REQUEST_SEND);
    return send_describe(r, s);
}

ep_request send_request_kept(const struct send *s)
{
    ep_request r = send_request(s);
    if (unlikely(!r) && span_bytes(&s->data) <= NOTICE_MAX)
        r = send_describe(request_new_kept(s->view->endpoint, REQUEST_SEND), s);
    return r;
}

bool send_is_rndv(ep_request r)
{
    struct request_send *s = request_to_send(r);
    return net_near(r->view, view_target(r->view, r->peer, r->tag)) && !fits_inline(s->mode, s->bytes, s->lends);
}

static int send_do_start(ep_request r, struct net_route route)
{
    endpoint_assert_held(r->endpoint);
    struct request_send *s = request_to_send(r);
    ep_comm to = route.near;
    int rc = MPI_SUCCESS;
    if (!to) {
        count_far(&r->endpoint->held, s->bytes);
        far_send(s, route);
    } else if (!fits_inline(s->mode, s->bytes, s->lends)) {
        rc = rndv_send(s, to) ? MPI_SUCCESS : MPI_ERR_NO_MEM;
    } else {
        count_near(&r->endpoint->held, s->bytes);
        rc = push_inline(r->view, to, &s->data, s->bytes, r->tag);
        if (rc == MPI_SUCCESS)
            request_complete(r);
    }
    return rc;
}

static inline bool send_far_now(const struct send *s, const struct net_route *to, size_t bytes,
                                MPI_Request *left, int *rc)
{
    return likely(to->peer != NULL) ? shm_send_now(to, &s->data, bytes, s->tag, rc)
                                    : far_send_now(s->view, to, &s->data, s->tag, left, rc);
}

/* Without a request. */
static bool send_bare(const struct send *s)
{
    endpoint_assert_held(s->view->endpoint);
    struct net_route to = send_route(s);
    MPI_Request left = MPI_REQUEST_NULL;
    int rc = MPI_SUCCESS;
    if (to.near)
        return push_inline(s->view, to.near, &s->data, span_bytes(&s->data), s->tag) == MPI_SUCCESS;
    if (!send_far_now(s, &to, span_bytes(&s->data), &left, &rc))
        return false;
    if (left != MPI_REQUEST_NULL)
        rc = far_await(left);
    return rc == MPI_SUCCESS;
}

int send_start(ep_request r)
{
    endpoint_assert_held(r->endpoint);
    return send_do_start(r, net_route(r->view, r->peer, r->tag));
}

bool send_begin(const struct send *s, ep_request *request)
{
    ep_request r = *request = send_request_kept(s);
    if (!r)
        return false;
    if (send_start(r) == MPI_SUCCESS)
        return true;
    store_relaxed(&r->word, DONE | USER);
    request_release(r);
    *request = NULL;
    return false;
}

/* With several threads in MPI a message needs no request. FUNNELED, and from one process to another that is no peer, it does: the main
 * thread sends it. */
bool send_notice(const struct send *s, ep_request *request)
{
    return send_begin(s, request) || send_bare(s);
}

/* Try without a request. True: it is over, with *rc. Else *left may hold a started MPI request. */
static inline bool send_now(const struct send *s, const struct net_route *route, bool blocks,
                            MPI_Request *left, int *rc)
{
    ep_comm view = s->view, to = route->near;
    size_t bytes = span_bytes(&s->data);
    *left = MPI_REQUEST_NULL;
    if (likely(to)) {
        if (!fits_inline(s->mode, bytes, bytes > LEND_FROM && send_lends(s, blocks)))
            return false;
        count_near(&view->endpoint->own,
                   bytes); /* not behind it, where bytes would no longer be in a register */
        *rc = push_inline(view, to, &s->data, bytes, s->tag);
        return true;
    }
    if (s->mode == MODE_SYNC || !send_far_now(s, route, bytes, left, rc))
        return false;
    count_far(&view->endpoint->own, bytes);
    return *left == MPI_REQUEST_NULL;
}

/* The rest of a send that send_now did not finish. */
static int send_later(const struct send *s, struct net_route route, MPI_Request left, ep_request *request)
{
    endpoint_assert_held(s->view->endpoint);
    ep_request r = *request = send_request(s);
    if (!r) {
        if (left == MPI_REQUEST_NULL)
            return MPI_ERR_NO_MEM;
        return far_await(left); /* the message is on its way and cannot be taken back */
    }
    if (left != MPI_REQUEST_NULL) {
        far_adopt(r, left);
        return MPI_SUCCESS;
    }
    int rc = send_do_start(r, route);
    if (rc != MPI_SUCCESS) {
        store_relaxed(&r->word, DONE | USER);
        request_release(r);
        *request = NULL;
    }
    return rc;
}

int p2p_send(const struct send *s, struct net_route to)
{
    MPI_Request left;
    ep_request r;
    int rc;
    if (likely(send_now(s, &to, true, &left, &rc)))
        return rc;
    struct endpoint *endpoint = s->view->endpoint;
    endpoint_lock(endpoint);
    rc = send_later(s, to, left, &r);
    if (rc == MPI_SUCCESS && r) {
        wait_request(r, false);
        rc = r->out.error;
        request_release(r);
    }
    endpoint_unlock(endpoint);
    return rc;
}

struct notice {
    const struct send *send;
    ep_request request;
};

static bool send_is_sent(struct wait *w)
{
    struct notice *n = w->arg;
    return send_notice(n->send, &n->request);
}

void p2p_notice(const struct send *s)
{
    struct endpoint *endpoint = s->view->endpoint;
    struct notice n = {s, NULL};
    struct wait w = {.done = send_is_sent, .arg = &n, .policy = POLICY_ELSEWHERE};
    endpoint_lock(endpoint);
    wait_until(endpoint, &w);
    if (n.request) {
        wait_request(n.request, false);
        request_release(n.request);
    }
    endpoint_unlock(endpoint);
}

int p2p_isend(const struct send *s, struct net_route to, ep_request *request)
{
    MPI_Request left;
    ep_request r;
    int rc;
    *request = &request_sent;
    if (likely(send_now(s, &to, false, &left, &rc)))
        return rc;
    struct endpoint *endpoint = s->view->endpoint;
    endpoint_lock(endpoint);
    rc = send_later(s, to, left, &r);
    endpoint_unlock(endpoint);
    if (r)
        *request = r;
    return rc;
}
