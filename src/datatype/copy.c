/* SPDX-License-Identifier: BSD-3-Clause */
#include "datatype/copy.h"

#include <limits.h>
#include <string.h>

/* Whole megabytes and what is left. An MPI error code. */
static int large_type(size_t bytes, MPI_Datatype *made)
{
    MPI_Datatype mega, types[2];
    int n = 1 << 20, blocks[2] = {(int)(bytes >> 20), (int)(bytes & ((1 << 20) - 1))};
    MPI_Aint at[2] = {0, (MPI_Aint)(bytes >> 20 << 20)};
    int rc = MPI_Type_contiguous(n, MPI_BYTE, &mega);
    if (rc != MPI_SUCCESS)
        return rc;
    types[0] = mega;
    types[1] = MPI_BYTE;
    rc = MPI_Type_create_struct(2, blocks, at, types, made);
    MPI_Type_free(&mega);
    if (rc != MPI_SUCCESS)
        *made = MPI_DATATYPE_NULL;
    else if ((rc = MPI_Type_commit(made)) != MPI_SUCCESS)
        MPI_Type_free(made);
    return rc;
}

int bytes_as_type(size_t bytes, int *count, MPI_Datatype *type, MPI_Datatype *made)
{
    *made = MPI_DATATYPE_NULL;
    *type = MPI_BYTE;
    *count = (int)bytes;
    if (bytes <= INT_MAX)
        return MPI_SUCCESS;
    int rc = large_type(bytes, made);
    *type = *made;
    *count = 1;
    return rc;
}

int type_iter_span(struct type_iter *i, const struct span *s, enum type_map_kind kind)
{
    if (s->type->contiguous) {
        type_iter_bytes(i, span_start(s), span_bytes(s));
        return MPI_SUCCESS;
    }
    const struct type_map *m = type_map_of(s->type, s->mpi, kind);
    if (!m)
        return MPI_ERR_NO_MEM;
    type_iter_init(i, s->buf, s->count, s->type, m);
    return MPI_SUCCESS;
}

int copy_typed(const struct span *from, const struct span *to, size_t bytes)
{
    struct type_iter source, sink;
    int rc = MPI_SUCCESS;
    if (bytes == 0)
        return rc;
    if (to->type->contiguous && from->type->contiguous) {
        memcpy(span_start(to), span_start(from), bytes);
    } else if (to->type->contiguous) {
        if ((rc = type_iter_span(&source, from, TYPE_DATA)) == MPI_SUCCESS)
            type_iter_read(&source, span_start(to), bytes);
    } else if (from->type->contiguous) {
        if ((rc = type_iter_span(&sink, to, TYPE_DATA)) == MPI_SUCCESS)
            type_iter_write(&sink, span_start(from), bytes);
    } else if (from->type == to->type) {
        if ((rc = type_iter_span(&source, from, TYPE_DATA)) == MPI_SUCCESS)
            type_iter_move(&source, (ptrdiff_t)((uintptr_t)to->buf - (uintptr_t)from->buf), bytes);
    } else if ((rc = type_iter_span(&source, from, TYPE_DATA)) == MPI_SUCCESS &&
               (rc = type_iter_span(&sink, to, TYPE_DATA)) == MPI_SUCCESS) {
        type_iter_copy(&sink, &source, bytes);
    }
    return rc;
}

int copy_pack(const struct span *from, void *to)
{
    struct span packed = span_packed(to, span_bytes(from));
    return copy_typed(from, &packed, packed.count);
}
