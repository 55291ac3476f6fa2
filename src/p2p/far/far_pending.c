/* SPDX-License-Identifier: BSD-3-Clause */
#include "p2p/far/far_pending.h"

#include <assert.h>
#include <stdlib.h>

enum { WINDOW = 32 };

static struct {
    _Atomic(ep_request) pushed; /* newest first; any thread; release pending_push, acquire take_pushed */
    _Atomic int outstanding;    /* pushed and not yet finished; relaxed */
    _Atomic int to_start;       /* of them, waiting for the main thread; relaxed */
    /* under the poll lock */
    MPI_Request *mpi;
    ep_request *owner;
    int n, capacity, turn; /* turn: where the next window begins */
} pending;

/* Not started, as MPI has nothing in hand. */
static bool is_to_start(ep_request r)
{
    return request_native(r)->mpi == MPI_REQUEST_NULL;
}

void pending_push(ep_request r)
{
    struct request_native *n = request_native(r);
    add_relaxed(&pending.outstanding, 1);
    if (is_to_start(r))
        add_relaxed(&pending.to_start, 1);
    n->next = load_relaxed(&pending.pushed);
    while (!atomic_compare_exchange_weak_explicit(&pending.pushed, &n->next, r, memory_order_release,
                                                  memory_order_relaxed))
        continue;
}

bool pending_any(void)
{
    return load_relaxed(&pending.outstanding) > 0;
}

bool pending_waits_for_start(void)
{
    return load_relaxed(&pending.to_start) > 0;
}

static bool far_pending_reserve(void)
{
    lock_assert_held(&net_poll_lock);
    if (pending.n < pending.capacity)
        return true;
    int capacity = pending.capacity ? 2 * pending.capacity : 64;
    MPI_Request *mpi = realloc(pending.mpi, (size_t)capacity * sizeof(MPI_Request));
    if (mpi)
        pending.mpi = mpi;
    ep_request *owner = realloc(pending.owner, (size_t)capacity * sizeof(ep_request));
    if (owner)
        pending.owner = owner;
    if (!mpi || !owner)
        return false;
    pending.capacity = capacity;
    return true;
}

static ep_request pending_next(ep_request r)
{
    return request_native(r)->next;
}

/* Others only push in front of the newest, so who holds the poll lock may take any of them out: where that fails
 * for the newest, it no longer is it, and nobody else writes to those behind. */
static void far_pending_unpush(ep_request before, ep_request s)
{
    ep_request newest = s;
    if (!before) {
        if (atomic_compare_exchange_strong_explicit(&pending.pushed, &newest, pending_next(s),
                                                    memory_order_acq_rel, memory_order_acquire))
            return;
        for (before = newest; pending_next(before) != s; before = pending_next(before))
            continue;
    }
    request_native(before)->next = pending_next(s);
}

bool pending_withdraw(struct request_send *s)
{
    ep_request before = NULL, r = load_acquire(&pending.pushed);
    for (; r && r != &s->head; r = pending_next(r))
        before = r;
    if (!r || !is_to_start(r))
        return false;
    far_pending_unpush(before, r);
    add_relaxed(&pending.to_start, -1);
    add_relaxed(&pending.outstanding, -1);
    return true;
}

/* Oldest first. Started ones go into the table; without memory for it they are tested here, and go back. */
static void take_pushed(void)
{
    lock_assert_held(&net_poll_lock);
    ep_request r = swap_acquire(&pending.pushed, NULL), oldest = NULL;
    while (r) {
        ep_request next = pending_next(r);
        request_native(r)->next = oldest;
        oldest = r;
        r = next;
    }
    while ((r = oldest)) {
        oldest = pending_next(r);
        if (!is_to_start(r) && far_pending_reserve()) {
            pending.mpi[pending.n] = request_native(r)->mpi;
            pending.owner[pending.n++] = r;
            continue;
        }
        /* Counted again if it is pushed again, and only then no longer for this time: outstanding must not
         * be 0 between. */
        if (is_to_start(r)) {
            far_start(r);
            add_relaxed(&pending.to_start, -1);
        } else {
            far_settle(r, MPI_SUCCESS);
        }
        add_relaxed(&pending.outstanding, -1);
    }
}

/* Close the gaps that completed requests left in the window. */
static void far_pending_compact(int begin, int end)
{
    lock_assert_held(&net_poll_lock);
    for (int i = end - 1; i >= begin; i--) {
        if (pending.owner[i])
            continue;
        pending.n--;
        pending.mpi[i] = pending.mpi[pending.n];
        pending.owner[i] = pending.owner[pending.n];
        add_relaxed(&pending.outstanding, -1);
    }
}

static bool test_window(int begin, int end)
{
    lock_assert_held(&net_poll_lock);
    assert(begin < end && end <= pending.n && end - begin <= WINDOW);
    int done = 0, index[WINDOW];
    MPI_Status status[WINDOW];
    mpi_enter();
    int rc = MPI_Testsome(end - begin, pending.mpi + begin, &done, index, status);
    mpi_leave();
    if (done == MPI_UNDEFINED || done == 0)
        return false;
    ep_request finished[WINDOW];
    for (int i = 0; i < done; i++) {
        finished[i] = pending.owner[begin + index[i]];
        pending.owner[begin + index[i]] = NULL;
    }
    far_pending_compact(begin, end);
    for (int i = 0; i < done; i++)
        far_finish(finished[i], rc == MPI_ERR_IN_STATUS ? status[i].MPI_ERROR : rc, &status[i]);
    return true;
}

void pending_start_all(void)
{
    lock_assert_held(&net_poll_lock);
    if (load_relaxed(&pending.to_start) > 0)
        take_pushed();
}

bool pending_test(void)
{
    lock_assert_held(&net_poll_lock);
    if (load_relaxed(&pending.pushed))
        take_pushed();
    if (pending.n == 0)
        return false;
    if (pending.turn >= pending.n)
        pending.turn = 0;
    int begin = pending.turn, end = begin + WINDOW < pending.n ? begin + WINDOW : pending.n;
    pending.turn = end;
    return test_window(begin, end);
}

void pending_cancel(const struct request_send *s)
{
    lock_assert_held(&net_poll_lock);
    take_pushed();
    for (int i = 0; i < pending.n; i++) {
        if (pending.owner[i] != &s->head)
            continue;
        mpi_enter();
        MPI_Cancel(&pending.mpi[i]);
        mpi_leave();
        return;
    }
}

static bool is_sync_like(const struct ep_request_s *r, const struct request_send *s)
{
    return r->kind == REQUEST_SEND && request_to_send(r)->mode == MODE_SYNC && r->view == s->head.view &&
           r->peer == s->head.peer && r->tag == s->head.tag;
}

/* Nobody else takes what was pushed. */
bool pending_has_sync(const struct request_send *s)
{
    lock_assert_held(&net_poll_lock);
    bool any = s->mode == MODE_SYNC;
    for (ep_request r = load_acquire(&pending.pushed); r && !any; r = pending_next(r))
        any = is_sync_like(r, s);
    for (int i = 0; i < pending.n && !any; i++)
        any = is_sync_like(pending.owner[i], s);
    return any;
}
