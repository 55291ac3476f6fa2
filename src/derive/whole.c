/* SPDX-License-Identifier: BSD-3-Clause */
#include "derive/whole.h"

#include <stdlib.h>

#include "derive/compare.h"

unsigned whole_number(ep_comm view)
{
    return view->calls++;
}

int whole_tag(ep_comm view, unsigned number)
{
    return tag_of_kind(KIND_WHOLE, (int)(number & (unsigned)view->comm->tags.ub));
}

int slot_raise(struct where w, const struct slot *s)
{
    if (s->rc == MPI_SUCCESS || s->raised)
        return s->rc;
    if (s->culprits_call)
        return raise_error(w, s->rc, "endpoint %d called %s meanwhile", s->culprit, s->culprits_call);
    if (s->why == lanes_none_left)
        return raise_error(w, s->rc, "%s; this process has %ld by way of ep", s->why, lanes_made());
    if (s->why)
        return raise_error(w, s->rc, "%s", s->why);
    if (s->culprit >= 0)
        return raise_error(w, s->rc, "endpoint %d of those that take part had this error", s->culprit);
    return raise_error(w, s->rc, "it failed in one of the processes that take part");
}

static void lead(struct meeting *m, ep_comm head, const struct whole *call)
{
    struct party p;
    party_whole(&p, m, head, m->tag, call->root);
    p.bridge = call->bridge;
    call->act(&p, call->arg);
    party_free(&p);
}

/* With EP_CHECK: do all call this function? The slot of one that has an error of its own has told it. */
static int compare(struct where w, const struct slot *s, unsigned number)
{
    char *why = NULL;
    int rc = w.view->comm->checks ? whole_compare(w.view, number, w.call, &why) : MPI_SUCCESS;
    if (rc != MPI_SUCCESS)
        rc = s->raised ? s->rc : raise_error(w, rc, "%s", why ? why : "no memory to compare the calls");
    free(why);
    return rc;
}

int whole_call(struct where w, const struct whole *call)
{
    struct comm *c = w.view->comm;
    unsigned number = whole_number(w.view);
    int head = 0, index, rc = compare(w, call->slot, number);
    if (unlikely(rc))
        return rc;
    call->slot->call = w.call;
    if (rankmap_proc(&c->map, call->root, &index) == c->proc)
        head = index;
    struct meeting *m =
        meeting_join(whole_tag(w.view, number), 0, c->nlocal, w.view->index, head, call->slot);
    if (m) {
        lead(m, w.view, call);
        meeting_end(m);
    }
    endpoints_retire();
    return slot_raise(w, call->slot);
}

const struct passport **party_passports(const struct party *p)
{
    const struct passport **all = malloc((size_t)p->n * sizeof *all);
    for (int v = 0; all && v < p->n; v++)
        all[v] = party_passport(p, v);
    return all;
}

bool drafts_far(const struct draft d[], int n)
{
    for (int i = 0; i < n; i++)
        if (draft_is_far(&d[i]))
            return true;
    return false;
}

static void settle(struct draft *d)
{
    if (d->rc == MPI_SUCCESS) {
        draft_open(d);
        return;
    }
    for (int i = 0; i < d->comm->nlocal; i++) {
        d->slots[i]->rc = d->rc;
        d->slots[i]->why = lanes_none_left;
    }
    draft_give_up(d);
}

void drafts_conclude(struct party *p, struct draft d[], int n, int rc)
{
    bool turn = drafts_far(d, n);
    if (rc == MPI_SUCCESS) {
        if (turn)
            drafts_create(d, n, p->tree.view->port);
        party_end_turn(p, turn);
    } else {
        party_fail(p, rc, NULL);
    }
    for (int i = 0; i < n; i++)
        if (d[i].comm && rc == MPI_SUCCESS)
            settle(&d[i]);
        else
            draft_give_up(&d[i]);
}

void drafts_finish(struct party *p, struct draft d[], int n, int rc)
{
    drafts_conclude(p, d, n, party_vote(p, rc, drafts_far(d, n)));
}
