/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Passive target epochs (MPI 11.5.3, 11.5.4): lock, unlock, lock_all, unlock_all, flush, sync. How a lock is had: lock_request.c.
 *
 * Unlock: everything must be complete at the target before somebody else gets the lock. Where the origin gives it back itself it
 * waits for that first. Where the target's process does, by AM_UNLOCK, what goes by the stream is complete, as AM_UNLOCK
 * follows it there; the rest (native, bulk, answers) is awaited before. Then the acknowledgement of AM_UNLOCK says that all
 * of it is done, in one round trip; nothing has to be awaited if the target had nothing left to do already.
 *
 * lock_all takes shared locks: those of targets whose memory the endpoint can load and store without calls at once, the
 * others at their first access (epoch.c). lock.h says why nobody then waits in a cycle.
 */
#include "rma/rma.h"
#include "rma/epoch.h"

static int refuse_rank(struct where w, int rank, const char *what)
{
    return raise_error(w, MPI_ERR_RMA_SYNC, "rank %d %s", rank, what);
}

/* ---- one target ---- */

/* Also while another thread of the endpoint waits for the lock; or only when it is there. */
static bool is_taken(ep_win win, int rank)
{
    return rank == MPI_PROC_NULL ? win->locked_nobody : load_relaxed(&win->open[rank]) != 0;
}

static bool is_locked(ep_win win, int rank)
{
    return rank == MPI_PROC_NULL ? win->locked_nobody : load_relaxed(&win->open[rank]) & OPEN_ANY;
}

static void passive_mark(ep_win win, int rank, uint8_t how)
{
    if (rank == MPI_PROC_NULL)
        win->locked_nobody = how != 0;
    else
        store_relaxed(&win->open[rank], how);
}

/* Begin the epoch before its lock is there: a thread that ends another epoch of the endpoint meanwhile counts it. *first: there is
 * no other. */
static int open_epoch(struct where w, ep_win win, int rank, bool *first)
{
    bool twice = false;
    int rc = MPI_SUCCESS;
    lock_acquire(&win->epochs);
    if (load_relaxed(&win->access) == ACCESS_LOCK)
        twice = is_taken(win, rank);
    else if (!epoch_free_to_begin(win))
        rc = MPI_ERR_RMA_SYNC;
    if (rc == MPI_SUCCESS && !twice) {
        passive_mark(win, rank, OPEN_ASKED);
        *first = win->nlocked++ == 0;
        store_relaxed(&win->access, ACCESS_LOCK);
    }
    lock_release(&win->epochs);
    if (unlikely(twice))
        return refuse_rank(w, rank, "is locked already by ep_win_lock");
    if (likely(rc == MPI_SUCCESS))
        return rc;
    rc = epoch_may_begin(w, win);                     /* raises, with no lock held */
    return rc ? rc : open_epoch(w, win, rank, first); /* another thread has just ended what was open */
}

static void close_epoch(ep_win win, int rank)
{
    lock_acquire(&win->epochs);
    passive_mark(win, rank, 0);
    if (--win->nlocked == 0)
        store_relaxed(&win->access, ACCESS_NONE);
    lock_release(&win->epochs);
}

int rma_lock(struct where w, ep_win win, enum lock_kind kind, int rank, int assert)
{
    int rc = epoch_check_assert(w, assert, MPI_MODE_NOCHECK, "MPI_MODE_NOCHECK");
    bool takes = !(assert &MPI_MODE_NOCHECK) && rank != MPI_PROC_NULL, first = true;
    if (unlikely(rc) || unlikely((rc = open_epoch(w, win, rank, &first))))
        return rc;
    if (takes && unlikely((rc = lock_request_wait(win, rank, kind, first)))) {
        close_epoch(win, rank);
        return raise_error(w, rc, "no memory for locking rank %d", rank);
    }
    if (rank != MPI_PROC_NULL)
        store_relaxed(&win->open[rank], !takes                ? OPEN_NOCHECK
                                        : kind == LOCK_SHARED ? OPEN_SHARED
                                                              : OPEN_EXCLUSIVE);
    if (!takes)
        atomic_thread_fence(memory_order_seq_cst); /* with memory that processes share */
    return MPI_SUCCESS;
}

/* Has the target's process said that it has carried out all that was sent? */
static bool is_quiet(ep_win win, int rank)
{
    int index;
    return net_channel_is_quiet(&win->channel[win_process(win->window, rank, &index)].channel);
}

/* End the epoch at a target. *fault: what went wrong with operations. An error class: it is still locked. */
static int leave_one(ep_win win, int rank, uint8_t how, int *fault)
{
    const struct exposed *to = &win->window->exposed[rank];
    enum lock_kind kind = how == OPEN_SHARED ? LOCK_SHARED : LOCK_EXCLUSIVE;
    bool asks = !to->lock && how != OPEN_NOCHECK;
    *fault = to->direct ? MPI_SUCCESS : channel_wait(win, rank, asks);
    if (how == OPEN_NOCHECK)
        return MPI_SUCCESS;
    bool quiet = !asks || is_quiet(win, rank);
    int rc = lock_request_release(win, rank, kind, !quiet);
    if (quiet || unlikely(rc))
        return rc;
    int rest = channel_wait(win, rank, false);
    if (rest)
        *fault = rest;
    return MPI_SUCCESS;
}

