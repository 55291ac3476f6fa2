/* SPDX-License-Identifier: BSD-3-Clause */
/* Copying typed data within the process. No function of MPI is called, unless there was no memory for a map when the type was
 * seen first. */
#ifndef EP_DATATYPE_COPY_H
#define EP_DATATYPE_COPY_H

#include "datatype/iter.h"

/* Data in a user's buffer, or packed bytes. */
struct span {
    char *buf;
    size_t count;
    struct type *type;
    MPI_Datatype mpi; /* the type's handle: the user's, or the one that the request holds, if it does */
};

static inline struct span span_packed(const void *bytes, size_t n)
{
    return (struct span){(char *)(uintptr_t)bytes, n, type_packed, MPI_PACKED};
}

static inline size_t span_bytes(const struct span *s)
{
    return s->count * s->type->size;
}

/* First byte of contiguous data. */
static inline char *span_start(const struct span *s)
{
    return s->buf + s->type->lb;
}

/* A walk over s. MPI_ERR_NO_MEM if there is none for its map. */
int type_iter_span(struct type_iter *i, const struct span *s, enum type_map_kind kind);

/* Copy the first `bytes` of from's data into to's first `bytes`: both have at least so many, and so
 * the same type signature up to there. An MPI error class. */
int copy_typed(const struct span *from, const struct span *to, size_t bytes);

/* Pack all of from into to (span_bytes(from) bytes). */
int copy_pack(const struct span *from, void *to);

/* bytes as a count of some MPI datatype; *made is to be freed if it is not MPI_DATATYPE_NULL. An MPI error code. The caller is
 * between mpi_enter and mpi_leave. */
int bytes_as_type(size_t bytes, int *count, MPI_Datatype *type, MPI_Datatype *made);

#endif
