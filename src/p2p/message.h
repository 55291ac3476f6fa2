/* SPDX-License-Identifier: BSD-3-Clause */
/* A message that arrived before its receive was posted, or that a matching probe took out. */
#ifndef EP_P2P_MESSAGE_H
#define EP_P2P_MESSAGE_H

#include "p2p/inbox.h"
#include "p2p/request.h"

enum { MESSAGE_LIVE = 0x65705f6d, MESSAGE_FREED = 0x6672656d, SMALL_PAYLOAD = FIRST_PAYLOAD };

/* Under its port's lock. */
struct ep_message_s {
    union {
        struct pool_item item; /* the pool's while free */
        MPI_Fint fortran;      /* while live; handle.h, under its lock; 0: none yet */
    };
    _Atomic uint32_t magic;
    uint8_t kind; /* enum arrival_kind */
    bool letter;  /* from port->letters */
    ep_comm view;
    struct port *port;
    int source, tag;
    size_t bytes;
    uint64_t flow;       /* observe/trace.h */
    struct node arrival; /* in the matcher's queue of all, in order of arrival */
    struct entry entry;  /* in the matcher's queue by source and tag */
    union {
        ep_request lender;
        MPI_Message far;
        struct kept *kept; /* recall.h */
        struct {
            struct net_descriptor *descriptor;
            struct net_peer *from;
        };
    };
    unsigned char payload[]; /* SMALL_PAYLOAD bytes, in a letter INLINE_MAX */
};

/* Of an ARRIVAL_FAR or ARRIVAL_RECALL. */
struct far_arrival line_far(const struct line *l);

/* The message at the head of the inbox as an object of its own. NULL without memory. */
ep_message message_keep(struct port *port, const struct line *l);
void message_free(ep_message m);

/* Hand m's data to r, which is matched with it, and free m. Completes r now or later. Port lock held. */
void message_deliver(ep_message m, ep_request r);

/* The same for a message still in the inbox. */
void line_deliver(const struct line *l, ep_request r);

/* Before a delivery: false if the sender has cancelled the message, which then is to be dropped. */
bool line_claim(const struct line *l);
bool message_claim(ep_message m);
/* A matching probe takes it: from now on its sender cannot cancel it. False as above. */
bool message_take(ep_message m);
bool message_withdrawn(const struct ep_message_s *m);

/* Bytes of data of a message in the inbox. */
size_t line_bytes(const struct line *l);

/* Nobody will ever receive it: let its sender go on, free m. */
void message_drop(ep_message m);
void line_drop(const struct line *l);

/* Is it the handle of one, not received? */
static inline bool message_is_live(ep_message m)
{
    return pool_may_hold(m) && load_relaxed(&m->magic) == MESSAGE_LIVE;
}

#endif