int rma_unlock(struct where w, ep_win win, int rank)
{
    int rc = epoch_must_be(w, win, ACCESS_LOCK, "ep_win_lock"), fault = MPI_SUCCESS;
    if (unlikely(rc))
        return rc;
    if (unlikely(!is_locked(win, rank)))
        return refuse_rank(w, rank, "is not locked, but others are");
    epoch_look(win);
    if (rank == MPI_PROC_NULL) {
        close_epoch(win, rank);
        return MPI_SUCCESS;
    }
    uint8_t how = load_relaxed(&win->open[rank]);
    if (how == OPEN_NOCHECK)
        atomic_thread_fence(memory_order_seq_cst);
    if (unlikely((rc = leave_one(win, rank, how, &fault))))
        return raise_error(w, rc, "no memory for unlocking rank %d, which is still locked", rank);
    close_epoch(win, rank);
    return unlikely(fault) ? channel_raise(w, win, fault) : MPI_SUCCESS;
}

/* ---- all targets ---- */

/* Give back the locks that were taken. An error class: some are still held. */
static int passive_give_all(ep_win win)
{
    int rc = MPI_SUCCESS;
    for (int r = 0; r < win->view->size; r++) {
        uint8_t how = load_relaxed(&win->open[r]);
        if (how == OPEN_SHARED && unlikely(lock_request_release(win, r, LOCK_SHARED, false))) {
            rc = MPI_ERR_NO_MEM;
            continue;
        }
        add_relaxed(&win->held, how == OPEN_SHARED ? -1 : 0);
        if (how)
            store_relaxed(&win->open[r], 0);
    }
    return rc;
}

static int passive_take_shared(ep_win win, int rank)
{
    int rc = lock_request_wait(win, rank, LOCK_SHARED, load_relaxed(&win->held) == 0);
    if (rc == MPI_SUCCESS) {
        add_relaxed(&win->held, 1);
        store_relaxed(&win->open[rank], OPEN_SHARED);
    }
    return rc;
}

/* The locks that must be had before anything is accessed. */
static int take_direct(ep_win win)
{
    int rc = MPI_SUCCESS;
    for (int r = 0; r < win->view->size && rc == MPI_SUCCESS; r++)
        if (win->window->exposed[r].direct)
            rc = passive_take_shared(win, r);
    return rc;
}

int rma_lock_all(struct where w, ep_win win, int assert)
{
    int rc = epoch_check_assert(w, assert, MPI_MODE_NOCHECK, "MPI_MODE_NOCHECK");
    if (unlikely(rc) || unlikely((rc = epoch_may_begin(w, win))))
        return rc;
    win->lock_all_nocheck = assert &MPI_MODE_NOCHECK;
    if (!win->lock_all_nocheck)
        rc = take_direct(win);
    store_relaxed(&win->access, ACCESS_LOCK_ALL);
    atomic_thread_fence(memory_order_seq_cst);
    if (unlikely(rc))
        return raise_error(w, rc,
                           "no memory for locking the ranks of this machine; the epoch is open all the "
                           "same, and locks what is missing when it is accessed");
    return MPI_SUCCESS;
}

int rma_unlock_all(struct where w, ep_win win)
{
    int rc = epoch_must_be(w, win, ACCESS_LOCK_ALL, "ep_win_lock_all");
    if (unlikely(rc))
        return rc;
    int fault = channel_wait_all(win, false);
    atomic_thread_fence(memory_order_seq_cst);
    if (unlikely(passive_give_all(win)))
        return raise_error(w, MPI_ERR_NO_MEM, "no memory for unlocking all ranks; the epoch is still open");
    epoch_look(win);
    store_relaxed(&win->access, ACCESS_NONE);
    return channel_raise(w, win, fault);
}

/* ---- within an epoch ---- */

int rma_flush(struct where w, ep_win win, int rank, bool local)
{
    uint8_t access = load_relaxed(&win->access);
    if (unlikely(access != ACCESS_LOCK && access != ACCESS_LOCK_ALL))
        return epoch_enter_nobody(w, win, true);
    if (rank >= 0 && access == ACCESS_LOCK && unlikely(!is_locked(win, rank)))
        return refuse_rank(w, rank, "is not locked, but others are, by ep_win_lock");
    epoch_look(win);
    int rc = rank < 0 ? channel_wait_all(win, local) : channel_wait(win, rank, local);
    const struct exposed *to = rank < 0 ? NULL : &win->window->exposed[rank];
    if (!to || to->direct || to->copied) /* by messages all is ordered by the answer */
        atomic_thread_fence(memory_order_seq_cst);
    return channel_raise(w, win, rc);
}

int rma_sync(struct where w, ep_win win)
{
    (void)w;
    atomic_thread_fence(memory_order_seq_cst);
    progress_for(win);
    progress_missed();
    atomic_thread_fence(memory_order_seq_cst);
    return MPI_SUCCESS;
}
