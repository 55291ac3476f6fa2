/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reduction: result = x[0] op x[1] op ... op x[n-1], element by element, with operator_apply. Its second
 * operand is the right one and gets the result, so everything grows from the last operand to the first, in
 * the result's own memory, which holds x[n-1] at first. Operands are never exchanged.
 *
 *   line  x[0] op (x[1] op (... op x[n-1]))
 *   tree  the canonical tree: a node over m > 1 ranks has on its left the largest power of two less than m.
 *         Its shape depends on the number of ranks alone, not on where they live: reproducible results
 *
 * The operands of a tree may themselves be results of some of its nodes: operand i stands for the ranks from
 * at[i] to at[i + 1] - 1. Since a node's shape depends on its size alone, the bits are the same.
 *
 * The work goes by chunks that stay in the cache: the caller's loop asks for a chunk of the result, and
 * copies it to all who want it while it is hot.
 */
#ifndef EP_COLL_REDUCTION_H
#define EP_COLL_REDUCTION_H

#include "coll/op.h"

struct operand {
    char *buf;
    bool packed; /* element e is at e + shift, not at e */
};

struct operands {
    int n;
    struct coll_args *const *args; /* what they bring; or NULL, then */
    const struct operand *item;    /* anything */
    ptrdiff_t shift;
    const int *at; /* [n + 1]; NULL: operand i is rank i */
};

enum { REDUCTION_SMALL = 1024 };

struct reduction {
    struct shape shape;
    MPI_Op op;
    arith_kernel *kernel; /* of both; NULL: MPI does it */
    bool tree;
    int temps;    /* the caller's; those of the tree follow */
    size_t chunk; /* elements */
    size_t image; /* bytes of a temporary: one chunk */
    char *memory, *more;
    _Alignas(CACHE_LINE) char small[REDUCTION_SMALL];
};

/*
 * Begin to work on up to count elements, with temporaries of the caller's own: reduction_temp 0 to temps - 1.
 * tree_ranks: of a tree; 0: line. An error class; then nothing is to be ended.
 */
int reduction_begin(struct reduction *f, const struct shape *shape, MPI_Op op, size_t count, int temps,
                    int tree_ranks);
void reduction_end(struct reduction *f);

/* Element 0 of a temporary. */
static inline char *reduction_temp(const struct reduction *f, int i)
{
    return shape_place(&f->shape, f->memory + (size_t)i * f->image, f->chunk);
}

/* The reduction of the elements [first, first + n), n <= f->chunk, to `to`. That is the last operand itself
 * or memory of no operand. An error class. */
int reduction_chunk(const struct reduction *f, const struct operands *x, size_t first, char *to, size_t n);

/* right = left op right, n <= f->chunk. */
int reduction_pair(const struct reduction *f, const char *left, char *right, size_t n);

enum { SCAN_TEMPS = 2 }; /* temporaries of the caller's that an exclusive scan uses */

/*
 * Scan a chunk: elements [first, first + n) of the inputs of n_args endpoints in rank order, to their
 * outputs. before: the reduction of all ranks before the first; NULL if there is none, and then an exclusive
 * scan leaves the first output alone. Always ((before op x0) op x1)... Output i may be input i.
 */
int scan_chunk(const struct reduction *f, struct coll_args *const *args, int n_args, const char *before,
               size_t first, size_t n);

/* ---- slices: how many tasks for so many bytes, and which elements each has ---- */

enum { SLICE_BYTES = 16 * 1024, SLICES_PER_ENDPOINT = 4, SLICES_MAX = 64 };

/* At least one. */
static inline int slice_number(size_t bytes, int endpoints)
{
    size_t n = bytes / SLICE_BYTES, most = (size_t)endpoints * SLICES_PER_ENDPOINT;
    most = most < SLICES_MAX ? most : SLICES_MAX;
    n = n < most ? n : most;
    return n > 0 ? (int)n : 1;
}

/* Slice i of n elements begins here; slice `slices` at n. */
static inline size_t slice_begin(size_t n, int i, int slices)
{
    return n / (size_t)slices * (size_t)i + n % (size_t)slices * (size_t)i / (size_t)slices;
}

#endif
