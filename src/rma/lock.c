/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The gate: lock.h.
 *
 * While somebody waits, `first` is what the present holders do not allow: behind holders of shared locks it is exclusive,
 * because an arriving shared claim waits only behind another, and hand_over takes all shared ones at the head. One with
 * `more` waits only while the holder is exclusive, at the front. So only the last holder to leave has to look at the
 * queue.
 *
 * A claim that was granted belongs to its claimant again as soon as `granted` says so, so the list of those to
 * be told is walked with the next one read before.
 */
#include "rma/lock.h"

void gate_init(struct gate *g)
{
    *g = (struct gate){.first = NULL};
    g->last = &g->first;
}

/* May it come in, beside those who are in? The lock is held. */
static bool is_free_for(const struct gate *g, enum lock_kind kind)
{
    return !g->exclusive && (kind == LOCK_SHARED || g->shared == 0);
}

static void let_in(struct gate *g, enum lock_kind kind)
{
    if (kind == LOCK_SHARED)
        g->shared++;
    else
        g->exclusive = true;
}

static void put_first(struct gate *g, struct claim *c)
{
    if (!(c->next = g->first))
        g->last = &c->next;
    g->first = c;
}

static void put_last(struct gate *g, struct claim *c)
{
    c->next = NULL;
    *g->last = c;
    g->last = &c->next;
}

/* more is for shared claims. */
bool gate_enter(struct gate *g, struct claim *c)
{
    lock_acquire(&g->lock);
    c->overtakes = c->more && g->first;
    bool now = (!g->first || c->more) && is_free_for(g, c->kind);
    if (now)
        let_in(g, c->kind);
    else if (c->more)
        put_first(g, c);
    else
        put_last(g, c);
    lock_release(&g->lock);
    return now;
}

/* Let in those at the head of the queue who may, and return them as a list. The lock is held. */
static struct claim *hand_over(struct gate *g)
{
    struct claim *all = g->first, **end = &all;
    while (*end && is_free_for(g, (*end)->kind)) {
        let_in(g, (*end)->kind);
        end = &(*end)->next;
    }
    g->first = *end;
    if (!g->first)
        g->last = &g->first;
    *end = NULL;
    return all;
}

void gate_leave(struct gate *g, enum lock_kind kind)
{
    lock_acquire(&g->lock);
    if (kind == LOCK_SHARED)
        g->shared--;
    else
        g->exclusive = false;
    struct claim *c = g->first ? hand_over(g) : NULL;
    lock_release(&g->lock);
    while (c) {
        struct claim *next = c->next;
        chaos_point();
        c->granted(c);
        c = next;
    }
}

bool gate_idle(struct gate *g)
{
    lock_acquire(&g->lock);
    bool idle = !g->first && g->shared == 0 && !g->exclusive;
    lock_release(&g->lock);
    return idle;
}
