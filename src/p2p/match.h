/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The matcher of one endpoint on one communicator: posted receives and arrived messages meet here, and
 * nowhere else. It is entered when a message arrives and when a receive is posted, never when one is waited
 * for.
 *
 * Posted receives are in one list in the order of posting, arrived messages in one in the order of arrival; the first that suits
 * wins. When a search has passed many in vain, there are bins by hash of (source, tag), too, from then on: receives without a
 * wildcard are moved there, so that the list has the others; messages are in both, since receives with a wildcard search the list.
 * Then the first match of the list and the first of the bin compete, and the receive posted earlier wins (request->order; the
 * order within a bin is that of the list). Bins double when they fill, so that a long queue costs no more per message than a
 * short one, and a queue whose first is always the right one, like a window of receives from one source, needs no hashing.
 *
 * A matcher lies behind its view (view_attach), so that making one needs no memory of its own; it has nothing that most
 * communicators do without.
 *
 * Everything is under the endpoint's lock.
 */
#ifndef EP_P2P_MATCH_H
#define EP_P2P_MATCH_H

#include "p2p/message.h"

struct bins;

/* All zero: empty. */
struct matcher {
    struct chain posted;   /* receives: all, or those with a wildcard if there are bins */
    struct chain arrivals; /* all unexpected messages */
    struct bins *posted_bins, *arrival_bins; /* NULL: no search was long yet */
    uint32_t nposted;     /* receives, and messages that a probe took and nobody received yet */
    uint32_t nunexpected; /* messages */
    bool closed;          /* the handle was freed */
    bool settled;         /* closed, and nothing was posted once */
};

static inline struct matcher *matcher_of(const struct ep_comm_s *view)
{
    return (struct matcher *)((uintptr_t)view + sizeof *view);
}

/* What a look at the inbox came to. */
enum recv_look {
    RECV_TAKEN,   /* the message */
    RECV_AWAITED, /* nothing: it may be the first that comes */
    RECV_POSTED   /* none of these: the receive has to be posted */
};

/* Drops unexpected messages. */
void matcher_end(struct matcher *m);

/* A message arrived: the receive that it belongs to, NULL if there is none. It is still posted: the caller
 * claims the message, which its sender may just have cancelled, and then unposts the receive. */
struct request_recv *match_arrived(struct matcher *m, int source, int tag);
/* No receive wants it now: queue it. */
void match_keep(struct matcher *m, ep_message msg);

/* A receive is posted: the message that it gets, out of the queue and claimed, or NULL: then r is
 * posted. */
ep_message match_posted(struct matcher *m, struct request_recv *r);

/* Does a message with this source and tag suit one who wants those, which may be wildcards? Those are for users' messages. */
static inline bool match_suits(int wanted_source, int wanted_tag, int source, int tag)
{
    return (wanted_source == source || wanted_source == MPI_ANY_SOURCE) &&
           (wanted_tag == tag || (wanted_tag == MPI_ANY_TAG && tag_is_user(tag)));
}

static inline bool match_any_unexpected(const struct matcher *m)
{
    return m->arrivals.first;
}

/* The message that a receive posted now would get; it stays. */
ep_message match_peek(struct matcher *m, int source, int tag);
/* All unexpected messages with this source and tag, the oldest first: while none is taken out. */
ep_message match_first(struct matcher *m, int source, int tag);
ep_message match_next(struct matcher *m, ep_message msg);
/* Take out what match_peek returned. */
void match_take(struct matcher *m, ep_message msg);

/* For the watchdog: the first `room` posted receives in the order of posting, and unexpected messages in the order of
 * arrival. How many were written. */
int match_list_posted(const struct matcher *m, struct request_recv *list[], int room);
int match_list_unexpected(const struct matcher *m, ep_message list[], int room);

/* Unpost a receive. False if it is matched already. */
bool match_unpost(struct matcher *m, struct request_recv *r);

#endif
