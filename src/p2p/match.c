/* SPDX-License-Identifier: BSD-3-Clause */
#include "p2p/match.h"

#include <assert.h>
#include <stdlib.h>

#include "p2p/endpoint.h"

_Static_assert(sizeof(void *) != 8 || sizeof(struct matcher) == 48, "docs/memory.md");

enum { LONG_SEARCH = 8, BIN_LOAD = 8, BINS_FIRST = 4, BINS_MAX = 1 << 16 };

static uint32_t match_hash(int source, int tag)
{
    uint32_t h = (uint32_t)source * 0x9e3779b1u ^ (uint32_t)tag * 0x85ebca77u;
    return h ^ h >> 15;
}

static struct entry *entry_of(struct node *n)
{
    return container_of(n, struct entry, node);
}

static struct request_recv *request_at(struct node *n)
{
    return container_of(entry_of(n), struct request_recv, entry);
}

static bool has_wildcard(const struct request_recv *r)
{
    return r->head.peer == MPI_ANY_SOURCE || r->head.tag == MPI_ANY_TAG;
}

static ep_message message_in_bin(struct node *n)
{
    return container_of(entry_of(n), struct ep_message_s, entry);
}

static ep_message message_arrived(struct node *n)
{
    return container_of(n, struct ep_message_s, in_order);
}

/* ---- bins ---- */

struct bins {
    uint32_t mask;  /* number of bins - 1 */
    uint32_t count; /* of entries */
    struct chain bin[];
};

static struct bins *bins_new(uint32_t n)
{
    struct bins *b = calloc(1, sizeof *b + n * sizeof b->bin[0]);
    if (b)
        b->mask = n - 1;
    return b;
}

static struct chain *bin_of(struct bins *b, uint32_t h)
{
    return &b->bin[h & b->mask];
}

static void bins_put(struct bins *b, struct entry *e)
{
    b->count++;
    chain_append(bin_of(b, e->hash), &e->node);
}

/* Twice as many bins. What is in one new bin was in one old bin, so the order within a bin is kept. Without
 * memory the queue just gets slower. */
static void bins_grow(struct bins **bins)
{
    struct bins *old = *bins, *b = bins_new((old->mask + 1) * 2);
    if (!b)
        return;
    for (uint32_t i = 0; i <= old->mask; i++)
        for (struct node *n = old->bin[i].first, *next; n; n = next) {
            next = n->next;
            bins_put(b, entry_of(n));
        }
    *bins = b;
    free(old);
}

static void bins_add(struct bins **bins, struct entry *e)
{
    if (unlikely((*bins)->count >= BIN_LOAD * ((*bins)->mask + 1)) && (*bins)->mask + 1 < BINS_MAX)
        bins_grow(bins);
    bins_put(*bins, e);
}

static void bins_remove(struct bins *b, struct entry *e)
{
    assert(b->count > 0);
    b->count--;
    chain_remove(bin_of(b, e->hash), &e->node);
}

/* ---- receives ---- */

static void post_in_bins(struct matcher *m, struct request_recv *r)
{
    r->entry.hash = match_hash(r->head.peer, r->head.tag);
    bins_add(&m->posted_bins, &r->entry);
}

/* From now on only receives with wildcards are in the list. Without memory it stays as it is. */
static void move_to_bins(struct matcher *m)
{
    if (!(m->posted_bins = bins_new(BINS_FIRST)))
        return;
    for (struct node *n = m->posted.first, *next; n; n = next) {
        next = n->next;
        if (has_wildcard(request_at(n)))
            continue;
        chain_remove(&m->posted, n);
        post_in_bins(m, request_at(n));
    }
}

/* There are many; r is the first of the list. */
static __attribute__((noinline)) struct request_recv *
match_among_many(struct matcher *m, struct request_recv *r, int source, int tag)
{
    if (!m->posted_bins) {
        move_to_bins(m);
        return r;
    }
    struct node *n = bin_of(m->posted_bins, match_hash(source, tag))->first;
    while (n && !(request_at(n)->head.peer == source && request_at(n)->head.tag == tag))
        n = n->next;
    return !n || (r && r->order < request_at(n)->order) ? r : request_at(n);
}

struct request_recv *match_arrived(struct matcher *m, int source, int tag)
{
    unsigned passed = 0;
    struct node *n = m->posted.first;
    for (; n && !match_suits(request_at(n)->head.peer, request_at(n)->head.tag, source, tag); n = n->next)
        passed++;
    struct request_recv *r = n ? request_at(n) : NULL;
    return likely(passed <= LONG_SEARCH && !m->posted_bins) ? r : match_among_many(m, r, source, tag);
}

static void match_post(struct matcher *m, struct request_recv *r)
{
    endpoint_assert_held(r->head.endpoint);
    assert(r->order == 0);
    r->order = ++r->head.endpoint->posts;
    m->nposted++;
    if (unlikely(m->posted_bins) && !has_wildcard(r))
        post_in_bins(m, r);
    else
        chain_append(&m->posted, &r->entry.node);
}

bool match_unpost(struct matcher *m, struct request_recv *r)
{
    endpoint_assert_held(r->head.endpoint);
    if (r->order == 0)
        return false;
    if (unlikely(m->posted_bins) && !has_wildcard(r))
        bins_remove(m->posted_bins, &r->entry);
    else
        chain_remove(&m->posted, &r->entry.node);
    r->order = 0;
    m->nposted--;
    return true;
}

/* ---- messages ---- */

