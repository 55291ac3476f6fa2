/* SPDX-License-Identifier: BSD-3-Clause */
/* From displacements and datatypes to memory. */
#include "rma/transfer.h"

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
