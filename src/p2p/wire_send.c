/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sends to mates. Short ones go into the ring. Those up to EP_EAGER go in a parcel. Of the others only the head of a parcel
 * goes; they are complete when it comes back.
 *
 * Order. An endpoint's sends to a process are pushed in their order, unless one of them waits at home: then `behind` is set
 * before that send returns, and so all later ones find it set and wait behind it. It is cleared after the last of those that
 * wait has been pushed (release; acquire in wire_send_now), so a send that finds it cleared is pushed after them.
 */
#include "p2p/wire.h"

#include <stdlib.h>
#include <string.h>

#include "p2p/far.h"
#include "p2p/wire_porter.h"

enum result {
    SENT,
    ON_ITS_WAY,
    NO_ROOM,   /* in the ring, or no parcel at all: to be tried again */
    NO_PARCEL, /* that would hold the data */
    FAILED
};

static _Atomic int waiting; /* mates with sends that wait at home */

/* Short ones of ep's own always: collectives exchange them by blocking sends (tiny_far.c). */
static inline bool is_eager(size_t bytes, int tag)
{
    return bytes <= PARCEL_MAX &&
           (likely(bytes <= (size_t)settings.eager) || (bytes <= INLINE_MAX && !tag_is_user(tag)));
}

static inline struct header header(const struct wire_route *to, int tag, enum arrival_kind kind)
{
    return (struct header){
        .context = to->context, .source = to->source, .tag = tag, .dest = to->dest, .kind = (uint8_t)kind};
}

bool hall_push(struct hall *hall, struct header *h, const void *payload, size_t bytes)
{
    uint64_t position;
    unsigned pad;
    h->inline_bytes = (uint16_t)bytes;
    h->lines = line_count(bytes);
    if (unlikely(!ring_claim(&hall->ring, HALL_LINES, h->lines, &position, &pad)))
        return false;
    wire_comes_in(hall);
    if (unlikely(pad))
        ring_pad(hall->line, HALL_LINES, position, pad);
    chaos_point();
    struct line *l = &hall->line[position % HALL_LINES];
    line_write(l, h, payload);
    wire_goes_out(hall);
    ring_complete(l, position);
    prefetch_write(&hall->line[(position + h->lines) % HALL_LINES]);
    return true;
}

/* ---- parcels ---- */

static bool push_parcel(const struct wire_route *to, int tag, struct parcel *p)
{
    struct header h = header(to, tag, ARRIVAL_PARCEL);
    struct parcel_note note = {parcel_at(p), p->bytes, mates_name()};
    wire_goes_out(p);
    return hall_push(hall_of(to->mate), &h, &note, sizeof note);
}

/* With the data in it. NULL: there is none, or *rc says what else. */
static struct parcel *fill_parcel(const struct span *data, size_t bytes, int *rc)
{
    struct parcel *p = parcel_get(bytes);
    if (!p)
        return NULL;
    p->bytes = bytes;
    p->address = 0;
    if (likely(data->type->contiguous))
        memcpy(p->data, span_start(data), bytes);
    else
        *rc = copy_pack(data, p->data);
    if (likely(*rc == MPI_SUCCESS))
        return p;
    parcel_put(p);
    return NULL;
}

/* A copy of the data that stays in this process, until the parcel comes back. */
static void pack_apart(struct parcel *p, const struct span *data, size_t bytes, int *rc)
{
    p->packed = malloc(bytes + 1);
    p->address = (uintptr_t)p->packed;
    *rc = p->packed ? copy_pack(data, p->packed) : MPI_ERR_NO_MEM;
}

/* The sender's memory holds what the parcels cannot, so that an eager send never waits for its receiver. */
static struct parcel *copy_parcel(const struct wire_route *to, const struct span *data, size_t bytes, int *rc)
{
    struct parcel *p = parcel_get(0);
    if (!p)
        return NULL;
    p->bytes = bytes;
    pack_apart(p, data, bytes, rc);
    if (likely(*rc == MPI_SUCCESS)) {
        parcel_expect(p, to->mate);
        return p;
    }
    if (!p->packed)
        *rc = MPI_SUCCESS; /* lent then */
    parcel_put(p);
    return NULL;
}

