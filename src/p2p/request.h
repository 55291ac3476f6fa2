/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Requests: library-owned objects in their endpoint's pools; a handle is a pointer, copied at will. What all have is struct
 * ep_request_s, the head; each role adds its part in a type of its own, which begins with the head, and has a pool of its own size.
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
 *
 *   fields                          who writes them, and when
 *   magic, word                     see there: any thread
 *   out                             whoever completes the request, before DONE
 *   all that is asked for           whoever makes or starts it, under the endpoint's lock, before others can find it
 *   a receive's entry and order     the matcher, under the endpoint's lock
 *   a send's rndv and what follows  sender and receiver, see rndv.h: a cache line of their own
 *   what MPI has in hand            whoever starts it; then the holder of the poll lock (far_pending.c)
 */
#ifndef EP_P2P_REQUEST_H
#define EP_P2P_REQUEST_H

#include <assert.h>
#include <stddef.h>

#include "datatype/datatype.h"
#include "net/net.h"

enum { DONE = 1, USER = 2, PEER = 4, WAITED = 8 };
/* The first two are messages. */
enum request_kind {
    REQUEST_SEND,
    REQUEST_RECV,
    REQUEST_GENERAL,
    REQUEST_COLLECTIVE,
    REQUEST_ONE_SIDED,
    REQUEST_KINDS
};
/* A shadow does the work of a persistent send, see persistent.c. */
enum request_life { LIFE_ONCE, LIFE_PERSISTENT, LIFE_SHADOW };
/* The first two may go by send_line; a buffered one counts what it has in the user's buffer. */
enum send_mode { MODE_STANDARD, MODE_READY, MODE_SYNC, MODE_BUFFERED };
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

/* The head. */
struct ep_request_s {
    union {
        struct pool_item item;   /* the pool's while free */
        struct awaiter *awaiter; /* if WAITED */
        ep_request sibling;      /* coll/exchange.c: the next of the same step */
    };
    _Atomic uint32_t magic; /* relaxed */
    _Atomic uint32_t word;  /* release request_complete, acquire request_is_done */
    uint8_t kind, life;
    bool kept;   /* the endpoint keeps it for ep's own messages */
    bool active; /* not a persistent one at rest */

    /* constant while active */
    _Atomic MPI_Fint fortran; /* handle.h: of this use; release handle_number_first, acquire ep_request_f2c, ep_request_c2f */
    struct endpoint *endpoint;
    ep_comm view;    /* NULL for general requests */
    uint64_t serial; /* of view: the request may outlive it */
    int peer, tag;   /* of a collective one: peer is the rank that failed */
    const char *call;

    struct outcome out;
};

/* What MPI or a list has in hand of a request: behind the head of those that can be, a message's and a one-sided one's. */
struct request_native {
    MPI_Request mpi;           /* MPI_REQUEST_NULL: still to be started (far_pending.c) */
    struct ep_request_s *next; /* copy job or far queue */
};

struct request_one_sided {
    struct ep_request_s head;
    struct request_native native;
};

struct request_recv {
    struct ep_request_s head;
    struct request_native native;
    struct span data;
    size_t bytes; /* of data */
    union {
        struct entry entry; /* in the matcher while posted */
        struct {
            MPI_Message message;
            size_t total; /* bytes of the message, maybe more than the receive takes */
            void *staging;
        } far;
    };
    uint64_t order; /* of posting, for wildcards against others; 0: not posted */
    uint64_t flow;  /* observe/trace.h: id, of the message, or an earlier one's */
};

struct request_send {
    struct ep_request_s head;
    struct request_native native;
    struct span data;
    size_t bytes; /* of data */
    union {
        struct request_send *shadow; /* a persistent one's: of the send that is under way; else NULL */
        ep_request parent;           /* a shadow's */
    };
    uint8_t mode;
    bool lends; /* by rendezvous though an inbox would take it (send.c); constant, so that all who ask get the same */
    struct net_deferred deferred; /* shm_send.c */

    /* by rendezvous: the line that sender and receiver share */
    _Alignas(
        CACHE_LINE) _Atomic int rndv; /* acq_rel rndv_claim, rndv_buffer, rndv_cancel, rndv_match, release open_together, acquire rndv_receive */
    unsigned patience; /* sender: times it looked and was not done */
    union {
        struct {
            void *buffered; /* sender's copy of the data, from BUFFERED on the receiver's to free */
            struct request_recv *into; /* the receive; it and the following from TOGETHER on */
            char *to;
            size_t total, chunk;
            _Atomic size_t next_chunk,
                chunks_left; /* next_chunk: relaxed; chunks_left: acq_rel copy_chunks */
        };
        struct {
            struct net_route to;
            struct net_descriptor *descriptor; /* its, once pushed; NULL: it waits. Under to.peer->lock */
        } far;                                 /* rndv is RNDV_NONE */
    };
};

struct request_general {
    struct ep_request_s head;
    ep_grequest_query_function *query;
    ep_grequest_free_function *free;
    ep_grequest_cancel_function *cancel;
    void *extra;
};

struct request_collective {
    struct ep_request_s head;
    bool (*help)(ep_request r); /* may be NULL: work towards its end; true if it got anywhere */
    union {
        struct {
            void *arg;
            int index, of;           /* local index and number of endpoints */
        };                           /* with help */
        struct attribute *leftovers; /* without: copies that a failed duplication did not need, or NULL */
    };
    char *why; /* text for out.error, or NULL; malloc'd */
};

_Static_assert(sizeof(void *) != 8 ||
                   (sizeof(struct ep_request_s) == 96 && sizeof(struct request_one_sided) <= 128 &&
                    sizeof(struct request_general) <= 128 && sizeof(struct request_collective) <= 128 &&
                    sizeof(struct request_recv) == 192 && sizeof(struct request_send) == 256),
               "docs/memory.md");
