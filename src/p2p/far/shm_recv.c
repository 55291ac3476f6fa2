/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Messages of peers, on their way from the segment's ring into the inboxes of endpoints. Everything here is under the poll
 * lock.
 *
 * A communicator is found by its context. Its other processes may have finished making it, and send, before this one has:
 * such messages are put aside until it is open here, in their order, and later ones for it come after them, because from
 * then on they find it open. It is expected from before this process agrees to making it, without which no other one
 * finishes. So a message of an unknown context is for a communicator that was closed, and nobody will receive it.
 */
#include "p2p/far/shm.h"

#include <stdlib.h>
#include <string.h>

#include "p2p/attached.h"
#include "p2p/far/far.h"
#include "p2p/message.h"
#include "p2p/endpoint.h"

/* A message that has to wait before its communicator's inboxes. */
struct early {
    struct early *next;
    struct header header;
    unsigned char payload[];
};

static struct table comms; /* by context */

static struct net_note read_note(const void *payload)
{
    struct net_note note;
    memcpy(&note, payload, sizeof note);
    return note;
}

/* Nobody will receive it. */
static void shm_recv_drop(const struct header *w, const void *payload)
{
    if (w->kind != ARRIVAL_DESCRIPTOR)
        return;
    struct net_note note = read_note(payload);
    struct net_peer *from = net_peer_find(note.sender);
    if (from)
        net_descriptor_drop(net_descriptor_of(from, note.at), from);
}

static const struct net_arrival_ops arrival_descriptor;

/* The descriptor that a note of a message for c is about. */
static struct net_arrival shm_recv_descriptor(const struct comm *c, const struct header *w,
                                              const void *payload)
{
    int index;
    struct net_note note = read_note(payload);
    if (unlikely((unsigned)w->source >= (unsigned)c->map.size))
        net_shm_corrupt("the source of a message", (unsigned)w->source);
    struct net_peer *from = net_peer_of(c, rankmap_proc(&c->map, w->source, &index));
    if (unlikely(!from))
        net_shm_corrupt("the source of a message", (unsigned)w->source);
    return (struct net_arrival){.ops = &arrival_descriptor,
                                .bytes = note.bytes,
                                .descriptor = net_descriptor_of(from, note.at),
                                .from = from};
}

static struct header to_inbox(ep_comm to, const struct header *w)
{
    return (struct header){.view = to,
                           .source = tag_is_union(w->tag) ? w->source : w->source - to->peer_base,
                           .tag = w->tag,
                           .kind = ARRIVAL_SHM};
}

/* False without memory. */
static bool shm_recv_arrive(struct comm *c, const struct header *w, const void *payload)
{
    lock_assert_held(&net_poll_lock);
    ep_comm to = c->local[w->dest];
    struct header h = to_inbox(to, w);
    bool ok;
    if (w->kind == ARRIVAL_DESCRIPTOR) {
        struct net_arrival a = shm_recv_descriptor(c, w, payload);
        ok = inbox_push_arrival(&to->endpoint->inbox, &h, &a);
    } else {
        ok = inbox_push(&to->endpoint->inbox, &h, payload, w->inline_bytes);
    }
    if (ok)
        evcount_notify(&to->endpoint->evcount);
    return ok;
}

/* Only what is short, without a copy of its own. */
static enum net_result shm_recv_hand_over(struct comm *c, const struct line *l)
{
    const struct header *w = &l->head.header;
    ep_comm to = c->local[w->dest];
    if (w->kind != ARRIVAL_SHM)
        return NET_AGAIN;
    struct header h = to_inbox(to, w);
    h.inline_bytes = w->inline_bytes;
    struct net_arrival a = {.ops = &arrival_shm, .bytes = w->inline_bytes, .object = (void *)(uintptr_t)l};
    return far_hand_over(to->endpoint, &h, &a);
}

static bool put_aside(struct p2p_comm *p, const struct header *w, const void *payload)
{
    lock_assert_held(&net_poll_lock);
    struct early *e = malloc(sizeof *e + w->inline_bytes);
    if (!e)
        return false;
    e->next = NULL;
    e->header = *w;
    memcpy(e->payload, payload, w->inline_bytes);
    if (p->aside)
        p->aside_end->next = e;
    else
        p->aside = e;
    p->aside_end = e;
    return true;
}

/* What was put aside. What finds no memory stays, and the rest behind it: false then, and it is tried again before the next
 * message for it. */
static bool bring_in(struct p2p_comm *p)
{
    lock_assert_held(&net_poll_lock);
    struct early *e;
    while ((e = p->aside) && shm_recv_arrive(p->comm, &e->header, e->payload)) {
        p->aside = e->next;
        free(e);
    }
    return !e;
}

