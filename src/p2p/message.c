/* SPDX-License-Identifier: BSD-3-Clause */
#include "p2p/message.h"

#include "p2p/endpoint.h"

/* ---- payload in lines, and kept ---- */

void deliver_packed(const void *payload, size_t bytes, struct request_recv *r)
{
    struct span from = span_packed(payload, bytes);
    int rc = copy_typed(&from, &r->data, bytes);
    request_complete_with(&r->head, rc);
}

static void receive_lines(const struct net_arrival *a, ep_request head)
{
    struct request_recv *r = request_to_recv(head);
    size_t bytes = head->out.received;
    if (likely(r->data.type->contiguous)) {
        line_read(a->object, span_start(&r->data), bytes);
        request_complete_locked(head);
    } else {
        unsigned char packed[INLINE_MAX];
        line_read(a->object, packed, bytes);
        deliver_packed(packed, bytes, r);
    }
}

static void message_receive_kept(const struct net_arrival *a, ep_request r)
{
    deliver_packed(a->object, r->out.received, request_to_recv(r));
}

static const struct net_arrival_ops kept_near = {.receive = message_receive_kept},
                                    kept_shm = {.far = true, .receive = message_receive_kept};

static void keep_lines(struct net_arrival *a, void *room)
{
    line_read(a->object, room, a->bytes);
    a->object = room;
    a->ops = a->ops->far ? &kept_shm : &kept_near;
}

const struct net_arrival_ops arrival_near = {.receive = receive_lines, .keep = keep_lines};
const struct net_arrival_ops arrival_shm = {.far = true, .receive = receive_lines, .keep = keep_lines};

/* ---- messages ---- */

ep_message message_keep(struct endpoint *endpoint, const struct header *h, const struct net_arrival *a)
{
    endpoint_assert_held(endpoint);
    bool large = a->ops->keep && a->bytes > SMALL_PAYLOAD;
    struct pool *pool = large ? &endpoint->large_messages : &endpoint->messages;
    ep_message m = pool_get(pool);
    if (unlikely(!m) && !tag_is_user(h->tag))
        m = pool_get_last(pool);
    if (!m)
        return NULL;
    m->fortran = 0;
    m->large = large;
    m->view = h->view;
    m->endpoint = endpoint;
    m->source = h->source;
    m->tag = h->tag;
    m->arrival = *a;
    if (a->ops->keep)
        a->ops->keep(&m->arrival, m->payload);
    store_relaxed(&m->magic, MESSAGE_LIVE);
    return m;
}

void message_free(ep_message m)
{
    endpoint_assert_held(m->endpoint);
    struct endpoint *endpoint = m->endpoint;
    if (unlikely(m->fortran))
        handle_drop(m->fortran);
    store_relaxed(&m->magic, MESSAGE_FREED);
    pool_put(m->large ? &endpoint->large_messages : &endpoint->messages, m);
}

/* r gets it; before r is complete. */
static void message_do_deliver(const struct net_arrival *a, int source, int tag, struct request_recv *r)
{
    struct counters *held = &r->head.endpoint->held;
    size_t bytes = request_outcome(r, source, tag, a->bytes);
    add_alone(a->ops->far ? &held->received_far : &held->received_near, 1);
    add_alone(a->ops->far ? &held->received_far_bytes : &held->received_near_bytes, bytes);
    a->ops->receive(a, &r->head);
}

void arrival_deliver(const struct header *h, const struct net_arrival *a, struct request_recv *r)
{
    endpoint_assert_held(r->head.endpoint);
    message_do_deliver(a, h->source, h->tag, r);
}

void message_deliver(ep_message m, struct request_recv *r)
{
    endpoint_assert_held(r->head.endpoint);
    r->flow = m->flow;
    add_alone(&m->endpoint->held.unexpected, 1);
    message_do_deliver(&m->arrival, m->source, m->tag, r);
    message_free(m);
}

void message_drop(ep_message m)
{
    net_arrival_drop(&m->arrival, m->endpoint);
    message_free(m);
}
