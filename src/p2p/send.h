/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EP_P2P_SEND_H
#define EP_P2P_SEND_H

#include "p2p/port.h"

struct send {
    ep_comm view;
    struct span data;
    int dest, tag;       /* dest is a rank */
    enum send_mode mode; /* standard, sync or ready */
    const char *call;
};

/* The endpoint of this process that a message goes to, or NULL. */
static inline ep_comm near_dest(ep_comm view, int dest, int tag)
{
    int index;
    return comm_is_near(view->comm, view_target(view, dest, tag), &index) ? view->comm->local[index] : NULL;
}

/* May MPI carry a message to or from that peer (or MPI_ANY_SOURCE, MPI_PROC_NULL)? Then it needs a handle of the datatype. */
static inline bool peer_is_remote(ep_comm view, int peer, int tag)
{
    const struct comm *c = view->comm;
    int index;
    if (likely(c->all_peers) || peer == MPI_PROC_NULL)
        return false;
    if (peer == MPI_ANY_SOURCE)
        return true;
    int proc = rankmap_proc(&c->map, view_target(view, peer, tag), &index);
    return proc != c->proc && !net_peer_of(c, proc);
}

static inline void count_near(struct counters *c, size_t bytes)
{
    add_alone(&c->sent_near, 1);
    add_alone(&c->sent_near_bytes, bytes);
}

/* The shortest way, which most messages of threads to each other take: what is near, contiguous, and fits into one line
 * of the receiver's inbox, is in it and complete. False: nothing was done. Not for MODE_SYNC. */
static inline bool send_line(ep_comm view, const struct span *data, int dest, int tag)
{
    size_t bytes = span_bytes(data);
    ep_comm to = near_dest(view, dest, tag);
    if (unlikely(!to) || unlikely(bytes > FIRST_PAYLOAD) || unlikely(bytes > (size_t)settings.eager) ||
        unlikely(!data->type->contiguous))
        return false;
    struct port *port = to->port;
    if (unlikely(!inbox_put(&port->inbox, to, view->rank, tag, span_start(data), bytes)))
        return false;
    count_near(&view->port->own, bytes);
    bell_ring(&port->bell);
    return true;
}

/* Block until the send is complete (MPI 3.4). An error class. */
int p2p_send(const struct send *s);

/* Start a send; *request is request_sent if it is complete already. */
int p2p_isend(const struct send *s, ep_request *request);

/* A request that keeps s; not started (MPI 3.9). The port's lock is held. NULL without memory. */
ep_request send_request(const struct send *s);

/* Will starting r lend it to a near receiver? */
bool send_is_lent(ep_request r);

/* Without a request: a message like s, but with nothing in it. The port's lock is held. False: not now. */
bool send_empty(const struct send *s);

/* Start what a request says. It may be complete on return. The port's lock is held. */
int send_start(ep_request r);

#endif