/* With its payload in one piece. False: it has to stay in the ring. */
static bool shm_recv_take_whole(struct p2p_comm *p, const struct line *l)
{
    lock_assert_held(&net_poll_lock);
    const struct header *w = &l->head.header;
    unsigned char payload[INLINE_MAX];
    line_read(l, payload, w->inline_bytes);
    if (unlikely(!p) || unlikely((unsigned)w->dest >= (unsigned)p->comm->nlocal)) {
        shm_recv_drop(w, payload);
        return true;
    }
    if (unlikely(!p->polled))
        return put_aside(p, w, payload);
    if (unlikely(p->aside) && !bring_in(p))
        return false;
    return shm_recv_arrive(p->comm, w, payload);
}

enum net_result shm_recv(const struct line *l)
{
    lock_assert_held(&net_poll_lock);
    const struct header *w = &l->head.header;
    struct table_link *found = table_find(&comms, w->context);
    struct p2p_comm *p = likely(found) ? container_of(found, struct p2p_comm, shm) : NULL;
    enum net_result how = NET_AGAIN;
    if (likely(p) && likely((unsigned)w->dest < (unsigned)p->comm->nlocal) && likely(p->polled) &&
        likely(!p->aside))
        how = shm_recv_hand_over(p->comm, l);
    if (how != NET_AGAIN)
        return how;
    return shm_recv_take_whole(p, l) ? NET_DONE : NET_AGAIN;
}

void shm_expect(struct comm *c)
{
    lock_assert_held(&net_poll_lock);
    table_add(&comms, &c->p2p->shm, c->context);
    c->p2p->expected = true;
}

void shm_open(struct comm *c)
{
    lock_assert_held(&net_poll_lock);
    bring_in(c->p2p);
}

void shm_close(struct comm *c)
{
    lock_assert_held(&net_poll_lock);
    struct early *e;
    struct p2p_comm *p = c->p2p;
    table_remove(&comms, &p->shm);
    p->expected = false;
    while ((e = p->aside)) {
        p->aside = e->next;
        shm_recv_drop(&e->header, e->payload);
        free(e);
    }
}

/* ---- the data of descriptors ---- */

enum { PIECE = 256 << 10, PIECE_LEAST = 1 << 10 };

/* Piece by piece: as fast as all at once, and what there is no memory for is read by small ones. */
static int read_scattered(const struct net_descriptor *d, struct net_peer *from, struct type_iter *to,
                          size_t bytes)
{
    char few[PIECE_LEAST], *piece;
    size_t room = bytes < PIECE ? bytes : PIECE;
    if (room <= sizeof few || !(piece = malloc(room))) {
        piece = few;
        room = sizeof few;
    }
    int rc = MPI_SUCCESS;
    for (size_t done = 0, n; done < bytes && rc == MPI_SUCCESS; done += n) {
        n = bytes - done < room ? bytes - done : room;
        rc = net_descriptor_read(d, from, done, piece, n);
        if (rc == MPI_SUCCESS)
            type_iter_write(to, piece, n);
    }
    if (piece != few)
        free(piece);
    return rc;
}

static int read_apart(const struct net_descriptor *d, struct net_peer *from, struct request_recv *r)
{
    struct type_iter to;
    if (r->data.type->contiguous)
        return net_descriptor_read(d, from, 0, span_start(&r->data), r->head.out.received);
    int rc = type_iter_span(&to, &r->data, TYPE_DATA);
    return rc ? rc : read_scattered(d, from, &to, r->head.out.received);
}

static void shm_recv_receive(const struct net_arrival *a, ep_request head)
{
    endpoint_assert_held(head->endpoint);
    struct request_recv *r = request_to_recv(head);
    const struct net_descriptor *d = a->descriptor;
    int rc, unread = MPI_SUCCESS;
    const char *data;
    if (d->rc != MPI_SUCCESS) { /* the sender had no memory for them */
        rc = unread = d->rc;
    } else if ((data = net_descriptor_data(d, a->from, r->head.out.received))) {
        struct span packed = span_packed(data, d->bytes);
        rc = copy_typed(&packed, &r->data, r->head.out.received);
    } else {
        rc = read_apart(d, a->from, r);
        unread = rc == MPI_ERR_INTERN ? rc : MPI_SUCCESS; /* what the sender is told */
    }
    net_descriptor_return(a->descriptor, a->from, unread);
    if (rc != MPI_SUCCESS) {
        r->head.out.error = rc;
        r->head.out.received = 0;
    }
    request_complete(head);
}

static bool claim_descriptor(const struct net_arrival *a)
{
    return net_descriptor_claim(a->descriptor);
}

static bool is_withdrawn(const struct net_arrival *a)
{
    return net_descriptor_withdrawn(a->descriptor);
}

static void drop_descriptor(const struct net_arrival *a, struct endpoint *unused)
{
    (void)unused;
    net_descriptor_drop(a->descriptor, a->from);
}

static const struct net_arrival_ops arrival_descriptor = {.far = true,
                                                          .receive = shm_recv_receive,
                                                          .claim = claim_descriptor,
                                                          .match = claim_descriptor,
                                                          .withdrawn = is_withdrawn,
                                                          .drop = drop_descriptor};
