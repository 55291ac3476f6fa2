/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Duplicating without blocking. Every endpoint leaves what it brings and a request in the duplication of its process;
 * the last to come makes it a work of the head (the first local endpoint), which goes through the steps
 * whenever somebody makes progress for it: exchange, draft, vote, MPI's calls, open. When it is over the requests
 * are complete. ep_comm_dup waits for its request.
 *
 * MPI's calls are the blocking ones, with the turn of the process (turn.h), under the head's port lock. They wait
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
    struct meeting *meeting;
    struct party party;
    struct draft draft;
    struct far_call call;
    bool wants_turn;
    enum { EXCHANGE_UP, EXCHANGE_DOWN, VOTE_UP, VOTE_DOWN, CREATE } stage;
};

/* What one endpoint brings, until all is over. */
struct copy {
    struct slot slot;
    unsigned number;    /* of the call */
    ep_request request; /* NULL: there was no memory for one, the caller waits for slot.done */
    struct attribute *attributes;
    union { /* used in the last to come */
        struct duplication work;
        struct discord discord;
    };
};

static void release_one(struct copy *k, int rc, int culprit, const char *why)
{
    struct comm *parent = k->slot.view->comm;
    struct port *port = k->slot.view->port;
    if (rc != MPI_SUCCESS && k->slot.result)
        view_delete(k->slot.result);
    errhandler_drop(k->slot.errhandler);
    if (!k->request) {
        store_release(&k->slot.done, true);
        bell_ring(&port->bell);
        endpoint_let_go(parent);
        return;
    }
    if (rc == MPI_SUCCESS)
        attr_give(k->slot.result, k->attributes); /* there is room for them */
    else
        k->request->collective.leftovers = k->attributes; /* p2p_finish calls back */
    k->request->collective.why = why ? strdup(why) : NULL;
    k->request->out.error = rc;
    k->request->peer = culprit;
    request_complete(k->request);
    reserve_free(k);
    endpoint_let_go(parent);
}

/* Others of the meeting came from other functions. */
static void over(struct slot *s)
{
    char why[100];
    snprintf(why, sizeof why, "endpoint %d called %s meanwhile", s->culprit, s->culprits_call);
    release_one((struct copy *)(void *)s, s->rc, s->culprit, why);
}

static bool finish(struct duplication *d, int rc, const char *why)
{
    struct meeting *m = d->meeting;
    int culprit = d->party.culprit;
    char none_left[200];
    if (rc == MPI_SUCCESS && (rc = d->draft.rc) != MPI_SUCCESS) {
        snprintf(none_left, sizeof none_left, "%s; this process has %ld by way of ep", lanes_none_left,
                 lanes_made());
        why = none_left;
    }
    if (rc == MPI_SUCCESS)
        draft_open(&d->draft);
    else
        draft_give_up(&d->draft);
    party_free(&d->party);
    reserve_free(m->slot);
    for (struct slot *s = m->first, *next; s; s = next) { /* m and d go with their slots */
        next = s->next;
        release_one((struct copy *)(void *)s, rc, culprit, why);
    }
    return true;
}

/* ---- the steps ---- */

static void run(void *arg)
{
    struct duplication *d = arg;
    draft_create(&d->draft);
}

/* After the exchange: draft and vote. */
static int propose(struct duplication *d)
{
    struct party *p = &d->party;
    int rc = exchange_end(p);
    if (p->at_odds)
        return rc;
    if (rc == MPI_SUCCESS)
        rc = draft_copy(&d->draft, p);
    d->wants_turn = p->comm->nproc > 1;
    d->stage = VOTE_UP;
    vote_begin(p, rc, d->wants_turn);
    return MPI_SUCCESS;
}

