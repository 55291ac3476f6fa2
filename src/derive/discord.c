/* SPDX-License-Identifier: BSD-3-Clause */
#include "derive/discord.h"

#include <string.h>

#include "p2p/p2p.h"

/* One that called another function; by the lowest rank. */
static const struct gather_slot *discord_other_member(const struct gather *m, const struct gather_slot *of)
{
    const struct gather_slot *found = NULL;
    for (const struct gather_slot *s = m->first; s; s = s->next)
        if (strcmp(s->call, of->call) != 0 && (!found || s->position < found->position))
            found = s;
    return found;
}

/* Slots go as soon as they are released, so all are written first. */
static void discord_accuse(struct gather *m)
{
    for (struct gather_slot *s = m->first; s; s = s->next) {
        const struct gather_slot *other = discord_other_member(m, s);
        if (s->raised)
            continue; /* it knows of a fault of its own */
        s->rc = MPI_ERR_ARG;
        s->culprit = other->view->rank;
        s->culprits_call = other->call;
    }
}

static void discord_release(struct gather_slot *s)
{
    struct endpoint *endpoint = s->view->endpoint;
    if (s->over) {
        s->over(s);
        return;
    }
    store_release(&s->done, true);
    evcount_notify(&endpoint->evcount);
}

static bool discord_step(struct work *w)
{
    struct discord *d = (struct discord *)(void *)w;
    struct gather *m = d->gather;
    if (!tree_step(&d->leaders.tree))
        return false;
    if (!d->goes_down) {
        d->goes_down = true;
        exchange_middle(&d->leaders);
        if (!tree_step(&d->leaders.tree))
            return false;
    }
    leaders_free(&d->leaders);
    discord_accuse(m);
    for (struct gather_slot *s = m->first, *next; s; s = next) { /* m and d go with their slots */
        next = s->next;
        discord_release(s);
    }
    return true;
}

void discord_begin(struct discord *d, struct gather *m)
{
    ep_comm leader = gather_find_slot(m, 0)->view;
    *d = (struct discord){.work.step = discord_step, .gather = m};
    leaders_whole(&d->leaders, m, leader, m->tag, 0);
    exchange_begin(&d->leaders, 0, 0);
    work_add(leader->endpoint, &d->work);
    if (endpoint_enter(leader->endpoint)) { /* else its owner is there, or will step on coming */
        work_step(leader->endpoint);
        endpoint_left(leader->endpoint);
    }
}
