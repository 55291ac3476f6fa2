/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Is a datatype one block of bytes, in type map order? Found from how it was made (MPI 4.1.13). size ==
 * true extent is not enough: an indexed type with displacements {1, 0} has no gap and is not in order.
 * A constructor that is not looked into counts as not contiguous, which is correct, only slower.
 */
#include "p2p/contents.h"
#include "p2p/type.h"

/* Blocks seen so far: the data run from `begin` to `end` without a gap. */
struct stretch {
    ptrdiff_t begin, end;
    bool empty;
};

/* What blocks are made of. */
struct element {
    ptrdiff_t size, extent, lb;
    bool contiguous;
};

static struct element element_of(MPI_Datatype datatype)
{
    MPI_Count size;
    MPI_Aint lb, extent;
    struct element e;
    MPI_Type_size_x(datatype, &size);
    MPI_Type_get_extent(datatype, &lb, &extent);
    e.contiguous = type_is_contiguous(datatype, &e.lb);
    e.size = (ptrdiff_t)size;
    e.extent = extent;
    return e;
}

/* Add `count` elements at displacement. False if that leaves a gap, goes back, or has gaps itself. */
static bool run_add(struct stretch *r, const struct element *e, ptrdiff_t displacement, ptrdiff_t count)
{
    if (count == 0 || e->size == 0)
        return true;
    if (!e->contiguous || (count > 1 && e->extent != e->size))
        return false;
    if (r->empty) {
        r->begin = r->end = displacement + e->lb;
        r->empty = false;
    }
    if (displacement + e->lb != r->end)
        return false;
    r->end += count * e->size;
    return true;
}

/* n blocks of length at a regular distance of stride bytes. */
static bool add_vector(struct stretch *r, const struct element *e, ptrdiff_t n, ptrdiff_t length,
                       ptrdiff_t stride)
{
    if (n <= 1 || stride == length * e->extent)
        return run_add(r, e, 0, n <= 0 ? 0 : n * length);
    return length == 0 || e->size == 0;
}

static bool add_struct(struct stretch *r, const struct contents *c)
{
    for (int k = 0; k < c->ints[0]; k++) {
        struct element e = element_of(c->types[k]);
        if (!run_add(r, &e, c->addresses[k], c->ints[1 + k]))
            return false;
    }
    return true;
}

static bool add_blocks(struct stretch *r, const struct contents *c)
{
    const int *i = c->ints;
    int n = c->n_ints > 0 ? i[0] : 0;
    if (c->combiner == MPI_COMBINER_STRUCT)
        return add_struct(r, c);
    struct element e = element_of(c->types[0]);
    bool ok = true;
    switch (c->combiner) {
    case MPI_COMBINER_DUP:
    case MPI_COMBINER_RESIZED:
        return run_add(r, &e, 0, 1);
    case MPI_COMBINER_CONTIGUOUS:
        return run_add(r, &e, 0, n);
    case MPI_COMBINER_VECTOR:
        return add_vector(r, &e, n, i[1], i[2] * e.extent);
    case MPI_COMBINER_HVECTOR:
        return add_vector(r, &e, n, i[1], c->addresses[0]);
    case MPI_COMBINER_INDEXED:
        for (int k = 0; k < n && ok; k++)
            ok = run_add(r, &e, i[1 + n + k] * e.extent, i[1 + k]);
        return ok;
    case MPI_COMBINER_INDEXED_BLOCK:
        for (int k = 0; k < n && ok; k++)
            ok = run_add(r, &e, i[2 + k] * e.extent, i[1]);
        return ok;
    case MPI_COMBINER_HINDEXED:
        for (int k = 0; k < n && ok; k++)
            ok = run_add(r, &e, c->addresses[k], i[1 + k]);
        return ok;
    default:
        return false;
    }
}

bool type_is_contiguous(MPI_Datatype datatype, ptrdiff_t *lb)
{
    struct contents c;
    struct stretch r = {0, 0, true};
    bool got = contents_get(&c, datatype), yes = got;
    if (got && combiner_is_predefined(c.combiner)) {
        MPI_Count size;
        MPI_Aint lower, extent;
        MPI_Type_size_x(datatype, &size);
        MPI_Type_get_extent(datatype, &lower, &extent);
        yes = extent == (MPI_Aint)size;
    } else if (got) {
        yes = add_blocks(&r, &c);
    }
    contents_free(&c);
    *lb = r.begin;
    return yes;
}
