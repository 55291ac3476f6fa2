/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What an endpoint has once, however many communicators it is in: inbox, lock, event count, and the pools
 * of its requests and messages. Endpoints are recycled, never freed, so a late notification wakes nobody.
 *
 *   word        who                                      order
 *   lock        the thread that uses the endpoint        acquire / release
 *   inside,     with ep_single_owner (not in task mode): the owner, instead of the lock, stores inside, fences lightly and looks
 *   helped      at helped; a helper, who has the lock, stores helped, fences heavily and looks at inside (the
 *               pattern of evcount.h: one of the two sees the other, and the helper gives way)
 *   event count notified after a push or a completion  see crt/evcount.h
 *   inbox       any thread pushes, lock holder takes     see inbox.h
 *   everything else: under lock
 */
#ifndef EP_P2P_ENDPOINT_H
#define EP_P2P_ENDPOINT_H

#include "crt/crt.h"
#include "p2p/inbox.h"
#include "p2p/request.h"

struct endpoint {
    /* everybody reads it, hardly anybody writes: a line of its own, or each send would take the lock's line
     * away */
    struct endpoint *next; /* list of all endpoints ever made; constant */
    struct evcount evcount;
    bool single_owner; /* constant while open (set under lock): the owner comes without the lock */
    bool quick;        /* the same: receives may go the quick way (quick.h) */
    _Atomic bool open; /* release endpoint_open and endpoint_close; read relaxed, under the lock for good */
    struct endpoint *next_free; /* under endpoints_lock */
    /* the thread that uses the endpoint */
    _Alignas(CACHE_LINE) struct lock lock;
    _Atomic bool inside,
        helped; /* inside: release endpoint_unlock, acquire endpoint_enter; helped: release endpoint_left, acquire endpoint_lock */
    _Atomic int views; /* of this endpoint, not yet destroyed; acq_rel leave, destroy_view */
    _Atomic int
        handles; /* of this endpoint, not yet freed, without EP_COMM_SELF; acq_rel endpoint_close_view */
    /* EP_COMM_SELF, made on first use: set under lock (release), acquire in endpoint_self */
    _Atomic(ep_comm) self; /* release endpoint_views_make_self, acquire endpoint_self */
    _Atomic int helpers; /* threads between endpoint_enter and endpoint_left; it is not recycled under them */
    struct pool requests[REQUEST_KINDS];
    struct pool messages;             /* arrived, not yet matched: small ones */
    struct pool large_messages;       /* the same with room for INLINE_MAX bytes */
    struct work *works, **works_end;  /* work.h; where the next one is to be linked, NULL: at the beginning */
    _Atomic(struct work *) new_works; /* release work_add, acquire take_new */
    _Atomic bool busy;   /* works or new_works: for helpers; release work_add, acq_rel work_settle */
    ep_request jobs;     /* sends by rendezvous to copy together with their senders, linked by native.next */
    _Atomic(struct request_then *) thens; /* complete.c: of requests; changed under the lock; relaxed */
    struct bsend *bsend; /* attached buffer, if the threads are bound (buffered.c) */
    uint64_t posts;        /* receives posted: their order (match.h) */
    struct list listeners; /* tasks suspended in probes, by sleeper->node (suspend.h) */
    /* what was counted: by the endpoint's calls without a lock, and by the lock's holder (base/counters.h) */
    _Alignas(CACHE_LINE) struct counters own;
    _Alignas(CACHE_LINE) struct counters held;
    _Atomic uint64_t since[COUNTERS]; /* values that ep_counter_reset found; any thread reads; relaxed */
    struct watched *watched;          /* observe/watchdog.h: calls that wait */
    struct recorder *recorder;        /* observe/trace.h; constant while open; NULL: nothing is recorded */
    unsigned looks;                   /* recv.c: how often a receive looked on */
    int rank; /* in the communicator it was made with, for EP_STATS; < 0: not a rank's. Constant while open */
    struct inbox inbox;
    struct pool kept; /* requests for ep's own messages when there is no memory; as requests */
};

/* An endpoint for a new endpoint; NULL without memory. */
struct endpoint *endpoint_open(bool single_owner, int rank);
void endpoint_close(struct endpoint *p);

/* The endpoint of requests that belong to no endpoint (generalized requests). NULL without memory. */
struct endpoint *endpoint_general(void);

/* All endpoints, open or not, for those who help others. */
struct endpoint *endpoint_first(void);

/* Out of line: a helper is inside. */
void endpoint_lock_single_slow(struct endpoint *p);

static inline void endpoint_lock(struct endpoint *p)
{
    if (likely(!p->single_owner)) {
        lock_acquire(&p->lock);
        return;
    }
    lock_check_wait(&p->lock);
    store_relaxed(&p->inside, true);
    light_fence();
    if (unlikely(load_acquire(&p->helped)))
        endpoint_lock_single_slow(p);
    lock_check_got(&p->lock);
}

static inline void endpoint_unlock(struct endpoint *p)
{
    if (likely(!p->single_owner)) {
        lock_release(&p->lock);
    } else {
        lock_check_release(&p->lock);
        store_release(&p->inside, false);
    }
}

/* Is nobody told of messages that a receive takes without a request (quick.h, recv_line)? */
static inline bool endpoint_takes_quietly(void)
{
    return !observed_by(OBSERVER_TRACE);
}

/* By who has let go of it within a call that was made with it. Helpers come here with their own endpoint
 * (progress_others), so two endpoints are held; that is no cycle. Whoever waits here has entered p while it
 * was free and held its own endpoint by then. In a cycle of such threads consider the one that entered last:
 * the owner of the endpoint it entered is in the cycle, too, so it held that endpoint already, and
 * endpoint_enter would have failed. */
static inline void endpoint_lock_again(struct endpoint *p)
{
    if (likely(!p->single_owner))
        lock_acquire_again(&p->lock);
    else
        endpoint_lock(p); /* the owner: helpers leave its jobs alone */
}

/* The calling thread is in it: as its owner, or between endpoint_enter and endpoint_left. */
#define endpoint_assert_held(p) lock_assert_held(&(p)->lock)

/* Is there something to do beside the inbox? */
static inline bool endpoint_has_jobs(struct endpoint *p)
{
    return p->jobs || p->works || load_relaxed(&p->new_works);
}

/* For a thread that is not the owner and only wants to help: may it? Then endpoint_left must follow. */
bool endpoint_enter(struct endpoint *p);
void endpoint_left(struct endpoint *p);

#endif