/* The data stay where they are, or if they are scattered in a copy of this process. Without memory for that the parcel goes all
 * the same, and says so: the receiver waits for it. */
static struct parcel *lend_parcel(const struct span *data, size_t bytes)
{
    struct parcel *p = parcel_get(0);
    if (!p)
        return NULL;
    p->bytes = bytes;
    p->address = (uintptr_t)span_start(data);
    if (data->type->contiguous)
        return p;
    pack_apart(p, data, bytes, &p->rc);
    return p;
}

/* ---- trying ---- */

static inline enum result send_short(const struct wire_route *to, const struct span *data, size_t bytes,
                                     int tag, int *rc)
{
    unsigned char packed[INLINE_MAX];
    struct header h = header(to, tag, ARRIVAL_WIRED);
    const void *payload = span_start(data);
    if (unlikely(!data->type->contiguous)) {
        *rc = copy_pack(data, packed);
        if (*rc != MPI_SUCCESS)
            return FAILED;
        payload = packed;
    }
    return likely(hall_push(hall_of(to->mate), &h, payload, bytes)) ? SENT : NO_ROOM;
}

static enum result send_eager(const struct wire_route *to, const struct span *data, size_t bytes, int tag,
                              int *rc)
{
    if (likely(bytes <= INLINE_MAX))
        return send_short(to, data, bytes, tag, rc);
    struct parcel *p = fill_parcel(data, bytes, rc);
    if (unlikely(!p) && *rc == MPI_SUCCESS)
        p = copy_parcel(to, data, bytes, rc);
    if (unlikely(!p))
        return *rc == MPI_SUCCESS ? NO_PARCEL : FAILED;
    if (push_parcel(to, tag, p))
        return SENT;
    parcel_put(p);
    return NO_ROOM;
}

/* s is complete when the parcel comes back. A synchronous one may bring its data along. The mate's lock is held. */
static enum result send_late(ep_request s, int *rc)
{
    struct parcel *p = NULL;
    if (s->mode == MODE_SYNC && is_eager(s->bytes, s->tag))
        p = fill_parcel(&s->data, s->bytes, rc);
    if (!p && *rc == MPI_SUCCESS)
        p = lend_parcel(&s->data, s->bytes);
    if (!p)
        return *rc == MPI_SUCCESS ? NO_ROOM : FAILED;
    parcel_belongs(p, s->far.to.mate, s);
    s->far.parcel = p;
    if (push_parcel(&s->far.to, s->tag, p))
        return ON_ITS_WAY;
    s->far.parcel = NULL;
    parcel_put(p);
    return NO_ROOM;
}

/* The mate's lock is held. Where there is no memory for the data, the head of a parcel will do. Not where the ring is full:
 * an eager send must not begin to wait for its receiver because of that. */
static enum result try(ep_request s, int *rc)
{
    enum result how = NO_PARCEL;
    *rc = MPI_SUCCESS;
    s->far.parcel = NULL;
    if (s->mode != MODE_SYNC && is_eager(s->bytes, s->tag))
        how = send_eager(&s->far.to, &s->data, s->bytes, s->tag, rc);
    return how == NO_PARCEL ? send_late(s, rc) : how;
}

bool wire_send_now(const struct wire_route *to, const struct span *data, int tag, int *rc)
{
    size_t bytes = span_bytes(data);
    if (unlikely(load_acquire(&to->mate->behind)) || !is_eager(bytes, tag))
        return false;
    *rc = MPI_SUCCESS;
    enum result how = send_eager(to, data, bytes, tag, rc);
    return how == SENT || how == FAILED;
}

