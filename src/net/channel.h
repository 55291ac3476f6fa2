/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A channel: what one endpoint has under way at one process by active messages.
 *
 * Messages are numbered. The receiver carries them out in order, so an answer to number n is one to all up to n (except what is
 * `awaited`), and answers with data, too, come in order. Every so often one asks for an answer, so not many more than
 * NET_CREDIT are unanswered; then the sender waits, making progress, and the receiver's memory is bounded.
 * tests/spin/channel.pml and packets.pml are the models.
 *
 *   sent, asked, fetched, told   under lock, by the endpoint's threads; all but sent are read without it: a thread sees what it
 *             has sent itself
 *   acked     by the poll that gets the answer (release), read by those who wait (acquire): what the messages up to
 *             there did is visible
 *   awaited   + by the sender before it sends, - by who ends the transfer (acq_rel)
 */
#ifndef EP_NET_CHANNEL_H
#define EP_NET_CHANNEL_H

#include "crt/crt.h"
#include "net/am.h"

enum { NET_CREDIT = 256, NET_ACK_EVERY = 64 };

/* How a message of a channel is answered. */
enum net_answers {
    NET_NO_ANSWER,  /* unless the channel needs one */
    NET_OWN_ANSWER, /* in its own time: later messages must not wait for it */
    NET_EAGER_ACK,  /* the same as NO_ANSWER, but wanted soon: one is asked for unless one is on its way */
    NET_FETCHES     /* with data, when it is carried out */
};

struct net_channel {
    struct evcount *evcount; /* constant: of who waits */
    int to;                  /* constant: process of the domain */
    struct lock lock;
    uint32_t sent;
    _Atomic uint32_t asked; /* the last one up to which an answer is on its way or has come; relaxed */
    _Atomic uint32_t
        fetched; /* the last one that is answered with data, or a later one more than NET_CREDIT ago; relaxed */
    _Atomic uint32_t told;  /* relaxed */
    _Atomic uint32_t acked; /* release net_channel_acked, acquire net_channel_is_acked */
    _Atomic uint32_t
        awaited; /* transfers that have not ended; acq_rel net_channel_await and net_channel_over, acquire net_channel_reached */
};

/* May another message be sent? If not, whoever wants to makes progress until it may. */
static inline bool net_channel_has_room(const struct net_channel *c)
{
    return load_relaxed(&c->told) - load_acquire(&c->acked) < NET_CREDIT &&
           load_acquire(&c->awaited) < NET_CREDIT;
}

static inline bool net_channel_is_acked(const struct net_channel *c, uint32_t number)
{
    return (int32_t)(load_acquire(&c->acked) - number) >= 0;
}

/* Is everything answered that was sent? */
static inline bool net_channel_is_quiet(const struct net_channel *c)
{
    return load_acquire(&c->acked) == load_relaxed(&c->told);
}

/* Number and send p, `bytes` of header and what follows. */
void net_channel_send(struct net_channel *c, struct net_packet *p, size_t bytes, enum net_answers how);

/* The same for a short message to a peer, am and what follows it in memory: NET_AM_SHORT bytes. False: it has to be a packet. */
bool net_channel_send_short(struct net_channel *c, struct net_am_domain *d, struct net_am *am, size_t bytes,
                            enum net_answers how);

/* Must an answer be asked for, so that everything sent so far will be answered? */
static inline bool net_channel_must_ask(const struct net_channel *c)
{
    uint32_t sent = load_relaxed(&c->told);
    return load_relaxed(&c->asked) != sent && !net_channel_is_acked(c, sent);
}

/* The number whose answer says that everything sent so far is complete; local: that all data have come that were fetched. What is
 * more than NET_CREDIT ago is nearly all answered. */
static inline uint32_t net_channel_goal(const struct net_channel *c, bool local)
{
    uint32_t sent = load_relaxed(&c->told), fetched = load_relaxed(&c->fetched);
    if (!local)
        return sent;
    /* signed: another thread may have fetched meanwhile */
    return (int32_t)(sent - fetched) < NET_CREDIT ? fetched : sent - NET_CREDIT;
}

static inline bool net_channel_reached(const struct net_channel *c, uint32_t number)
{
    return load_acquire(&c->awaited) == 0 && net_channel_is_acked(c, number);
}

/* An answer has come that carries the number of a message. As soon as nothing else is awaited, the endpoint may go on and free c: the last access to
 * it. */
void net_channel_acked(struct net_channel *c, uint32_t number);
/* One more transfer is awaited; one is over, the same as for net_channel_acked. */
static inline void net_channel_await(struct net_channel *c)
{
    add_acq_rel(&c->awaited, 1);
}
void net_channel_over(struct net_channel *c);

#endif
