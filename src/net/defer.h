/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a peer's ring has no room for, or no descriptor is left for, waits at the sender's, in the order of sending; whoever
 * polls pushes it. All threads of the process may be outside of ep, in a call of MPI that ends only when the message has arrived
 * (MPI 3.5, progress), so there is a thread that pushes while nobody polls. It is started by the first that waits.
 *
 * Order. What one endpoint sends to a process is pushed in its order, unless something of it waits: then `behind` is set before that
 * call returns, so all later ones find it set and wait behind it. It is cleared after the last of those that wait has been
 * pushed (release; acquire in net_is_behind), so who finds it cleared pushes after them.
 */
#ifndef EP_NET_DEFER_H
#define EP_NET_DEFER_H

#include "net/peer.h"

/* Something to be sent to a peer. */
struct net_deferred {
    struct node node;
    /* Try it: true if it is over, and d may be gone. Any thread: it calls no MPI. The peer's lock is held: nothing that
     * waits may be done. */
    bool (*push)(struct net_deferred *d);
};

/* Does anything wait for this peer? Then nothing may be sent to it but by net_submit. */
static inline bool net_is_behind(struct net_peer *peer)
{
    return unlikely(load_acquire(&peer->behind));
}

/* Push d now, or when it can be, behind all that wait. Any thread. */
void net_submit(struct net_peer *peer, struct net_deferred *d);
/* d, which waits, will not be sent. The peer's lock is held. */
void net_undefer(struct net_peer *peer, struct net_deferred *d);

/* Push what waits. True if anything was pushed. Any thread. */
bool net_flush(void);
bool net_waits(void);
/* How many messages to a peer wait or are expected back; for the watchdog. */
long net_under_way(struct net_peer *peer);
/* Is anything still to be done for what this process has sent? */
bool net_busy(void);

/* The thread that pushes (flush.c). Something waits now: the lock of a peer may be held. */
void net_flush_call(void);
/* No longer needed. Nobody calls it afterwards. */
void net_flush_end(void);

#endif
