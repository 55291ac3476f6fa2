/* SPDX-License-Identifier: BSD-3-Clause */
/* Making the part of a window that a process has once. */
#ifndef EP_RMA_BUILD_H
#define EP_RMA_BUILD_H

#include "coll/coll.h"
#include "derive/derive.h"
#include "rma/rma.h"

/* What every endpoint tells all processes. */
struct offer {
    int64_t size;
    int32_t disp_unit, flavor;
    int32_t width;  /* of the alignment between slices of allocated memory; 1: none */
    int32_t native; /* this process can have native windows */
    int32_t share;  /* allocated memory with the other processes of its machine */
    int32_t c11;    /* accumulates of any length are to be atomic with C11 atomics */
    uint64_t machine;
    uint64_t base; /* create: in its own process */
    uint64_t
        lock; /* where the word of the endpoint's target lock is in its process's segment; 0: not there */
    ep_win *local;          /* of the window in its process: set by the leader */
    struct segment_key key; /* in the second exchange */
};

/* What an endpoint brings to the local gather. */
struct joiner {
    const struct win_ask *ask;
    ep_win win;
    struct offer offer;
};

struct offer offer_of(ep_comm comm, const struct win_ask *ask);

/* In the leader: for all endpoints that came (slot->extra is a joiner). */
void window_build(struct leaders *p, void *unused);

/* All local endpoints are through with it. */
void window_delete(struct window *x);

/* Memory of an allocated window (slices.c): divide it, get it, tell the local endpoints and x->exposed. All offers are known
 * (by rank). Uses further exchanges of p. An error class, the same in all processes. */
int slices_make(struct leaders *p, struct window *x, struct offer offers[], const char **why);

/* Exchange the local offers once more; `offers`, by rank, is written anew. */
int offers_exchange(struct leaders *p, struct offer offers[]);

static inline struct joiner *joiner_at(const struct leaders *p, int i)
{
    return (struct joiner *)(uintptr_t)p->gather->slot[i]->extra;
}

#endif
