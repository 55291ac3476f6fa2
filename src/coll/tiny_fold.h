/* SPDX-License-Identifier: BSD-3-Clause */
/* Tiny reductions, and the tree that they and the barrier go up where many endpoints take part. */
#ifndef EP_COLL_TINY_FOLD_H
#define EP_COLL_TINY_FOLD_H

#include "coll/call.h"
#include "coll/tiny_cells.h"

enum { FLAT = 8, RADIX = 8 };

bool fold_fits(ep_comm view, const struct call *call);
void fold_reduce(struct tiny *t, const struct call *call);
void fold_allreduce(struct tiny *t, const struct call *call);

/* Wait until all have come. */
void tree_arrive(struct tiny *t);
/* Wait until all under the endpoint have. */
void tree_under(struct tiny *t);

/* A value under way: packed, as it is in cells and messages. */
struct value {
    _Alignas(16) char data[CELL_BYTES];
    const struct call *call;
    size_t bytes;
};

struct value value_begin(const struct call *call);
/* v = data op v */
void value_apply(struct tiny *t, struct value *v, const char *data);
/* v = what all under the endpoint have brought, itself included. */
void fold_under(struct tiny *t, struct value *v);
/* Into the own cell. */
void value_post(struct tiny *t, const void *data, size_t bytes);

#endif
