/* SPDX-License-Identifier: BSD-3-Clause */
#include "p2p/progress/memory.h"

struct memory_watch {
    struct node link;
    const struct memory_wait *wait;
    struct endpoint *endpoint; /* whose thread waits */
};

static struct {
    struct lock lock;
    struct list list;      /* of struct memory_watch */
    _Atomic int watched;   /* its length; relaxed */
} all = {.lock = LOCK_FREE(MEMORY)};

static void memory_watch_begin(struct memory_watch *w)
{
    lock_acquire(&all.lock);
    list_append(&all.list, &w->link);
    add_relaxed(&all.watched, 1);
    lock_release(&all.lock);
}

static void memory_watch_end(struct memory_watch *w)
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
        if (w->wait->peek(w->wait->arg))
            evcount_notify(&w->endpoint->evcount);
    }
    lock_release(&all.lock);
}

/* ---- waiting ---- */

static bool memory_look(struct wait *w)
{
    const struct memory_wait *m = w->arg;
    return m->look(m->arg);
}

static void memory_tell(const struct wait *w, struct wait_info *about)
{
    *about = ((const struct memory_wait *)w->arg)->about;
}

static void memory_wait_long(struct endpoint *endpoint, const struct memory_wait *m, enum wait_policy policy)
{
    struct wait w = {
        .done = memory_look, .arg = (void *)(uintptr_t)m, .policy = policy, .tell = memory_tell};
    endpoint_lock(endpoint);
    wait_until(endpoint, &w);
    endpoint_unlock(endpoint);
}

/* Looks for a short time, between which the core is given away. */
struct soon {
    const struct memory_wait *wait;
    bool held;
    uint64_t until;
};

static bool soon_look(void *arg)
{
    struct soon *s = arg;
    s->held = s->wait->look(s->wait->arg);
    return s->held || clock_ns() > s->until;
}

static bool memory_comes_soon(const struct memory_wait *m)
{
    enum { SOON_NS = 200000 };
    if (!wait_shared())
        return wait_for(m->look, m->arg, POLICY_MEMORY_LOOKS);
    struct soon s = {m, false, clock_ns() + SOON_NS};
    wait_for(soon_look, &s, POLICY_MEMORY_LOOKS);
    return s.held;
}

void memory_wait(struct endpoint *endpoint, const struct memory_wait *m)
{
    if (memory_comes_soon(m))
        return;
    if (!wait_crowded() || !mpi_callable()) {
        memory_wait_long(endpoint, m, POLICY_MEMORY);
        return;
    }
    struct memory_watch watch = {.wait = m, .endpoint = endpoint};
    memory_watch_begin(&watch);
    memory_wait_long(endpoint, m, POLICY_MEMORY_WATCHED);
    memory_watch_end(&watch);
}
