/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a compiler passes for a dummy argument TYPE(*), DIMENSION(..): gfortran its own array descriptor (libgfortran.h), as the
 * interfaces are not BIND(C); others that of TS 29113, for which all that uses this header is compiled with EP_FORTRAN_CFI.
 */
#ifndef EP_FORTRAN_DESCRIPTOR_H
#define EP_FORTRAN_DESCRIPTOR_H

#include <stdbool.h>
#include <stddef.h>

#include "base/base.h"

#ifdef EP_FORTRAN_CFI
/* As flang has it; <ISO_Fortran_binding.h> is that of the compiler which compiles this. */
struct descriptor {
    void *base;
    size_t element;
    int version;
    unsigned char rank, type, attribute, extra;
    struct {
        ptrdiff_t first, extent, stride;
    } dimensions[];
};

static inline void *descriptor_base(const struct descriptor *d)
{
    return d->base;
}

static inline int descriptor_rank(const struct descriptor *d)
{
    return d->rank;
}

/* Bytes of an element. */
static inline size_t descriptor_element(const struct descriptor *d)
{
    return d->element;
}

/* -1: the last one of an assumed-size array. */
static inline ptrdiff_t descriptor_extent(const struct descriptor *d, int dimension)
{
    return d->dimensions[dimension].extent;
}

/* Bytes from one element to the next. */
static inline ptrdiff_t descriptor_stride(const struct descriptor *d, int dimension)
{
    return d->dimensions[dimension].stride;
}

static inline bool descriptor_is_dense(const struct descriptor *d)
{
    return descriptor_rank(d) == 0 || descriptor_stride(d, 0) == (ptrdiff_t)descriptor_element(d);
}
#else

struct descriptor {
    void *base;
    size_t offset;
    size_t element;
    int version;
    signed char rank, type;
    short attribute;
    ptrdiff_t span; /* bytes that strides are multiples of; 0: those of an element */
    struct {
        ptrdiff_t stride, first, last;
    } dimensions[];
};

static inline void *descriptor_base(const struct descriptor *d)
{
    return d->base;
}

static inline int descriptor_rank(const struct descriptor *d)
{
    return d->rank;
}

static inline size_t descriptor_element(const struct descriptor *d)
{
    return d->element;
}

static inline ptrdiff_t descriptor_extent(const struct descriptor *d, int dimension)
{
    return d->dimensions[dimension].last - d->dimensions[dimension].first + 1;
}

static inline ptrdiff_t descriptor_stride(const struct descriptor *d, int dimension)
{
    return d->dimensions[dimension].stride * (d->span ? d->span : (ptrdiff_t)d->element);
}

static inline bool descriptor_is_dense(const struct descriptor *d)
{
    return d->rank == 0 || (d->dimensions[0].stride == 1 && (size_t)d->span == d->element);
}
#endif

/* Out of line: of more dimensions, or of elements with gaps. */
bool descriptor_is_packed(const struct descriptor *d);

/* Do its elements follow each other? */
static inline bool descriptor_is_contiguous(const struct descriptor *d)
{
    return (likely(descriptor_is_dense(d)) && likely(descriptor_rank(d) <= 1)) || descriptor_is_packed(d);
}

#endif