/* s was tried; if it is on its way it may be gone. The mate's lock is held: one who cancels finds it waiting at home, on its way
 * or done. */
static void conclude(ep_request s, enum result how, int rc)
{
    if (how == FAILED)
        s->out.error = rc;
    if (how == FAILED || how == SENT)
        request_complete(s);
}

/* ---- waiting at home ---- */

static ep_request first_of(const struct mate *m)
{
    struct node *n = m->waiting.first;
    return n ? container_of(n, struct ep_request_s, entry.node) : NULL;
}

/* The mate's lock is held. */
static void join(struct mate *m, ep_request s)
{
    list_append(&m->waiting, &s->entry.node);
    if (load_relaxed(&m->behind))
        return;
    add_relaxed(&waiting, 1);
    store_relaxed(&m->behind, true);
    porter_call();
}

/* One has left the list. The mate's lock is held. */
static void left(struct mate *m)
{
    if (m->waiting.first)
        return;
    add_relaxed(&waiting, -1);
    store_release(&m->behind, false);
}

/* next follows the first, which was pushed and may be gone. The mate's lock is held. */
static void leave_first(struct mate *m, struct node *next)
{
    m->waiting.first = next;
    if (next)
        next->prev = NULL;
    else
        m->waiting.last = NULL;
    left(m);
}

void wire_send(ep_request s)
{
    struct mate *m = s->far.to.mate;
    int rc = MPI_SUCCESS;
    lock_acquire(&m->lock);
    /* what is large and scattered is not packed in vain */
    bool room = !m->waiting.first && (s->data.type->contiguous || hall_may_have_room(hall_of(m)));
    enum result how = room ? try(s, &rc) : NO_ROOM;
    if (how == NO_ROOM) {
        s->far.parcel = NULL;
        join(m, s);
    }
    conclude(s, how, rc);
    lock_release(&m->lock);
}

/* Neither packing it nor letting it go needs MPI. */
static bool is_plain(const struct ep_request_s *s)
{
    return s->data.type->contiguous && s->data.type->named;
}

static bool flush_one(struct mate *m, bool mpi)
{
    enum result how = NO_ROOM;
    int rc = MPI_SUCCESS;
    lock_acquire(&m->lock);
    ep_request s = first_of(m);
    struct node *next = s ? s->entry.node.next : NULL;
    if (s && (mpi || is_plain(s)) && hall_may_have_room(hall_of(m)) && (how = try(s, &rc)) != NO_ROOM)
        leave_first(m, next);
    conclude(s, how, rc);
    lock_release(&m->lock);
    return how != NO_ROOM;
}

bool wire_flush(bool mpi)
{
    bool any = false;
    if (likely(load_relaxed(&waiting) == 0))
        return false;
    for (struct mate *m = mates_first(); m; m = m->next)
        while (load_relaxed(&m->behind) && flush_one(m, mpi))
            any = true;
    return any;
}

void wire_cancel(ep_request s)
{
    struct mate *m = s->far.to.mate;
    bool mine = false;
    lock_acquire(&m->lock);
    if (request_is_done(s)) {
        ;
    } else if (s->far.parcel) {
        mine = parcel_withdraw(s->far.parcel, s);
    } else {
        list_remove(&m->waiting, &s->entry.node);
        left(m);
        hook_cancelled(); /* the receiver will not see it */
        mine = true;
    }
    lock_release(&m->lock);
    if (!mine)
        return;
    s->out.cancelled = true;
    request_complete(s);
}

long wire_under_way(struct mate *m)
{
    lock_acquire(&m->lock); /* a send becomes a parcel under it */
    long n = load_relaxed(&m->out);
    for (struct node *w = m->waiting.first; w; w = w->next)
        n++;
    lock_release(&m->lock);
    return n;
}

bool wire_waits(void)
{
    return load_relaxed(&waiting) > 0;
}

bool wire_busy(void)
{
    return wire_waits() || parcels_await();
}
