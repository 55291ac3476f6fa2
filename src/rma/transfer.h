/* SPDX-License-Identifier: BSD-3-Clause */
/* Operations under way at the endpoint that began them. */
#ifndef EP_RMA_TRANSFER_H
#define EP_RMA_TRANSFER_H

#include "rma/rma.h"

/* Data that come as answers. */

/* NULL without memory. The caller sets into and left. request: completed at the end, or NULL. type: held until then. */
struct pending_get *pending_get_new(ep_win win, struct channel *f, struct type *type, ep_request request);
/* All have come. (The channel still counts the last answer.) By the poll. */
void pending_get_over(struct pending_get *a);
/* It was for nothing. */
void pending_get_drop(ep_win win, struct pending_get *a);

/* Bulk data, in pieces. */
struct transfer {
    struct channel *channel;
    ep_request request;
    _Atomic int
        left; /* parts: the beginning, and for each piece the sending and the answer, or the receiving; acq_rel transfer_part_over */
    _Atomic int rc; /* relaxed: before the last count of left */
};

void transfer_part_over(struct transfer *t, int rc);

/* Contiguous data at `data` to or from offset in target's memory. MPI_SUCCESS, or MPI_ERR_NO_MEM. request as above. */
int transfer_bulk(ep_win win, int target, char *data, size_t bytes, ptrdiff_t offset, bool put,
                  ep_request request);

/* Does a transfer of contiguous data of that size go that way? */
static inline bool transfer_fits(const struct window *x, size_t bytes)
{
    return bytes >= (size_t)settings.rma_bulk && x->flavor != MPI_WIN_FLAVOR_DYNAMIC;
}

/* ---- what operations have in common (begin.c) ---- */

/* What a call is about, looked up. */
struct reach {
    const struct exposed *to;
    ptrdiff_t offset; /* of the target's displacement: bytes from its base, in a dynamic window the address */
    size_t bytes;     /* of data at the target */
};

/* Checks the epoch and that all of a->remote is in the target's memory; raises. Nothing is to be done if bytes is 0. */
int reach(const struct access_call *a, enum type_map_kind kind, struct reach *r);

/* A request for a call that gives one: complete on return of the call. */
int request_of_done(ep_win win, ep_request *request);
/* One that answers or MPI will complete; NULL without memory, and if the call gives none. */
ep_request request_under_way(const struct access_call *a, ep_request *request);

/* It came to nothing. */
void request_give_up(ep_request *request);

/* Where the answers to a call go, `bytes` of them, elements of type `items` if it is not NULL. NULL without memory. */
struct pending_get *pending_get_into(const struct access_call *a, const struct span *into,
                                     const struct arith_type *items, size_t bytes, ep_request *request);

/* The next message's worth of target memory, at most `left` bytes, described in p. Returns its bytes. */
size_t take_target(struct type_iter *to, bool contiguous, size_t unit, size_t left, struct net_packet *p);

/* Raise. */
int no_memory(const struct access_call *a);
/* The data of one pair of arguments ("origin", "target", "result") do not fit into another. */
int too_long(const struct access_call *a, const char *from, size_t sent, const char *to, size_t room);

/* ---- by MPI's own windows (far_native.c) ----
 *
 * One for each local index: window j exposes the memory of the endpoint with local index j in every process, in bytes. Each is in a
 * lock_all epoch from its creation to its end, so any thread may use it at any time; all synchronisation is ep's. Only with
 * MPI_THREAD_MULTIPLE. */

/* Room for n windows in x, if this process may have so many more. */
bool native_reserve(struct window *x, int n);
/* Make them. Collective over the processes of x; blocks in MPI. An error class; then native_free. */
int native_make(struct window *x);
/* Collective, if any were made. */
void native_free(struct window *x);

/* Does a transfer of that size to a target take this way? */
static inline bool native_fits(const struct window *x, size_t bytes)
{
    return x->nnative > 0 && bytes >= x->native_min;
}

/* offset: from the target's base, of its element 0. request: NULL, or one that is completed when MPI's is. */
int native_carry(const struct access_call *a, ptrdiff_t offset, bool put, ep_request request);

/* Complete what win's endpoint has put and got natively at target, or with -1 everywhere. An error class. */
int native_flush(ep_win win, int target);

#endif
