/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Contiguous data are copied; otherwise MPI packs and unpacks, directly into or out of the other buffer if
 * that is contiguous. MPI_Pack counts bytes in an int, so large data go in pieces of whole elements. What
 * does not divide into whole elements (a message that ends inside an element, elements over 1 GiB) goes
 * through MPI as a message of the process to itself, which knows how.
 */
#include "p2p/copy.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { PIECE = 1 << 30 };

static size_t piece_elements(const struct type *t)
{
    size_t n = PIECE / t->size;
    return n > INT_MAX ? INT_MAX : n;
}

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

/* A message to ourselves; its tag is ours alone while it is under way. */
static int copy_by_message(const void *from, int from_count, MPI_Datatype from_type, const struct span *to)
{
    static _Atomic unsigned next_tag;
    int tag = (int)(add_relaxed(&next_tag, 1) % (unsigned)process.mpi_tag_ub);
    return error_class_of_mpi(MPI_Sendrecv(from, from_count, from_type, 0, tag, to->buf, (int)to->count,
                                           to->mpi, 0, tag, process.self, MPI_STATUS_IGNORE));
}

static int bytes_by_message(const void *from, size_t bytes, const struct span *to)
{
    int count;
    MPI_Datatype type, made;
    int rc = error_class_of_mpi(bytes_as_type(bytes, &count, &type, &made));
    if (rc == MPI_SUCCESS)
        rc = copy_by_message(from, count, type, to);
    if (made != MPI_DATATYPE_NULL)
        MPI_Type_free(&made);
    return rc;
}

static int pack_by_message(const struct span *from, void *to)
{
    struct span bytes = span_packed(to, span_bytes(from));
    MPI_Datatype made;
    int count;
    mpi_enter();
    int rc = error_class_of_mpi(bytes_as_type(span_bytes(from), &count, &bytes.mpi, &made));
    bytes.count = (size_t)count;
    if (rc == MPI_SUCCESS)
        rc = copy_by_message(from->buf, (int)from->count, from->mpi, &bytes);
    if (made != MPI_DATATYPE_NULL)
        MPI_Type_free(&made);
    mpi_leave();
    return rc;
}

int copy_pack(const struct span *from, void *to)
{
    const struct type *t = from->type;
    if (span_bytes(from) == 0)
        return MPI_SUCCESS;
    if (t->contiguous) {
        memcpy(to, span_start(from), span_bytes(from));
        return MPI_SUCCESS;
    }
    if (t->size > PIECE || from->buf == MPI_BOTTOM) /* MPICH packs nothing from MPI_BOTTOM */
        return pack_by_message(from, to);
    char *in = from->buf, *out = to;
    int rc = MPI_SUCCESS;
    mpi_enter();
    for (size_t left = from->count; left > 0 && rc == MPI_SUCCESS;) {
        size_t n = left < piece_elements(t) ? left : piece_elements(t);
        int position = 0;
        rc = MPI_Pack(in, (int)n, from->mpi, out, (int)(n * t->size), &position, process.self);
        in += (ptrdiff_t)n * t->extent;
        out += n * t->size;
        left -= n;
    }
    mpi_leave();
    return error_class_of_mpi(rc);
}

static int unpack(const void *from, const struct span *to, size_t bytes)
{
    const struct type *t = to->type;
    if (t->contiguous) {
        memcpy(span_start(to), from, bytes);
        return MPI_SUCCESS;
    }
    int rc = MPI_SUCCESS;
    mpi_enter();
    if (bytes % t->size != 0 || t->size > PIECE || to->buf == MPI_BOTTOM) {
        rc = bytes_by_message(from, bytes, to);
        mpi_leave();
        return rc;
    }
    const char *in = from;
    char *out = to->buf;
    for (size_t left = bytes / t->size; left > 0 && rc == MPI_SUCCESS;) {
        size_t n = left < piece_elements(t) ? left : piece_elements(t);
        int position = 0;
        rc = MPI_Unpack(in, (int)(n * t->size), &position, out, (int)n, to->mpi, process.self);
        in += n * t->size;
        out += (ptrdiff_t)n * t->extent;
        left -= n;
    }
    mpi_leave();
    return error_class_of_mpi(rc);
}

int copy_typed(const struct span *from, const struct span *to, size_t bytes)
{
    if (bytes == 0)
        return MPI_SUCCESS;
    if (from->type->contiguous)
        return unpack(span_start(from), to, bytes);
    if (to->type->contiguous && bytes == span_bytes(from))
        return copy_pack(from, span_start(to));
    char *packed = malloc(span_bytes(from));
    if (!packed)
        return MPI_ERR_NO_MEM;
    int rc = copy_pack(from, packed);
    if (rc == MPI_SUCCESS)
        rc = unpack(packed, to, bytes);
    free(packed);
    return rc;
}
