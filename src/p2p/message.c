/* SPDX-License-Identifier: BSD-3-Clause */
#include "p2p/message.h"

#include <stdlib.h>

#include "comm/comm.h"
#include "p2p/far.h"
#include "p2p/hall.h"
#include "p2p/lend.h"
#include "p2p/port.h"
#include "p2p/recall.h"

/* The structures that follow the header in a line. */
static struct lent line_lent(const struct line *l)
{
    struct lent lent;
    line_read(l, &lent, sizeof lent);
    return lent;
}

struct far_arrival line_far(const struct line *l)
{
    struct far_arrival far;
    line_read(l, &far, sizeof far);
    return far;
}

static struct parcel_arrival line_parcel(const struct line *l)
{
    struct parcel_arrival a;
    line_read(l, &a, sizeof a);
    return a;
}

size_t line_bytes(const struct line *l)
{
    switch (l->head.header.kind) {
    case ARRIVAL_INLINE:
    case ARRIVAL_WIRED:
        return l->head.header.inline_bytes;
    case ARRIVAL_LENT:
        return line_lent(l).bytes;
    case ARRIVAL_PARCEL:
        return line_parcel(l).bytes;
    default:
        return line_far(l).bytes;
    }
}

ep_message message_keep(struct port *port, const struct line *l)
{
    const struct header *h = &l->head.header;
    bool letter = arrival_is_inline(h->kind) && h->inline_bytes > SMALL_PAYLOAD;
    struct pool *pool = letter ? &port->letters : &port->messages;
    ep_message m = pool_get(pool);
    if (unlikely(!m) && !tag_is_user(h->tag))
        m = pool_get_last(pool);
    if (!m)
        return NULL;
    m->fortran = 0;
    m->kind = h->kind;
    m->letter = letter;
    m->view = h->view;
    m->port = port;
    m->source = h->source;
    m->tag = h->tag;
    m->bytes = line_bytes(l);
    if (arrival_is_inline(h->kind)) {
        line_read(l, m->payload, h->inline_bytes);
    } else if (h->kind == ARRIVAL_LENT) {
        m->lender = line_lent(l).lender;
    } else if (h->kind == ARRIVAL_PARCEL) {
        m->parcel = line_parcel(l).parcel;
        m->from = line_parcel(l).from;
    } else {
        m->far = line_far(l).message;
    }
    store_relaxed(&m->magic, MESSAGE_LIVE);
    return m;
}

void message_free(ep_message m)
{
    struct port *port = m->port;
    if (unlikely(m->fortran))
        handle_drop(m->fortran);
    store_relaxed(&m->magic, MESSAGE_FREED);
    pool_put(m->letter ? &port->letters : &port->messages, m);
}

/* r gets it; before r is complete. Its port's lock is held. */
static inline void count_near(ep_request r, size_t bytes)
{
    add_alone(&r->port->held.received_near, 1);
    add_alone(&r->port->held.received_near_bytes, bytes);
}

static inline void count_far(ep_request r, size_t bytes)
{
    add_alone(&r->port->held.received_far, 1);
    add_alone(&r->port->held.received_far_bytes, bytes);
}

static inline void count(ep_request r, enum arrival_kind kind, size_t bytes)
{
    if (kind == ARRIVAL_INLINE || kind == ARRIVAL_LENT)
        count_near(r, bytes);
    else
        count_far(r, bytes);
}

/* Packed payload into the receive's buffer. */
static void deliver_packed(const void *payload, size_t bytes, ep_request r)
{
    struct span from = span_packed(payload, bytes);
    int rc = copy_typed(&from, &r->data, bytes);
    if (rc != MPI_SUCCESS && r->out.error == MPI_SUCCESS)
        r->out.error = rc;
    request_complete(r);
}

void line_deliver(const struct line *l, ep_request r)
{
    const struct header *h = &l->head.header;
    size_t bytes = request_outcome(r, h->source, h->tag, line_bytes(l));
    count(r, h->kind, bytes);
    if (h->kind == ARRIVAL_LENT) {
        lend_receive(line_lent(l).lender, r);
    } else if (h->kind == ARRIVAL_FAR) {
        far_receive(line_far(l).message, line_far(l).bytes, r);
    } else if (h->kind == ARRIVAL_PARCEL) {
        parcel_receive(line_parcel(l).parcel, line_parcel(l).from, r);
    } else if (likely(r->data.type->contiguous)) {
        line_read(l, span_start(&r->data), bytes);
        request_complete_locked(r);
    } else {
        unsigned char packed[INLINE_MAX];
        line_read(l, packed, bytes);
        deliver_packed(packed, bytes, r);
    }
}

void message_deliver(ep_message m, ep_request r)
{
    size_t bytes = request_outcome(r, m->source, m->tag, m->bytes);
    r->arrow = m->arrow;
    count(r, m->kind, bytes);
    add_alone(&m->port->held.unexpected, 1);
    if (m->kind == ARRIVAL_LENT)
        lend_receive(m->lender, r);
    else if (m->kind == ARRIVAL_FAR)
        far_receive(m->far, m->bytes, r);
    else if (m->kind == ARRIVAL_PARCEL)
        parcel_receive(m->parcel, m->from, r);
    else if (unlikely(m->kind == ARRIVAL_KEPT))
        kept_deliver(m->kept, r);
    else
        deliver_packed(m->payload, bytes, r);
    message_free(m);
}

void message_drop(ep_message m)
{
    if (m->kind == ARRIVAL_LENT)
        lend_drop(m->lender);
    else if (m->kind == ARRIVAL_FAR)
        far_drop(m->port, m->far, m->bytes);
    else if (m->kind == ARRIVAL_PARCEL)
        parcel_drop(m->parcel, m->from);
    else if (m->kind == ARRIVAL_KEPT)
        kept_drop(m->kept);
    message_free(m);
}

void line_drop(const struct line *l)
{
    if (l->head.header.kind == ARRIVAL_LENT)
        lend_drop(line_lent(l).lender);
    else if (l->head.header.kind == ARRIVAL_FAR)
        far_drop(l->head.header.view->port, line_far(l).message, line_far(l).bytes);
    else if (l->head.header.kind == ARRIVAL_PARCEL)
        parcel_drop(line_parcel(l).parcel, line_parcel(l).from);
}

bool line_claim(const struct line *l)
{
    if (unlikely(l->head.header.kind == ARRIVAL_PARCEL))
        return parcel_claim(line_parcel(l).parcel);
    return l->head.header.kind != ARRIVAL_LENT || lend_claim(line_lent(l).lender);
}

bool message_claim(ep_message m)
{
    if (m->kind == ARRIVAL_PARCEL)
        return parcel_claim(m->parcel);
    return m->kind != ARRIVAL_LENT || lend_claim(m->lender);
}

bool message_take(ep_message m)
{
    if (m->kind == ARRIVAL_PARCEL)
        return parcel_claim(m->parcel);
    return m->kind != ARRIVAL_LENT || lend_match(m->lender);
}

bool message_withdrawn(const struct ep_message_s *m)
{
    if (m->kind == ARRIVAL_PARCEL)
        return parcel_withdrawn(m->parcel);
    return m->kind == ARRIVAL_LENT && lend_withdrawn(m->lender);
}
