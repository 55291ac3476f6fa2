/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The target lock: lock.h.
 *
 * While there are shared holders only exclusive claims wait: others are let in at once, or by hand_over. So only the last
 * holder to leave has to look at the queue.
 *
 * A claim that was granted belongs to its claimant again as soon as `granted` says so, so the list of those to
 * be told is walked with the next one read before.
 */
#include "rma/lock.h"

void target_lock_init(struct target_lock *g)
{
    *g = (struct target_lock){.first = NULL};
    lock_init(&g->lock, LOCK_TARGET);
    g->last = &g->first;
}

/* May it come in, beside those who are in? */
static bool is_free_for(const struct target_lock *g, enum lock_kind kind)
{
    lock_assert_held(&g->lock);
    return !g->exclusive && (kind == LOCK_SHARED || g->shared == 0);
}

static void let_in(struct target_lock *g, enum lock_kind kind)
{
    lock_assert_held(&g->lock);
    if (kind == LOCK_SHARED)
        g->shared++;
    else
        g->exclusive = true;
}

bool target_lock_enter(struct target_lock *g, struct claim *c)
{
    c->next = NULL;
    lock_acquire(&g->lock);
    bool now = is_free_for(g, c->kind) && (c->kind == LOCK_SHARED || !g->first);
    c->overtakes = now && g->first;
    if (now) {
        let_in(g, c->kind);
    } else {
        *g->last = c;
        g->last = &c->next;
    }
    lock_release(&g->lock);
    return now;
}

/* All shared claims, out of the queue. */
static struct claim *lock_take_shared(struct target_lock *g)
{
    lock_assert_held(&g->lock);
    struct claim *all = NULL, **end = &all, **at = &g->first;
    bool passed = false;
    while (*at) {
        struct claim *c = *at;
        if (c->kind != LOCK_SHARED) {
            passed = true;
            at = &c->next;
            continue;
        }
        *at = c->next;
        c->next = NULL;
        c->overtakes = passed;
        *end = c;
        end = &c->next;
        let_in(g, LOCK_SHARED);
    }
    g->last = at;
    return all;
}

/* Somebody has left: let in who may come now, and return them as a list. */
static struct claim *lock_hand_over(struct target_lock *g)
{
    lock_assert_held(&g->lock);
    struct claim *c = g->first;
    if (!c || !is_free_for(g, c->kind))
        return NULL;
    if (c->kind == LOCK_SHARED)
        return lock_take_shared(g);
    g->first = c->next;
    if (!g->first)
        g->last = &g->first;
    c->next = NULL;
    let_in(g, LOCK_EXCLUSIVE);
    return c;
}

void target_lock_leave(struct target_lock *g, enum lock_kind kind)
{
    lock_acquire(&g->lock);
    if (kind == LOCK_SHARED)
        g->shared--;
    else
        g->exclusive = false;
    struct claim *c = lock_hand_over(g);
    lock_release(&g->lock);
    while (c) {
        struct claim *next = c->next;
        chaos_point();
        c->granted(c);
        c = next;
    }
}

bool target_lock_idle(struct target_lock *g)
{
    lock_acquire(&g->lock);
    bool idle = !g->first && g->shared == 0 && !g->exclusive;
    lock_release(&g->lock);
    return idle;
}
