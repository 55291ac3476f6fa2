/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Is a datatype one block of bytes, in type map order? Found from how it was made (MPI 4.1.13). size ==
 * true extent is not enough: an indexed type with displacements {1, 0} has no gap and is not in order.
 * A constructor that is not looked into counts as not contiguous, which is correct, only slower.
 */
#include <stdlib.h>

#include "p2p/type.h"

struct contents {
    int *ints;
    MPI_Aint *addresses;
    MPI_Datatype *types;
    int n_ints, n_addresses, n_types, combiner;
};

/* Blocks seen so far: the data run from `begin` to `end` without a gap. */
struct run {
    ptrdiff_t begin, end;
    bool empty;
};

static bool contents_get(struct contents *c, MPI_Datatype datatype)
{
    MPI_Type_get_envelope(datatype, &c->n_ints, &c->n_addresses, &c->n_types, &c->combiner);
    if (c->combiner == MPI_COMBINER_NAMED)
        return true;
    c->ints = calloc((size_t)c->n_ints + 1, sizeof *c->ints);
    c->addresses = calloc((size_t)c->n_addresses + 1, sizeof *c->addresses);
    c->types = calloc((size_t)c->n_types + 1, sizeof(MPI_Datatype));
    if (!c->ints || !c->addresses || !c->types)
        return false;
    return MPI_Type_get_contents(datatype, c->n_ints, c->n_addresses, c->n_types, c->ints, c->addresses, c->types) ==
           MPI_SUCCESS;
}

/* The handles that MPI_Type_get_contents gave are ours to free unless predefined. */
static void contents_free(struct contents *c, bool got)
{
    for (int i = 0; got && c->combiner != MPI_COMBINER_NAMED && i < c->n_types; i++) {
        int a, b, d, combiner;
        MPI_Type_get_envelope(c->types[i], &a, &b, &d, &combiner);
        if (combiner != MPI_COMBINER_NAMED)
            MPI_Type_free(&c->types[i]);
    }
    free(c->ints);
    free(c->addresses);
    free(c->types);
}

/* Add `count` elements of datatype at displacement. */
static bool run_add(struct run *r, MPI_Datatype datatype, ptrdiff_t displacement, ptrdiff_t count)
{
    MPI_Count size;
    MPI_Aint lb, extent;
    ptrdiff_t data_lb;
    MPI_Type_size_x(datatype, &size);
    MPI_Type_get_extent(datatype, &lb, &extent);
    if (count == 0 || size == 0)
        return true;
    if (!type_is_contiguous(datatype, &data_lb) || (count > 1 && extent != (MPI_Aint)size))
        return false;
    if (r->empty) {
        r->begin = r->end = displacement + data_lb;
        r->empty = false;
    }
    if (displacement + data_lb != r->end)
        return false;
    r->end += count * (ptrdiff_t)size;
    return true;
}

static ptrdiff_t extent_of(MPI_Datatype datatype)
{
    MPI_Aint lb, extent;
    MPI_Type_get_extent(datatype, &lb, &extent);
    return extent;
}

static bool add_blocks(struct run *r, const struct contents *c)
{
    int n = c->n_ints > 0 ? c->ints[0] : 0;
    const int *i = c->ints;
    switch (c->combiner) {
    case MPI_COMBINER_DUP:
    case MPI_COMBINER_RESIZED:
        return run_add(r, c->types[0], 0, 1);
    case MPI_COMBINER_CONTIGUOUS:
        return run_add(r, c->types[0], 0, n);
    case MPI_COMBINER_VECTOR:
        for (int k = 0; k < n; k++)
            if (!run_add(r, c->types[0], (ptrdiff_t)k * i[2] * extent_of(c->types[0]), i[1]))
                return false;
        return true;
    case MPI_COMBINER_HVECTOR:
        for (int k = 0; k < n; k++)
            if (!run_add(r, c->types[0], k * c->addresses[0], i[1]))
                return false;
        return true;
    case MPI_COMBINER_INDEXED:
        for (int k = 0; k < n; k++)
            if (!run_add(r, c->types[0], i[1 + n + k] * extent_of(c->types[0]), i[1 + k]))
                return false;
        return true;
    case MPI_COMBINER_INDEXED_BLOCK:
        for (int k = 0; k < n; k++)
            if (!run_add(r, c->types[0], i[2 + k] * extent_of(c->types[0]), i[1]))
                return false;
        return true;
    case MPI_COMBINER_HINDEXED:
    case MPI_COMBINER_STRUCT:
        for (int k = 0; k < n; k++)
            if (!run_add(r, c->types[c->combiner == MPI_COMBINER_STRUCT ? k : 0], c->addresses[k], i[1 + k]))
                return false;
        return true;
    default:
        return false;
    }
}

bool type_is_contiguous(MPI_Datatype datatype, ptrdiff_t *lb)
{
    struct contents c = {0};
    struct run r = {0, 0, true};
    bool got = contents_get(&c, datatype), yes = got;
    if (got && c.combiner == MPI_COMBINER_NAMED) {
        MPI_Count size;
        MPI_Type_size_x(datatype, &size);
        yes = extent_of(datatype) == (ptrdiff_t)size;
    } else if (got) {
        yes = add_blocks(&r, &c);
    }
    contents_free(&c, got);
    *lb = r.begin;
    return yes;
}
