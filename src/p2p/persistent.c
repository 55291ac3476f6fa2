/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Persistent requests (MPI 3.9): a request that is started again and again.
 *
 * A lent send needs its request until the receiver has let go of it, which for a buffered one may be long
 * after the send was complete. So a persistent request is never lent itself: each start lends a fresh
 * request, its shadow, whose completion completes the persistent one (parent).
 */
#include "p2p/buffered.h"
#include "p2p/complete.h"
#include "p2p/port.h"
#include "p2p/recv.h"
#include "p2p/send.h"

static ep_request at_rest(ep_request r, struct port *port)
{
    port_assert_held(port);
    if (r) {
        r->persistent = true;
        r->active = false;
    }
    port_unlock(port);
    return r;
}

ep_request persistent_send(const struct send *s)
{
    port_lock(s->view->port);
    return at_rest(send_request(s), s->view->port);
}

ep_request persistent_recv(const struct recv *v)
{
    port_lock(v->view->port);
    return at_rest(recv_request(v), v->view->port);
}

/* As request_new leaves it, but for what was asked for. */
static void reset(ep_request r)
{
    r->out = (struct outcome){.source = MPI_ANY_SOURCE, .tag = MPI_ANY_TAG};
    r->active = true;
    store_relaxed(&r->word, USER);
}

static int start_buffered(ep_request r)
{
    struct send s = {r->view, r->data, r->peer, r->tag, MODE_STANDARD, r->call};
    int rc = buffered_send(&s);
    if (rc == MPI_SUCCESS)
        request_complete(r);
    return rc;
}

static int start_send(ep_request r)
{
    port_assert_held(r->port);
    struct send s = {r->view, r->data, r->peer, r->tag, (enum send_mode)r->mode, r->call};
    if (!send_is_lent(r))
        return send_start(r);
    ep_request shadow = send_request(&s);
    if (!shadow)
        return MPI_ERR_NO_MEM;
    r->shadow = shadow;
    shadow->parent = r;
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
    if (!r->shadow)
        return;
    struct port *port = r->port;
    port_lock(port);
    request_release(r->shadow);
    r->shadow = NULL;
    port_unlock(port);
}

int p2p_start(ep_request r)
{
    int rc = MPI_SUCCESS;
    port_lock(r->port);
    reset(r);
    if (r->peer == MPI_PROC_NULL) {
        r->out.source = r->kind == REQUEST_RECV ? MPI_PROC_NULL : MPI_ANY_SOURCE;
        request_complete(r);
    } else if (r->kind == REQUEST_RECV) {
        recv_start(r);
    } else if (r->mode == MODE_BUFFERED) {
        port_unlock(r->port);
        rc = start_buffered(r);
        port_lock(r->port);
    } else {
        rc = start_send(r);
    }
    port_unlock(r->port);
    if (rc != MPI_SUCCESS)
        request_rest(r);
    return rc;
}
