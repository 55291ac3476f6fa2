/* SPDX-License-Identifier: BSD-3-Clause */
/* Active target epochs: fence (MPI 11.5.1); post, start, complete, wait (11.5.2). */
#include <stdlib.h>
#include <string.h>

#include "coll/coll.h"
#include "rma/rma.h"

/* ---- fence ----
 *
 * Complete one's own operations at their targets, then a barrier of all endpoints.
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

/* ---- post, start, complete, wait ----
 *
 * By counting.
 *
 *   posted[t]    at the origin: posts of target t that have come here. start waits for one more than the starts before
 *                have used up, complete says so to the targets
 *   completed    at the target: completes that have come. wait waits for as many as its group has members
 *
 * Counters, not flags, so that a post may come before the start that is meant has been called, or while an epoch
 * before is open. One count of completes is enough: an origin's next complete follows its next start, which follows
 * the target's next post, which follows the wait for this one. They wrap around.
 *
 * MPI_MODE_NOCHECK lets start not wait. The post counts all the same and start uses it up all the same, before it may
 * have come; so what was asserted, rightly or not, does not shift later epochs.
 *
 * No wake-up is lost: counters are changed (release) by a near endpoint or the poll, which then notifies the
 * endpoint that waits (crt/evcount.h). With what the poll has counted the endpoint may go on and free the
 * window, so the event count is looked up before. Completes to far targets follow the endpoint's operations
 * there in the stream, so those are carried out when they come; what does not go by the stream is awaited
 * before.
 */

/* ---- exposure ---- */

void epoch_serve_post(ep_win win, int from)
{
    struct endpoint *endpoint = win->view->endpoint;
    add_acq_rel(&win->posted[from], 1); /* all_posted */
    evcount_notify(&endpoint->evcount);
}

/* Tell rank: AM_POST or AM_COMPLETE. */
static int pscw_tell(ep_win win, int rank, enum am_kind kind)
{
    int index;
    if (!win_is_near(win->window, rank, &index))
        return channel_note(win, rank, kind, 0, NULL);
    ep_win it = win->window->local[index];
    if (kind == AM_POST)
        epoch_serve_post(it, win->view->rank);
    else
        epoch_serve_complete(it);
    return MPI_SUCCESS;
}

int rma_post(struct where w, ep_win win, const int ranks[], int n, int assert)
{
    int rc = epoch_check_assert(w, assert, MPI_MODE_NOCHECK | MPI_MODE_NOSTORE | MPI_MODE_NOPUT,
                                "MPI_MODE_NOCHECK, MPI_MODE_NOSTORE and MPI_MODE_NOPUT");
    if (unlikely(rc))
        return rc;
    if (unlikely(win->exposing))
        return raise_error(w, MPI_ERR_RMA_SYNC,
                           "an epoch of ep_win_post is open, which ep_win_wait must end first");
    win->exposing = true;
    win->expected = 0;
    atomic_thread_fence(memory_order_seq_cst); /* stores to memory that processes share */
    for (int i = 0; i < n; i++) {
        rc = pscw_tell(win, ranks[i], AM_POST);
        if (unlikely(rc))
            return raise_error(w, rc,
                               "no memory for telling rank %d and the %d ranks of the group behind it; the "
                               "epoch is open for the others",
                               ranks[i], n - i - 1);
        win->expected++;
    }
    return MPI_SUCCESS;
}

static bool pscw_is_over(ep_win win)
{
    return (int32_t)(load_acquire(&win->completed) - win->waited) >= win->expected;
}

static void end_exposure(ep_win win)
{
    win->waited += (uint32_t)win->expected;
    win->exposing = false;
    atomic_thread_fence(memory_order_seq_cst);
}

static bool all_completed(struct wait *w)
{
    return pscw_is_over(w->arg);
}

static int check_exposing(struct where w, ep_win win)
{
    if (likely(win->exposing))
        return MPI_SUCCESS;
    return raise_error(w, MPI_ERR_RMA_SYNC, "no epoch of ep_win_post is open");
}

