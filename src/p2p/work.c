/* SPDX-License-Identifier: BSD-3-Clause */
#include "p2p/work.h"

void work_add(struct port *p, struct work *w)
{
    w->next = load_relaxed(&p->new_works);
    while (!atomic_compare_exchange_weak_explicit(&p->new_works, &w->next, w, memory_order_release,
                                                  memory_order_relaxed))
        continue;
    store_release(&p->busy, true);
    bell_ring(&p->bell);
}

/* Steps follow the order of adding. */
static void take_new(struct port *p)
{
    struct work *w = swap_acquire(&p->new_works, NULL), *oldest = NULL, **end = &p->works;
    while (w) {
        struct work *next = w->next;
        w->next = oldest;
        oldest = w;
        w = next;
    }
    while (*end)
        end = &(*end)->next;
    *end = oldest;
}

bool work_step(struct port *p)
{
    bool any = false;
    if (likely(!p->works && !load_relaxed(&p->new_works)))
        return false;
    if (load_relaxed(&p->new_works))
        take_new(p);
    for (struct work **at = &p->works; *at;) {
        struct work *w = *at, *next = w->next;
        if (w->step(w)) {
            *at = next;
            any = true;
        } else {
            at = &w->next;
        }
    }
    work_settle(p);
    return any;
}

void work_settle(struct port *p)
{
    if (p->works || p->jobs)
        return;
    swap_acq_rel(&p->busy, false);
    if (load_relaxed(&p->new_works))
        store_relaxed(&p->busy, true);
}
