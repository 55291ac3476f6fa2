/* SPDX-License-Identifier: BSD-3-Clause */
#include "crt/team/queue.h"

#include <assert.h>

enum { ALL_EVERY = 32 }; /* turns */

static struct task *of_queue(struct node *n)
{
    return n ? container_of(n, struct task, queue) : NULL;
}

static struct task *of_parent(struct node *n)
{
    return n ? container_of(n, struct task, sibling) : NULL;
}

static struct task *of_group(struct node *n)
{
    return n ? container_of(n, struct task, member) : NULL;
}

typedef struct task *task_at(struct node *n);

/* The next of these, or NULL. */
static inline struct task *queue_next_of(const struct ready *r, task_at *at)
{
    struct task *released = at(r->released.first), *created = at(r->created.last);
    if (!released || !created)
        return released ? released : created;
    return created->priority > released->priority ? created : released;
}

/* ---- Ordered lists: taken from the first on, or from the last ---- */

/* Behind all of its priority and higher ones. */
static void put_falling(struct list *l, struct node *n, task_at *at)
{
    struct node *after = l->last;
    while (after && at(after)->priority < at(n)->priority)
        after = after->prev;
    list_insert(l, after, n);
}

/* Behind all of its priority and lower ones. */
static void put_rising(struct list *l, struct node *n, task_at *at)
{
    struct node *after = l->last;
    while (after && at(after)->priority > at(n)->priority)
        after = after->prev;
    list_insert(l, after, n);
}

static void put_ready(struct ready *r, struct task *t, struct node *n, task_at *at)
{
    if (t->released)
        put_falling(&r->released, n, at);
    else
        put_rising(&r->created, n, at);
}

static struct list *list_for(struct ready *r, const struct task *t)
{
    return t->released ? &r->released : &r->created;
}

/* What a suspended taskwait lets the worker start. */
static inline struct task *of_wait(struct wait *wait)
{
    struct task *member = wait->group ? queue_next_of(&wait->group->ready, of_group) : NULL;
    return member ? member : queue_next_of(&wait->task->ready, of_parent);
}

static struct wait *wait_at(struct node *n)
{
    return n ? container_of(n, struct wait, node) : NULL;
}

struct task *queue_look_last(struct worker *w)
{
    lock_assert_held(&w->team->lock);
    struct wait *last = wait_at(w->waits.last);
    return last && last->inner == 0 ? of_wait(last) : NULL;
}

/* Does the constraint concern w, unless it is lifted? */
static bool is_bound(const struct worker *w)
{
    return w->waits.last || w->locks || w->tries;
}

struct task *queue_oldest(struct task *parent)
{
    lock_assert_held(&parent->team->lock);
    struct task *created = of_parent(parent->ready.created.first);
    struct task *released = of_parent(parent->ready.released.first);
    struct task *urgent = queue_next_of(&parent->ready, of_parent);
    if (unlikely(urgent && urgent->priority > 0))
        return urgent;
    if (!created || !released)
        return created ? created : released;
    return (int)(created->place - released->place) < 0 ? created : released;
}

/* The oldest of the tasks that w may choose from freely: of its own implicit task's children, whose data its core knows, else
 * of all; now and then of all, so that none waits for ever. */
static struct task *queue_find_oldest(struct worker *w)
{
    struct task *own = w->turns % ALL_EVERY != 1 ? queue_oldest(&w->implicit) : NULL;
    struct task *all = of_queue(w->team->queue.first);
    return own && own->priority >= all->priority ? own : all;
}

struct task *queue_look(struct worker *w)
{
    lock_assert_held(&w->team->lock);
    struct team *team = w->team;
    if (!team->queue.first)
        return NULL;
    if (!is_bound(w) || w->any || queue_lifted(team))
        return queue_find_oldest(w);
    struct task *t = queue_look_last(w);
    if (t)
        return t;
    for (struct node *n = w->leaves.last; n && !t; n = n->prev)
        t = of_wait(container_of(n, struct wait, leaf));
    for (struct node *n = load_relaxed(&team->locks) ? w->waits.last : NULL; n && !t; n = n->prev)
        t = of_wait(wait_at(n));
    return t;
}

