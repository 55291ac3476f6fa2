/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Fence (MPI 11.5.1): complete one's own operations at their targets, then a barrier of all endpoints.
 *
 * Behind the barrier all operations of all are complete everywhere, since each came to it after its own were, and
 * nobody has begun new ones before all were ready to be accessed. The barrier makes what was loaded and stored before it
 * happen before what follows it, in threads; the fences make the same of memory that processes share.
 *
 * MPI_MODE_NOPRECEDE and MPI_MODE_NOSUCCEED are given by all or by none. Only both together save the barrier: there
 * is nothing to complete and nothing will begin. With NOPRECEDE alone accesses begin, which must not hit a target that
 * still stores to its window. NOSTORE and NOPUT have nothing to save here. Operations that are under way are known, so
 * NOPRECEDE is not needed to leave out waiting for them.
 */
#include "coll/coll.h"
#include "rma/rma.h"

static int fence_barrier(struct where w)
{
    struct call call = {.name = w.call, .kind = COLL_BARRIER};
    return coll_run(w, &call, NULL);
}

int rma_fence(struct where w, ep_win win, int assert)
{
    const int neither = MPI_MODE_NOPRECEDE | MPI_MODE_NOSUCCEED;
    int rc =
        epoch_check_assert(w, assert, MPI_MODE_NOSTORE | MPI_MODE_NOPUT | neither,
                           "MPI_MODE_NOSTORE, MPI_MODE_NOPUT, MPI_MODE_NOPRECEDE and MPI_MODE_NOSUCCEED");
    bool used = load_relaxed(&win->access) == ACCESS_FENCE_USED;
    if (unlikely(rc) || (!used && unlikely((rc = epoch_may_begin(w, win)))))
        return rc;
    if (win->exposing)
        return raise_error(w, MPI_ERR_RMA_SYNC,
                           "an epoch of ep_win_post is open, which ep_win_wait must end first");
    if (used)
        rc = channel_wait_all(win, false);
    epoch_look(win);
    atomic_thread_fence(memory_order_seq_cst);
    int rc_barrier = (assert &neither) == neither ? MPI_SUCCESS : fence_barrier(w);
    atomic_thread_fence(memory_order_seq_cst);
    store_relaxed(&win->access, assert &MPI_MODE_NOSUCCEED ? ACCESS_NONE : ACCESS_FENCE);
    return unlikely(rc) ? channel_raise(w, win, rc) : rc_barrier;
}
