/* SPDX-License-Identifier: BSD-3-Clause */
/* test_channel.c: numbers of messages go around. Their receiver is a ring of this process that nobody takes out of. */
#include <stdlib.h>
#include <string.h>

#include "net/net.h"
#include "unit.h"

static struct net_peer peer;
static struct net_peer *peers[] = {&peer};
static struct domain everybody = {.peers = peers};
static struct net_am_domain domain = {.domain = &everybody};
static struct evcount evcount;
static struct net_channel channel;

static void begin(void)
{
    struct net_shm *shm = aligned_alloc(CACHE_LINE, sizeof *shm);
    ck_assert_ptr_nonnull(shm);
    memset(shm, 0, sizeof *shm);
    peer.shm = shm;
    peer.memory.base = (char *)shm;
    channel = (struct net_channel){.evcount = &evcount, .lock = LOCK_FREE(CHANNEL)};
}

static void end(void)
{
    free(peer.memory.base);
}

/* The receiver has carried out and answered all that it was asked to answer. */
static void send_answered(enum net_answers how)
{
    struct net_am am = {.id = 0};
    ck_assert(net_channel_send_short(&channel, &domain, &am, sizeof am, how));
    if (am.wants_ack || how == NET_FETCHES)
        net_channel_acked(&channel, am.number);
    struct net_shm *shm = peer.shm;
    store_relaxed(&shm->ring.taken, load_relaxed(&shm->ring.tail));
}

/* So many messages were sent, and answered. */
static void at(uint32_t sent)
{
    channel.sent = sent;
    store_relaxed(&channel.told, sent);
    store_relaxed(&channel.asked, sent);
    store_relaxed(&channel.acked, sent);
}

/* Who fetches nothing waits for nothing here, however many messages he sends. */
static void send_many(uint32_t first, uint32_t fetched, enum net_answers how)
{
    begin();
    at(first);
    store_relaxed(&channel.fetched, fetched);
    for (int i = 0; i < 4 * NET_CREDIT; i++) {
        send_answered(how);
        ck_assert(net_channel_is_acked(&channel, net_channel_goal(&channel, true)));
    }
    end();
}

START_TEST(nothing_fetched)
{
    const enum net_answers kinds[] = {NET_NO_ANSWER, NET_EAGER_ACK};
    for (int k = 0; k < 2; k++) {
        send_many(0, 0, kinds[k]);
        send_many(INT32_MAX - 2 * NET_CREDIT, 0, kinds[k]);
        send_many(UINT32_MAX - 2 * NET_CREDIT, UINT32_MAX - 3 * NET_CREDIT, kinds[k]); /* as it is by then */
    }
}
END_TEST

/* What was fetched is waited for, on both sides of the turn. */
START_TEST(fetched)
{
    begin();
    at(UINT32_MAX - 5);
    for (int i = 0; i < 5; i++) {
        struct net_am am = {.id = 0};
        ck_assert(net_channel_send_short(&channel, &domain, &am, sizeof am, NET_FETCHES));
        uint32_t goal = net_channel_goal(&channel, true);
        ck_assert_uint_eq(goal, am.number);
        struct net_am next = {.id = 0};
        ck_assert(net_channel_send_short(&channel, &domain, &next, sizeof next, NET_NO_ANSWER));
        ck_assert_uint_eq(net_channel_goal(&channel, true), goal);
        ck_assert(!net_channel_is_acked(&channel, goal));
        net_channel_acked(&channel, goal);
        ck_assert(net_channel_is_acked(&channel, goal));
    }
    end();
}
END_TEST

int main(void)
{
    const TTest *tests[] = {nothing_fetched, fetched};
    return UNIT_MAIN("channel", tests);
}
