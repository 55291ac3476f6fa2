/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What arrives: a message, whichever way it came, with the operations of its transport. Nobody else asks what it is.
 *
 *   way                                  object                          defined in
 *   lines of a ring, near or of a peer   the line                        p2p/message.c
 *   kept in memory                       the bytes                       p2p/message.c
 *   rendezvous in this process           the send request                p2p/rndv.c
 *   descriptor of a peer                 descriptor and peer             p2p/far/shm_recv.c
 *   by MPI                               the MPI_Message                 p2p/far/far.c
 *   received for a cancelled send        what was received               p2p/far/recall.c
 */
#ifndef EP_NET_ARRIVAL_H
#define EP_NET_ARRIVAL_H

#include "net/descriptor.h"

struct span; /* datatype/copy.h */

struct net_arrival {
    const struct net_arrival_ops *ops;
    size_t bytes; /* of data */
    union {
        void *object;
        MPI_Message message;
        struct {
            struct net_descriptor *descriptor;
            struct net_peer *from;
        };
    };
};

_Static_assert(sizeof(struct net_arrival) <= FIRST_PAYLOAD, "it takes one line of an inbox");

/* Called under the lock of the receiver's endpoint. Those that may be NULL say what that means. */
struct net_arrival_ops {
    bool far; /* it came from another process */
    /* Its data into the buffer of r, whose outcome is set, and complete r, now or later. The last use of it. */
    void (*receive)(const struct net_arrival *a, ep_request r);
    /* The same without a request, for a call that has been looking for it: *rc is an error class, *left what is left to wait for, as of
     * far_send_now. False: not this one, nothing was done. NULL: none. */
    bool (*receive_now)(const struct net_arrival *a, const struct span *to, MPI_Request *left, int *rc);
    /* Before receive: false if the sender has withdrawn it; then it is to be dropped. NULL: it cannot. */
    bool (*claim)(const struct net_arrival *a);
    /* A matching probe takes it: from now on the sender cannot withdraw it. The same. */
    bool (*match)(const struct net_arrival *a);
    bool (*withdrawn)(const struct net_arrival *a);
    /* It has to leave where it is: its bytes into `room`. NULL: it may stay. */
    void (*keep)(struct net_arrival *a, void *room);
    /* Nobody will receive it: let its sender go on. NULL: its sender has. */
    void (*drop)(const struct net_arrival *a, struct endpoint *endpoint);
};

static inline bool net_arrival_claim(const struct net_arrival *a)
{
    return !a->ops->claim || a->ops->claim(a);
}

static inline bool net_arrival_match(const struct net_arrival *a)
{
    return !a->ops->match || a->ops->match(a);
}

static inline bool net_arrival_withdrawn(const struct net_arrival *a)
{
    return a->ops->withdrawn && a->ops->withdrawn(a);
}

static inline void net_arrival_drop(const struct net_arrival *a, struct endpoint *endpoint)
{
    if (a->ops->drop)
        a->ops->drop(a, endpoint);
}

#endif
