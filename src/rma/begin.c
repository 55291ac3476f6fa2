/* SPDX-License-Identifier: BSD-3-Clause */
/* What operations have in common when they begin. */
#include "rma/transfer.h"

/* ---- from displacements and datatypes to memory ---- */

/* Where the data of s are, relative to its buffer, and how many bytes. */
static int reach_measure(const struct span *s, enum type_map_kind kind, ptrdiff_t *low, ptrdiff_t *high,
                         size_t *bytes)
{
    if (likely(s->type->contiguous)) {
        *bytes = span_bytes(s);
        *low = s->type->lb;
        *high = *low + (ptrdiff_t)*bytes;
        return MPI_SUCCESS;
    }
    const struct type_map *m = type_map_of(s->type, s->mpi, kind),
                          *data = type_map_of(s->type, s->mpi, TYPE_DATA);
    if (!m || !data)
        return MPI_ERR_NO_MEM;
    type_map_bounds(data, s->type, s->count, low, high); /* a gap at the end may be outside */
    *bytes = m->bytes * s->count;
    return MPI_SUCCESS;
}

static int reach_outside(const struct access_call *a, const struct exposed *to, ptrdiff_t low, ptrdiff_t high)
{
    return raise_error(
        a->w, MPI_ERR_RMA_RANGE,
        "target_disp %td with these target_count and target_datatype means bytes %td to %td of the "
        "memory of rank %d: it has %zu bytes",
        (ptrdiff_t)a->disp, low, high, a->target, to->size);
}

/* Piece by piece only if the whole is not in one stretch. */
static int check_attached(const struct access_call *a, ptrdiff_t address, ptrdiff_t low, ptrdiff_t high)
{
    int index;
    if (!win_is_near(a->win->window, a->target, &index))
        return MPI_SUCCESS; /* the target looks itself */
    struct regions *regions = &a->win->window->local[index]->regions;
    struct span s = a->remote;
    struct type_iter c;
    s.buf = (char *)(uintptr_t)address;
    if (likely(regions_have(regions, s.buf + low, (size_t)(high - low))))
        return MPI_SUCCESS;
    int rc = type_iter_span(&c, &s, TYPE_DATA);
    if (rc != MPI_SUCCESS)
        return raise_error(a->w, rc, "no memory for target_datatype");
    char *at;
    for (size_t n; (n = type_iter_peek(&c, &at)) > 0; type_iter_skip(&c, n))
        if (!regions_have(regions, at, n))
            return raise_error(a->w, MPI_ERR_RMA_ATTACH,
                               "target_disp %#tx means %zu bytes at %p: that is not attached by rank %d",
                               a->disp, n, (void *)at, a->target);
    return MPI_SUCCESS;
}

static void count_access(const struct access_call *a, const struct reach *r)
{
    struct counters *own = &a->win->view->endpoint->own;
    add_alone(r->to->direct ? &own->rma_near : &own->rma_far, 1);
    add_alone(&own->rma_bytes, r->bytes);
}

int reach(const struct access_call *a, enum type_map_kind kind, struct reach *r)
{
    const struct window *x = a->win->window;
    ptrdiff_t low, high;
    int rc = epoch_enter(a->w, a->win, a->target, a->passive);
    if (unlikely(rc != MPI_SUCCESS))
        return rc;
    r->to = &x->exposed[a->target];
    rc = reach_measure(&a->remote, kind, &low, &high, &r->bytes);
    if (unlikely(rc != MPI_SUCCESS))
        return raise_error(a->w, rc, "no memory for target_datatype");
    if (r->bytes == 0)
        return MPI_SUCCESS;
    count_access(a, r);
    if (unlikely(x->flavor == MPI_WIN_FLAVOR_DYNAMIC)) {
        r->offset = a->disp;
        return check_attached(a, r->offset, low, high);
    }
    if (unlikely(__builtin_mul_overflow(a->disp, (ptrdiff_t)r->to->disp_unit, &r->offset) ||
                 __builtin_add_overflow(r->offset, low, &low) ||
                 __builtin_add_overflow(r->offset, high, &high)))
        return reach_outside(a, r->to, PTRDIFF_MAX, PTRDIFF_MAX);
    if (unlikely(low < 0 || (size_t)high > r->to->size))
        return reach_outside(a, r->to, low, high);
    return MPI_SUCCESS;
}

/* ---- errors, requests, messages ---- */

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
