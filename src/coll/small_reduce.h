/* SPDX-License-Identifier: BSD-3-Clause */
/* Small reductions, and the tree that they and the barrier go up where many endpoints take part. */
#ifndef EP_COLL_SMALL_REDUCE_H
#define EP_COLL_SMALL_REDUCE_H

#include "coll/call.h"
#include "coll/flag_slots.h"

enum { FLAT = 8, RADIX = 8 };

bool reduction_fits(ep_comm view, const struct call *call);
void reduction_reduce(struct small_call *t, const struct call *call);
void reduction_allreduce(struct small_call *t, const struct call *call);

/* Wait until all have come. */
void tree_arrive(struct small_call *t);
/* Wait until all under the endpoint have. */
void tree_under(struct small_call *t);

/* A value under way: packed, as it is in slots and messages. */
struct value {
    _Alignas(16) char data[SLOT_BYTES];
    const struct call *call;
    size_t bytes;
};

struct value value_begin(const struct call *call);
/* v = data op v */
void value_apply(struct small_call *t, struct value *v, const char *data);
/* v = what all under the endpoint have brought, itself included. */
void reduction_under(struct small_call *t, struct value *v);
/* Into the own slot. */
void value_post(struct small_call *t, const void *data, size_t bytes);

#endif