/* ---- Suspended taskwaits ---- */

static struct wait *queue_nearest(struct worker *w, struct task *t)
{
    while (t && !(t->wait && t->wait->worker == w))
        t = t->parent;
    return t ? t->wait : NULL;
}

static bool queue_descends(struct task *t, const struct task *from)
{
    while (t && t != from)
        t = t->parent;
    return t;
}

static void queue_enter(struct wait *wait, struct wait *outer)
{
    lock_assert_held(&wait->worker->team->lock);
    wait->outer = outer;
    if (outer && outer->inner++ == 0)
        list_remove(&outer->worker->leaves, &outer->leaf);
}

static void queue_leave(struct wait *wait)
{
    lock_assert_held(&wait->worker->team->lock);
    struct wait *outer = wait->outer;
    if (outer && --outer->inner == 0)
        list_append(&outer->worker->leaves, &outer->leaf);
}

void queue_wait_begin(struct wait *wait)
{
    lock_assert_held(&wait->worker->team->lock);
    struct worker *w = wait->worker;
    struct task *t = wait->task;
    struct node *before = w->waits.last;
    wait->number = ++w->waits_begun;
    list_append(&w->waits, &wait->node);
    list_append(&w->leaves, &wait->leaf);
    queue_enter(wait, queue_nearest(w, t->parent));
    /* Those that began before can be of descendants only if any of those were started, and then since t was. */
    bool within = load_relaxed(&t->children) > t->unstarted;
    for (struct node *n = within ? before : NULL; n && wait_at(n)->number > t->since; n = n->prev) {
        struct wait *x = wait_at(n);
        if (x->outer != wait->outer || !queue_descends(x->task, t))
            continue;
        queue_leave(x);
        queue_enter(x, wait);
    }
    t->wait = wait;
    if (wait->group)
        wait->group->wait = wait;
}

void queue_wait_end(struct wait *wait)
{
    lock_assert_held(&wait->worker->team->lock);
    wait->task->wait = NULL;
    /* Grandchildren, which it did not wait for. */
    for (struct node *n = wait->inner ? wait->worker->waits.first : NULL; n; n = n->next) {
        struct wait *x = wait_at(n);
        if (x->outer != wait)
            continue;
        queue_leave(x);
        queue_enter(x, wait->outer);
    }
    queue_leave(wait);
    list_remove(&wait->worker->waits, &wait->node);
    list_remove(&wait->worker->leaves, &wait->leaf);
}

/* ---- The lists ---- */

static struct worker *in_idle_link(struct node *n)
{
    return n ? container_of(n, struct worker, idle_link) : NULL;
}

static void queue_wake_worker(struct worker *w, struct wakes *wakes)
{
    lock_assert_held(&w->team->lock);
    assert(w->bedroom);
    list_remove(w->bedroom, &w->idle_link);
    w->bedroom = NULL;
    wakes_thread(wakes, w->thread);
}

/* One that may start whatever is in the queue. */
static struct worker *queue_anybody(struct team *team)
{
    lock_assert_held(&team->lock);
    struct node *n = team->idle.first;
    return in_idle_link(n || !queue_lifted(team) ? n : team->bound.first);
}

/* The worker of this wait, if it sleeps and may start something. */
static struct worker *queue_waiter(struct wait *wait)
{
    return wait && wait->worker->bedroom && queue_look(wait->worker) ? wait->worker : NULL;
}

void queue_wake(struct team *team, struct wakes *wakes)
{
    lock_assert_held(&team->lock);
    struct worker *w = team->queue.first ? queue_anybody(team) : NULL;
    for (struct node *n = team->queue.first && !w ? team->bound.first : NULL; n && !w; n = n->next)
        w = queue_look(in_idle_link(n)) ? in_idle_link(n) : NULL;
    if (w)
        queue_wake_worker(w, wakes);
}

