/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Duplicating without blocking. Every endpoint leaves what it brings and a request in the duplication of its process;
 * the last to come makes it a work of the leader (the first local endpoint), which goes through the steps
 * whenever somebody makes progress for it: exchange, builder, vote, MPI's calls, open. When it is over the requests
 * are complete. ep_comm_dup waits for its request.
 *
 * MPI's calls are the blocking ones, with the creation lock of the process, under the leader's endpoint lock. They wait
 * until every other process makes progress in ep, too; that is all that ever blocks here. MPI_Comm_idup would
 * not, but in Open MPI 4.1 it hangs when other threads are inside MPI.
 *
 * The parent may be freed meanwhile; it is held for every endpoint that came (endpoint_hold).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "derive/compare.h"
#include "derive/derive.h"
#include "derive/discord.h"
#include "derive/whole.h"
#include "p2p/p2p.h"

struct duplication {
    struct work work;
    struct gather *gather;
    struct leaders leaders;
    struct comm_builder builder;
    struct far_call call;
    bool wants_lock;
    enum { EXCHANGE_UP, EXCHANGE_DOWN, VOTE_UP, VOTE_DOWN, CREATE } stage;
};

/* What one endpoint brings, until all is over. */
struct idup_copy {
    struct gather_slot slot;
    unsigned number;    /* of the call */
    ep_request request; /* NULL: there was no memory for one, the caller waits for slot.done */
    struct attribute *attributes;
    union { /* used in the last to come */
        struct duplication work;
        struct discord discord;
    };
};

static void release_one(struct idup_copy *k, int rc, int culprit, const char *why)
{
    struct comm *parent = k->slot.view->comm;
    struct endpoint *endpoint = k->slot.view->endpoint;
    if (rc != MPI_SUCCESS && k->slot.result)
        view_delete(k->slot.result);
    errhandler_drop(k->slot.errhandler);
    if (!k->request) {
        store_release(&k->slot.done, true);
        evcount_notify(&endpoint->evcount);
        endpoint_let_go(parent);
        return;
    }
    if (rc == MPI_SUCCESS)
        attr_give(k->slot.result, k->attributes); /* there is room for them */
    else
        request_to_collective(k->request)->leftovers = k->attributes; /* p2p_finish calls back */
    request_to_collective(k->request)->why = why ? strdup(why) : NULL;
    k->request->out.error = rc;
    k->request->peer = culprit;
    request_complete(k->request);
    reserve_free(k);
    endpoint_let_go(parent);
}

/* Others of the local gather came from other functions. */
static void idup_over(struct gather_slot *s)
{
    char why[100];
    snprintf(why, sizeof why, "endpoint %d called %s meanwhile", s->culprit, s->culprits_call);
    release_one((struct idup_copy *)(void *)s, s->rc, s->culprit, why);
}

static bool idup_finish(struct duplication *d, int rc, const char *why)
{
    struct gather *m = d->gather;
    int culprit = d->leaders.culprit;
    char none_left[200];
    if (rc == MPI_SUCCESS && (rc = d->builder.rc) != MPI_SUCCESS) {
        snprintf(none_left, sizeof none_left, "%s; this process has %ld by way of ep", lanes_none_left,
                 lanes_made());
        why = none_left;
    }
    if (rc == MPI_SUCCESS)
        builder_open(&d->builder);
    else
        builder_give_up(&d->builder);
    leaders_free(&d->leaders);
    reserve_free(m->slot);
    for (struct gather_slot *s = m->first, *next; s; s = next) { /* m and d go with their slots */
        next = s->next;
        release_one((struct idup_copy *)(void *)s, rc, culprit, why);
    }
    return true;
}

/* ---- the steps ---- */

static void idup_run(void *arg)
{
    struct duplication *d = arg;
    builder_create(&d->builder);
}

/* After the exchange: builder and vote. */
static int idup_propose(struct duplication *d)
{
    struct leaders *p = &d->leaders;
    int rc = exchange_end(p);
    if (p->at_odds)
        return rc;
    if (rc == MPI_SUCCESS)
        rc = builder_copy(&d->builder, p);
    d->wants_lock = p->comm->nproc > 1;
    d->stage = VOTE_UP;
    vote_begin(p, rc, d->wants_lock);
    return MPI_SUCCESS;
}

