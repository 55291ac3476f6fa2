/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The native path (far_native.c): put and get between processes by MPI's own windows. One for each local index: window j
 * exposes the memory of the endpoint with local index j in every process, in bytes. Each is in a lock_all epoch from its
 * creation to its end, so any thread may use it at any time; all synchronisation is ep's. Only with MPI_THREAD_MULTIPLE.
 */
#ifndef EP_RMA_NATIVE_H
#define EP_RMA_NATIVE_H

#include "rma/rma.h"

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
int native_put(const struct access_call *a, ptrdiff_t offset, ep_request request);
int native_get(const struct access_call *a, ptrdiff_t offset, ep_request request);

/* Complete what win's endpoint has put and got natively at target, or with -1 everywhere. An error class. */
int native_flush(ep_win win, int target);

#endif
