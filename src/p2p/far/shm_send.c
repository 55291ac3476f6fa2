/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sends to peers. Short ones go into the ring. Those up to EP_EAGER go in a descriptor with their data. Of the others only a
 * descriptor goes; they are complete when it comes back.
 */
#include "p2p/far/shm.h"

#include <stdlib.h>
#include <string.h>

#include "p2p/far/far.h"

enum result {
    SENT,
    ON_ITS_WAY,
    NO_ROOM,       /* in the ring, or no descriptor at all: to be tried again */
    NO_DESCRIPTOR, /* that would hold the data */
    SHM_SEND_FAILED
};

/* Short ones of ep's own always: collectives exchange them by blocking sends (coll/small/leaders.c). */
static inline bool is_eager(size_t bytes, int tag)
{
    return bytes <= NET_DESCRIPTOR_MAX &&
           (likely(bytes <= (size_t)settings.eager) || (bytes <= INLINE_MAX && !tag_is_user(tag)));
}

static inline struct header shm_send_header(const struct net_route *to, int tag, enum arrival_kind kind)
{
    return (struct header){
        .context = to->context, .source = to->source, .tag = tag, .dest = to->index, .kind = (uint8_t)kind};
}

/* ---- descriptors ---- */

static bool push_descriptor(const struct net_route *to, int tag, struct net_descriptor *d)
{
    struct header h = shm_send_header(to, tag, ARRIVAL_DESCRIPTOR);
    struct net_note note = net_descriptor_note(d);
    return net_shm_push(to->peer->shm, &h, &note, sizeof note);
}

/* With the data in it. NULL: there is none, or *rc says what else. */
static struct net_descriptor *fill_descriptor(const struct span *data, size_t bytes, int *rc)
{
    struct net_descriptor *d = net_descriptor_get(bytes);
    if (!d)
        return NULL;
    d->bytes = bytes;
    d->address = 0;
    if (likely(data->type->contiguous))
        memcpy(d->data, span_start(data), bytes);
    else
        *rc = copy_pack(data, d->data);
    if (likely(*rc == MPI_SUCCESS))
        return d;
    net_descriptor_put(d);
    return NULL;
}

/* A copy of the data that stays in this process, until the descriptor comes back. */
static void pack_apart(struct net_descriptor *d, const struct span *data, size_t bytes, int *rc)
{
    d->packed = malloc(bytes + 1);
    d->address = (uintptr_t)d->packed;
    *rc = d->packed ? copy_pack(data, d->packed) : MPI_ERR_NO_MEM;
}

/* The sender's memory holds what the descriptors cannot, so that an eager send never waits for its receiver. */
static struct net_descriptor *copy_descriptor(const struct net_route *to, const struct span *data,
                                              size_t bytes, int *rc)
{
    struct net_descriptor *d = net_descriptor_get(0);
    if (!d)
        return NULL;
    d->bytes = bytes;
    pack_apart(d, data, bytes, rc);
    if (likely(*rc == MPI_SUCCESS)) {
        net_descriptor_expect(d, to->peer, NULL);
        return d;
    }
    if (!d->packed)
        *rc = MPI_SUCCESS; /* the receiver reads it then */
    net_descriptor_put(d);
    return NULL;
}

/* The data stay where they are, or if they are scattered in a copy of this process. Without memory for that the descriptor goes all
 * the same, and says so: the receiver waits for it. */
static struct net_descriptor *rndv_descriptor(const struct span *data, size_t bytes)
{
    struct net_descriptor *d = net_descriptor_get(0);
    if (!d)
        return NULL;
    d->bytes = bytes;
    d->address = (uintptr_t)span_start(data);
    if (data->type->contiguous)
        return d;
    pack_apart(d, data, bytes, &d->rc);
    return d;
}

/* ---- trying ---- */

static inline enum result send_short(const struct net_route *to, const struct span *data, size_t bytes,
                                     int tag, int *rc)
{
    unsigned char packed[INLINE_MAX];
    struct header h = shm_send_header(to, tag, ARRIVAL_SHM);
    const void *payload = span_start(data);
    if (unlikely(!data->type->contiguous)) {
        *rc = copy_pack(data, packed);
        if (*rc != MPI_SUCCESS)
            return SHM_SEND_FAILED;
        payload = packed;
    }
    return likely(net_shm_push(to->peer->shm, &h, payload, bytes)) ? SENT : NO_ROOM;
}

