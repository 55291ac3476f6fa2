/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What is open, and which calls it allows (MPI 11.5).
 *
 * An endpoint is in one kind of access epoch at a time:
 *
 *   NONE         start, lock, lock_all -> that epoch, which ends with NONE; fence -> FENCE
 *   FENCE        as NONE; the first operation -> FENCE_USED
 *   FENCE_USED   fence only (with MPI_MODE_NOSUCCEED -> NONE)
 *
 * Exposure by post is independent of that; only a fence, which exposes, too, is refused meanwhile.
 *
 * lock_all takes locks of far targets at their first access. Two threads of the endpoint may come at once with that,
 * and the lock must be taken once (a second claim could have to wait behind somebody who waits for the first to
 * be given back): the one that sets OPEN_ASKED takes it, the other waits for it.
 */
#include "rma/epoch.h"

/* Of epochs that do not end by themselves. */
static const struct {
    const char *what, *end;
} kinds[] = {[ACCESS_FENCE_USED] = {"an epoch of ep_win_fence", "ep_win_fence"},
             [ACCESS_START] = {"an epoch of ep_win_start", "ep_win_complete"},
             [ACCESS_LOCK] = {"an epoch of ep_win_lock", "ep_win_unlock"},
             [ACCESS_LOCK_ALL] = {"an epoch of ep_win_lock_all", "ep_win_unlock_all"}};

const char *epoch_open(ep_win win)
{
    uint8_t access = load_relaxed(&win->access);
    if (access == ACCESS_START || access == ACCESS_LOCK || access == ACCESS_LOCK_ALL)
        return kinds[access].what;
    return win->exposing ? "an epoch of ep_win_post" : NULL;
}

int epoch_may_begin(struct where w, ep_win win)
{
    uint8_t access = load_relaxed(&win->access);
    if (likely(epoch_free_to_begin(win)))
        return MPI_SUCCESS;
    return raise_error(w, MPI_ERR_RMA_SYNC, "%s is open, which %s must end first", kinds[access].what,
                       kinds[access].end);
}

/* What the endpoint is in, as the rest of a sentence about what it is not in. */
static const char *but_open(uint8_t access)
{
    static const char *const but[] = {[ACCESS_NONE] = "",
                                      [ACCESS_FENCE] = ", but one of ep_win_fence",
                                      [ACCESS_FENCE_USED] = ", but one of ep_win_fence",
                                      [ACCESS_START] = ", but one of ep_win_start",
                                      [ACCESS_LOCK] = ", but one of ep_win_lock",
                                      [ACCESS_LOCK_ALL] = ", but one of ep_win_lock_all"};
    return but[access];
}

int epoch_must_be(struct where w, ep_win win, enum access access, const char *kind)
{
    uint8_t is = load_relaxed(&win->access);
    if (likely(is == access))
        return MPI_SUCCESS;
    return raise_error(w, MPI_ERR_RMA_SYNC, "no epoch of %s is open%s", kind, but_open(is));
}

int epoch_check_assert(struct where w, int assert, int allowed, const char *names)
{
    if (likely(!(assert & ~allowed)))
        return MPI_SUCCESS;
    return raise_error(w, MPI_ERR_ASSERT, "argument assert is %d: it must be 0 or made of %s", assert, names);
}

void epoch_wait(ep_win win, bool (*done)(struct wait *w), void *arg, enum wait_policy policy)
{
    struct wait w = {.done = done, .arg = arg, .policy = policy};
    struct endpoint *endpoint = win->view->endpoint;
    endpoint_lock(endpoint);
    wait_until(endpoint, &w);
    endpoint_unlock(endpoint);
}

void progress_for(ep_win win)
{
    struct endpoint *endpoint = win->view->endpoint;
    endpoint_lock(endpoint);
    progress_once(endpoint);
    endpoint_unlock(endpoint);
    later_run();
}

_Thread_local unsigned epoch_turn __attribute__((tls_model("initial-exec")));

void epoch_look_now(ep_win win)
{
    if (far_active())
        progress_for(win);
    progress_missed();
}

/* ---- accesses ---- */

static int refuse_active(struct where w, uint8_t access)
{
    return raise_error(w, MPI_ERR_RMA_SYNC,
                       "the call needs an epoch of ep_win_lock or ep_win_lock_all: none is open%s",
                       but_open(access));
}

/* As far as the target does not matter. */
static int epoch_enter_one(struct where w, ep_win win, uint8_t access, bool passive)
{
    if (passive && access != ACCESS_LOCK && access != ACCESS_LOCK_ALL)
        return refuse_active(w, access);
    if (access == ACCESS_NONE)
        return raise_error(w, MPI_ERR_RMA_SYNC,
                           "no access epoch is open (ep_win_fence, ep_win_start, ep_win_lock or "
                           "ep_win_lock_all must come first)");
    if (access == ACCESS_FENCE)
        store_relaxed(&win->access, ACCESS_FENCE_USED);
    return MPI_SUCCESS;
}

int epoch_enter_nobody(struct where w, ep_win win, bool passive)
{
    return epoch_enter_one(w, win, load_relaxed(&win->access), passive);
}

struct asked {
    ep_win win;
    int target;
};

static bool is_answered(struct wait *w)
{
    const struct asked *a = w->arg;
    return load_acquire(&a->win->open[a->target]) != OPEN_ASKED;
}

/* A lock of lock_all is needed at target, now. */
static int take_of_all(struct where w, ep_win win, int target)
{
    _Atomic uint8_t *open = &win->open[target];
    uint8_t before = 0;
    if (win->lock_all_nocheck) {
        store_relaxed(open, OPEN_NOCHECK);
        return MPI_SUCCESS;
    }
    while (!cas_acq_rel(open, &before, OPEN_ASKED)) {
        if (before & OPEN_ANY)
            return MPI_SUCCESS;
        epoch_wait(win, is_answered, &(struct asked){win, target}, POLICY_MESSAGE);
        before = 0;
    }
    int rc = lock_request_wait(win, target, LOCK_SHARED, load_relaxed(&win->held) == 0);
    if (rc == MPI_SUCCESS)
        add_relaxed(&win->held, 1);
    store_release(open, rc ? 0 : OPEN_SHARED); /* is_answered */
    evcount_notify(&win->view->endpoint->evcount);
    return rc ? raise_error(w, rc, "no memory for locking rank %d", target) : MPI_SUCCESS;
}

int epoch_enter_slow(struct where w, ep_win win, int target, bool passive)
{
    uint8_t access = load_relaxed(&win->access);
    int rc = epoch_enter_one(w, win, access, passive);
    if (rc)
        return rc;
    if (access == ACCESS_LOCK_ALL)
        return take_of_all(w, win, target);
    if (access == ACCESS_START)
        return raise_error(w, MPI_ERR_RMA_SYNC,
                           "rank %d is not in the group of the open epoch of ep_win_start", target);
    if (access == ACCESS_LOCK)
        return raise_error(w, MPI_ERR_RMA_SYNC, "rank %d is not locked, but others are, by ep_win_lock",
                           target);
    return MPI_SUCCESS;
}