void queue_wake_all(struct team *team, struct wakes *wakes)
{
    lock_assert_held(&team->lock);
    while (team->idle.first)
        queue_wake_worker(in_idle_link(team->idle.first), wakes);
    while (team->bound.first)
        queue_wake_worker(in_idle_link(team->bound.first), wakes);
}

bool queue_park(struct worker *w, struct wakes *wakes)
{
    lock_assert_held(&w->team->lock);
    assert(!w->bedroom);
    struct team *team = w->team;
    if (queue_look(w))
        return false;
    queue_wake(team, wakes); /* it may be here because of a task that is another's now */
    w->bedroom = is_bound(w) ? &team->bound : &team->idle;
    list_append(w->bedroom, &w->idle_link);
    return true;
}

bool queue_get_up(struct worker *w)
{
    lock_assert_held(&w->team->lock);
    bool itself = w->bedroom;
    if (itself)
        list_remove(w->bedroom, &w->idle_link);
    w->bedroom = NULL;
    return itself;
}

/* ---- What lifts the constraint ---- */

/* Counted first: who did not see it when it looked for somebody to wake for a task, or lay down, had the lock before. */
static void wake_constrained(struct team *team)
{
    struct wakes wakes;
    if (load_relaxed(&team->n) == 1)
        return;
    team_lock(team, &wakes);
    queue_wake(team, &wakes);
    team_unlock(team, &wakes);
}

static void queue_count(struct team *team, _Atomic unsigned *n)
{
    if (add_relaxed(n, 1) == 0)
        wake_constrained(team);
}

static void queue_uncount(_Atomic unsigned *n)
{
    assert(load_relaxed(n) > 0);
    atomic_fetch_sub_explicit(n, 1, memory_order_relaxed);
}

void queue_count_external(struct team *team)
{
    for (; team; team = team->up ? team->up->team : NULL)
        queue_count(team, &team->external);
}

void queue_uncount_external(struct team *team)
{
    for (; team; team = team->up ? team->up->team : NULL)
        queue_uncount(&team->external);
}

void queue_count_lock(struct team *team)
{
    queue_count(team, &team->locks);
    queue_count_external(team->up ? team->up->team : NULL);
}

void queue_uncount_lock(struct team *team)
{
    queue_uncount(&team->locks);
    queue_uncount_external(team->up ? team->up->team : NULL);
}

void queue_put(struct team *team, struct task *t, struct wakes *wakes)
{
    lock_assert_held(&team->lock);
    t->place = team->places++;
    team->prioritised |= t->priority > 0;
    if (likely(!team->prioritised)) {
        list_append(&team->queue, &t->queue);
        list_append(list_for(&t->parent->ready, t), &t->sibling);
        if (t->group)
            list_append(list_for(&t->group->ready, t), &t->member);
    } else {
        put_falling(&team->queue, &t->queue, of_queue);
        put_ready(&t->parent->ready, t, &t->sibling, of_parent);
        if (t->group)
            put_ready(&t->group->ready, t, &t->member, of_group);
    }
    store_relaxed(&team->ready, load_relaxed(&team->ready) + 1);
    struct worker *w = queue_waiter(t->parent->wait);
    if (!w && t->group)
        w = queue_waiter(t->group->wait);
    if (!w)
        w = queue_anybody(team);
    if (w)
        queue_wake_worker(w, wakes);
}

void queue_take(struct team *team, struct task *t, struct wakes *wakes)
{
    lock_assert_held(&team->lock);
    assert(load_relaxed(&team->ready) > 0 && t->parent->unstarted > 0);
    list_remove(&team->queue, &t->queue);
    list_remove(list_for(&t->parent->ready, t), &t->sibling);
    if (t->group)
        list_remove(list_for(&t->group->ready, t), &t->member);
    store_relaxed(&team->ready, load_relaxed(&team->ready) - 1);
    t->parent->unstarted--;
    struct worker *w = team->queue.first ? queue_anybody(team) : NULL;
    if (w)
        queue_wake_worker(w, wakes);
}
