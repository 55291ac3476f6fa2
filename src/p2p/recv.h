/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EP_P2P_RECV_H
#define EP_P2P_RECV_H

#include "p2p/match.h"
#include "p2p/endpoint.h"

struct recv {
    ep_comm view;
    struct span data;
    int source, tag; /* with wildcards */
    const char *call;
};

/* Out of line, after a look: look on for a message a little if it is awaited, then receive by a request. The endpoint's lock is held. */
int recv_posted(struct recv v, struct outcome *out, enum recv_look look);

/* Before that, for a receive that may go the quick way (quick.h), found nothing in its inbox, and awaits a message from this process: look
 * on and take it. Else RECV_POSTED: what came is not for it, or nothing came. */
enum recv_look recv_quick(ep_comm view, int source, int tag, void *to, size_t room, ep_status *status);

/* If v were posted now: would the message go to it? */
static inline bool recv_gets(const struct recv *v, const struct header *h)
{
    struct matcher *m = matcher_of(v->view);
    return likely(h->view == v->view) && likely(match_suits(v->source, v->tag, h->source, h->tag)) &&
           (likely(m->nposted == 0) || !match_arrived(m, h->source, h->tag));
}

/* Would a short message that comes now be the first that v could get, and be done with at once? */
static inline bool recv_is_open(const struct recv *v)
{
    struct matcher *m = matcher_of(v->view);
    return endpoint_takes_quietly() && likely(!match_any_unexpected(m)) && likely(!m->closed) &&
           likely(!endpoint_has_jobs(v->view->endpoint)) && likely(v->data.type->contiguous);
}

/* The short message that h is of, in l, which v gets. */
static inline void recv_take(struct endpoint *endpoint, const struct recv *v, const struct header *h,
                             const struct line *l, struct outcome *out)
{
    chaos_point();
    size_t bytes = outcome_receive(out, h->source, h->tag, h->inline_bytes, span_bytes(&v->data));
    line_read(l, span_start(&v->data), bytes);
    if (likely(h->kind == ARRIVAL_INLINE)) {
        add_alone(&endpoint->held.received_near, 1);
        add_alone(&endpoint->held.received_near_bytes, bytes);
    } else {
        add_alone(&endpoint->held.received_far, 1);
        add_alone(&endpoint->held.received_far_bytes, bytes);
    }
}

/*
 * Receive without a request what is first in the inbox. It is what posting the receive and taking one message out of the
 * inbox would do: earlier messages (unexpected ones) and earlier receives that want the message come first. Unless it is taken, nothing
 * was done. The endpoint's lock is held.
 */
static inline enum recv_look recv_line(const struct recv *v, struct outcome *out)
{
    endpoint_assert_held(v->view->endpoint);
    struct endpoint *endpoint = v->view->endpoint;
    const struct line *l;
    if (unlikely(!recv_is_open(v)))
        return RECV_POSTED;
    if (!(l = inbox_next(&endpoint->inbox)))
        return RECV_AWAITED;
    if (unlikely(!arrival_is_inline(l->head.header.kind)) || unlikely(!recv_gets(v, &l->head.header)))
        return RECV_POSTED;
    recv_take(endpoint, v, &l->head.header, l, out);
    inbox_done(&endpoint->inbox, l);
    return RECV_TAKEN;
}

/* p2p_recv in line, for who has one place to call it at: neither v nor *out need be in memory where recv_line does it. */
static inline int recv_now(const struct recv *v, struct outcome *out)
{
    struct endpoint *endpoint = v->view->endpoint;
    endpoint_lock(endpoint);
    int rc = MPI_SUCCESS;
    enum recv_look look = recv_line(v, out);
    if (likely(look == RECV_TAKEN)) {
        rc = out->error;
    } else {
        struct outcome posted = *out;
        rc = recv_posted(*v, &posted, look);
        *out = posted;
    }
    endpoint_unlock(endpoint);
    return rc;
}

/* Block until a message is received. An error class; *out, an empty outcome before, is set unless there was no memory for
 * a request. */
int p2p_recv(const struct recv *v, struct outcome *out);
int p2p_irecv(const struct recv *v, ep_request *request);
/* The same for a message of ep's own that will come: if there is no memory it blocks until there is, or the message has come. */
ep_request p2p_post(const struct recv *v);

/* Receive a message that a matching probe took; frees it. */
int p2p_mrecv(const struct recv *v, ep_message m, struct outcome *out);
int p2p_imrecv(const struct recv *v, ep_message m, ep_request *request);

/* A request that keeps v, not posted. The endpoint's lock is held. NULL without memory. */
ep_request recv_request(const struct recv *v);
/* The same for a message of ep's own; it is posted at once. Without memory NULL until the message has come: then it may get a request
 * that the endpoint keeps. */
ep_request recv_request_kept(const struct recv *v);
/* Post what a request says. The endpoint's lock is held. */
void recv_start(ep_request r);

#endif
