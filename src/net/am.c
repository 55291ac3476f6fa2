/* SPDX-License-Identifier: BSD-3-Clause */
#include "net/am.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "net/descriptor.h"
#include "net/poll.h"

struct lock net_poll_lock = LOCK_FREE(POLL);

static net_am_handler *_Atomic handlers[NET_AM_IDS]; /* release net_am_handle, acquire net_am_carry_out */
static struct net_am_domain *domains;                /* under the poll lock */
static struct net_am_domain *spare;                  /* under `opening`; pools are never freed */
static struct lock opening = LOCK_FREE(DOMAINS);

void net_am_handle(int id, net_am_handler *handler)
{
    assert((unsigned)id < NET_AM_IDS);
    store_release(&handlers[id], handler);
}

enum net_result net_am_carry_out(const struct net_am *am, int source)
{
    lock_assert_held(&net_poll_lock);
    net_am_handler *handler = am->id < NET_AM_IDS ? load_acquire(&handlers[am->id]) : NULL;
    if (unlikely(!handler))
        net_shm_corrupt("the handler of a message", am->id);
    return handler(am, source);
}

/* ---- packets ---- */

struct net_packet *net_packet_get(struct net_am_domain *d)
{
    lock_acquire(&d->lock);
    struct net_packet *p = pool_get(&d->packets);
    lock_release(&d->lock);
    if (likely(p)) {
        p->domain = d;
        p->brief = false;
    }
    return p;
}

struct net_packet *net_packet_get_brief(struct net_am_domain *d)
{
    lock_acquire(&d->lock);
    struct net_packet *p = pool_get_reserve(&d->briefs);
    lock_release(&d->lock);
    if (likely(p)) {
        p->domain = d;
        p->brief = true;
    }
    return p;
}

void net_packet_put_locked(struct net_packet *p)
{
    lock_assert_held(&p->domain->lock);
    pool_put(p->brief ? &p->domain->briefs : &p->domain->packets, p);
}

void net_packet_put(struct net_packet *p)
{
    struct net_am_domain *d = p->domain;
    lock_acquire(&d->lock);
    net_packet_put_locked(p);
    lock_release(&d->lock);
}

/* ---- through memory ----
 *
 * The header takes the place of what messages of communicators have in the header of their first line, so one line has room for
 * a header and FIRST_PAYLOAD bytes. */

_Static_assert(sizeof(struct net_am) == 16 && offsetof(struct net_am, number) == 12, "it fits into a header");

static struct header header_of(const struct net_am_domain *d, const struct net_am *am, enum arrival_kind kind)
{
    struct header h = {.source = d->domain->rank, .kind = (uint8_t)kind};
    uint32_t word;
    memcpy(&word, (const char *)am + sizeof am->object, sizeof word);
    h.context = (uintptr_t)am->object;
    h.tag = (int)word;
    h.dest = (int)am->number;
    return h;
}

static void head_of(struct net_am *am, const struct header *h)
{
    uint32_t word = (uint32_t)h->tag;
    am->object = (void *)(uintptr_t)h->context;
    memcpy((char *)am + sizeof am->object, &word, sizeof word);
    am->number = (uint32_t)h->dest;
}

/* A copy that the receiver finds by a descriptor: behind it, or where no such one is left in this process. NULL: not now. */
static struct net_descriptor *copy_apart(const struct net_packet *p, struct net_peer *to)
{
    struct net_descriptor *d = net_descriptor_get(p->bytes);
    if (likely(d)) {
        d->address = 0;
        memcpy(d->data, &p->head, p->bytes);
    } else if ((d = net_descriptor_get(0))) {
        d->packed = malloc(p->bytes);
        if (!d->packed) {
            net_descriptor_put(d);
            return NULL;
        }
        memcpy(d->packed, &p->head, p->bytes);
        d->address = (uintptr_t)d->packed;
        net_descriptor_expect(d, to, NULL);
    }
    if (d)
        d->bytes = p->bytes;
    return d;
}

static bool push_apart(const struct net_packet *p, struct net_peer *to)
{
    struct header h = header_of(p->domain, &p->head, ARRIVAL_AM_APART);
    struct net_descriptor *d = copy_apart(p, to);
    if (!d)
        return false;
    struct net_note note = net_descriptor_note(d);
    if (net_shm_push(to->shm, &h, &note, sizeof note))
        return true;
    net_descriptor_put(d);
    return false;
}

bool net_am_claim(struct net_am_domain *d, int to, size_t bytes, struct net_place *at)
{
    struct net_peer **peers = d->domain->peers, *peer = peers ? peers[to] : NULL;
    chaos_point();
    return likely(peer != NULL) && !net_is_behind(peer) &&
           net_shm_claim(peer->shm, bytes - sizeof(struct net_am), at);
}

void net_am_fill(struct net_am_domain *d, const struct net_place *at, const struct net_am *am, size_t bytes)
{
    struct header h = header_of(d, am, ARRIVAL_AM);
    net_shm_fill(at, &h, am + 1, bytes - sizeof *am);
}

static bool am_push(const struct net_packet *p, struct net_peer *to)
{
    size_t rest = p->bytes - sizeof p->head;
    if (unlikely(rest > INLINE_MAX))
        return push_apart(p, to);
    struct header h = header_of(p->domain, &p->head, ARRIVAL_AM);
    return net_shm_push(to->shm, &h, p->body, rest);
}

