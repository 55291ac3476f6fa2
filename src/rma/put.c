/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Put (MPI 11.3.1). Where the memory is reached by load and store the data are there when the call returns. Else they go by
 * one of three ways, all of which channel_wait knows: MPI's own put, one large message, or as many small ones as are needed.
 * The last copy the data, so the origin's buffer is free at once.
 *
 * As with messages (11.3.1), the origin may bring less than there is room for at the target.
 */
#include "rma/move.h"
#include "rma/transfer.h"

static int put_direct(const struct access_call *a, const struct reach *r, size_t n)
{
    struct span to = a->remote;
    to.buf = r->to->base + r->offset;
    if (likely(a->origin.type->contiguous && to.type->contiguous)) {
        move_bytes(span_start(&to), span_start(&a->origin), n);
        return MPI_SUCCESS;
    }
    int rc = copy_typed(&a->origin, &to, n);
    return rc ? raise_error(a->w, rc, "the data could not be copied to rank %d", a->target) : rc;
}

/* Little enough for one line or two. */
static int put_short(const struct access_call *a, const struct reach *r, size_t bytes)
{
    struct am_short m = {
        .am = {.head = {.id = AM_PUT}, .offset = r->offset + a->remote.type->lb, .bytes = (uint32_t)bytes}};
    move_bytes(m.data, span_start(&a->origin), bytes);
    channel_send_short_surely(a->win, a->target, &m, bytes, NULL);
    return MPI_SUCCESS;
}

static int put_messages(const struct access_call *a, const struct reach *r, size_t bytes)
{
    struct type_iter from, to;
    struct span remote = a->remote;
    remote.buf = (char *)r->offset;
    if (type_iter_span(&from, &a->origin, TYPE_DATA) || type_iter_span(&to, &remote, TYPE_DATA))
        return no_memory(a);
    for (size_t left = bytes, n; left > 0; left -= n) {
        struct net_packet *p = channel_begin_surely(a->win, a->target, AM_PUT, NULL);
        n = take_target(&to, remote.type->contiguous, 1, left, p);
        size_t head = p->head.pair[AM_IOV] * sizeof(struct type_iov);
        type_iter_read(&from, am_data(p) + head, n);
        channel_send(a->win, a->target, p, head + n);
    }
    return MPI_SUCCESS;
}

int rma_put(const struct access_call *a, ep_request *request)
{
    struct reach r;
    int rc = reach(a, TYPE_DATA, &r);
    size_t bytes = span_bytes(&a->origin);
    if (unlikely(rc != MPI_SUCCESS))
        return rc;
    if (unlikely(bytes > r.bytes))
        return too_long(a, "origin", bytes, "target", r.bytes);
    if (bytes == 0)
        return request_of_done(a->win, request);
    if (unlikely(!r.to->direct)) {
        if (large_goes(a, &r, bytes, true, request, &rc))
            return rc;
        bool brief = bytes <= AM_SHORT_MAX && a->origin.type->contiguous && a->remote.type->contiguous;
        rc = brief ? put_short(a, &r, bytes) : put_messages(a, &r, bytes);
    } else {
        rc = put_direct(a, &r, bytes);
    }
    return rc ? rc : request_of_done(a->win, request);
}