int rma_wait(struct where w, ep_win win)
{
    int rc = check_exposing(w, win);
    if (unlikely(rc))
        return rc;
    if (!pscw_is_over(win))
        epoch_wait(win, all_completed, win, POLICY_MESSAGE);
    else
        epoch_look(win);
    end_exposure(win);
    return MPI_SUCCESS;
}

int rma_test(struct where w, ep_win win, int *flag)
{
    int rc = check_exposing(w, win);
    *flag = 0;
    if (unlikely(rc))
        return rc;
    if (!pscw_is_over(win))
        progress_for(win);
    *flag = pscw_is_over(win);
    if (*flag)
        end_exposure(win);
    else
        progress_missed();
    return MPI_SUCCESS;
}

/* ---- access ---- */

void epoch_serve_complete(ep_win win)
{
    struct endpoint *endpoint = win->view->endpoint;
    add_acq_rel(&win->completed, 1); /* pscw_is_over */
    evcount_notify(&endpoint->evcount);
}

struct posts {
    ep_win win;
    int next; /* of win->started: those before have posted */
};

static bool all_posted(struct wait *w)
{
    struct posts *p = w->arg;
    ep_win win = p->win;
    for (; p->next < win->nstarted; p->next++) {
        int rank = win->started[p->next];
        if ((int32_t)(load_acquire(&win->posted[rank]) - win->used[rank]) <= 0)
            return false;
    }
    return true;
}

int rma_start(struct where w, ep_win win, const int ranks[], int n, int assert)
{
    int rc = epoch_check_assert(w, assert, MPI_MODE_NOCHECK, "MPI_MODE_NOCHECK");
    if (unlikely(rc) || unlikely((rc = epoch_may_begin(w, win))))
        return rc;
    int *started = malloc((size_t)(n + 1) * sizeof *started);
    if (!started)
        return raise_error(w, MPI_ERR_NO_MEM, "no memory for a list of %d ranks", n);
    memcpy(started, ranks, (size_t)n * sizeof *started);
    win->started = started;
    win->nstarted = n;
    struct posts posts = {.win = win};
    struct wait now = {.arg = &posts};
    if (!(assert &MPI_MODE_NOCHECK) && !all_posted(&now))
        epoch_wait(win, all_posted, &posts, POLICY_MESSAGE);
    for (int i = 0; i < n; i++) {
        win->used[ranks[i]]++;
        store_relaxed(&win->open[ranks[i]], OPEN_STARTED);
    }
    store_relaxed(&win->access, ACCESS_START);
    atomic_thread_fence(memory_order_seq_cst);
    return MPI_SUCCESS;
}

/* Complete at all that are left. Those whom it could not be told stay. */
static int complete_all(ep_win win, int *fault)
{
    int left = 0, rc = MPI_SUCCESS;
    for (int i = 0; i < win->nstarted; i++) {
        int rank = win->started[i], wrong = channel_wait(win, rank, true);
        if (unlikely(wrong))
            *fault = wrong;
        if (unlikely(pscw_tell(win, rank, AM_COMPLETE))) {
            win->started[left++] = rank;
            rc = MPI_ERR_NO_MEM;
        } else {
            store_relaxed(&win->open[rank], 0);
        }
    }
    win->nstarted = left;
    return rc;
}

int rma_complete(struct where w, ep_win win)
{
    int rc = epoch_must_be(w, win, ACCESS_START, "ep_win_start"), fault = MPI_SUCCESS;
    if (unlikely(rc))
        return rc;
    atomic_thread_fence(memory_order_seq_cst);
    rc = complete_all(win, &fault);
    if (unlikely(rc))
        return raise_error(w, rc, "no memory for telling %d ranks; the epoch is still open for those",
                           win->nstarted);
    free(win->started);
    win->started = NULL;
    store_relaxed(&win->access, ACCESS_NONE);
    return channel_raise(w, win, fault);
}
