/* SPDX-License-Identifier: BSD-3-Clause */
/* Strided put and get (OpenSHMEM 1.5, 9.5.3, 9.5.6): to memory that is reached by load and store element by element; else one call of
 * the window with vectors as datatypes. */
#include <string.h>

#include "shmem/pe.h"

/* Elements of one side. */
struct row {
    ptrdiff_t stride; /* in elements */
    size_t nelems, width;
};

static size_t row_bytes(const struct row *r)
{
    return ((r->nelems - 1) * (size_t)r->stride + 1) * r->width;
}

static bool row_is_right(struct shmem_pe *pe, const struct row *r, const char *argument, const char *call)
{
    size_t most = (size_t)PTRDIFF_MAX / r->width;
    if (r->stride < 1) {
        pe_error(pe, call, MPI_ERR_ARG, "argument %s is %td: strides are 1 or more", argument, r->stride);
        return false;
    }
    if (r->nelems - 1 < most / (size_t)r->stride)
        return true;
    pe_error(pe, call, MPI_ERR_COUNT, "argument nelems is %zu: with %s %td that is more than there is memory", r->nelems, argument,
             r->stride);
    return false;
}

static void strided_copy(char *to, const struct row *t, const char *from, const struct row *f)
{
    size_t step = (size_t)t->stride * t->width, pace = (size_t)f->stride * f->width;
    for (size_t i = 0; i < t->nelems; i++)
        memcpy(to + i * step, from + i * pace, t->width);
}

/* ---- by windows ---- */

enum { STRIDED_PIECE = 1 << 20 /* elements of a call */ };

static int row_type(const struct row *r, size_t n, MPI_Datatype *type)
{
    int rc = MPI_Type_create_hvector((int)n, (int)r->width, (MPI_Aint)((size_t)r->stride * r->width), MPI_BYTE, type);
    return rc ? rc : MPI_Type_commit(type);
}

/* near: this PE's side. */
static int strided_piece(char *near, const struct row *n, const struct shmem_place *there, MPI_Aint at, const struct row *f, bool put)
{
    MPI_Datatype mine = MPI_DATATYPE_NULL, its = MPI_DATATYPE_NULL;
    int rc = row_type(n, n->nelems, &mine);
    if (rc == MPI_SUCCESS)
        rc = row_type(f, n->nelems, &its);
    if (rc == MPI_SUCCESS)
        rc = put ? ep_put(near, 1, mine, there->pe, there->offset + at, 1, its, there->window)
                 : ep_get(near, 1, mine, there->pe, there->offset + at, 1, its, there->window);
    if (mine != MPI_DATATYPE_NULL)
        MPI_Type_free(&mine);
    if (its != MPI_DATATYPE_NULL)
        MPI_Type_free(&its);
    return rc;
}

static void strided_far(struct shmem_pe *pe, char *near, const struct row *n, const struct shmem_place *there, const struct row *f,
                        bool put, const char *call)
{
    int rc = MPI_SUCCESS;
    for (size_t i = 0, k; i < n->nelems && rc == MPI_SUCCESS; i += k) {
        struct row piece = *n;
        k = piece.nelems = n->nelems - i < STRIDED_PIECE ? n->nelems - i : STRIDED_PIECE;
        rc = strided_piece(near + i * (size_t)n->stride * n->width, &piece, there,
                           (MPI_Aint)(i * (size_t)f->stride * f->width), f, put);
    }
    if (rc)
        pe_error(pe, call, MPI_ERR_NO_MEM, "no memory for strided data");
    add_relaxed(&pe->begun, 1);
    ep_win_flush_local(there->pe, there->window);
}

/* ---- the calls ---- */

void ep_shmem_iput(shmem_ctx_t ctx, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, size_t width,
                   int member, const char *call)
{
    struct shmem_pe *pe = pe_here(call);
    struct row to = {dst, nelems, width}, from = {sst, nelems, width};
    struct shmem_place place;
    if (!pe || nelems == 0 || !row_is_right(pe, &to, "dst", call) || !row_is_right(pe, &from, "sst", call) ||
        !place_find(pe, ctx, dest, row_bytes(&to), member, "dest", call, &place))
        return;
    if (likely(place.direct))
        strided_copy(place.direct, &to, source, &from);
    else
        strided_far(pe, (char *)(uintptr_t)source, &from, &place, &to, true, call);
}

void ep_shmem_iget(shmem_ctx_t ctx, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, size_t width,
                   int member, const char *call)
{
    struct shmem_pe *pe = pe_here(call);
    struct row to = {dst, nelems, width}, from = {sst, nelems, width};
    struct shmem_place place;
    if (!pe || nelems == 0 || !row_is_right(pe, &to, "dst", call) || !row_is_right(pe, &from, "sst", call) ||
        !place_find(pe, ctx, source, row_bytes(&from), member, "source", call, &place))
        return;
    if (likely(place.direct))
        strided_copy(dest, &to, place.direct, &from);
    else
        strided_far(pe, dest, &to, &place, &from, false, call);
}
