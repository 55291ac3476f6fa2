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

struct task *queue_look_last(struct worker *w)
{
    struct wait *last = wait_at(w->waits.last);
    return last && last->inner == 0 ? of_wait(last) : NULL;
}

struct task *queue_look(struct worker *w)
{
    struct team *team = w->team;
    if (!team->queue.first)
        return NULL;
    if (!w->waits.last && !load_relaxed(&w->locks))
        return of_queue(team->queue.first);
    struct task *t = queue_look_last(w);
    if (t)
        return t;
    if (w->any || queue_lifted(team))
        return of_queue(team->queue.first);
    bool all = lock_wanted(team);
    for (struct node *n = w->waits.last; n && !t; n = n->prev)
        if (all || wait_at(n)->inner == 0)
            t = of_wait(wait_at(n));
    return t;
}

/* ---- Suspended taskwaits ---- */

static struct wait *nearest(struct worker *w, struct task *t)
{
    while (t && !(t->wait && t->wait->worker == w))
        t = t->parent;
    return t ? t->wait : NULL;
}

static bool descends(struct task *t, const struct task *from)
{
    while (t && t != from)
        t = t->parent;
    return t;
}

static void set_outer(struct wait *wait, struct wait *outer)
{
    wait->outer = outer;
    if (outer)
        outer->inner++;
}

void queue_wait_begin(struct wait *wait)
{
    struct worker *w = wait->worker;
    struct task *t = wait->task;
    set_outer(wait, nearest(w, t->parent));
    /* Those that began before can be of descendants only if any of those were started. */
    bool within = load_relaxed(&t->children) > t->unstarted;
    for (struct node *n = within ? w->waits.first : NULL; n; n = n->next) {
        struct wait *x = wait_at(n);
        if (x->outer != wait->outer || !descends(x->task, t))
            continue;
        if (x->outer)
            x->outer->inner--;
        set_outer(x, wait);
    }
    list_append(&w->waits, &wait->node);
    t->wait = wait;
}

void queue_wait_end(struct wait *wait)
{
    list_remove(&wait->worker->waits, &wait->node);
    wait->task->wait = NULL;
    if (wait->outer)
        wait->outer->inner--;
    /* Grandchildren, which it did not wait for. */
    for (struct node *n = wait->inner ? wait->worker->waits.first : NULL; n; n = n->next)
        if (wait_at(n)->outer == wait)
            set_outer(wait_at(n), wait->outer);
}

/* ---- The lists ---- */

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
    t->parent->unstarted--;
    if (team->queue.first)
        queue_wake(team, wakes);
}
