/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What processes say to each other about windows, in active messages (net/am.h): a header, for typed targets some type_iov (iter.h),
 * then the data.
 *
 * Those of one endpoint to one process are one channel's (net/channel.h), so they are carried out in the order of sending:
 *   - accumulates of one endpoint to one target keep their order (MPI 11.7.2: rar, raw, war, waw)
 *   - one answer that carries a number says that all before are carried out, too
 *
 * With 8 bytes of data a message fits into one cache line of a peer's ring.
 */
#ifndef EP_RMA_AM_H
#define EP_RMA_AM_H

#include "p2p/p2p.h"

enum am_kind {
    /* to an endpoint's part of a window: head.object is where the receiver's process keeps it (window.h, `local`); no answer but
     * for the channel. asker: the channel */
    AM_NOTHING = NET_AM_RMA, /* only to be answered */
    AM_PUT,
    AM_ACCUMULATE,
    AM_POST,     /* PSCW: origin has posted to target */
    AM_COMPLETE, /* PSCW: origin has completed its access to target */
    AM_UNLOCK,   /* head.op: LOCK_SHARED or LOCK_EXCLUSIVE (lock.h) */
    AM_BULK_GET, /* the data go by themselves. */
    /* to the same; answered */
    AM_GET,            /* AM_DATA. asker: a pending get */
    AM_GET_ACCUMULATE, /* the same */
    AM_SWAP,           /* compare and swap; compare, data: origin. The same */
    AM_LOCK,           /* head.op as above. AM_GRANT, once it has the lock. asker: its lock request */
    AM_BULK_PUT,       /* the data come by themselves. AM_BULK_DONE. asker: its transfer */
    /* answers: all carry asker and number of the request back. head.fails: it could not be done; head.op is an enum fault */
    AM_ACK,
    AM_DATA,
    AM_GRANT,
    AM_BULK_DONE,
    AM_KINDS
};

/* Is it answered with data when it is carried out? */
static inline bool am_fetches(int kind)
{
    return kind == AM_GET || kind == AM_GET_ACCUMULATE || kind == AM_SWAP;
}

/* Why a target refuses. */
enum fault { FAULT_NONE, FAULT_ATTACH, FAULT_MPI };

enum { AM_DATA_MAX = 8192, AM_IOV_MAX = 64 };

/* head.pair of accumulates and typed targets; bulk: head.word is the tag (net_bulk_tag). */
enum { AM_TYPE, AM_IOV };

struct am {
    struct net_am head;
    void *asker;    /* the requester's: what the answer is for */
    int64_t offset; /* from the target's base, in a dynamic window the address */
    union {
        struct {
            union {
                uint32_t bytes; /* data: that follow, or that are wanted; bulk */
                int32_t origin; /* AM_POST: rank of the sender in the window */
            };
            int32_t target; /* faults: its rank */
        };
        char compare[sizeof(uint64_t)]; /* AM_SWAP: so that it takes one line */
    };
};

_Static_assert(sizeof(struct am) - sizeof(struct net_am) + sizeof(uint64_t) <= FIRST_PAYLOAD, "one line");
_Static_assert(sizeof(struct am) + AM_DATA_MAX + AM_IOV_MAX * 24 <= NET_AM_MAX, "they fit into a packet");

/* Of AM_SWAP: bytes of the data that are the element to compare with, since it is too large for its place. */
static inline size_t am_swap_apart(size_t element)
{
    return element > sizeof(uint64_t) ? element : 0;
}

/* A short message, which needs no packet between peers (net_am_claim). */
enum { AM_SHORT_MAX = NET_AM_SHORT + sizeof(struct net_am) - sizeof(struct am) };

struct am_short {
    struct am am;
    unsigned char data[AM_SHORT_MAX];
};

static inline struct am *am_of(struct net_packet *p)
{
    return (struct am *)(void *)&p->head;
}

/* What follows. */
static inline unsigned char *am_data(struct net_packet *p)
{
    return (unsigned char *)(am_of(p) + 1);
}

/* ---- handlers: carrying out what other processes ask for (serve.c), and taking in their answers ---- */

/* Before the first window. */
void serve_begin(void);

/* Answers (transfer.c, lock_request.c). */
net_am_handler answer_ack, answer_data, answer_bulk_done, answer_grant;
/* AM_LOCK (lock_request.c). */
net_am_handler serve_lock;

/* The endpoint that a message is for. */
ep_win serve_target(const struct am *am);

#endif