/* After the vote: once more, or MPI's calls. */
static int decide(struct duplication *d)
{
    int rc;
    d->stage = VOTE_UP;
    if (!vote_end(&d->party, &rc)) {
        vote_begin(&d->party, rc, d->wants_turn);
        return MPI_SUCCESS;
    }
    if (rc != MPI_SUCCESS)
        return rc;
    d->stage = CREATE;
    d->call = (struct far_call){.run = run, .arg = d, .port = d->party.tree.view->port};
    far_call(&d->call);
    return MPI_SUCCESS;
}

static bool step(struct work *w)
{
    struct duplication *d = (struct duplication *)(void *)w;
    struct party *p = &d->party;
    int rc = MPI_SUCCESS;
    while (d->stage == CREATE ? load_acquire(&d->call.done) : tree_step(&p->tree)) {
        switch (d->stage) {
        case EXCHANGE_UP:
            exchange_middle(p);
            d->stage = EXCHANGE_DOWN;
            break;
        case EXCHANGE_DOWN:
            rc = propose(d);
            break;
        case VOTE_UP:
            vote_middle(p);
            d->stage = VOTE_DOWN;
            break;
        case VOTE_DOWN:
            rc = decide(d);
            break;
        case CREATE:
            party_end_turn(p, d->wants_turn);
            return finish(d, MPI_SUCCESS, NULL);
        }
        if (rc != MPI_SUCCESS)
            return finish(d, rc, p->at_odds ? party_at_odds : NULL);
    }
    return false;
}

/* ---- the beginning ---- */

/* All endpoints of this process have come. */
static void begin(struct meeting *m, struct duplication *d)
{
    struct slot *head = meeting_slot(m, 0);
    struct port *port = head->view->port;
    meeting_sort(m);
    d->meeting = m;
    d->draft = draft_blank();
    d->work.step = step;
    party_whole(&d->party, m, head->view, m->tag, 0);
    exchange_begin(&d->party, 0, 0);
    work_add(port, &d->work);
    if (port_enter(port)) { /* else its owner is there, or will step when he comes */
        work_step(port);
        port_left(port);
    }
}

static void come(struct copy *k)
{
    ep_comm view = k->slot.view;
    int tag = whole_tag(view, k->number);
    bool last;
    struct meeting *m = meeting_come(tag, 0, view->comm->nlocal, view->index, &k->slot, &last);
    if (last && m->mixed)
        discord_begin(&k->discord, m);
    else if (last)
        begin(m, &k->work);
}

/* All know whether they call the same. */
static void compared(void *arg, int rc, char *why)
{
    struct copy *k = arg;
    if (rc == MPI_SUCCESS)
        come(k);
    else
        release_one(k, rc, -1, why);
    free(why);
}

/* Until release_one k's endpoint holds the parent. */
static void start(struct copy *k)
{
    ep_comm view = k->slot.view;
    k->number = whole_number(view);
    endpoint_hold(view->comm);
    if (likely(!view->comm->checks)) {
        come(k);
    } else if (!k->request || !whole_compare_later(view, k->number, k->slot.call, compared, k)) {
        char *why;
        int rc = whole_compare(view, k->number, k->slot.call, &why);
        compared(k, rc, why);
    }
}

int derive_idup(ep_comm view, ep_comm newview, struct attribute *copies, int rc, const char *call,
                ep_request *request)
{
    struct copy *k = newview ? reserve_calloc(sizeof *k) : NULL, poor;
    ep_request r = k ? request_collective(view, call) : NULL;
    struct slot slot = {.call = call, .view = view, .result = newview, .rc = rc, .over = over};
    slot.errhandler = errhandler_take(&view->errhandler);
    if (r) {
        k->slot = slot;
        k->attributes = copies;
        k->request = *request = r;
        start(k);
        return MPI_SUCCESS;
    }
    reserve_free(k);
    slot.rc = MPI_ERR_NO_MEM;
    poor = (struct copy){.slot = slot};
    start(&poor);
    wait_flag(view->port, &poor.slot.done, WORK_NS); /* it goes on in the head's port */
    return MPI_ERR_NO_MEM;
}