static void keep_in_bins(struct matcher *m, ep_message msg)
{
    msg->entry.hash = match_hash(msg->source, msg->tag);
    bins_add(&m->arrival_bins, &msg->entry);
}

/* Without memory there is only the list. */
static __attribute__((noinline)) void put_into_bins(struct matcher *m)
{
    if ((m->arrival_bins = bins_new(BINS_FIRST)))
        for (struct node *n = m->arrivals.first; n; n = n->next)
            keep_in_bins(m, message_arrived(n));
}

void match_keep(struct matcher *m, ep_message msg)
{
    endpoint_assert_held(msg->endpoint);
    m->nunexpected++;
    chain_append(&m->arrivals, &msg->in_order);
    if (unlikely(m->arrival_bins))
        keep_in_bins(m, msg);
    counter_rise(&msg->endpoint->held.unexpected_now, &msg->endpoint->held.unexpected_peak);
    hook_unexpected(msg->endpoint);
}

void match_take(struct matcher *m, ep_message msg)
{
    endpoint_assert_held(msg->endpoint);
    assert(m->nunexpected > 0);
    m->nunexpected--;
    chain_remove(&m->arrivals, &msg->in_order);
    if (unlikely(m->arrival_bins))
        bins_remove(m->arrival_bins, &msg->entry);
    counter_fall(&msg->endpoint->held.unexpected_now);
    hook_unexpected(msg->endpoint);
}

/* The first from here on; *passed more are before it. */
static ep_message suiting_in_order(struct node *n, int source, int tag, unsigned *passed)
{
    for (; n && !match_suits(source, tag, message_arrived(n)->source, message_arrived(n)->tag); n = n->next)
        ++*passed;
    return n ? message_arrived(n) : NULL;
}

static ep_message suiting_in_bin(struct node *n, int source, int tag)
{
    while (n && !(message_in_bin(n)->source == source && message_in_bin(n)->tag == tag))
        n = n->next;
    return n ? message_in_bin(n) : NULL;
}

static ep_message match_search(struct matcher *m, int source, int tag)
{
    bool exact = source != MPI_ANY_SOURCE && tag != MPI_ANY_TAG;
    if (unlikely(m->arrival_bins) && exact)
        return suiting_in_bin(bin_of(m->arrival_bins, match_hash(source, tag))->first, source, tag);
    unsigned passed = 0;
    ep_message msg = suiting_in_order(m->arrivals.first, source, tag, &passed);
    if (unlikely(passed > LONG_SEARCH) && exact)
        put_into_bins(m);
    return msg;
}

ep_message match_first(struct matcher *m, int source, int tag)
{
    assert(source != MPI_ANY_SOURCE && tag != MPI_ANY_TAG);
    return match_search(m, source, tag);
}

ep_message match_next(struct matcher *m, ep_message msg)
{
    unsigned passed = 0;
    return m->arrival_bins ? suiting_in_bin(msg->entry.node.next, msg->source, msg->tag)
                           : suiting_in_order(msg->in_order.next, msg->source, msg->tag, &passed);
}

ep_message match_peek(struct matcher *m, int source, int tag)
{
    ep_message msg;
    while ((msg = match_search(m, source, tag)) && net_arrival_withdrawn(&msg->arrival)) {
        match_take(m, msg);
        message_drop(msg);
    }
    return msg;
}

/* ---- a receive meets the messages ---- */

/* There are unexpected messages. */
static __attribute__((noinline)) ep_message match_posted_slow(struct matcher *m, struct request_recv *r)
{
    endpoint_assert_held(r->head.endpoint);
    ep_message msg;
    while ((msg = match_search(m, r->head.peer, r->head.tag))) {
        match_take(m, msg);
        if (net_arrival_claim(&msg->arrival))
            return msg;
        message_drop(msg);
    }
    match_post(m, r);
    return NULL;
}

ep_message match_posted(struct matcher *m, struct request_recv *r)
{
    endpoint_assert_held(r->head.endpoint);
    if (unlikely(match_any_unexpected(m)))
        return match_posted_slow(m, r);
    match_post(m, r);
    return NULL;
}

/* ---- looking ---- */

/* Insert r where its order says, if it is among the first. */
static int match_insert(struct request_recv *list[], int n, int room, struct request_recv *r)
{
    int at = n < room ? n : room;
    for (; at > 0 && list[at - 1]->order > r->order; at--)
        if (at < room)
            list[at] = list[at - 1];
    if (at < room)
        list[at] = r;
    return n < room ? n + 1 : n;
}

int match_list_posted(const struct matcher *m, struct request_recv *list[], int room)
{
    int count = 0;
    for (struct node *n = m->posted.first; n; n = n->next)
        count = match_insert(list, count, room, request_at(n));
    for (uint32_t i = 0; m->posted_bins && i <= m->posted_bins->mask; i++)
        for (struct node *n = m->posted_bins->bin[i].first; n; n = n->next)
            count = match_insert(list, count, room, request_at(n));
    return count;
}

int match_list_unexpected(const struct matcher *m, ep_message list[], int room)
{
    int count = 0;
    for (struct node *n = m->arrivals.first; n && count < room; n = n->next)
        list[count++] = message_arrived(n);
    return count;
}

/* ---- the end ---- */

void matcher_end(struct matcher *m)
{
    assert(m->nposted == 0);
    while (m->arrivals.first) {
        ep_message msg = message_arrived(m->arrivals.first);
        match_take(m, msg);
        message_drop(msg);
    }
    free(m->posted_bins);
    free(m->arrival_bins);
    m->posted_bins = m->arrival_bins = NULL;
}
