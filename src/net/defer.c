/* SPDX-License-Identifier: BSD-3-Clause */
#include "net/defer.h"

#include "net/descriptor.h"

static _Atomic int waiting; /* peers that something waits for; relaxed */

static struct net_deferred *first_of(const struct net_peer *peer)
{
    lock_assert_held(&peer->lock);
    struct node *n = peer->waiting.first;
    return n ? container_of(n, struct net_deferred, node) : NULL;
}

static void defer_join(struct net_peer *peer, struct net_deferred *d)
{
    lock_assert_held(&peer->lock);
    list_append(&peer->waiting, &d->node);
    if (load_relaxed(&peer->behind))
        return;
    add_relaxed(&waiting, 1);
    store_relaxed(&peer->behind, true);
    net_flush_call();
}

/* One has left the list. */
static void defer_left(struct net_peer *peer)
{
    lock_assert_held(&peer->lock);
    if (peer->waiting.first)
        return;
    add_relaxed(&waiting, -1);
    store_release(&peer->behind, false);
}

void net_submit(struct net_peer *peer, struct net_deferred *d)
{
    lock_acquire(&peer->lock);
    if (peer->waiting.first || !d->push(d))
        defer_join(peer, d);
    lock_release(&peer->lock);
}

void net_undefer(struct net_peer *peer, struct net_deferred *d)
{
    lock_assert_held(&peer->lock);
    list_remove(&peer->waiting, &d->node);
    defer_left(peer);
}

/* next follows the first, which was pushed and may be gone. */
static void leave_first(struct net_peer *peer, struct node *next)
{
    lock_assert_held(&peer->lock);
    peer->waiting.first = next;
    if (next)
        next->prev = NULL;
    else
        peer->waiting.last = NULL;
    defer_left(peer);
}

static bool flush_one(struct net_peer *peer)
{
    lock_acquire(&peer->lock);
    struct net_deferred *d = first_of(peer);
    struct node *next = d ? d->node.next : NULL;
    bool gone = d && d->push(d);
    if (gone)
        leave_first(peer, next);
    lock_release(&peer->lock);
    return gone;
}

bool net_flush(void)
{
    bool any = false;
    if (likely(load_relaxed(&waiting) == 0))
        return false;
    for (struct net_peer *p = net_peers(); p; p = p->next)
        while (load_relaxed(&p->behind) && flush_one(p))
            any = true;
    return any;
}

long net_under_way(struct net_peer *peer)
{
    lock_acquire(&peer->lock); /* what waits becomes a descriptor under it */
    long n = load_relaxed(&peer->out);
    for (struct node *w = peer->waiting.first; w; w = w->next)
        n++;
    lock_release(&peer->lock);
    return n;
}

bool net_waits(void)
{
    return load_relaxed(&waiting) > 0;
}

bool net_busy(void)
{
    return net_waits() || net_descriptors_await();
}
