/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A port: what an endpoint has once, however many communicators it is in: inbox, lock, bell, and the pools
 * of its requests and messages. Ports are recycled, never freed, so late bells ring into nothing.
 *
 *   word        who                                      order
 *   lock        the thread that uses the endpoint        acquire / release
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
    bool single_owner; /* constant while open (set under lock): nobody else comes, so no lock */
    _Atomic bool open;
    struct port *next_free; /* under ports_lock */
    /* the thread that uses the endpoint */
    _Alignas(CACHE_LINE) struct lock lock;
    struct pool requests;
    struct pool messages; /* arrived, not yet matched: small ones */
    struct pool letters;  /* the same with room for INLINE_MAX bytes */
    ep_request jobs;      /* lent sends to copy together with their senders, linked by next */
    struct bsend *bsend;  /* attached buffer, if the threads are bound (bsend.c) */
    struct inbox inbox;
};

/* A port for a new endpoint; NULL without memory. */
struct port *port_open(bool single_owner);
void port_close(struct port *p);

/* The port of requests that belong to no endpoint (generalized requests). NULL without memory. */
struct port *port_general(void);

/* All ports, open or not, for those who help others. */
struct port *port_first(void);

static inline void port_lock(struct port *p)
{
    if (likely(!p->single_owner))
        lock_acquire(&p->lock);
}

static inline void port_unlock(struct port *p)
{
    if (likely(!p->single_owner))
        lock_release(&p->lock);
}

/* For a thread that is not the owner and only wants to help. Whether the port is open, and to helpers, is
 * decided under its lock: it may just be closed, or opened anew for a single owner. */
static inline bool port_try(struct port *p)
{
    if (!load_relaxed(&p->open) || !lock_try(&p->lock))
        return false;
    if (load_relaxed(&p->open) && !p->single_owner)
        return true;
    lock_release(&p->lock);
    return false;
}

#endif
