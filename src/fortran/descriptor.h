/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a compiler passes for a dummy argument TYPE(*), DIMENSION(..) of a BIND(C) interface: the descriptor of TS 29113. Its
 * ISO_Fortran_binding.h is each compiler's, but what is used here is at the same places in those of gfortran and flang.
 * Interfaces that are not BIND(C) would not do: with them gfortran passes a component of all elements of an array, or a part of each
 * string, as a copy, which is gone after the call.
 */
#ifndef EP_FORTRAN_DESCRIPTOR_H
#define EP_FORTRAN_DESCRIPTOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

#include "base/base.h"

struct descriptor {
    void *base;
    size_t element; /* bytes */
    int version;
    signed char rank;
    char others[3];
    struct {
        /* extent -1: of an assumed-size array; stride: bytes from one element to the next */
        ptrdiff_t first, extent, stride;
    } dimensions[];
};

/* Bytes of an element. Of CLASS(*) gfortran 12 says the size of its own record of the array; but no elements overlap. */
static inline size_t descriptor_element(const struct descriptor *d)
{
    size_t step = d->rank > 0 ? (size_t)labs(d->dimensions[0].stride) : 0;
    return d->rank > 0 && d->dimensions[0].extent > 1 && step < d->element ? step : d->element;
}

/* Do its elements follow each other? Surely, if this says so. */
static inline bool descriptor_is_plain(const struct descriptor *d)
{
    ptrdiff_t packed = (ptrdiff_t)d->element;
    for (int i = 0; i < d->rank; i++) {
        if (d->dimensions[i].stride != packed)
            return false;
        packed *= d->dimensions[i].extent;
    }
    return true;
}

/* Is it a row of such elements? Then it is none of the sentinels for buffers, which are scalars. */
static inline bool descriptor_is_row(const struct descriptor *d)
{
    return likely(d->rank == 1) && likely((size_t)d->dimensions[0].stride == d->element);
}

/* Do they? */
bool descriptor_is_contiguous(const struct descriptor *d);

#endif
