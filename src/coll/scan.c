/* SPDX-License-Identifier: BSD-3-Clause */
#include "coll/scan.h"

/* The output just written is the fold so far: it is the left operand of the next. */
static int inclusive(const struct fold *f, struct part *const *part, int parts, const char *before,
                     size_t first, size_t n)
{
    int rc = MPI_SUCCESS;
    for (int i = 0; i < parts && rc == MPI_SUCCESS; i++) {
        const struct call *c = &part[i]->call;
        char *to = shape_at(&f->shape, c->recv.buf, first);
        rc = shape_copy(&f->shape, shape_at(&f->shape, c->send.buf, first), to, n);
        if (before && rc == MPI_SUCCESS)
            rc = fold_pair(f, before, to, n);
        before = to;
    }
    return rc;
}

/* The fold so far alternates between two temporaries: input i is in it before output i is written. */
static int exclusive(const struct fold *f, struct part *const *part, int parts, const char *before,
                     size_t first, size_t n)
{
    int rc = MPI_SUCCESS;
    for (int i = 0; i < parts && rc == MPI_SUCCESS; i++) {
        const struct call *c = &part[i]->call;
        char *next = fold_temp(f, i % SCAN_TEMPS);
        if (i + 1 < parts) {
            rc = shape_copy(&f->shape, shape_at(&f->shape, c->send.buf, first), next, n);
            if (before && rc == MPI_SUCCESS)
                rc = fold_pair(f, before, next, n);
        }
        if (before && rc == MPI_SUCCESS)
            rc = shape_copy(&f->shape, before, shape_at(&f->shape, c->recv.buf, first), n);
        before = next;
    }
    return rc;
}

int scan_chunk(const struct fold *f, struct part *const *part, int parts, const char *before, size_t first,
               size_t n)
{
    if (part[0]->call.kind == COLL_SCAN)
        return inclusive(f, part, parts, before, first, n);
    return exclusive(f, part, parts, before, first, n);
}
