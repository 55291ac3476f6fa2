/* SPDX-License-Identifier: BSD-3-Clause */
/* A message that arrived before its receive was posted, or that a matching probe took out. */
#ifndef EP_P2P_MESSAGE_H
#define EP_P2P_MESSAGE_H

#include "p2p/inbox.h"
#include "p2p/request.h"

enum { MESSAGE_LIVE = 0x65705f6d, MESSAGE_FREED = 0x6672656d, SMALL_PAYLOAD = FIRST_PAYLOAD };

/* Under its endpoint's lock. */
struct ep_message_s {
    union {
        struct pool_item item; /* the pool's while free */
        MPI_Fint fortran;      /* while live; handle.h, under its lock; 0: none yet */
    };
    _Atomic uint32_t magic; /* relaxed */
    bool large;             /* from endpoint->large_messages */
    ep_comm view;
    struct endpoint *endpoint;
    int source, tag;
    struct net_arrival arrival; /* where it is */
    uint64_t flow;              /* observe/trace.h */
    struct node in_order;       /* in the matcher's queue of all, in order of arrival */
    struct entry entry;         /* in the matcher's queue by source and tag */
    unsigned char payload[];    /* SMALL_PAYLOAD bytes, in a large one INLINE_MAX */
};

/* Payload in the lines of a ring, near or of a peer. */
extern const struct net_arrival_ops arrival_near, arrival_shm;

/* The message in an inbox. */
static inline struct net_arrival line_arrival(const struct line *l)
{
    struct net_arrival a;
    if (unlikely(!arrival_is_inline(l->head.header.kind)))
        line_read(l, &a, sizeof a);
    else
        a = (struct net_arrival){.ops = l->head.header.kind == ARRIVAL_INLINE ? &arrival_near : &arrival_shm,
                                 .bytes = l->head.header.inline_bytes,
                                 .object = (void *)(uintptr_t)l};
    return a;
}

/* What h says and a is, as an object of its own. NULL without memory. */
ep_message message_keep(struct endpoint *endpoint, const struct header *h, const struct net_arrival *a);
void message_free(ep_message m);

/* Hand m's data to r, which is matched with it, and free m. Completes r now or later. Endpoint lock held. */
void message_deliver(ep_message m, struct request_recv *r);

/* The same for one that was not kept. */
void arrival_deliver(const struct header *h, const struct net_arrival *a, struct request_recv *r);

/* Nobody will ever receive it: let its sender go on, free m. */
void message_drop(ep_message m);

/* Packed payload into the receive's buffer. */
void deliver_packed(const void *payload, size_t bytes, struct request_recv *r);

/* Is it the handle of one, not received? */
static inline bool message_is_live(ep_message m)
{
    return pool_holds(m, MESSAGE_LIVE);
}

#endif
