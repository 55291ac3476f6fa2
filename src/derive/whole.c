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

int slot_raise(struct where w, const struct gather_slot *s)
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

static void whole_lead(struct gather *m, ep_comm leader, const struct whole *call)
{
    struct leaders p;
    leaders_whole(&p, m, leader, m->tag, call->root);
    p.root_link = call->root_link;
    call->act(&p, call->arg);
    leaders_free(&p);
}

/* With EP_CHECK: do all call this function? The slot of one that has an error of its own has told it. */
static int whole_do_compare(struct where w, const struct gather_slot *s, unsigned number)
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
    int leader = 0, index, rc = whole_do_compare(w, call->slot, number);
    if (unlikely(rc))
        return rc;
    call->slot->call = w.call;
    if (rankmap_proc(&c->map, call->root, &index) == c->proc)
        leader = index;
    struct gather *m =
        gather_join(whole_tag(w.view, number), 0, c->nlocal, w.view->index, leader, call->slot);
    if (m) {
        whole_lead(m, w.view, call);
        gather_end(m);
    }
    endpoints_retire();
    return slot_raise(w, call->slot);
}

const struct process_info **leaders_process_infos(const struct leaders *p)
{
    const struct process_info **all = malloc((size_t)p->n * sizeof *all);
    for (int v = 0; all && v < p->n; v++)
        all[v] = leaders_process_info(p, v);
    return all;
}

bool builders_far(const struct comm_builder d[], int n)
{
    for (int i = 0; i < n; i++)
        if (builder_is_far(&d[i]))
            return true;
    return false;
}

static void whole_settle(struct comm_builder *d)
{
    if (d->rc == MPI_SUCCESS) {
        builder_open(d);
        return;
    }
    for (int i = 0; i < d->comm->nlocal; i++) {
        d->slots[i]->rc = d->rc;
        d->slots[i]->why = lanes_none_left;
    }
    builder_give_up(d);
}

void builders_conclude(struct leaders *p, struct comm_builder d[], int n, int rc)
{
    bool locked = builders_far(d, n);
    if (rc == MPI_SUCCESS) {
        if (locked)
            builders_create(d, n, p->tree.view->endpoint);
        leaders_unlock(p, locked);
    } else {
        leaders_fail(p, rc, NULL);
    }
    for (int i = 0; i < n; i++)
        if (d[i].comm && rc == MPI_SUCCESS)
            whole_settle(&d[i]);
        else
            builder_give_up(&d[i]);
}

void builders_finish(struct leaders *p, struct comm_builder d[], int n, int rc)
{
    builders_conclude(p, d, n, leaders_vote(p, rc, builders_far(d, n)));
}
