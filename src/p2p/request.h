/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Requests: library-owned objects in their endpoint's pool; a handle is a pointer, copied at will.
 *
 * word tells who still needs the object:
 *   DONE  the operation is complete; set once, after the outcome was written (release; pairs with the
 *         acquire in request_is_done)
 *   USER  the user has a handle (or a blocking call waits on it)
 *   PEER  a receiver in this process still looks at a send by rendezvous
 *   WAITED  awaiter wants to be told of the end: set and cleared under the endpoint's lock; whoever sets DONE and finds it set
 *           tells. Whoever set it keeps the object until it was told, or has cleared it and found DONE not set
 * Whoever finds by its own read-modify-write that DONE is set and the other bits are clear, recycles it:
 * exactly one does.
 */
#ifndef EP_P2P_REQUEST_H
#define EP_P2P_REQUEST_H

#include "datatype/datatype.h"
#include "net/net.h"

enum { DONE = 1, USER = 2, PEER = 4, WAITED = 8 };
enum request_kind { REQUEST_SEND, REQUEST_RECV, REQUEST_GENERAL, REQUEST_COLLECTIVE, REQUEST_ONE_SIDED };
enum send_mode { MODE_STANDARD, MODE_SYNC, MODE_READY, MODE_BUFFERED };
enum { REQUEST_LIVE = 0x65705f72, REQUEST_FREED = 0x66726571, REQUEST_ENDED = 0x656e6471 };

/* Who wants to be told when requests end. */
struct awaiter {
    /* Once for each request, by whoever completed it, which may hold locks: it must not take any. */
    void (*ended)(struct awaiter *a);
};

/* An entry of the matcher's queues. */
struct entry {
    struct node node;
    uint32_t hash;
};

/* How an operation ended. */
struct outcome {
    int source, tag, error;
    bool cancelled;
    size_t received; /* bytes in the buffer */
    size_t arrived;  /* bytes of the message: more if it was truncated */
};

/* State of a send by rendezvous, see rndv.h. */
enum rndv_state {
    RNDV_NONE,
    RNDV_OPEN,
    RNDV_MATCHED,
    RNDV_CLAIMED,
    RNDV_TOGETHER,
    RNDV_BUFFERED,
    RNDV_WITHDRAWN
};

struct ep_request_s {
    struct pool_item item;  /* the pool's while free */
    _Atomic uint32_t magic; /* relaxed */
    _Atomic uint32_t word;  /* release request_complete, acquire request_is_done */

    /* what was asked for: constant while active */
    uint8_t kind, mode;
    bool persistent;
    bool kept;        /* the endpoint keeps it for ep's own messages */
    MPI_Fint fortran; /* handle.h, under its lock; 0: none yet */
    struct endpoint *endpoint;
    ep_comm view;    /* NULL for general requests */
    uint64_t serial; /* of view: the request may outlive it */
    struct span data;
    size_t bytes; /* of data */
    int peer, tag;
    const char *call;
    ep_request parent; /* send by rendezvous that does the work of a persistent one, see persistent.c */
    union {
        struct awaiter *awaiter; /* if WAITED */
        ep_request sibling;      /* coll/exchange.c: the next of the same step */
    };

    struct outcome out; /* written by whoever completes it, before DONE */

    /* receiver: under the endpoint's lock */
    struct entry entry; /* in the matcher while posted */
    uint64_t order;     /* of posting, for wildcards against others */
    bool posted, active;
    uint64_t flow;             /* observe/trace.h: id, of the message, or an earlier one's */
    ep_request shadow;         /* persistent send: the request of the send that is under way; else NULL */
    struct ep_request_s *next; /* copy job or far queue */

    /* send by rendezvous: one cache line that sender and receiver share */
    _Alignas(
        CACHE_LINE) _Atomic int rndv; /* acq_rel rndv_claim, rndv_buffer, rndv_cancel, rndv_match, release open_together, acquire rndv_receive */
    unsigned patience; /* sender: times it looked and was not done */
    void *buffered;    /* sender's copy of the data, from BUFFERED on the receiver's to free */
    ep_request into;   /* the receive; from TOGETHER on */
    char *from, *to;
    size_t total, chunk;
    _Atomic size_t next_chunk, chunks_left; /* next_chunk: relaxed; chunks_left: acq_rel copy_chunks */

    /* far, general or collective */
    union {
        struct {
            struct attribute *leftovers; /* copies that a failed duplication did not need */
            bool (*help)(ep_request r);  /* may be NULL: work towards its end; true if it got anywhere */
            void *arg;
            int index, of; /* local index and number of endpoints */
            char *why;     /* text for out.error, or NULL; malloc'd */
        } collective;
        struct {
            MPI_Request mpi;
            MPI_Message message;
            size_t total; /* bytes of the message, maybe more than the receive takes */
            void *staging;
            uint8_t op;
            struct net_route to; /* of a send */
            struct net_deferred deferred;
            struct net_descriptor *descriptor; /* its, once pushed; NULL: it waits. Under to.peer->lock */
        } far;
        struct {
            ep_grequest_query_function *query;
            ep_grequest_free_function *free;
            ep_grequest_cancel_function *cancel;
            void *extra;
        } general;
    };
};