static enum result send_eager(const struct net_route *to, const struct span *data, size_t bytes, int tag,
                              int *rc)
{
    if (likely(bytes <= INLINE_MAX))
        return send_short(to, data, bytes, tag, rc);
    struct net_descriptor *d = fill_descriptor(data, bytes, rc);
    if (unlikely(!d) && *rc == MPI_SUCCESS)
        d = copy_descriptor(to, data, bytes, rc);
    if (unlikely(!d))
        return *rc == MPI_SUCCESS ? NO_DESCRIPTOR : SHM_SEND_FAILED;
    if (push_descriptor(to, tag, d))
        return SENT;
    net_descriptor_put(d);
    return NO_ROOM;
}

/* s is complete when the descriptor comes back. A synchronous one may bring its data along. */
static enum result send_late(struct request_send *s, int *rc)
{
    lock_assert_held(&s->far.to.peer->lock);
    struct net_descriptor *d = NULL;
    if (s->mode == MODE_SYNC && is_eager(s->bytes, s->head.tag))
        d = fill_descriptor(&s->data, s->bytes, rc);
    if (!d && *rc == MPI_SUCCESS)
        d = rndv_descriptor(&s->data, s->bytes);
    if (!d)
        return *rc == MPI_SUCCESS ? NO_ROOM : SHM_SEND_FAILED;
    net_descriptor_expect(d, s->far.to.peer, &s->head);
    s->far.descriptor = d;
    if (push_descriptor(&s->far.to, s->head.tag, d))
        return ON_ITS_WAY;
    s->far.descriptor = NULL;
    net_descriptor_put(d);
    return NO_ROOM;
}

/* Where there is no memory for the data, a descriptor alone will do. Not where the ring is full:
 * an eager send must not begin to wait for its receiver because of that. */
static enum result shm_send_try(struct request_send *s, int *rc)
{
    lock_assert_held(&s->far.to.peer->lock);
    enum result how = NO_DESCRIPTOR;
    *rc = MPI_SUCCESS;
    s->far.descriptor = NULL;
    if (s->mode != MODE_SYNC && is_eager(s->bytes, s->head.tag))
        how = send_eager(&s->far.to, &s->data, s->bytes, s->head.tag, rc);
    return how == NO_DESCRIPTOR ? send_late(s, rc) : how;
}

bool shm_send_now(const struct net_route *to, const struct span *data, size_t bytes, int tag, int *rc)
{
    if (net_is_behind(to->peer) || !is_eager(bytes, tag))
        return false;
    *rc = MPI_SUCCESS;
    enum result how = send_eager(to, data, bytes, tag, rc);
    return how == SENT || how == SHM_SEND_FAILED;
}

/* If s is on its way it may be gone. Under the lock, so one who cancels finds it waiting, on its way or done. */
static bool shm_send_push(struct net_deferred *deferred)
{
    struct request_send *s = container_of(deferred, struct request_send, deferred);
    lock_assert_held(&s->far.to.peer->lock);
    int rc;
    if (!net_shm_may_have_room(s->far.to.peer->shm))
        return false;
    enum result how = shm_send_try(s, &rc);
    if (how == SHM_SEND_FAILED)
        s->head.out.error = rc;
    if (how == SHM_SEND_FAILED || how == SENT)
        request_complete(&s->head);
    return how != NO_ROOM;
}

void shm_send(struct request_send *s)
{
    s->far.descriptor = NULL;
    s->deferred.push = shm_send_push;
    net_submit(s->far.to.peer, &s->deferred);
}

static bool is_done(const void *s)
{
    return request_is_done(s);
}

void shm_cancel(struct request_send *s)
{
    struct net_peer *peer = s->far.to.peer;
    bool mine = false;
    lock_acquire(&peer->lock);
    if (request_is_done(&s->head)) {
        ;
    } else if (s->far.descriptor) {
        mine = net_descriptor_withdraw(s->far.descriptor, is_done, &s->head);
    } else {
        net_undefer(peer, &s->deferred);
        hook_cancelled(); /* the receiver will not see it */
        mine = true;
    }
    lock_release(&peer->lock);
    if (!mine)
        return;
    s->head.out.cancelled = true;
    request_complete(&s->head);
}

void shm_returned(void *owner, int rc)
{
    ep_request s = owner;
    if (rc != MPI_SUCCESS)
        s->out.error = rc;
    request_complete(s);
}
