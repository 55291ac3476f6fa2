/* SPDX-License-Identifier: BSD-3-Clause */
/* The way to an endpoint: found once for each call and handed down by value. */
#ifndef EP_NET_ROUTE_H
#define EP_NET_ROUTE_H

#include <assert.h>

#include "net/peer.h"

struct net_route {
    ep_comm near;          /* the endpoint, if it is in this process; else NULL */
    struct net_peer *peer; /* its process, if that is reached through memory; else NULL: by MPI */
    int proc, index;       /* its process in the communicator, and its local index there */
    int source;            /* union rank of the sender */
    uint64_t context;      /* of the communicator, which what is sent may outlive */
};

/* To a rank of view, for a message with this tag. */
static inline struct net_route net_route(ep_comm view, int dest, int tag)
{
    const struct comm *c = view->comm;
    int rank = view_target(view, dest, tag);
    assert((unsigned)rank < (unsigned)c->map.size);
    struct net_route to = {.index = rank - c->first_local, .proc = c->proc};
    if (unlikely(!c->contiguous) || (unsigned)to.index >= (unsigned)c->nlocal)
        to.proc = rankmap_proc(&c->map, rank, &to.index);
    if (to.proc == c->proc) {
        to.near = c->local[to.index];
        return to;
    }
    to.peer = net_peer_of(c, to.proc);
    to.source = view_union_rank(view);
    to.context = c->context;
    return to;
}

#endif
