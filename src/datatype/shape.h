/* SPDX-License-Identifier: BSD-3-Clause */
/* Elements of any datatype as they lie in memory: room for them, and copies of them. */
#ifndef EP_DATATYPE_SHAPE_H
#define EP_DATATYPE_SHAPE_H

#include "datatype/copy.h"

struct shape {
    struct type *type;
    MPI_Datatype mpi;
};

/* Of the elements of s. */
struct shape shape_of(const struct span *s);

/* Memory for n elements, and where in such memory (aligned to CACHE_LINE) element 0 is. */
size_t shape_bytes(const struct shape *s, size_t n);
char *shape_place(const struct shape *s, char *memory, size_t n);

/* Copy n elements; bytes between their data are left alone if the type is the user's. An error class. */
int shape_copy(const struct shape *s, const char *from, char *to, size_t n);

/* Element i of those at p. */
static inline char *shape_at(const struct shape *s, const char *p, size_t i)
{
    return (char *)(uintptr_t)p + (ptrdiff_t)i * s->type->extent;
}

static inline struct span shape_span(const struct shape *s, const char *p, size_t first, size_t n)
{
    return (struct span){shape_at(s, p, first), n, s->type, s->mpi};
}

#endif
