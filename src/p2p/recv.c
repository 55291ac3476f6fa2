/* SPDX-License-Identifier: BSD-3-Clause */
#include "p2p/recv.h"

#include "p2p/endpoint.h"
#include "p2p/match.h"
#include "p2p/wait.h"

ep_request recv_request(const struct recv *v)
{
    ep_request r = request_new(v->view->port, REQUEST_RECV);
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
    ep_message m = match_posted(r->view->matcher, r);
    if (m)
        message_deliver(m, r);
}

/* Wait for r, copy its outcome, let it go. The port's lock is held. */
static int recv_finish(ep_request r, struct outcome *out)
{
    wait_request(r, false);
    *out = r->out;
    request_release(r);
    return out->error;
}

int p2p_recv(const struct recv *v, struct outcome *out)
{
    struct port *port = v->view->port;
    int rc = MPI_ERR_NO_MEM;
    port_lock(port);
    ep_request r = recv_request(v);
    if (likely(r)) {
        recv_start(r);
        rc = recv_finish(r, out);
    }
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

/* The port's lock is held. */
static ep_request mrecv_start(const struct recv *v, ep_message m)
{
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
