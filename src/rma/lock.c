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

void target_lock_init(struct target_lock *g, _Atomic int *word)
{
    *g = (struct target_lock){.first = NULL};
    lock_init(&g->lock, LOCK_TARGET);
    g->last = &g->first;
    g->word = word ? word : &g->own;
    store_relaxed(g->word, 0);
}

/* Claims wait from now on, unless this one may come in. */
static bool lock_mark(struct target_lock *g, struct claim *c)
{
    lock_assert_held(&g->lock);
    while (!lock_word_enter(g->word, c->kind, &c->overtakes)) {
        int now = load_relaxed(g->word);
        chaos_point();
        if (!lock_word_admits(now, c->kind) && cas_acq_rel(g->word, &now, now | LOCK_WORD_QUEUED))
            return false;
    }
    return true;
}

bool target_lock_enter(struct target_lock *g, struct claim *c)
{
    c->next = NULL;
    if (lock_word_enter(g->word, c->kind, &c->overtakes))
        return true;
    lock_acquire(&g->lock);
    bool now = lock_mark(g, c);
    if (!now) {
        *g->last = c;
        g->last = &c->next;
    }
    lock_release(&g->lock);
    return now;
}

/* All shared claims, out of the queue. */
static struct claim *lock_take_shared(struct target_lock *g, int *n)
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
        ++*n;
    }
    g->last = at;
    return all;
}

/* The first claim, out of the queue. */
static struct claim *lock_take_first(struct target_lock *g)
{
    lock_assert_held(&g->lock);
    struct claim *c = g->first;
    g->first = c->next;
    if (!g->first)
        g->last = &g->first;
    c->next = NULL;
    return c;
}

/* The last holder, who is of that kind, leaves: let in who may come now, and return them as a list. NULL: others have come
 * meanwhile, and the last of them does it. While an exclusive one leaves nobody comes. */
static struct claim *lock_hand_over(struct target_lock *g, enum lock_kind kind)
{
    lock_assert_held(&g->lock);
    while (!lock_word_leave(g->word, kind)) {
        int n = 0, last = lock_word_of(kind) | LOCK_WORD_QUEUED;
        if (g->first->kind == LOCK_SHARED) {
            assert(kind == LOCK_EXCLUSIVE);
            struct claim *all = lock_take_shared(g, &n);
            int next = n * LOCK_WORD_SHARED + (g->first ? LOCK_WORD_QUEUED : 0);
            if (!cas_acq_rel(g->word, &last, next))
                assert(!"an exclusive holder was not alone");
            return all;
        }
        chaos_point();
        if (cas_acq_rel(g->word, &last, LOCK_WORD_EXCLUSIVE + (g->first->next ? LOCK_WORD_QUEUED : 0)))
            return lock_take_first(g);
    }
    return NULL;
}

void target_lock_leave(struct target_lock *g, enum lock_kind kind)
{
    if (lock_word_leave(g->word, kind))
        return;
    lock_acquire(&g->lock);
    struct claim *c = lock_hand_over(g, kind);
    lock_release(&g->lock);
    while (c) {
        struct claim *next = c->next;
        chaos_point();
        c->granted(c);
        c = next;
    }
}

bool target_lock_idle(const struct target_lock *g)
{
    return load_acquire(g->word) == 0;
}
