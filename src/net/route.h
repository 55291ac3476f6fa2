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

/* The endpoint of a union rank, if it is in this process. */
static inline ep_comm net_near(ep_comm view, int rank)
{
    const struct comm *c = view->comm;
    int index = rank - c->first_local;
    assert((unsigned)rank < (unsigned)c->map.size);
    if (unlikely(!c->contiguous) && rankmap_proc(&c->map, rank, &index) != c->proc)
        return NULL;
    return likely((unsigned)index < (unsigned)c->nlocal) ? c->local[index] : NULL;
}

/* To a union rank that net_near found, or did not. */
struct net_route net_route_from(ep_comm view, int rank, ep_comm near);

/* To a rank of view, for a message with this tag. */
static inline struct net_route net_route(ep_comm view, int dest, int tag)
{
    int rank = view_target(view, dest, tag);
    return net_route_from(view, rank, net_near(view, rank));
}

#endif
