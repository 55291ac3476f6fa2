/* SPDX-License-Identifier: BSD-3-Clause */
#include "coll/shape.h"

#include <string.h>

struct shape shape_of(const struct span *s)
{
    struct type *t = s->type;
    struct shape shape = {t, s->mpi, 0, t->extent};
    MPI_Aint low = 0, length = 0;
    if (t->contiguous) {
        shape.low = t->lb;
        shape.high = t->lb + (ptrdiff_t)t->size;
    } else if (!t->named) { /* the pairs (value, index) are whole structs */
        mpi_enter();
        MPI_Type_get_true_extent(s->mpi, &low, &length);
        mpi_leave();
        shape.low = low;
        shape.high = low + length;
    }
    return shape;
}

/* Where the lowest byte of n elements is, rounded down to keep the alignment. */
static ptrdiff_t lowest(const struct shape *s, size_t n)
{
    ptrdiff_t at = s->low;
    if (s->type->extent < 0 && n > 0)
        at += (ptrdiff_t)(n - 1) * s->type->extent;
    return at - (at % CACHE_LINE + CACHE_LINE) % CACHE_LINE;
}

size_t shape_bytes(const struct shape *s, size_t n)
{
    ptrdiff_t high = s->high;
    if (n == 0)
        return 0;
    if (s->type->extent > 0)
        high += (ptrdiff_t)(n - 1) * s->type->extent;
    size_t bytes = (size_t)(high - lowest(s, n));
    return (bytes + CACHE_LINE - 1) / CACHE_LINE * CACHE_LINE;
}

char *shape_place(const struct shape *s, char *memory, size_t n)
{
    return memory - lowest(s, n);
}

int shape_copy(const struct shape *s, const char *from, char *to, size_t n)
{
    const struct type *t = s->type;
    if (n == 0 || from == to)
        return MPI_SUCCESS;
    if (likely(t->contiguous || t->named)) {
        memcpy(to + s->low, from + s->low, n * (size_t)t->extent);
        return MPI_SUCCESS;
    }
    struct span a = shape_span(s, from, 0, n), b = shape_span(s, to, 0, n);
    return copy_typed(&a, &b, span_bytes(&a));
}
