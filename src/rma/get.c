/* SPDX-License-Identifier: BSD-3-Clause */
/* Get (MPI 11.3.2): the same ways as put, the other way round. */
#include "rma/move.h"
#include "rma/transfer.h"

static int get_direct(const struct access_call *a, const struct reach *r)
{
    struct span from = a->remote;
    from.buf = r->to->base + r->offset;
    if (likely(a->origin.type->contiguous && from.type->contiguous)) {
        move_bytes(span_start(&a->origin), span_start(&from), r->bytes);
        return MPI_SUCCESS;
    }
    int rc = copy_typed(&from, &a->origin, r->bytes);
    return rc ? raise_error(a->w, rc, "the data could not be copied from rank %d", a->target) : rc;
}

/* One answer brings all. */
static int get_short(const struct access_call *a, const struct reach *r, ep_request *request)
{
    struct am_short m = {.am = {.head = {.id = AM_GET},
                                .offset = r->offset + a->remote.type->lb,
                                .bytes = (uint32_t)r->bytes}};
    struct pending_get *w = pending_get_into(a, &a->origin, NULL, r->bytes, request);
    if (!w)
        return no_memory(a);
    channel_send_short_surely(a->win, a->target, &m, 0, w);
    return MPI_SUCCESS;
}

static int get_messages(const struct access_call *a, const struct reach *r, ep_request *request)
{
    struct type_iter from;
    struct span remote = a->remote;
    remote.buf = (char *)r->offset;
    struct pending_get *w = NULL;
    if (type_iter_span(&from, &remote, TYPE_DATA) ||
        !(w = pending_get_into(a, &a->origin, NULL, r->bytes, request)))
        return no_memory(a);
    for (size_t left = r->bytes, n; left > 0; left -= n) {
        struct net_packet *p = channel_begin_surely(a->win, a->target, AM_GET, w);
        n = take_target(&from, remote.type->contiguous, 1, left, p);
        channel_send(a->win, a->target, p, p->head.pair[AM_IOV] * sizeof(struct type_iov));
    }
    return MPI_SUCCESS;
}

int rma_get(const struct access_call *a, ep_request *request)
{
    struct reach r;
    int rc = reach(a, TYPE_DATA, &r);
    size_t bytes = span_bytes(&a->origin);
    if (unlikely(rc != MPI_SUCCESS))
        return rc;
    if (unlikely(bytes < r.bytes))
        return too_long(a, "target", r.bytes, "origin", bytes);
    if (r.bytes == 0)
        return request_of_done(a->win, request);
    if (unlikely(!r.to->direct)) {
        if (large_goes(a, &r, r.bytes, false, request, &rc))
            return rc;
        bool brief = r.bytes <= AM_DATA_MAX && a->remote.type->contiguous;
        return brief ? get_short(a, &r, request) : get_messages(a, &r, request);
    }
    rc = get_direct(a, &r);
    return rc ? rc : request_of_done(a->win, request);
}
