/* SPDX-License-Identifier: BSD-3-Clause */
#include "p2p/match.h"

#include <assert.h>
#include <stdlib.h>

#include "p2p/endpoint.h"

_Static_assert(sizeof(void *) != 8 || sizeof(struct matcher) == 112, "docs/memory.md");

enum { BIN_LOAD = 8, BINS_MAX = 1 << 16 };

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

static ep_message message_in_bin(struct node *n)
{
    return container_of(entry_of(n), struct ep_message_s, entry);
}

static ep_message message_arrived(struct node *n)
{
    return container_of(n, struct ep_message_s, in_order);
}

/* ---- bins ---- */

static void bins_init(struct bins *b)
{
    *b = (struct bins){0};
    b->bin = &b->one;
}

static struct list *bin_of(struct bins *b, uint32_t h)
{
    return &b->bin[h & b->mask];
}

/* Twice as many bins. What is in one new bin was in one old bin, so the order within a bin is kept. Without
 * memory the queue just gets slower. */
static void bins_grow(struct bins *b)
{
    uint32_t n = (b->mask + 1) * 2;
    struct list *bin = calloc(n, sizeof *bin);
    if (!bin)
        return;
    for (uint32_t i = 0; i <= b->mask; i++) {
        struct node *e;
        while ((e = list_pop(&b->bin[i])))
            list_append(&bin[entry_of(e)->hash & (n - 1)], e);
    }
    if (b->bin != &b->one)
        free(b->bin);
    b->bin = bin;
    b->mask = n - 1;
}

static inline void bins_add(struct bins *b, struct entry *e)
{
    if (unlikely(b->count >= BIN_LOAD * (b->mask + 1)) && b->mask < BINS_MAX)
        bins_grow(b);
    b->count++;
    list_append(bin_of(b, e->hash), &e->node);
}

static void bins_remove(struct bins *b, struct entry *e)
{
    assert(b->count > 0);
    b->count--;
    list_remove(bin_of(b, e->hash), &e->node);
}

/* ---- a message arrived ---- */

struct request_recv *match_arrived(struct matcher *m, int source, int tag)
{
    struct request_recv *found = NULL;
    if (m->posted.count > 0)
        for (struct node *n = bin_of(&m->posted, match_hash(source, tag))->first; n && !found; n = n->next)
            if (request_at(n)->head.peer == source && request_at(n)->head.tag == tag)
                found = request_at(n);
    for (struct node *n = m->wild.first; n; n = n->next) {
        struct request_recv *r = request_at(n);
        if (found && found->order < r->order)
            break;
        if (match_suits(r->head.peer, r->head.tag, source, tag)) {
            found = r;
            break;
        }
    }
    return found;
}

void match_keep(struct matcher *m, ep_message msg)
{
    endpoint_assert_held(msg->endpoint);
    msg->entry.hash = match_hash(msg->source, msg->tag);
    bins_add(&m->unexpected, &msg->entry);
    list_append(&m->arrivals, &msg->in_order);
    counter_rise(&msg->endpoint->held.unexpected_now, &msg->endpoint->held.unexpected_peak);
    hook_unexpected(msg->endpoint);
}

/* ---- a receive is posted, or a probe asks ---- */

void match_take(struct matcher *m, ep_message msg)
{
    endpoint_assert_held(msg->endpoint);
    bins_remove(&m->unexpected, &msg->entry);
    list_remove(&m->arrivals, &msg->in_order);
    counter_fall(&msg->endpoint->held.unexpected_now);
    hook_unexpected(msg->endpoint);
}

static ep_message same_envelope(struct node *n, int source, int tag)
{
    for (; n; n = n->next)
        if (message_in_bin(n)->source == source && message_in_bin(n)->tag == tag)
            return message_in_bin(n);
    return NULL;
}

ep_message match_first(struct matcher *m, int source, int tag)
{
    return same_envelope(bin_of(&m->unexpected, match_hash(source, tag))->first, source, tag);
}

ep_message match_next(ep_message msg)
{
    return same_envelope(msg->entry.node.next, msg->source, msg->tag);
}

static ep_message match_search(struct matcher *m, int source, int tag)
{
    if (m->unexpected.count == 0)
        return NULL;
    if (source != MPI_ANY_SOURCE && tag != MPI_ANY_TAG)
        return match_first(m, source, tag);
    for (struct node *n = m->arrivals.first; n; n = n->next) {
        ep_message msg = message_arrived(n);
        if (match_suits(source, tag, msg->source, msg->tag))
            return msg;
    }
    return NULL;
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

static void match_post(struct matcher *m, struct request_recv *r)
{
    endpoint_assert_held(r->head.endpoint);
    assert(r->order == 0);
    r->order = ++m->posts;
    m->nposted++;
    if (r->head.peer == MPI_ANY_SOURCE || r->head.tag == MPI_ANY_TAG) {
        list_append(&m->wild, &r->entry.node);
    } else {
        r->entry.hash = match_hash(r->head.peer, r->head.tag);
        bins_add(&m->posted, &r->entry);
    }
}

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
    if (unlikely(m->unexpected.count > 0))
        return match_posted_slow(m, r);
    match_post(m, r);
    return NULL;
}

bool match_unpost(struct matcher *m, struct request_recv *r)
{
    endpoint_assert_held(r->head.endpoint);
    if (r->order == 0)
        return false;
    if (r->head.peer == MPI_ANY_SOURCE || r->head.tag == MPI_ANY_TAG)
        list_remove(&m->wild, &r->entry.node);
    else
        bins_remove(&m->posted, &r->entry);
    r->order = 0;
    m->nposted--;
    return true;
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
    for (struct node *n = m->wild.first; n; n = n->next)
        count = match_insert(list, count, room, request_at(n));
    for (uint32_t i = 0; i <= m->posted.mask; i++)
        for (struct node *n = m->posted.bin[i].first; n; n = n->next)
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

/* ---- life ---- */

struct matcher *matcher_new(void)
{
    struct matcher *m = calloc(1, sizeof *m);
    if (!m)
        return NULL;
    bins_init(&m->posted);
    bins_init(&m->unexpected);
    return m;
}

void matcher_delete(struct matcher *m)
{
    assert(m->nposted == 0);
    while (m->arrivals.first) {
        ep_message msg = message_arrived(m->arrivals.first);
        match_take(m, msg);
        message_drop(msg);
    }
    if (m->posted.bin != &m->posted.one)
        free(m->posted.bin);
    if (m->unexpected.bin != &m->unexpected.one)
        free(m->unexpected.bin);
    free(m);
}
