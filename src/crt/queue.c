/* SPDX-License-Identifier: BSD-3-Clause */
#include "crt/queue.h"

static struct task *of_queue(struct node *n)
{
    return n ? container_of(n, struct task, queue) : NULL;
}

/* What a suspended taskwait lets the worker start. */
static struct task *of_wait(struct wait *wait)
{
    if (wait->group && wait->group->ready.last)
        return container_of(wait->group->ready.last, struct task, member);
    struct node *n = wait->task->ready.last;
    return n ? container_of(n, struct task, sibling) : NULL;
}

static struct wait *wait_at(struct node *n)
{
    return n ? container_of(n, struct wait, node) : NULL;
}

bool queue_lifted(struct team *team)
{
    for (struct node *n = team->workers.first; n; n = n->next) {
        struct worker *w = container_of(n, struct worker, peer);
        if (load_relaxed(&w->external) || load_relaxed(&w->inner))
            return true;
    }
    return false;
}

static bool lock_wanted(struct team *team)
{
    for (struct node *n = team->workers.first; n; n = n->next)
        if (load_relaxed(&container_of(n, struct worker, peer)->locks))
            return true;
    return false;
}

struct task *queue_look(struct worker *w)
{
    struct team *team = w->team;
    if (!team->queue.first)
        return NULL;
    struct wait *innermost = wait_at(w->waits.last);
    if (!innermost && !load_relaxed(&w->locks))
        return of_queue(team->queue.first);
    struct task *t = innermost ? of_wait(innermost) : NULL;
    if (t)
        return t;
    if (w->any || queue_lifted(team))
        return of_queue(team->queue.first);
    for (struct node *n = lock_wanted(team) ? w->waits.last : NULL; n && !t; n = n->prev)
        t = of_wait(wait_at(n));
    return t;
}

void queue_wake(struct team *team, struct wakes *wakes)
{
    for (struct node *n = team->idle.first; n; n = n->next) {
        struct worker *w = container_of(n, struct worker, bed);
        if (!queue_look(w))
            continue;
        list_remove(&team->idle, &w->bed);
        w->in_bed = false;
        wakes_thread(wakes, w->thread);
        return;
    }
}

void queue_put(struct team *team, struct task *t, struct wakes *wakes)
{
    list_append(&team->queue, &t->queue);
    list_append(&t->parent->ready, &t->sibling);
    if (t->group)
        list_append(&t->group->ready, &t->member);
    store_relaxed(&team->ready, load_relaxed(&team->ready) + 1);
    queue_wake(team, wakes);
}

void queue_take(struct team *team, struct task *t, struct wakes *wakes)
{
    list_remove(&team->queue, &t->queue);
    list_remove(&t->parent->ready, &t->sibling);
    if (t->group)
        list_remove(&t->group->ready, &t->member);
    store_relaxed(&team->ready, load_relaxed(&team->ready) - 1);
    if (team->queue.first)
        queue_wake(team, wakes);
}