static bool push_deferred(struct net_deferred *deferred)
{
    struct net_packet *p = container_of(deferred, struct net_packet, deferred);
    lock_assert_held(&p->domain->domain->peers[p->to]->lock);
    if (!am_push(p, p->domain->domain->peers[p->to]))
        return false;
    net_packet_put(p);
    return true;
}

void net_am_send(struct net_packet *p, int to, size_t bytes)
{
    assert(bytes >= sizeof p->head && bytes <= (p->brief ? sizeof p->head + NET_AM_SHORT : NET_AM_MAX));
    struct net_peer **peers = p->domain->domain->peers, *peer = peers ? peers[to] : NULL;
    p->to = to;
    p->bytes = (uint32_t)bytes;
    chaos_point();
    if (unlikely(!peer)) {
        net_am_mpi_send(p);
    } else if (unlikely(net_is_behind(peer)) || unlikely(!am_push(p, peer))) {
        p->deferred.push = push_deferred;
        net_submit(peer, &p->deferred);
    } else {
        net_packet_put(p);
    }
}

static enum net_result take_apart(const struct line *l)
{
    struct net_note note;
    line_read(l, &note, sizeof note);
    struct net_peer *from = net_peer_find(note.sender);
    if (unlikely(!from))
        net_shm_corrupt("the sender of a message", note.sender);
    if (unlikely(note.bytes < sizeof(struct net_am) || note.bytes > NET_AM_MAX))
        net_shm_corrupt("the length of a message", note.bytes);
    struct net_descriptor *d = net_descriptor_of(from, note.at);
    net_shm_comes_in(d);
    const char *data = net_descriptor_data(d, from, note.bytes);
    char *copy = data ? NULL : malloc(note.bytes);
    if (unlikely(!data) && !copy)
        return NET_AGAIN;
    if (unlikely(!data) && net_descriptor_read(d, from, 0, copy, note.bytes) != MPI_SUCCESS)
        net_shm_corrupt("the address of a message", d->address); /* all that follows would wait for it */
    enum net_result how = net_am_carry_out((const void *)(data ? data : copy), l->head.header.source);
    free(copy);
    if (how != NET_AGAIN)
        net_descriptor_return(d, from, MPI_SUCCESS);
    return how;
}

enum net_result net_am_take(const struct line *l)
{
    lock_assert_held(&net_poll_lock);
    const struct header *h = &l->head.header;
    struct {
        struct net_am am;
        unsigned char rest[INLINE_MAX];
    } message;
    if (unlikely(h->kind == ARRIVAL_AM_APART))
        return take_apart(l);
    head_of(&message.am, h);
    line_read(l, message.rest, h->inline_bytes);
    return net_am_carry_out(&message.am, h->source);
}

/* ---- domains ---- */

bool net_am_poll(void)
{
    lock_assert_held(&net_poll_lock);
    bool any = false;
    for (struct net_am_domain *d = domains; d; d = d->next)
        if (load_relaxed(&d->users) > 0 || net_am_mpi_busy(d))
            any |= net_am_mpi_poll(d);
    return any;
}

static struct net_am_domain *am_make(void)
{
    struct net_am_domain *d = calloc(1, sizeof *d);
    if (!d)
        return NULL;
    pool_init(&d->packets, sizeof(struct net_packet) - sizeof(struct net_am) + NET_AM_MAX);
    pool_init(&d->briefs, sizeof(struct net_packet) + NET_AM_SHORT);
    d->queue_end = &d->queue;
    lock_init(&d->lock, LOCK_DOMAIN);
    return d;
}

static bool am_stock(struct pool *packets)
{
    void *first = pool_get(packets);
    if (first)
        pool_put(packets, first);
    return first;
}

/* Some packets of each kind are there from the beginning: others wait for answers. */
static bool am_equip(struct net_am_domain *d, const struct domain *u)
{
    return am_stock(&d->packets) && am_stock(&d->briefs) && (!u->remote || net_am_mpi_prepare(d));
}

/* Its domain goes. */
static void am_end(struct net_am_domain *d)
{
    lock_acquire(&net_poll_lock);
    struct net_am_domain **at = &domains;
    while (*at != d)
        at = &(*at)->next;
    *at = d->next;
    lock_release(&net_poll_lock);
    net_am_mpi_end(d);
    lock_acquire(&opening);
    d->next = spare;
    spare = d;
    lock_release(&opening);
}

static struct net_am_domain *am_take(struct domain *u)
{
    lock_assert_held(&opening);
    struct net_am_domain *d = spare ? spare : am_make();
    if (!d)
        return NULL;
    if (d == spare)
        spare = d->next;
    if (!am_equip(d, u)) {
        d->next = spare;
        spare = d;
        return NULL;
    }
    d->domain = u;
    d->remote = u->remote;
    u->domain = d;
    u->end_domain = am_end;
    lock_acquire(&net_poll_lock);
    d->next = domains;
    domains = d;
    lock_release(&net_poll_lock);
    return d;
}

struct net_am_domain *net_am_open(struct domain *u)
{
    lock_acquire(&opening);
    struct net_am_domain *d = u->domain ? u->domain : am_take(u);
    if (d)
        add_acq_rel(&d->users, 1);
    lock_release(&opening);
    return d;
}

void net_am_close(struct net_am_domain *d)
{
    assert(load_relaxed(&d->users) > 0);
    sub_acq_rel(&d->users, 1);
}
