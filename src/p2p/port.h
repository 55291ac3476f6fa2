/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A port: what an endpoint has once, however many communicators it is in: inbox, lock, bell, and the pools
 * of its requests and messages. Ports are recycled, never freed, so late bells ring into nothing.
 *
 *   word        who                                      order
 *   lock        the thread that uses the endpoint        acquire / release
 *   inside,     with ep_single_owner (not in task mode): the owner, instead of the lock, stores inside, fences lightly and looks
 *   helped      at helped; a helper, who has the lock, stores helped, fences heavily and looks at inside (the
 *               pattern of bell.h: one of the two sees the other, and the helper gives way)
 *   bell        rung after a push or a completion        see crt/bell.h
 *   inbox       any thread pushes, lock holder takes     see inbox.h
 *   everything else: under lock
 */
#ifndef EP_P2P_PORT_H
#define EP_P2P_PORT_H

#include "crt/crt.h"
#include "p2p/inbox.h"
#include "p2p/request.h"

struct port {
    /* everybody reads it, hardly anybody writes: a line of its own, or each send would take the lock's line
     * away */
    struct port *next; /* list of all ports ever made; constant */
    struct bell bell;
    bool single_owner; /* constant while open (set under lock): the owner comes without the lock */
    _Atomic bool open; /* release port_open and port_close; read relaxed, under the lock for good */
    struct port *next_free; /* under ports_lock */
    /* the thread that uses the endpoint */
    _Alignas(CACHE_LINE) struct lock lock;
    _Atomic bool inside, helped; /* inside: release port_unlock, acquire port_enter; helped: release port_left, acquire port_lock */
    _Atomic int views;   /* of this endpoint, not yet destroyed; acq_rel leave, destroy_view */
    _Atomic int handles; /* of this endpoint, not yet freed, without EP_COMM_SELF; acq_rel endpoint_close */
    /* EP_COMM_SELF, made on first use: set under lock (release), acquire in endpoint_self */
    _Atomic(ep_comm) self; /* release make_self, acquire endpoint_self */
    _Atomic int helpers; /* threads between port_enter and port_left; a port is not recycled under them */
    struct pool requests;
    struct pool messages;            /* arrived, not yet matched: small ones */
    struct pool letters;             /* the same with room for INLINE_MAX bytes */
    struct work *works, **works_end; /* work.h; where the next one is to be linked, NULL: at the beginning */
    _Atomic(struct work *) new_works; /* release work_add, acquire take_new */
    _Atomic bool busy;     /* works or new_works: for helpers; release work_add, acq_rel work_settle */
    ep_request jobs;       /* lent sends to copy together with their senders, linked by next */
    struct bsend *bsend;   /* attached buffer, if the threads are bound (buffered.c) */
    struct list listeners; /* tasks suspended in probes, by sleeper->node (suspend.h) */
    /* what was counted: by calls of the endpoint that hold no lock, and by the lock's holder (base/counters.h) */
    _Alignas(CACHE_LINE) struct counters own;
    _Alignas(CACHE_LINE) struct counters held;
    _Atomic uint64_t since[COUNTERS]; /* values that ep_counter_reset found; any thread reads; relaxed */
    struct watched *watched;          /* observe/watchdog.h: calls that wait */
    struct recorder *recorder;        /* observe/trace.h; constant while open; NULL: nothing is recorded */
    unsigned looks;                   /* recv.c: how often a receive looked on */
    int rank; /* in the communicator it was made with, for EP_STATS; < 0: not an endpoint's. Constant while open */
    struct inbox inbox;
    struct pool kept; /* requests for ep's own messages when there is no memory; as requests */
};

/* A port for a new endpoint; NULL without memory. */
struct port *port_open(bool single_owner, int rank);
void port_close(struct port *p);

/* The port of requests that belong to no endpoint (generalized requests). NULL without memory. */
struct port *port_general(void);

/* All ports, open or not, for those who help others. */
struct port *port_first(void);

/* Out of line: a helper is inside. */
void port_lock_single_slow(struct port *p);

static inline void port_lock(struct port *p)
{
    if (likely(!p->single_owner)) {
        lock_acquire(&p->lock);
        return;
    }
    lock_check_wait(&p->lock);
    store_relaxed(&p->inside, true);
    light_fence();
    if (unlikely(load_acquire(&p->helped)))
        port_lock_single_slow(p);
    lock_check_got(&p->lock);
}

static inline void port_unlock(struct port *p)
{
    if (likely(!p->single_owner)) {
        lock_release(&p->lock);
    } else {
        lock_check_release(&p->lock);
        store_release(&p->inside, false);
    }
}

/* By who has let go of it within a call that was made with it. Helpers come here with their own port (progress_others), so two
 * ports are held; that is no circle. Whoever waits here has entered p while it was free and held its own port by
 * then. In a circle of such threads consider the one that entered last: the owner of the port it entered is in the circle, too,
 * so it held that port already, and port_enter would have failed. */
static inline void port_lock_again(struct port *p)
{
    if (likely(!p->single_owner))
        lock_acquire_again(&p->lock);
    else
        port_lock(p); /* the owner: helpers leave its jobs alone */
}

/* The calling thread is in it: as its owner, or between port_enter and port_left. */
#define port_assert_held(p) lock_assert_held(&(p)->lock)

/* Is there something to do beside the inbox? */
static inline bool port_has_jobs(struct port *p)
{
    return p->jobs || p->works || load_relaxed(&p->new_works);
}

/* For a thread that is not the owner and only wants to help: may it? Then port_left must follow. */
bool port_enter(struct port *p);
void port_left(struct port *p);

#endif
