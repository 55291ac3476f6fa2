/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The matcher of one endpoint on one communicator: posted receives and arrived messages meet here, and
 * nowhere else. It is entered when a message arrives and when a receive is posted, never when one is waited
 * for.
 *
 * Posted receives without wildcards are in bins by hash of (source, tag), in the order of posting; those
 * with a wildcard are in one list. Among the first match of the bin and the first of the list the one
 * posted earlier wins (request->order). Arrived messages are all in one list in the order of arrival, which
 * wildcard receives search, and also in bins, which the others search. Bins double when they fill, so that
 * a long queue costs no more per message than a short one.
 *
 * Everything is under the endpoint's lock.
 */
#ifndef EP_P2P_MATCH_H
#define EP_P2P_MATCH_H

#include "p2p/message.h"

struct bins {
    struct list *bin;
    struct list one; /* the only bin of a short queue */
    uint32_t mask;   /* number of bins - 1 */
    uint32_t count;
};

struct matcher {
    struct bins posted;
    struct list wild; /* posted receives with a wildcard */
    struct bins unexpected;
    struct list arrivals; /* all unexpected messages */
    uint64_t posts;
    unsigned nposted; /* both kinds, and messages that a probe took and nobody received yet */
    bool closed;      /* the handle was freed */
    bool settled;     /* closed, and nothing was posted once */
};

struct matcher *matcher_new(void);
/* Drops unexpected messages. */
void matcher_delete(struct matcher *m);

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

/* The message that a receive posted now would get; it stays. */
ep_message match_peek(struct matcher *m, int source, int tag);
/* All unexpected messages with this source and tag, the oldest first: while none is taken out. */
ep_message match_first(struct matcher *m, int source, int tag);
ep_message match_next(ep_message msg);
/* Take out what match_peek returned. */
void match_take(struct matcher *m, ep_message msg);

/* For the watchdog: the first `room` posted receives in the order of posting, and unexpected messages in the order of
 * arrival. How many were written. */
int match_list_posted(const struct matcher *m, struct request_recv *list[], int room);
int match_list_unexpected(const struct matcher *m, ep_message list[], int room);

/* Unpost a receive. False if it is matched already. */
bool match_unpost(struct matcher *m, struct request_recv *r);

#endif