/* After the vote: once more, or MPI's calls. */
static int idup_decide(struct duplication *d)
{
    int rc;
    d->stage = VOTE_UP;
    if (!vote_end(&d->leaders, &rc)) {
        vote_begin(&d->leaders, rc, d->wants_lock);
        return MPI_SUCCESS;
    }
    if (rc != MPI_SUCCESS)
        return rc;
    d->stage = CREATE;
    d->call = (struct far_call){.run = idup_run, .arg = d, .endpoint = d->leaders.tree.view->endpoint};
    far_call(&d->call);
    return MPI_SUCCESS;
}

static bool idup_step(struct work *w)
{
    struct duplication *d = (struct duplication *)(void *)w;
    struct leaders *p = &d->leaders;
    int rc = MPI_SUCCESS;
    while (d->stage == CREATE ? load_acquire(&d->call.done) : tree_step(&p->tree)) {
        switch (d->stage) {
        case EXCHANGE_UP:
            exchange_middle(p);
            d->stage = EXCHANGE_DOWN;
            break;
        case EXCHANGE_DOWN:
            rc = idup_propose(d);
            break;
        case VOTE_UP:
            vote_middle(p);
            d->stage = VOTE_DOWN;
            break;
        case VOTE_DOWN:
            rc = idup_decide(d);
            break;
        case CREATE:
            leaders_unlock(p, d->wants_lock);
            return idup_finish(d, MPI_SUCCESS, NULL);
        }
        if (rc != MPI_SUCCESS)
            return idup_finish(d, rc, p->at_odds ? leaders_at_odds : NULL);
    }
    return false;
}

/* ---- the beginning ---- */

/* All endpoints of this process have come. */
static void idup_begin(struct gather *m, struct duplication *d)
{
    struct gather_slot *leader = gather_find_slot(m, 0);
    struct endpoint *endpoint = leader->view->endpoint;
    gather_sort(m);
    d->gather = m;
    d->builder = builder_blank();
    d->work.step = idup_step;
    leaders_whole(&d->leaders, m, leader->view, m->tag, 0);
    exchange_begin(&d->leaders, 0, 0);
    work_add(endpoint, &d->work);
    if (endpoint_enter(endpoint)) { /* else its owner is there, or will step on coming */
        work_step(endpoint);
        endpoint_left(endpoint);
    }
}

static void idup_come(struct idup_copy *k)
{
    ep_comm view = k->slot.view;
    int tag = whole_tag(view, k->number);
    bool last;
    struct gather *m = gather_enter(tag, 0, view->comm->nlocal, view->index, &k->slot, &last);
    if (last && m->mixed)
        discord_begin(&k->discord, m);
    else if (last)
        idup_begin(m, &k->work);
}

/* All know whether they call the same. */
static void idup_compared(void *arg, int rc, char *why)
{
    struct idup_copy *k = arg;
    if (rc == MPI_SUCCESS)
        idup_come(k);
    else
        release_one(k, rc, -1, why);
    free(why);
}

/* Until release_one k's endpoint holds the parent. */
static void idup_start(struct idup_copy *k)
{
    ep_comm view = k->slot.view;
    k->number = whole_number(view);
    endpoint_hold(view->comm);
    if (likely(!view->comm->checks)) {
        idup_come(k);
    } else if (!k->request || !whole_compare_later(view, k->number, k->slot.call, idup_compared, k)) {
        char *why;
        int rc = whole_compare(view, k->number, k->slot.call, &why);
        idup_compared(k, rc, why);
    }
}

int derive_idup(ep_comm view, ep_comm newview, struct attribute *copies, int rc, const char *call,
                ep_request *request)
{
    struct idup_copy *k = newview ? reserve_calloc(sizeof *k) : NULL, poor;
    ep_request r = k ? request_new_collective(view, call) : NULL;
    struct gather_slot slot = {.call = call, .view = view, .result = newview, .rc = rc, .over = idup_over};
    slot.errhandler = errhandler_take(&view->errhandler);
    if (r) {
        k->slot = slot;
        k->attributes = copies;
        k->request = *request = r;
        idup_start(k);
        return MPI_SUCCESS;
    }
    reserve_free(k);
    slot.rc = MPI_ERR_NO_MEM;
    poor = (struct idup_copy){.slot = slot};
    idup_start(&poor);
    wait_flag(view->endpoint, &poor.slot.done, WORK_NS); /* it goes on in the leader's endpoint */
    return MPI_ERR_NO_MEM;
}
