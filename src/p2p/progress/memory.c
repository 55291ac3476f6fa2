/* SPDX-License-Identifier: BSD-3-Clause */
#include "p2p/progress/memory.h"

static struct {
    struct lock lock;
    struct list list;      /* of struct memory_watch */
    _Atomic int watched;   /* its length; relaxed */
} all = {.lock = LOCK_FREE(MEMORY)};

void memory_watch_begin(struct memory_watch *w)
{
    lock_acquire(&all.lock);
    list_append(&all.list, &w->link);
    add_relaxed(&all.watched, 1);
    lock_release(&all.lock);
}

void memory_watch_end(struct memory_watch *w)
{
    lock_acquire(&all.lock);
    list_remove(&all.list, &w->link);
    add_relaxed(&all.watched, -1);
    lock_release(&all.lock);
}

bool memory_is_watched(void)
{
    return unlikely(load_relaxed(&all.watched) > 0);
}

void memory_poll(void)
{
    if (!lock_try(&all.lock))
        return;
    for (struct node *n = all.list.first; n; n = n->next) {
        struct memory_watch *w = container_of(n, struct memory_watch, link);
        if (w->peek(w->arg))
            evcount_notify(&w->endpoint->evcount);
    }
    lock_release(&all.lock);
}
