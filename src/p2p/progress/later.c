/* SPDX-License-Identifier: BSD-3-Clause */
#include "p2p/progress/later.h"

#include "p2p/rndv.h"
#include "p2p/progress/progress.h"

_Atomic(struct later *) later_list; /* newest first; release later_push, acquire later_run_all */

static void later_push(struct later *l)
{
    l->next = load_relaxed(&later_list);
    while (!atomic_compare_exchange_weak_explicit(&later_list, &l->next, l, memory_order_release,
                                                  memory_order_relaxed))
        continue;
    caller_hastens_poll();
}

/* One of them has ended. */
static void later_count(struct later *l)
{
    if (sub_acq_rel(&l->left, 1) == 1)
        later_push(l);
}

static void later_ended(struct awaiter *a)
{
    later_count(container_of(a, struct later, awaiter));
}

static bool later_help(struct work *w)
{
    struct later_part *p = container_of(w, struct later_part, work);
    request_assist(p->request);
    if (!request_is_done(p->request))
        return false;
    later_count(p->whole); /* it may be gone now */
    return true;
}

/* True if its end will be counted. */
static bool later_watch(struct later *l, struct later_part *p, ep_request r)
{
    if (!request_is_active(r) || request_is_done(r))
        return false;
    struct endpoint *endpoint = r->endpoint;
    if (r->kind == REQUEST_COLLECTIVE) {
        *p = (struct later_part){.work = {.step = later_help}, .request = r, .whole = l};
        work_add(endpoint, &p->work);
        return true;
    }
    endpoint_lock(endpoint);
    progress_endpoint(endpoint); /* copies that its start has left to the wait */
    if (r->kind == REQUEST_SEND && !request_is_done(r))
        rndv_buffer(request_lender(r)); /* as a wait does after a while */
    bool watched = request_await(r, &l->awaiter);
    endpoint_unlock(endpoint);
    return watched;
}

bool later_when(struct later *l, int n, ep_request r[])
{
    lock_assert_none();
    int over = 1;
    l->awaiter.ended = later_ended;
    store_relaxed(&l->left, n + 1);
    for (int i = 0; i < n; i++)
        over += !later_watch(l, &l->part[i], r[i]);
    chaos_point();
    return sub_acq_rel(&l->left, over) == over;
}

void later_run_all(void)
{
    lock_assert_none();
    struct later *l = swap_acquire(&later_list, NULL), *oldest = NULL;
    while (l) {
        struct later *next = l->next;
        l->next = oldest;
        oldest = l;
        l = next;
    }
    while ((l = oldest)) {
        oldest = l->next;
        l->run(l);
    }
}
