/* SPDX-License-Identifier: BSD-3-Clause */
#include "p2p/port.h"

#include <stdlib.h>

#include "p2p/message.h"

static struct lock ports_lock;
static _Atomic(struct port *) all;
static struct port *spare;
static struct port *general;

/* A new port, linked to the others for ever. ports_lock is held. */
static struct port *port_make(void)
{
    struct port *p = aligned_alloc(CACHE_LINE, sizeof *p);
    if (!p)
        return NULL;
    memset(p, 0, sizeof *p);
    pool_init(&p->requests, sizeof(struct ep_request_s));
    pool_init(&p->messages, sizeof(struct ep_message_s) + SMALL_PAYLOAD);
    pool_init(&p->letters, sizeof(struct ep_message_s) + INLINE_MAX);
    inbox_init(&p->inbox);
    p->next = load_relaxed(&all);
    store_release(&all, p);
    return p;
}

struct port *port_open(bool single_owner)
{
    lock_acquire(&ports_lock);
    struct port *p = spare;
    if (p)
        spare = p->next_free;
    else
        p = port_make();
    lock_release(&ports_lock);
    if (!p)
        return NULL;
    lock_acquire(&p->lock);
    p->single_owner = single_owner;
    p->bsend = NULL;
    store_release(&p->open, true);
    lock_release(&p->lock);
    return p;
}

void port_close(struct port *p)
{
    store_release(&p->open, false);
    lock_acquire(&ports_lock);
    p->next_free = spare;
    spare = p;
    lock_release(&ports_lock);
}

struct port *port_general(void)
{
    lock_acquire(&ports_lock);
    if (!general && (general = port_make()))
        store_release(&general->open, true);
    struct port *p = general;
    lock_release(&ports_lock);
    return p;
}

struct port *port_first(void)
{
    return load_acquire(&all);
}
