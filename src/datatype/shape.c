/* SPDX-License-Identifier: BSD-3-Clause */
#include "datatype/shape.h"

#include <string.h>

struct shape shape_of(const struct span *s)
{
    return (struct shape){s->type, s->mpi};
}

/* Where the lowest byte of n elements is, rounded down to keep the alignment. */
static ptrdiff_t shape_lowest(const struct shape *s, size_t n)
{
    ptrdiff_t at = s->type->lb;
    if (s->type->extent < 0 && n > 0)
        at += (ptrdiff_t)(n - 1) * s->type->extent;
    return at - (at % CACHE_LINE + CACHE_LINE) % CACHE_LINE;
}

size_t shape_bytes(const struct shape *s, size_t n)
{
    ptrdiff_t high = s->type->ub;
    if (n == 0)
        return 0;
    if (s->type->extent > 0)
        high += (ptrdiff_t)(n - 1) * s->type->extent;
    size_t bytes = (size_t)(high - shape_lowest(s, n));
    return (bytes + CACHE_LINE - 1) / CACHE_LINE * CACHE_LINE;
}

char *shape_place(const struct shape *s, char *memory, size_t n)
{
    return memory - shape_lowest(s, n);
}

int shape_copy(const struct shape *s, const char *from, char *to, size_t n)
{
    const struct type *t = s->type;
    if (n == 0 || from == to)
        return MPI_SUCCESS;
    if (likely(t->contiguous || t->named)) {
        memcpy(to + t->lb, from + t->lb, n * (size_t)t->extent);
        return MPI_SUCCESS;
    }
    struct span a = shape_span(s, from, 0, n), b = shape_span(s, to, 0, n);
    return copy_typed(&a, &b, span_bytes(&a));
}
