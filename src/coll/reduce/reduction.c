/* SPDX-License-Identifier: BSD-3-Clause */
#include "coll/reduce/reduction.h"

#include <stdlib.h>

#include "coll/operator.h"

enum { CHUNK = 16 * 1024 };

/* ---- temporaries ---- */

/* Levels of a tree on which a left branch may need memory. */
static int reduction_levels(int ranks)
{
    int n = 0;
    while (ranks > 2) {
        ranks = (ranks + 1) / 2;
        n++;
    }
    return n;
}

int reduction_begin(struct reduction *f, const struct shape *shape, MPI_Op op, size_t count, int temps,
                    int tree_ranks)
{
    size_t extent = (size_t)labs((long)shape->type->extent);
    f->shape = *shape;
    f->op = op;
    f->kernel = arith_find(shape->mpi, op);
    f->tree = tree_ranks > 0;
    f->chunk = extent < CHUNK ? CHUNK / (extent + !extent) : 1;
    f->chunk = count < f->chunk ? count : f->chunk;
    f->more = NULL;
    f->memory = f->small;
    f->temps = temps;
    temps += reduction_levels(tree_ranks);
    if (temps == 0)
        return MPI_SUCCESS;
    f->image = shape_bytes(shape, f->chunk);
    if (f->image * (size_t)temps > sizeof f->small) {
        f->memory = f->more = aligned_alloc(CACHE_LINE, f->image * (size_t)temps);
        if (!f->memory)
            return MPI_ERR_NO_MEM;
    }
    return MPI_SUCCESS;
}

void reduction_end(struct reduction *f)
{
    free(f->more);
}

/* ---- reducing ---- */

int reduction_pair(const struct reduction *f, const char *left, char *right, size_t n)
{
    return operator_apply(f->kernel, left, right, n, f->shape.mpi, f->op);
}

static inline char *operand_at(const struct reduction *f, const struct operands *x, int i, size_t first)
{
    ptrdiff_t extent = f->shape.type->extent;
    if (x->args)
        return x->args[i]->call.send.buf + (ptrdiff_t)first * extent;
    ptrdiff_t e = (ptrdiff_t)first + (x->item[i].packed ? x->shift : 0);
    return x->item[i].buf + e * extent;
}

static int reduction_line(const struct reduction *f, const struct operands *x, size_t first, char *to,
                          size_t n)
{
    int rc = shape_copy(&f->shape, operand_at(f, x, x->n - 1, first), to, n);
    for (int i = x->n - 2; i >= 0 && rc == MPI_SUCCESS; i--)
        rc = reduction_pair(f, operand_at(f, x, i, first), to, n);
    return rc;
}

static inline int start_of(const struct operands *x, int i)
{
    return x->at ? x->at[i] : i;
}

/* The operand where the right branch of the node over operands [i, j) begins. */
static int reduction_split(const struct operands *x, int i, int j)
{
    int low = start_of(x, i), size = start_of(x, j) - low, half = 1;
    while (half * 2 < size)
        half *= 2;
    int a = i + 1, b = j - 1; /* the first that is not before low + half */
    while (a < b) {
        int middle = a + (b - a) / 2;
        if (start_of(x, middle) < low + half)
            a = middle + 1;
        else
            b = middle;
    }
    return a;
}

struct chunk {
    const struct reduction *f;
    const struct operands *x;
    size_t first, n;
};

static int reduction_node(const struct chunk *c, int i, int j, char *to, int temp)
{
    const struct reduction *f = c->f;
    if (j - i == 1)
        return shape_copy(&f->shape, operand_at(f, c->x, i, c->first), to, c->n);
    int k = reduction_split(c->x, i, j), rc = reduction_node(c, k, j, to, temp);
    char *left = k - i == 1 ? operand_at(f, c->x, i, c->first) : reduction_temp(f, temp);
    if (rc == MPI_SUCCESS && k - i > 1)
        rc = reduction_node(c, i, k, left, temp + 1);
    return rc ? rc : reduction_pair(f, left, to, c->n);
}

int reduction_chunk(const struct reduction *f, const struct operands *x, size_t first, char *to, size_t n)
{
    if (!f->tree || x->n <= 2)
        return reduction_line(f, x, first, to, n);
    struct chunk c = {f, x, first, n};
    return reduction_node(&c, 0, x->n, to, f->temps);
}

/* ---- scans ---- */

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
