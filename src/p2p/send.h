/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EP_P2P_SEND_H
#define EP_P2P_SEND_H

#include "p2p/attached.h"
#include "p2p/endpoint.h"
#include "p2p/quick.h"

struct send {
    ep_comm view;
    struct span data;
    int dest, tag;       /* dest is a rank */
    enum send_mode mode; /* standard, sync or ready */
    const char *call;
    bool copied; /* the data are a copy already: nothing is gained by another one less */
};

/* May MPI carry a message to or from that peer (or MPI_ANY_SOURCE, MPI_PROC_NULL)? Then it needs a handle of the datatype. */
static inline bool peer_is_remote(ep_comm view, int peer, int tag)
{
    const struct comm *c = view->comm;
    int index;
    if (likely(c->p2p->all_peers) || peer == MPI_PROC_NULL)
        return false;
    if (peer == MPI_ANY_SOURCE)
        return true;
    int proc = rankmap_proc(&c->map, view_target(view, peer, tag), &index);
    return proc != c->proc && !net_peer_of(c, proc);
}

/* The shortest way, which most messages of threads to each other take: what goes to an endpoint of this process (else to is NULL), is
 * contiguous, and fits into one line of the receiver's inbox, is in it and complete. False: nothing was done. Not for MODE_SYNC. */
static inline bool send_line(ep_comm view, ep_comm to, const struct span *data, int tag)
{
    size_t bytes = span_bytes(data);
    if (unlikely(!to) || unlikely(bytes > FIRST_PAYLOAD) || unlikely(bytes > (size_t)settings.eager) ||
        unlikely(!data->type->contiguous))
        return false;
    struct endpoint *endpoint = to->endpoint;
    if (unlikely(!inbox_put(&endpoint->inbox, to, view->rank, tag, span_start(data), bytes)))
        return false;
    count_near(&view->endpoint->own, bytes);
    evcount_notify(&endpoint->evcount);
    return true;
}

/* What does not block may leave its data where they are sooner: several such messages would fill an inbox of lines, and the receiver
 * copies each only once. Who blocks would wait for that; and where cores are shared the receiver for its sender's next turn. */
enum { LEND_FROM = 800 };

enum { NOTICE_MAX = 128 }; /* what is so short any MPI sends at once */

/* Its way. */
static inline struct net_route send_route(const struct send *s)
{
    return net_route(s->view, s->dest, s->tag);
}

/* Block until the send, which takes that way, is complete (MPI 3.4). An error class. */
int p2p_send(const struct send *s, struct net_route to);

/* Start it; *request is request_sent if it is complete already. */
int p2p_isend(const struct send *s, struct net_route to, ep_request *request);

/* send_notice until it is sent, and wait for it. */
void p2p_notice(const struct send *s);

/* A request that keeps s; not started (MPI 3.9). The endpoint's lock is held. NULL without memory. */
ep_request send_request(const struct send *s);
/* The same for a message of ep's own that is started at once. If it is short it may get a request that the endpoint keeps. */
ep_request send_request_kept(const struct send *s);

/* Will starting r begin a rendezvous with a near receiver? */
bool send_is_rndv(ep_request r);

/* Start s, a message of ep's own. The endpoint's lock is held. False: there is no memory for it, and nothing was sent; else the caller
 * releases *request when it is done. */
bool send_begin(const struct send *s, ep_request *request);
/* The same for what others must learn though there is no memory: at most NOTICE_MAX bytes, in one piece. *request may be NULL: it is
 * gone. False: not now; tried again and again it goes some time, whatever the memory (request_new_kept). */
bool send_notice(const struct send *s, ep_request *request);

/* Start what a request says. It may be complete on return. The endpoint's lock is held. */
int send_start(ep_request r);

#endif
