/* SPDX-License-Identifier: BSD-3-Clause */
/* What operations have in common when they begin. */
#include "rma/transfer.h"

int no_memory(const struct access_call *a)
{
    return raise_error(a->w, MPI_ERR_NO_MEM, "no memory for the transfer to rank %d", a->target);
}

int too_long(const struct access_call *a, const char *from, size_t sent, const char *to, size_t room)
{
    return raise_error(a->w, MPI_ERR_TRUNCATE,
                       "arguments %s_count and %s_datatype mean %zu bytes, %s_count and %s_datatype %zu "
                       "(target is rank %d): "
                       "the data do not fit",
                       from, from, sent, to, to, room, a->target);
}

int request_of_done(ep_win win, ep_request *request)
{
    if (request) {
        *request = &win->accessed;
        epoch_look(win); /* waiting for it will not */
    }
    return MPI_SUCCESS;
}

void request_give_up(ep_request *request)
{
    ep_request r = request ? *request : NULL;
    if (!r)
        return;
    struct endpoint *endpoint = r->endpoint;
    *request = EP_REQUEST_NULL;
    request_complete(r);
    endpoint_lock(endpoint);
    request_release(r);
    endpoint_unlock(endpoint);
}

ep_request request_under_way(const struct access_call *a, ep_request *request)
{
    return request ? *request = request_new_one_sided(a->win->view, a->target, a->w.call) : NULL;
}

int rma_request_to_nobody(struct where w, ep_win win, ep_request *request)
{
    int rc = epoch_enter_nobody(w, win, true);
    return rc ? rc : request_of_done(win, request);
}

size_t take_target(struct type_iter *to, bool contiguous, size_t unit, size_t left, struct net_packet *p)
{
    unsigned n = 0;
    size_t bytes, most = left < AM_DATA_MAX ? left : AM_DATA_MAX;
    if (contiguous) {
        struct type_iov one;
        bytes = type_iter_take(to, most, unit, &one, 1, &n);
        am_of(p)->offset = one.offset;
    } else {
        bytes = type_iter_take(to, most, unit, (struct type_iov *)(void *)am_data(p), AM_IOV_MAX, &n);
        p->head.pair[AM_IOV] = (uint8_t)n;
    }
    am_of(p)->bytes = (uint32_t)bytes;
    return bytes;
}

struct pending_get *pending_get_into(const struct access_call *a, const struct span *into,
                                     const struct arith_type *items, size_t bytes, ep_request *request)
{
    ep_request pending = request_under_way(a, request);
    struct type *held = into->type->contiguous || into->type->named ? NULL : into->type;
    int index, proc = win_process(a->win->window, a->target, &index);
    struct pending_get *w = pending_get_new(a->win, &a->win->channel[proc], held, pending);
    if (w)
        w->plain = into->type->contiguous ? span_start(into) : NULL;
    if (w && (!request || pending) &&
        (w->plain || type_iter_span(&w->into, into, TYPE_DATA) == MPI_SUCCESS)) {
        if (held)
            type_hold(held, into->mpi, false);
        w->items = items;
        w->left = bytes;
        return w;
    }
    if (w)
        pending_get_drop(a->win, w);
    request_give_up(request);
    return NULL;
}
