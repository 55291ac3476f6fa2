/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Persistent requests (MPI 3.9): a request that is started again and again.
 *
 * A send by rendezvous needs its request until the receiver has let go of it, which for a buffered one may be
 * long after the send was complete. So a persistent request is never exposed itself: each start uses a fresh
 * request, its shadow, whose completion completes the persistent one (parent).
 */
#include "p2p/buffered.h"
#include "p2p/complete.h"
#include "p2p/endpoint.h"
#include "p2p/recv.h"
#include "p2p/send.h"

static ep_request at_rest(ep_request r, struct endpoint *endpoint)
{
    endpoint_assert_held(endpoint);
    if (r) {
        r->life = LIFE_PERSISTENT;
        r->active = false;
    }
    endpoint_unlock(endpoint);
    return r;
}

ep_request persistent_send(const struct send *s)
{
    endpoint_lock(s->view->endpoint);
    return at_rest(send_request(s), s->view->endpoint);
}

ep_request persistent_recv(const struct recv *v)
{
    endpoint_lock(v->view->endpoint);
    return at_rest(recv_request(v), v->view->endpoint);
}

/* As request_new leaves it, but for what was asked for. */
static void persistent_reset(ep_request r)
{
    r->out = (struct outcome){.source = MPI_ANY_SOURCE, .tag = MPI_ANY_TAG};
    r->active = true;
    store_relaxed(&r->word, USER);
}

static int start_buffered(ep_request r)
{
    struct send s = {r->view, *request_data(r), r->peer, r->tag, MODE_STANDARD, r->call, false};
    int rc = buffered_send(&s);
    if (rc == MPI_SUCCESS)
        request_complete(r);
    return rc;
}

static int persistent_start_send(ep_request r)
{
    endpoint_assert_held(r->endpoint);
    struct request_send *q = request_to_send(r);
    struct send s = {r->view, q->data, r->peer, r->tag, (enum send_mode)q->mode, r->call, false};
    if (!send_is_rndv(r))
        return send_start(r);
    ep_request shadow = send_request(&s);
    if (!shadow)
        return MPI_ERR_NO_MEM;
    q->shadow = request_to_send(shadow);
    q->shadow->parent = r;
    shadow->life = LIFE_SHADOW;
    int rc = send_start(shadow);
    if (rc != MPI_SUCCESS)
        store_relaxed(&shadow->word, DONE | USER); /* for request_rest */
    return rc;
}

void request_rest(ep_request r)
{
    r->active = false;
    hook_received(r);
    and_acq_rel(&r->word, ~(uint32_t)WAITED); /* who was told of its end (later.c) is through with it */
    struct request_send *s = r->kind == REQUEST_SEND ? request_to_send(r) : NULL;
    if (!s || !s->shadow)
        return;
    endpoint_lock(r->endpoint);
    request_release(&s->shadow->head);
    s->shadow = NULL;
    endpoint_unlock(r->endpoint);
}

int p2p_start(ep_request r)
{
    int rc = MPI_SUCCESS;
    endpoint_lock(r->endpoint);
    persistent_reset(r);
    if (r->peer == MPI_PROC_NULL) {
        r->out.source = r->kind == REQUEST_RECV ? MPI_PROC_NULL : MPI_ANY_SOURCE;
        request_complete(r);
    } else if (r->kind == REQUEST_RECV) {
        recv_start(r);
    } else if (request_to_send(r)->mode == MODE_BUFFERED) {
        endpoint_unlock(r->endpoint);
        rc = start_buffered(r);
        endpoint_lock(r->endpoint);
    } else {
        rc = persistent_start_send(r);
    }
    endpoint_unlock(r->endpoint);
    if (rc != MPI_SUCCESS)
        request_rest(r);
    return rc;
}
