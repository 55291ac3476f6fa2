/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Duplicating without blocking. Every endpoint leaves what it brings and a request in the duplication of its process; the last
 * to come makes it a work of the head (the first local endpoint), which goes through the steps whenever somebody makes
 * progress for it: exchange, draft, vote, MPI's calls, open. When it is over the requests are complete. ep_comm_dup
 * waits for its request.
 *
 * A work steps under the head's port lock; MPI's calls block there at most for what the other heads do at the same time
 * (turn.h).
 */
#include <stdlib.h>

#include "derive/derive.h"
#include "derive/whole.h"
#include "p2p/p2p.h"

/* What one endpoint brings, until all is over. */
struct copy {
    struct slot slot;
    ep_request request;
    struct attribute *attributes;
};

struct duplication {
    struct work work;
    struct meeting *meeting;
    struct party party;
    struct draft draft;
    struct far_call call;
    bool wants_turn;
    enum { EXCHANGE_UP, EXCHANGE_DOWN, VOTE_UP, VOTE_DOWN, CREATE } stage;
};

/* Requests are complete; what no communicator took is gone. */
static void release(struct meeting *m, int rc)
{
    for (int i = 0; i < m->size; i++) {
        struct copy *k = (struct copy *)(void *)m->slot[i];
        if (rc != MPI_SUCCESS && k->slot.result)
            view_delete(k->slot.result);
        if (rc == MPI_SUCCESS)
            attr_give(k->slot.result, k->attributes); /* there is room for them */
        else
            k->request->leftovers = k->attributes; /* p2p_finish calls back */
        errhandler_drop(k->slot.errhandler);
        k->request->out.error = rc;
        request_complete(k->request);
        free(k);
    }
    free(m);
}

static bool finish(struct duplication *d, int rc)
{
    rc = rc ? rc : d->draft.rc;
    if (rc == MPI_SUCCESS)
        draft_open(&d->draft);
    else
        draft_give_up(&d->draft);
    release(d->meeting, rc);
    party_free(&d->party);
    free(d);
    return true;
}

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
    if (rc == MPI_SUCCESS)
        rc = draft_copy(&d->draft, p);
    d->wants_turn = p->comm->nproc > 1;
    d->stage = VOTE_UP;
    return vote_begin(p, rc, d->wants_turn);
}

/* After the vote: once more, or MPI's turn. */
static int decide(struct duplication *d)
{
    int rc;
    d->stage = VOTE_UP;
    if (!vote_end(&d->party, &rc))
        return vote_begin(&d->party, rc, d->wants_turn);
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
            return finish(d, MPI_SUCCESS);
        }
        if (rc != MPI_SUCCESS)
            return finish(d, rc);
    }
    return false;
}

/* ---- the beginning ---- */

/* All endpoints of this process have come. */
static void begin(struct meeting *m)
{
    struct duplication *d = calloc(1, sizeof *d);
    struct port *port = m->slot[0]->view->port;
    if (!d) {
        release(m, MPI_ERR_NO_MEM);
        return;
    }
    d->meeting = m;
    d->draft = draft_blank();
    d->work.step = step;
    if (!party_whole(&d->party, m, 0, m->tag, 0) || exchange_begin(&d->party, 0, 0) != MPI_SUCCESS) {
        party_free(&d->party);
        free(d);
        release(m, MPI_ERR_NO_MEM);
        return;
    }
    work_add(port, &d->work);
    if (port_enter(port)) { /* else its owner is there, or will step when he comes */
        work_step(port);
        port_left(port);
    }
}

/* Nothing was begun with r, which may be NULL. */
static void drop(ep_request r)
{
    if (!r)
        return;
    port_lock(r->port);
    store_relaxed(&r->word, DONE | USER);
    request_release(r);
    port_unlock(r->port);
}

int derive_idup(ep_comm view, ep_comm newview, struct attribute *copies, int rc, const char *call,
                ep_request *request)
{
    struct comm *c = view->comm;
    struct copy *k = calloc(1, sizeof *k);
    port_lock(view->port);
    ep_request r = request_new(view->port, REQUEST_COLLECTIVE);
    port_unlock(view->port);
    if (!k || !r) {
        free(k);
        drop(r);
        return MPI_ERR_NO_MEM;
    }
    r->view = view;
    r->serial = view->serial;
    r->call = call;
    k->attributes = copies;
    k->request = *request = r;
    k->slot = (struct slot){
        .view = view, .result = newview, .rc = rc, .errhandler = errhandler_take(&view->errhandler)};
    bool last;
    struct meeting *m = meeting_come(whole_tag(view), 0, c->nlocal, view->index, &k->slot, &last);
    if (!m) {
        errhandler_drop(k->slot.errhandler);
        free(k);
        drop(r);
        return MPI_ERR_NO_MEM;
    }
    if (last)
        begin(m);
    return MPI_SUCCESS;
}
