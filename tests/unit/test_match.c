/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_match.c: the matcher against two lists that are searched from their beginnings: receives with and without wildcards, few and
 * many, cancelled and matched, messages taken and withdrawn; also when there is never memory for bins.
 */
#include <stdlib.h>

#include "p2p/endpoint.h"
#include "p2p/match.h"
#include "unit.h"

enum { ITEMS = 600, SOURCES = 4, TAGS = 3, ROUNDS = 16 };

static struct endpoint *endpoint;
static struct matcher matcher;
static struct request_recv receives[ITEMS];
static ep_message messages[ITEMS];
static int posted[ITEMS], nposted, arrived[ITEMS],
    narrived; /* the model: numbers of those, the oldest first */
static bool is_withdrawn[ITEMS];
static bool memory;     /* there is some */
static bool ever_failed;

static bool test_withdrawn(const struct net_arrival *a)
{
    return *(const bool *)a->object;
}

static bool test_claim(const struct net_arrival *a)
{
    return !test_withdrawn(a);
}

static const struct net_arrival_ops ops = {.claim = test_claim, .withdrawn = test_withdrawn};

/* Around calls of the matcher. */
static void begin(void)
{
    fail_allocation(memory ? -1 : 0);
}

static void end(void)
{
    ever_failed |= allocation_failed();
    fail_allocation(-1);
}

static int take_out(int list[], int *n, int at)
{
    int it = list[at];
    for (--*n; at < *n; at++)
        list[at] = list[at + 1];
    return it;
}

/* Where in the model; n: nowhere. */
static int find_receive(int source, int tag)
{
    int i = 0;
    while (i < nposted &&
           !match_suits(receives[posted[i]].head.peer, receives[posted[i]].head.tag, source, tag))
        i++;
    return i;
}

/* Withdrawn ones vanish. */
static int find_message(int source, int tag)
{
    for (int i = 0; i < narrived; i++) {
        while (i < narrived && is_withdrawn[arrived[i]] &&
               match_suits(source, tag, messages[arrived[i]]->source, messages[arrived[i]]->tag))
            take_out(arrived, &narrived, i);
        if (i < narrived && match_suits(source, tag, messages[arrived[i]]->source, messages[arrived[i]]->tag))
            return i;
    }
    return narrived;
}

static int number_of(ep_message m)
{
    return (int)((const bool *)m->arrival.object - is_withdrawn);
}

static void arrive(int i)
{
    int source = below(SOURCES), tag = below(TAGS), at = find_receive(source, tag);
    begin();
    struct request_recv *r = match_arrived(&matcher, source, tag);
    end();
    ck_assert_ptr_eq(r, at < nposted ? &receives[posted[at]] : NULL);
    if (r) {
        ck_assert(match_unpost(&matcher, r));
        take_out(posted, &nposted, at);
        return;
    }
    ep_message m = messages[i] = pool_get(&endpoint->messages);
    is_withdrawn[i] = false;
    m->endpoint = endpoint;
    m->fortran = 0;
    m->large = false;
    m->source = source;
    m->tag = tag;
    m->arrival = (struct net_arrival){.ops = &ops, .object = &is_withdrawn[i]};
    begin();
    match_keep(&matcher, m);
    end();
    arrived[narrived++] = i;
}

static void post(int i, int wildcards)
{
    struct request_recv *r = &receives[i];
    bool wild = below(100) < wildcards;
    r->head.endpoint = endpoint;
    r->head.peer = wild && below(2) ? MPI_ANY_SOURCE : below(SOURCES);
    r->head.tag = wild && (r->head.peer != MPI_ANY_SOURCE || below(2)) ? MPI_ANY_TAG : below(TAGS);
    int at = find_message(r->head.peer, r->head.tag);
    if (below(2)) {
        begin();
        ep_message peeked = match_peek(&matcher, r->head.peer, r->head.tag);
        end();
        ck_assert_int_eq(peeked ? number_of(peeked) : -1, at < narrived ? arrived[at] : -1);
    }
    begin();
    ep_message m = match_posted(&matcher, r);
    end();
    ck_assert_int_eq(m ? number_of(m) : -1, at < narrived ? arrived[at] : -1);
    if (m) {
        message_free(m);
        take_out(arrived, &narrived, at);
    } else {
        posted[nposted++] = i;
    }
}