/* Handles of what was complete when the call returned: an eager send, a receive from MPI_PROC_NULL. They
 * have no endpoint and are never freed. */
extern struct ep_request_s request_sent, request_from_null;

/* Make *r another one: of all operations on a window that were complete when their calls returned. view is the window's. */
void request_init_accessed(ep_request r, ep_comm view);

/* MPI ends: what is live has ended. */
void requests_end(void);

/* Not freed, but MPI ends or has ended. */
static inline bool request_has_ended(ep_request r)
{
    return pool_may_hold(r) && load_relaxed(&r->magic) == REQUEST_ENDED;
}

/* Out of line: one that has may be used in the user's functions that MPI calls at its end. */
bool request_of_ended(ep_request r);

/* Is it the handle of one, not freed, and MPI runs? */
static inline bool request_is_live(ep_request r)
{
    return likely(pool_may_hold(r)) &&
           (likely(load_relaxed(&r->magic) == REQUEST_LIVE) || request_of_ended(r));
}

static inline bool request_is_done(const struct ep_request_s *r)
{
    return load_acquire(&r->word) & DONE;
}

/* Null and inactive ones count for nothing in the calls that wait for several. */
static inline bool request_is_active(ep_request r)
{
    return r && r->active;
}

/* A new request with USER set, or NULL without memory. The endpoint's lock is held. */
ep_request request_new(struct endpoint *endpoint, enum request_kind kind);
/* The same for what others wait for, whatever happens here: it may come from the reserve. */
ep_request request_new_own(struct endpoint *endpoint, enum request_kind kind);
/*
 * One of those that the endpoint keeps for when the reserve is used up, too. NULL: they are taken, until one is given back. Only for a
 * receive whose message has come, and for a send that is so short that it is on its way at once. Neither waits for a later call of
 * anybody, so each ends, and who waits for one of these requests gets it some time. Were they for whatever asks, a
 * receive could keep one for a call that its sender makes only after another call which needs it here.
 */
ep_request request_new_kept(struct endpoint *endpoint, enum request_kind kind);

/* A request of view for a collective operation, likewise; takes the endpoint's lock. */
ep_request request_collective(ep_comm view, const char *call);
/* The same for an operation on a window; view is the window's, peer the target. */
ep_request request_one_sided(ep_comm view, int peer, const char *call);

/* The outcome is written: set DONE, wake the endpoint. Any thread; last access unless the caller holds
 * another bit. */
void request_complete(ep_request r);

/* The same for a receive that was not handed to another thread: the endpoint's lock is held, under which
 * alone its word changes, so no atomic read-modify-write is needed. */
void request_complete_locked(ep_request r);

/* DONE and give up PEER in one step: the receiver is through with a send by rendezvous. */
void request_complete_peer(ep_request r);

/* Give up USER. The endpoint's lock is held. */
void request_release(ep_request r);

/* Give up PEER. Any thread. */
void request_release_peer(ep_request r);

/* Tell a of the end of r, which has an endpoint. False: it is done, and a will not be told. The endpoint's lock is held. */
bool request_await(ep_request r, struct awaiter *a);
/* No longer. True if r is done: then a was or will be told. The endpoint's lock is held. */
bool request_unawait(ep_request r);

/* DONE was set in old: tell who waits for r. */
static inline void request_tell(ep_request r, uint32_t old)
{
    if (unlikely(old & WAITED))
        r->awaiter->ended(r->awaiter);
}

/* Outcome of a receive of `bytes` from an envelope into room for so many: all but cancelled. Returns the bytes to copy. */
static inline size_t outcome_receive(struct outcome *o, int source, int tag, size_t bytes, size_t room)
{
    o->source = source;
    o->tag = tag;
    o->received = o->arrived = bytes;
    if (likely(bytes <= room))
        return bytes;
    o->error = MPI_ERR_TRUNCATE;
    return o->received = room;
}

/* The same for a request: sets everything but DONE. */
static inline size_t request_outcome(ep_request r, int source, int tag, size_t bytes)
{
    return outcome_receive(&r->out, source, tag, bytes, r->bytes);
}

/* Its endpoint, for messages and the error handler; NULL if that is gone. */
static inline ep_comm request_view(const struct ep_request_s *r)
{
    return r && r->view && view_is_whole(r->view) && r->view->serial == r->serial ? r->view : NULL;
}

/* Work towards the end of a collective operation; true if it got anywhere. */
static inline bool request_assist(ep_request r)
{
    return r->kind == REQUEST_COLLECTIVE && r->collective.help && r->collective.help(r);
}

/* The request whose rndv word decides about r. */
static inline ep_request request_lender(ep_request r)
{
    return unlikely(r->shadow != NULL) ? r->shadow : r;
}

/* Outcome as a status, which may be EP_STATUS_IGNORE. */
static inline void outcome_status(const struct outcome *o, ep_status *status)
{
    if (status)
        *status = (ep_status){o->source, o->tag, status->MPI_ERROR, o->cancelled, (MPI_Count)o->received};
}
void status_empty(ep_status *status);

#endif
