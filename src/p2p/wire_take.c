/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Messages of mates, on their way from the hall's ring into the inboxes of endpoints. Everything here is under the poll
 * lock.
 *
 * A communicator is found by its context. Its other processes may have finished making it, and send, before this one has:
 * such messages are put aside until it is open here, in their order, and later ones for it come after them, because from
 * then on they find it open. It is expected from before this process agrees to making it, without which no other one
 * finishes. So a message of an unknown context is for a communicator that was closed, and nobody will receive it.
 */
#include "p2p/wire.h"

#include <stdlib.h>
#include <string.h>

#include "p2p/port.h"

/* A message that has to wait before its communicator's inboxes. */
struct early {
    struct early *next;
    struct header header;
    unsigned char payload[];
};

static struct table comms; /* by context */
static struct taker taker;

static struct comm *find(uint64_t context)
{
    struct table_link *l = table_find(&comms, context);
    return likely(l) ? container_of(l, struct comm, wired) : NULL;
}

static struct parcel_note read_note(const void *payload)
{
    struct parcel_note note;
    memcpy(&note, payload, sizeof note);
    return note;
}

/* Nobody will receive it. */
static void drop(const struct header *w, const void *payload)
{
    if (w->kind != ARRIVAL_PARCEL)
        return;
    struct parcel_note note = read_note(payload);
    struct mate *from = mates_find(note.sender);
    if (from)
        parcel_drop(parcel_of(from, note.at), from);
}

/* False without memory. */
static bool arrive(struct comm *c, const struct header *w, const void *payload)
{
    ep_comm to = c->local[w->dest];
    struct header h = {.view = to,
                       .source = tag_is_union(w->tag) ? w->source : w->source - to->peer_base,
                       .tag = w->tag,
                       .kind = ARRIVAL_WIRED};
    bool ok;
    if (w->kind == ARRIVAL_PARCEL) {
        int index;
        struct parcel_note note = read_note(payload);
        if (unlikely((unsigned)w->source >= (unsigned)c->map.size))
            far_corrupt("the source of a message", (unsigned)w->source);
        struct mate *from = comm_mate(c, rankmap_proc(&c->map, w->source, &index));
        if (unlikely(!from))
            far_corrupt("the source of a message", (unsigned)w->source);
        struct parcel_arrival a = {parcel_of(from, note.at), from, note.bytes};
        h.kind = ARRIVAL_PARCEL;
        ok = inbox_push(&to->port->inbox, &h, &a, sizeof a);
    } else {
        ok = inbox_push(&to->port->inbox, &h, payload, w->inline_bytes);
    }
    if (ok)
        bell_ring(&to->port->bell);
    return ok;
}

static bool put_aside(struct comm *c, const struct header *w, const void *payload)
{
    struct early *e = malloc(sizeof *e + w->inline_bytes);
    if (!e)
        return false;
    e->next = NULL;
    e->header = *w;
    memcpy(e->payload, payload, w->inline_bytes);
    if (c->aside)
        c->aside_end->next = e;
    else
        c->aside = e;
    c->aside_end = e;
    return true;
}

/* What was put aside. What finds no memory stays, and the rest behind it: false then, and it is tried again before the next
 * message for c. */
static bool bring_in(struct comm *c)
{
    struct early *e;
    while ((e = c->aside) && arrive(c, &e->header, e->payload)) {
        c->aside = e->next;
        free(e);
    }
    return !e;
}

/* False: it has to stay in the ring. */
static bool take(const struct line *l)
{
    const struct header *w = &l->head.header;
    unsigned char payload[INLINE_MAX];
    struct comm *c = find(w->context);
    if (unlikely(w->inline_bytes > INLINE_MAX))
        far_corrupt("the length of a message", w->inline_bytes);
    line_read(l, payload, w->inline_bytes);
    if (unlikely(!c) || unlikely((unsigned)w->dest >= (unsigned)c->nlocal)) {
        drop(w, payload);
        return true;
    }
    if (unlikely(!c->polled))
        return put_aside(c, w, payload);
    if (unlikely(c->aside) && !bring_in(c))
        return false;
    return arrive(c, w, payload);
}

void wire_expect(struct comm *c)
{
    table_add(&comms, &c->wired, c->context);
    c->expected = true;
}

void wire_open(struct comm *c)
{
    bring_in(c);
}

void wire_close(struct comm *c)
{
    struct early *e;
    table_remove(&comms, &c->wired);
    c->expected = false;
    while ((e = c->aside)) {
        c->aside = e->next;
        drop(&e->header, e->payload);
        free(e);
    }
}

static void done(struct hall *hall, const struct line *l)
{
    ring_done(&hall->ring, &taker, l, HALL_PUBLISH);
}

bool wire_poll(int most)
{
    struct hall *hall = mates_own_hall();
    const struct line *l;
    bool any = false;
    if (!hall)
        return false;
    while (most > 0 && (l = ring_next(hall->line, HALL_LINES, &taker))) {
        if (unlikely((unsigned)l->head.header.lines - 1 >= INLINE_LINES))
            far_corrupt("the number of a message's lines", l->head.header.lines);
        if (likely(l->head.header.kind != ARRIVAL_PAD)) {
            if (!take(l))
                break;
            any = true;
            most--;
        }
        done(hall, l);
    }
    any |= parcels_collect();
    return wire_flush(true) || any;
}
