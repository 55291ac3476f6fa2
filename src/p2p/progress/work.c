/* SPDX-License-Identifier: BSD-3-Clause */
#include "p2p/progress/work.h"

void work_add(struct endpoint *p, struct work *w)
{
    w->next = load_relaxed(&p->new_works);
    while (!atomic_compare_exchange_weak_explicit(&p->new_works, &w->next, w, memory_order_release,
                                                  memory_order_relaxed))
        continue;
    store_release(&p->busy, true);
    evcount_notify(&p->evcount);
}

/* Steps follow the order of adding. */
static void take_new(struct endpoint *p)
{
    endpoint_assert_held(p);
    struct work *newest = swap_acquire(&p->new_works, NULL), *oldest = NULL;
    struct work **end = p->works ? p->works_end : &p->works;
    for (struct work *w = newest, *next; w; w = next) {
        next = w->next;
        w->next = oldest;
        oldest = w;
    }
    *end = oldest;
    p->works_end = &newest->next;
}

bool work_step(struct endpoint *p)
{
    endpoint_assert_held(p);
    bool any = false;
    if (likely(!p->works && !load_relaxed(&p->new_works)))
        return false;
    if (load_relaxed(&p->new_works))
        take_new(p);
    struct work **at = &p->works;
    while (*at) {
        struct work *w = *at, *next = w->next;
        if (w->step(w)) {
            *at = next;
            any = true;
        } else {
            at = &w->next;
        }
    }
    p->works_end = at;
    work_settle(p);
    return any;
}

void work_settle(struct endpoint *p)
{
    endpoint_assert_held(p);
    if (p->works || p->jobs)
        return;
    swap_acq_rel(&p->busy, false);
    if (load_relaxed(&p->new_works))
        store_relaxed(&p->busy, true);
}
