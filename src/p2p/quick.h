/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What is left of a message of at most FIRST_PAYLOAD bytes between endpoints of one process, when nothing is in its way: one line of
 * the receiver's inbox, which the sender fills from the user's buffer and the receiver empties into the other's. No request, no
 * description of the data, and nothing is called, so no register is saved. The callers (api/quick.h) have looked at the arguments.
 * Messages of several lines go the same way by functions beside it: quick_put_long, and quick_take with `lines`, by which also a
 * short message is received that was awaited (recv_quick, recv.c).
 *
 * Both do what the general way would do, or nothing. A send puts its message behind all earlier ones of its sender, since
 * inbox_put refuses where something was spilled. A receive takes the first message of the inbox if it would be given that message,
 * were it posted now: no message is unexpected, which might be an earlier one; no receive is posted on the communicator, which might
 * want it first; and the message is one of this communicator, with that source and tag, of a user. What a matching probe took
 * counts as posted (match.h). A probe itself leaves its message among the unexpected ones.
 *
 * What few programs have is known beforehand, so that the quick way need not ask for it: struct comm's and struct endpoint's `quick`.
 * With EP_CHAOS receives come here by the general way.
 */
#ifndef EP_P2P_QUICK_H
#define EP_P2P_QUICK_H

#include "p2p/endpoint.h"
#include "p2p/match.h"

/* How many endpoints of c may be sent to this way, by their local index: none or all. */
static inline unsigned quick_of(const struct comm *c)
{
    bool plain = c->contiguous && !c->inter && !settings.chaos && !evcount_fence_needed &&
                 settings.eager >= FIRST_PAYLOAD;
    return plain ? (unsigned)c->nlocal : 0;
}

static inline void count_near(struct counters *c, size_t bytes)
{
    add_alone(&c->sent_near, 1);
    add_alone(&c->sent_near_bytes, bytes);
}

/* Send. False: nothing was done. Else evcount_wants must follow. */
static inline bool quick_put(ep_comm view, ep_comm to, int tag, const void *data, size_t bytes)
{
    if (unlikely(!inbox_try(&to->endpoint->inbox, to, view->rank, tag, data, bytes)))
        return false;
    count_near(&view->endpoint->own, bytes);
    return true;
}

/* The same for a message of several lines. */
static inline bool quick_put_long(ep_comm view, ep_comm to, int tag, const void *data, size_t bytes)
{
    if (unlikely(!inbox_put_long(&to->endpoint->inbox, to, view->rank, tag, data, bytes)))
        return false;
    count_near(&view->endpoint->own, bytes);
    return true;
}

/* The endpoint's lock for a receive, if nobody else has it just now. lock_release must follow. */
static inline bool quick_enter(struct endpoint *endpoint)
{
    return likely(endpoint->quick) && likely(lock_try_free(&endpoint->lock));
}

/* Would the first message of the inbox come before all others, and is there no other work? */
static inline bool quick_is_first(struct endpoint *endpoint, const struct matcher *m)
{
    return likely((m->nposted | m->nunexpected) == 0) && likely(!endpoint->jobs) &&
           likely(load_relaxed(&endpoint->busy) + load_relaxed(&endpoint->inbox.overflowing) == 0);
}

static inline bool quick_suits(const struct header *h, ep_comm view, int source, int tag, bool lines)
{
    if (unlikely(lines ? h->kind != ARRIVAL_INLINE : !header_is_short(h)) || unlikely(h->view != view))
        return false;
    if (unlikely(h->source != source) && source != MPI_ANY_SOURCE)
        return false;
    if (unlikely(h->tag != tag) && tag != MPI_ANY_TAG)
        return false;
    return likely(tag_is_user(h->tag));
}

/* Receive into `room` bytes; `lines`: messages of several lines, too, for which a function is called. The endpoint's lock is held.
 * What recv_line would say; unless it is taken nothing was done. */
static inline enum recv_look quick_take(struct endpoint *endpoint, ep_comm view, int source, int tag,
                                        void *to, size_t room, ep_status *status, bool lines, bool chaos)
{
    endpoint_assert_held(endpoint);
    struct inbox *b = &endpoint->inbox;
    if (unlikely(!quick_is_first(endpoint, matcher_of(view))))
        return RECV_POSTED;
    const struct line *l = ring_next(b->line, INBOX_LINES, &b->consumer);
    if (!l)
        return RECV_AWAITED;
    const struct header *h = &l->head.header;
    size_t bytes = h->inline_bytes;
    if (unlikely(!quick_suits(h, view, source, tag, lines)) || unlikely(bytes > room))
        return RECV_POSTED;
    if (chaos)
        chaos_point();
    if (lines)
        line_read(l, to, bytes);
    else
        copy_few(to, l->head.payload, bytes);
    if (status)
        *status = (ep_status){h->source, h->tag, status->MPI_ERROR, false, (MPI_Count)bytes};
    add_alone(&endpoint->held.received_near, 1);
    add_alone(&endpoint->held.received_near_bytes, bytes);
    ring_free(&b->ring, &b->consumer, lines ? h->lines : 1, INBOX_PUBLISH, chaos);
    return RECV_TAKEN;
}

#endif
