/* SPDX-License-Identifier: BSD-3-Clause */
#include "net/channel.h"

#include <assert.h>

/* Programs flush often: an operation that is sent while no answer is on its way asks for one, so that a flush
 * behind it has nothing to ask for. In a stream that is one for each round trip. */
static bool should_ask(const struct net_channel *c, enum net_answers how)
{
    lock_assert_held(&c->lock);
    if (how == NET_OWN_ANSWER)
        return false;
    uint32_t asked = load_relaxed(&c->asked);
    return c->sent - asked >= NET_ACK_EVERY || (how == NET_EAGER_ACK && net_channel_is_acked(c, asked));
}

/* Numbers wrap around, so one that was long ago would look like one to come: it follows the others at a distance, where it
 * means the same (net_channel_goal). That is as often as answers are asked for. */
static void keep_in_sight(struct net_channel *c)
{
    lock_assert_held(&c->lock);
    if (c->sent - load_relaxed(&c->fetched) > NET_CREDIT)
        store_relaxed(&c->fetched, c->sent - NET_CREDIT);
}

/* Nothing keeps the message from being sent now. */
static void channel_number(struct net_channel *c, struct net_am *am, enum net_answers how)
{
    lock_assert_held(&c->lock);
    am->number = ++c->sent;
    if (how == NET_FETCHES)
        store_relaxed(&c->fetched, c->sent);
    else if (should_ask(c, how))
        am->wants_ack = true;
    if (how == NET_FETCHES || am->wants_ack) {
        store_relaxed(&c->asked, c->sent);
        keep_in_sight(c);
    }
    store_relaxed(&c->told, c->sent);
}

void net_channel_send(struct net_channel *c, struct net_packet *p, size_t bytes, enum net_answers how)
{
    lock_acquire(&c->lock);
    channel_number(c, &p->head, how);
    net_am_send(p, c->to, bytes);
    lock_release(&c->lock);
}

bool net_channel_send_short(struct net_channel *c, struct net_am_domain *d, struct net_am *am, size_t bytes,
                            enum net_answers how)
{
    struct net_place at;
    lock_acquire(&c->lock);
    bool sent = net_am_claim(d, c->to, bytes, &at);
    if (likely(sent)) {
        channel_number(c, am, how);
        net_am_fill(d, &at, am, bytes);
    }
    lock_release(&c->lock);
    return sent;
}

/* The waiting thread may be through as soon as it sees this, so the event count is looked up before. */
void net_channel_acked(struct net_channel *c, uint32_t number)
{
    assert((int32_t)(load_relaxed(&c->told) - number) >= 0);
    struct evcount *evcount = c->evcount;
    if ((int32_t)(number - load_relaxed(&c->acked)) > 0) {
        store_release(&c->acked, number);
        evcount_notify(evcount);
    }
}

void net_channel_over(struct net_channel *c)
{
    assert(load_relaxed(&c->awaited) > 0);
    struct evcount *evcount = c->evcount;
    sub_acq_rel(&c->awaited, 1);
    evcount_notify(evcount);
}