_Static_assert(offsetof(struct request_recv, native) == offsetof(struct request_one_sided, native) &&
                   offsetof(struct request_send, native) == offsetof(struct request_one_sided, native) &&
                   offsetof(struct request_recv, data) == offsetof(struct request_send, data) &&
                   offsetof(struct request_recv, bytes) == offsetof(struct request_send, bytes),
               "request_native, request_message");

/* From the head to the part of its role. */
static inline struct request_send *request_to_send(const struct ep_request_s *r)
{
    assert(r->kind == REQUEST_SEND);
    return (struct request_send *)(uintptr_t)r;
}

static inline struct request_recv *request_to_recv(const struct ep_request_s *r)
{
    assert(r->kind == REQUEST_RECV);
    return (struct request_recv *)(uintptr_t)r;
}

static inline struct request_general *request_to_general(const struct ep_request_s *r)
{
    assert(r->kind == REQUEST_GENERAL);
    return (struct request_general *)(uintptr_t)r;
}

static inline struct request_collective *request_to_collective(const struct ep_request_s *r)
{
    assert(r->kind == REQUEST_COLLECTIVE);
    return (struct request_collective *)(uintptr_t)r;
}

/* Of a message, sent or received. */
static inline struct span *request_data(const struct ep_request_s *r)
{
    assert(r->kind <= REQUEST_RECV);
    return &((struct request_recv *)(uintptr_t)r)->data;
}

static inline size_t request_bytes(const struct ep_request_s *r)
{
    assert(r->kind <= REQUEST_RECV);
    return ((const struct request_recv *)(const void *)r)->bytes;
}

static inline struct request_native *request_native(ep_request r)
{
    assert(r->kind <= REQUEST_RECV || r->kind == REQUEST_ONE_SIDED);
    return &((struct request_one_sided *)r)->native;
}

/* Handles of what was complete when the call returned: an eager send, a receive from MPI_PROC_NULL. They
 * have no endpoint and are never freed. */
extern struct ep_request_s request_sent, request_from_null __attribute__((visibility("hidden")));

/* Make *r another one: of all operations on a window that were complete when their calls returned. view is the window's. */
void request_init_accessed(ep_request r, ep_comm view);

/* MPI ends: what is live has ended. */
void requests_end(void);

/* Not freed, but MPI ends or has ended. */
static inline bool request_has_ended(ep_request r)
{
    return pool_holds(r, REQUEST_ENDED);
}

/* Out of line: one that has may be used in the user's functions that MPI calls at its end. */
bool request_of_ended(ep_request r);

/* Is it the handle of one, not freed, and MPI runs? */
static inline bool request_is_live(ep_request r)
{
    return likely(pool_holds(r, REQUEST_LIVE)) || request_of_ended(r);
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

/* A request of view for a collective operation (as request_new_own does), or for one on a window: view is the window's, peer the target.
 * The endpoint's lock is held. */
ep_request request_for_call(ep_comm view, enum request_kind kind, int peer, const char *call);
/* The same; takes the endpoint's lock. */
ep_request request_new_collective(ep_comm view, const char *call);
ep_request request_new_one_sided(ep_comm view, int peer, const char *call);

/* All that endpoint's requests are made from. */
void request_pools_init(struct endpoint *endpoint);
/* Is `is` true of any request of endpoint's, in use or free? The endpoint's lock is held. */
bool request_any(struct endpoint *endpoint, bool (*is)(const void *item, const void *arg), const void *arg);

/* The outcome is written: set DONE, wake the endpoint. Any thread; last access unless the caller holds
 * another bit. */
void request_complete(ep_request r);

/* The same after an operation with result rc, an error class; an error that it has already stays. */
static inline void request_complete_with(ep_request r, int rc)
{
    if (rc != MPI_SUCCESS && r->out.error == MPI_SUCCESS)
        r->out.error = rc;
    request_complete(r);
}

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
static inline size_t request_outcome(struct request_recv *r, int source, int tag, size_t bytes)
{
    return outcome_receive(&r->head.out, source, tag, bytes, r->bytes);
}

/* r receives for the library itself: a message of `bytes`, of which `room` have a place at `at`. */
static inline void recv_of_bytes(struct request_recv *r, void *at, size_t room, size_t bytes)
{
    r->data = span_packed(at, room);
    r->bytes = room;
    r->order = 0;
    request_outcome(r, MPI_ANY_SOURCE, MPI_ANY_TAG, bytes);
}

/* Its endpoint, for messages and the error handler; NULL if that is gone. */
static inline ep_comm request_view(const struct ep_request_s *r)
{
    return r && r->view && view_is_whole(r->view) && r->view->serial == r->serial ? r->view : NULL;
}

/* Work towards the end of a collective operation; true if it got anywhere. */
static inline bool request_assist(ep_request r)
{
    return r->kind == REQUEST_COLLECTIVE && request_to_collective(r)->help &&
           request_to_collective(r)->help(r);
}

/* The send whose rndv word decides about r. */
static inline struct request_send *request_lender(ep_request r)
{
    struct request_send *s = request_to_send(r);
    return unlikely(r->life == LIFE_PERSISTENT) && s->shadow ? s->shadow : s;
}

/* Outcome as a status, which may be EP_STATUS_IGNORE. */
static inline void outcome_status(const struct outcome *o, ep_status *status)
{
    if (status)
        *status = (ep_status){o->source, o->tag, status->MPI_ERROR, o->cancelled, (MPI_Count)o->received};
}
void status_empty(ep_status *status);

#endif
