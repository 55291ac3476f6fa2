/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * place: an identity of the polling thread (the address of a thread-local), or 0.
 *
 * Handing over. A poller that leaves clears the place and notifies event counts until it has woken somebody.
 * The one it woke either takes the place when it would sleep again, or its own wait is over: then it finds
 * the place free when it leaves and notifies the next. So the chain ends only in a new poller or when nobody
 * sleeps. A notification that wakes nobody (an event count whose sleeper was just about to sleep, or a bit
 * left by one that did not) does not end it. That the woken thread sees the place as the waker left it
 * follows from FUTEX_WAKE, which the kernel orders by a full barrier before it looks for sleepers.
 *
 * A poller never sleeps: when there is nothing to poll for any more it resigns first, since a communicator
 * with far endpoints may be made while it sleeps.
 */
#include "p2p/progress/poller.h"

#include "p2p/far/far.h"

static _Atomic uintptr_t place; /* acq_rel poller_take and poller_leave, acquire poller_wanted */
static _Thread_local char identity;

bool poller_take(void)
{
    uintptr_t nobody = 0, me = (uintptr_t)&identity;
    if (!mpi_callable())
        return false;
    return load_relaxed(&place) == me || cas_acq_rel(&place, &nobody, me);
}

bool poller_wanted(void)
{
    return mpi_callable() && load_acquire(&place) == 0;
}

void poller_call(void)
{
    for (struct endpoint *p = endpoint_first(); p; p = p->next)
        evcount_notify(&p->evcount);
}

void poller_resign(void)
{
    if (load_relaxed(&place) == (uintptr_t)&identity)
        poller_leave();
}

void poller_leave(void)
{
    uintptr_t now = load_acquire(&place);
    if (now == (uintptr_t)&identity)
        store_release(&place, 0);
    else if (now != 0 || !far_active())
        return; /* taken, or nothing to poll for: then poller_call comes before there is */
    for (struct endpoint *p = endpoint_first(); p; p = p->next)
        if (evcount_notify(&p->evcount))
            return;
}
