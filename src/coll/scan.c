/* SPDX-License-Identifier: BSD-3-Clause */
#include "coll/scan.h"

/* The output just written is the result so far: it is the left operand of the next. */
static int scan_inclusive(const struct reduction *f, struct coll_args *const *args, int n_args,
                          const char *before, size_t first, size_t n)
{
    int rc = MPI_SUCCESS;
    for (int i = 0; i < n_args && rc == MPI_SUCCESS; i++) {
        const struct call *c = &args[i]->call;
        char *to = shape_at(&f->shape, c->recv.buf, first);
        rc = shape_copy(&f->shape, shape_at(&f->shape, c->send.buf, first), to, n);
        if (before && rc == MPI_SUCCESS)
            rc = reduction_pair(f, before, to, n);
        before = to;
    }
    return rc;
}

/* The result so far alternates between two temporaries: input i is in it before output i is written. */
static int scan_exclusive(const struct reduction *f, struct coll_args *const *args, int n_args,
                          const char *before, size_t first, size_t n)
{
    int rc = MPI_SUCCESS;
    for (int i = 0; i < n_args && rc == MPI_SUCCESS; i++) {
        const struct call *c = &args[i]->call;
        char *next = reduction_temp(f, i % SCAN_TEMPS);
        if (i + 1 < n_args) {
            rc = shape_copy(&f->shape, shape_at(&f->shape, c->send.buf, first), next, n);
            if (before && rc == MPI_SUCCESS)
                rc = reduction_pair(f, before, next, n);
        }
        if (before && rc == MPI_SUCCESS)
            rc = shape_copy(&f->shape, before, shape_at(&f->shape, c->recv.buf, first), n);
        before = next;
    }
    return rc;
}

int scan_chunk(const struct reduction *f, struct coll_args *const *args, int n_args, const char *before,
               size_t first, size_t n)
{
    if (args[0]->call.kind == COLL_SCAN)
        return scan_inclusive(f, args, n_args, before, first, n);
    return scan_exclusive(f, args, n_args, before, first, n);
}
