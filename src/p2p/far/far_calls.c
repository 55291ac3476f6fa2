/* SPDX-License-Identifier: BSD-3-Clause */
#include "p2p/far/far_calls.h"

#include "p2p/endpoint.h"
#include "p2p/progress/poller.h"

_Atomic(struct far_call *) far_calls; /* release far_call, acquire far_calls_run */

static void run_call(struct far_call *f)
{
    struct endpoint *endpoint = f->endpoint;
    if (f->detached) {
        f->run(f->arg);
        return;
    }
    mpi_enter();
    f->run(f->arg);
    mpi_leave();
    store_release(&f->done, true); /* f may be gone now */
    evcount_notify(&endpoint->evcount);
}

void far_call(struct far_call *f)
{
    if (likely(mpi_callable())) {
        run_call(f);
        return;
    }
    f->next = load_relaxed(&far_calls);
    while (!atomic_compare_exchange_weak_explicit(&far_calls, &f->next, f, memory_order_release,
                                                  memory_order_relaxed))
        continue;
    poller_call(); /* the main thread may sleep: nothing was to be polled for */
}

void far_calls_run(void)
{
    struct far_call *f = swap_acquire(&far_calls, NULL), *next;
    for (; f; f = next) {
        next = f->next;
        run_call(f);
    }
}
