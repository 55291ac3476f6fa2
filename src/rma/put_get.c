/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Put and get (MPI 11.3.1, 11.3.2). Where the memory is reached by load and store, or the kernel copies, the data are there when the
 * call returns, and nothing is left for channel_wait. Else they go by one of three ways, all of which that knows: MPI's own put or
 * get, one large message, or as many small ones as are needed. The last copy the data of a put, so the origin's buffer is free at
 * once.
 *
 * Why the kernel may copy: a window is freed when all origins have come, so its memory stays while calls of theirs are under way. What
 * the kernel wrote precedes what this thread does next for everybody, like its own stores: the release by which it gives a lock
 * back, tells of the end of an epoch, or comes to a barrier covers both. Accumulates to the same memory are in no order with puts and
 * gets of the same epoch (11.7), but for a flush between them: a put has ended by then, an accumulate has been answered.
 *
 * As with messages (11.3.1), the origin of a put may bring less than there is room for at the target.
 */
#include "rma/transfer.h"

/* ---- from memory to memory: by the kernel, by MPI's windows, or as a message without a copy ---- */

/* False: not all of it is memory that the kernel copies (of a device, or none); some may have been copied. A message will do what
 * can be done. */
static bool large_copied(const struct access_call *a, const struct reach *r, size_t bytes, bool put)
{
    const struct window *x = a->win->window;
    int index;
    struct net_peer *peer = net_peer_of(x->comm, win_process(x, a->target, &index));
    struct net_piece all = {span_start(&a->origin),
                            (uintptr_t)r->to->base + (uintptr_t)(r->offset + a->remote.type->lb), bytes};
    return net_peer_copy(peer, put ? NET_WRITE : NET_READ, &all, 1) == MPI_SUCCESS;
}

static int large_carry(const struct access_call *a, const struct reach *r, size_t bytes, bool put,
                       bool native, ep_request pending)
{
    if (native)
        return native_carry(a, r->offset, put, pending);
    return transfer_bulk(a->win, a->target, span_start(&a->origin), bytes, r->offset + a->remote.type->lb,
                         put, pending);
}

/* In an epoch that the target takes part in it makes calls. Then a message through memory has less to do than the kernel, and than
 * MPI, which has to be told to complete what it began. */
static bool large_is_better_told(const struct access_call *a, size_t bytes)
{
    uint8_t access = load_relaxed(&a->win->access);
    return bytes <= AM_DATA_MAX && settings.rma == RMA_AUTO && a->win->window->exposed[a->target].lock &&
           (access == ACCESS_FENCE_USED || access == ACCESS_START);
}

/* If the data of a put or get go from memory to memory: true, and *rc, raised. Other datatypes than contiguous ones do not:
 * docs/rma.md, traps. */
static bool large_goes(const struct access_call *a, const struct reach *r, size_t bytes, bool put,
                       ep_request *request, int *rc)
{
    const struct window *x = a->win->window;
    if (!a->origin.type->contiguous || !a->remote.type->contiguous)
        return false;
    bool told = large_is_better_told(a, bytes);
    if (r->to->copied && !told && likely(large_copied(a, r, bytes, put))) {
        *rc = request_of_done(a->win, request);
        return true;
    }
    bool native = native_fits(x, bytes) && span_bytes(&a->origin) == r->bytes && !told;
    if (!native && !transfer_fits(x, bytes))
        return false;
    ep_request pending = request_under_way(a, request);
    *rc = request && !pending ? MPI_ERR_NO_MEM : large_carry(a, r, bytes, put, native, pending);
    if (unlikely(*rc != MPI_SUCCESS)) {
        request_give_up(request);
        raise_error(a->w, *rc, "%zu bytes could not be %s rank %d", bytes, put ? "put to" : "got from",
                    a->target);
    }
    return true;
}

/* ---- put ---- */

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

/* ---- get ---- */

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
