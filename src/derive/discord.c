/* SPDX-License-Identifier: BSD-3-Clause */
#include "derive/discord.h"

#include <string.h>

#include "p2p/p2p.h"

/* One that called another function; by the lowest rank. */
static const struct slot *opponent(const struct meeting *m, const struct slot *of)
{
    const struct slot *found = NULL;
    for (const struct slot *s = m->first; s; s = s->next)
        if (strcmp(s->call, of->call) != 0 && (!found || s->position < found->position))
            found = s;
    return found;
}

/* Slots go as soon as they are released, so all are written first. */
static void accuse(struct meeting *m)
{
    for (struct slot *s = m->first; s; s = s->next) {
        const struct slot *other = opponent(m, s);
        if (s->raised)
            continue; /* it knows of a fault of its own */
        s->rc = MPI_ERR_ARG;
        s->culprit = other->view->rank;
        s->culprits_call = other->call;
    }
}

static void release(struct slot *s)
{
    struct port *port = s->view->port;
    if (s->over) {
        s->over(s);
        return;
    }
    store_release(&s->done, true);
    bell_ring(&port->bell);
}

static bool step(struct work *w)
{
    struct discord *d = (struct discord *)(void *)w;
    struct meeting *m = d->meeting;
    if (!tree_step(&d->party.tree))
        return false;
    if (!d->goes_down) {
        d->goes_down = true;
        exchange_middle(&d->party);
        if (!tree_step(&d->party.tree))
            return false;
    }
    party_free(&d->party);
    accuse(m);
    for (struct slot *s = m->first, *next; s; s = next) { /* m and d go with their slots */
        next = s->next;
        release(s);
    }
    return true;
}

void discord_begin(struct discord *d, struct meeting *m)
{
    ep_comm head = meeting_slot(m, 0)->view;
    *d = (struct discord){.work.step = step, .meeting = m};
    party_whole(&d->party, m, head, m->tag, 0);
    exchange_begin(&d->party, 0, 0);
    work_add(head->port, &d->work);
    if (port_enter(head->port)) { /* else its owner is there, or will step when he comes */
        work_step(head->port);
        port_left(head->port);
    }
}