/* All with one envelope, as match_first and match_next find them. */
static void look(void)
{
    int source = below(SOURCES), tag = below(TAGS), i = 0;
    for (ep_message m = match_first(&matcher, source, tag); m; m = match_next(&matcher, m), i++) {
        while (i < narrived && (messages[arrived[i]]->source != source || messages[arrived[i]]->tag != tag))
            i++;
        ck_assert_int_lt(i, narrived);
        ck_assert_int_eq(number_of(m), arrived[i]);
    }
    for (; i < narrived; i++)
        ck_assert(messages[arrived[i]]->source != source || messages[arrived[i]]->tag != tag);
}

static void list_all(void)
{
    static struct request_recv *receive[ITEMS];
    static ep_message message[ITEMS];
    ck_assert_int_eq(match_list_posted(&matcher, receive, ITEMS), nposted);
    for (int i = 0; i < nposted; i++)
        ck_assert_ptr_eq(receive[i], &receives[posted[i]]);
    ck_assert_int_eq(match_list_unexpected(&matcher, message, ITEMS), narrived);
    for (int i = 0; i < narrived; i++)
        ck_assert_int_eq(number_of(message[i]), arrived[i]);
    ck_assert_uint_eq(matcher.nposted, nposted);
    ck_assert_uint_eq(matcher.nunexpected, narrived);
}

static int free_one(const int list[], int n)
{
    for (int i = 0; i < ITEMS; i++) {
        int k = 0;
        while (k < n && list[k] != i)
            k++;
        if (k == n)
            return i;
    }
    return -1;
}

static void step(int receives_of_ten, int wildcards)
{
    int what = below(100);
    if (what < 4 && nposted > 0) {
        int at = below(nposted);
        ck_assert(match_unpost(&matcher, &receives[posted[at]]));
        ck_assert(!match_unpost(&matcher, &receives[take_out(posted, &nposted, at)]));
    } else if (what < 6 && narrived > 0) {
        is_withdrawn[arrived[below(narrived)]] = true;
    } else if (what < 8) {
        look();
    } else if (below(10) < receives_of_ten) {
        int i = free_one(posted, nposted);
        if (i >= 0)
            post(i, wildcards);
    } else {
        int i = free_one(arrived, narrived);
        if (i >= 0)
            arrive(i);
    }
}

static void change_at_random(void)
{
    static const int shares[] = {5, 3, 7, 5, 1, 9}, wildcards[] = {0, 5, 50, 100};
    endpoint = aligned_alloc(CACHE_LINE, sizeof *endpoint);
    *endpoint = (struct endpoint){0};
    lock_init(&endpoint->lock, LOCK_ENDPOINT);
    pool_init(&endpoint->messages, sizeof(struct ep_message_s) + SMALL_PAYLOAD);
    pool_give(&endpoint->messages, aligned_alloc(CACHE_LINE, (ITEMS + 2) * 256), (ITEMS + 2) * 256);
    lock_acquire(&endpoint->lock);
    for (int round = 0; round < ROUNDS; round++) {
        matcher = (struct matcher){0};
        for (int n = 0; n < 1500; n++) {
            step(shares[n / 250], wildcards[round % 4]);
            if (n % 50 == 0)
                list_all();
        }
        while (nposted > 0)
            ck_assert(match_unpost(&matcher, &receives[posted[--nposted]]));
        matcher_end(&matcher);
        narrived = 0;
    }
    lock_release(&endpoint->lock);
    ck_assert(ever_failed == !memory);
}

START_TEST(matches_in_order)
{
    memory = true;
    change_at_random();
}
END_TEST

START_TEST(works_without_memory)
{
    memory = false;
    change_at_random();
}
END_TEST

int main(void)
{
    const TTest *tests[] = {matches_in_order, works_without_memory};
    return UNIT_MAIN("match", tests);
}
