/* SPDX-License-Identifier: BSD-3-Clause */
/* Endpoints come to an operation, and leave it. */
#include <sched.h>
#include <stdlib.h>

#include "coll/coll.h"
#include "coll/op.h"
#include "coll/tiny.h"
#include "derive/derive.h"

static struct pool ops; /* under ops_lock */
static struct lock ops_lock;

enum { YIELDS = 200 };

/* ---- operations ---- */

static bool make_room(struct op *o, int n)
{
    if (n <= o->room)
        return true;
    struct part **more = realloc(o->part, (size_t)n * sizeof(struct part *));
    if (!more)
        return false;
    o->part = more;
    o->room = n;
    return true;
}

void op_recycle(struct op *o)
{
    lock_acquire(&ops_lock);
    pool_put(&ops, o);
    lock_release(&ops_lock);
}

static struct op *op_new(struct comm *c, unsigned number, int tag)
{
    lock_acquire(&ops_lock);
    if (!ops.item_size)
        pool_init(&ops, sizeof(struct op));
    struct op *o = pool_get(&ops);
    lock_release(&ops_lock);
    if (!o)
        return NULL;
    if (!make_room(o, c->nlocal)) {
        op_recycle(o);
        return NULL;
    }
    o->comm = c;
    o->n = c->nlocal;
    o->head = c->local[0];
    o->number = number;
    o->tag = tag;
    o->arrived = 0;
    o->round = -1;
    o->last_far = o->queued = false;
    o->nmpi = 0;
    o->pending = NULL;
    o->state = NULL;
    store_relaxed(&o->far_state, FAR_IDLE);
    store_relaxed(&o->rc, MPI_SUCCESS);
    store_relaxed(&o->over, false);
    return o;
}

/* ---- coming ---- */

/* comm->lock is held. NULL without memory. */
static struct op *find(struct comm *c, unsigned number, int tag)
{
    struct op **at = &c->ops;
    while (*at && (*at)->number != number)
        at = &(*at)->next;
    if (!*at && (*at = op_new(c, number, tag)))
        (*at)->next = NULL;
    return *at;
}

/* All have come. comm->lock is held, so operations enter the queue of turns in their order. */
static void complete(struct comm *c, struct op *o)
{
    struct op **at = &c->ops;
    while (*at != o)
        at = &(*at)->next;
    *at = o->next;
    if (c->nproc == 1)
        return;
    o->queued = true;
    o->behind = NULL;
    if (c->last_turn)
        c->last_turn->behind = o;
    else
        store_release(&c->turns, o);
    c->last_turn = o;
}

static int come(struct part *p)
{
    struct comm *c = p->view->comm;
    unsigned number = p->view->calls;
    p->reproducible = p->view->reproducible;
    int tag = whole_tag(p->view);
    lock_acquire(&c->lock);
    struct op *o = find(c, number, tag);
    bool last = false;
    if (o) {
        p->op = o;
        if (p->request)
            p->request->collective.arg = o;
        o->part[p->view->index] = p;
        last = ++o->arrived == o->n;
        if (last)
            complete(c, o);
    }
    lock_release(&c->lock);
    if (last)
        op_open(o);
    return o ? MPI_SUCCESS : MPI_ERR_NO_MEM;
}

/* ---- leaving ---- */

static void hold_type(struct span *s)
{
    if (s->type)
        s->mpi = type_hold(s->type, s->mpi);
}

/* Types of one buffer, for as long as the operation lasts; or no longer. */
static void each_type(struct blocks *b, int peers, bool hold)
{
    if (b->form == FORM_NONE)
        return;
    if (b->form != FORM_TYPED) {
        struct span s = {.type = b->type, .mpi = b->mpi};
        if (hold)
            hold_type(&s);
        else
            type_drop(b->type);
        b->mpi = s.mpi;
        return;
    }
    for (int r = 0; r < peers; r++) {
        if (hold)
            hold_type(&b->typed[r]);
        else if (b->typed[r].type)
            type_drop(b->typed[r].type);
    }
}

static void part_free(struct part *p)
{
    if (p->call.send.form == FORM_TYPED)
        free(p->call.send.typed);
    if (p->call.recv.form == FORM_TYPED)
        free(p->call.recv.typed);
    free(p->packed_copy);
}

static void leave(struct part *p, int rc)
{
    ep_request r = p->request;
    struct comm *c = p->view->comm;
    each_type(&p->call.send, p->view->peers, false);
    each_type(&p->call.recv, p->view->peers, false);
    if (p->holds_operator)
        operator_drop(p->call.op);
    r->collective.why = p->why;
    part_free(p);
    free(p);
    r->out.error = rc;
    r->peer = -1;
    request_complete(r);
    endpoint_let_go(c);
}

void part_complete(struct part *p, int rc)
{
    int own = load_relaxed(&p->rc);
    if (p->request) {
        leave(p, own ? own : rc);
        return;
    }
    struct port *port = p->view->port;
    store_relaxed(&p->rc, own ? own : rc);
    store_release(&p->done, true);
    bell_ring(&port->bell);
}

/* ---- blocking ---- */

static bool part_is_done(const void *arg)
{
    return load_acquire(&((struct part *)(uintptr_t)arg)->done);
}

static bool done(struct wait *w)
{
    return part_is_done(w->arg);
}

static bool help(struct wait *w)
{
    struct part *p = w->arg;
    return op_help(p->op, part_is_done, p);
}

/* What the far step needs: messages, and the head's work. */
static void push_on(struct comm *c)
{
    struct port *head = c->local[0]->port;
    far_poll(false);
    if ((load_relaxed(&head->busy) || inbox_ready(&head->inbox)) && port_enter(head)) {
        progress_helper(head);
        port_left(head);
    }
}

/* With more threads than cores the others need the core to come; giving it away costs less than sleeping. */
static bool wait_lightly(struct part *p)
{
    struct comm *c = p->view->comm;
    for (int i = 0; i < YIELDS; i++) {
        if (part_is_done(p))
            return true;
        if (op_help(p->op, part_is_done, p))
            continue;
        if (c->nproc > 1)
            push_on(c);
        sched_yield();
    }
    return part_is_done(p);
}

static void wait_part(struct part *p)
{
    struct wait w = {.done = done, .help = help, .arg = p, .greedy = true, .limit = -1};
    struct port *port = p->view->port;
    if (part_is_done(p) || (idle_crowded() && wait_lightly(p)))
        return;
    port_lock(port);
    wait_until(port, &w);
    port_unlock(port);
}

static int raise(struct where w, int rc)
{
    if (rc == MPI_SUCCESS)
        return rc;
    if (rc == MPI_ERR_NO_MEM)
        return raise_error(w, rc, "no memory for the operation in this or another process");
    if (rc == MPI_ERR_TRUNCATE)
        return raise_error(w, rc, "a block that came is longer than the place for it (counts do not match)");
    return raise_error(w, rc, "the operation failed");
}

int coll_run(struct where w, const struct call *call, void *packed_copy)
{
    if (likely(!settings.check) && tiny_fits(w.view, call)) {
        int rc = tiny_run(w.view, call);
        free(packed_copy);
        return raise(w, rc);
    }
    struct part p = {.call = *call, .view = w.view, .packed_copy = packed_copy};
    int rc = come(&p);
    if (rc == MPI_SUCCESS) {
        wait_part(&p);
        rc = load_relaxed(&p.rc);
    }
    part_free(&p);
    if (likely(!p.why))
        return raise(w, rc);
    rc = raise_error(w, rc, "%s", p.why);
    free(p.why);
    return rc;
}

/* ---- not blocking ---- */

static bool request_is_over(const void *arg)
{
    return request_is_done(arg);
}

static bool help_request(ep_request r)
{
    return op_help(r->collective.arg, request_is_over, r);
}

static ep_request new_request(ep_comm view, const char *name)
{
    port_lock(view->port);
    ep_request r = request_new(view->port, REQUEST_COLLECTIVE);
    port_unlock(view->port);
    if (r) {
        r->view = view;
        r->serial = view->serial;
        r->call = name;
        r->collective.help = help_request;
    }
    return r;
}

static struct part *new_part(ep_comm view, const struct call *call, void *packed_copy)
{
    struct part *p = calloc(1, sizeof *p);
    ep_request r = p ? new_request(view, call->name) : NULL;
    if (!r) {
        free(p);
        return NULL;
    }
    p->call = *call;
    p->view = view;
    p->packed_copy = packed_copy;
    p->request = r;
    return p;
}

int coll_start(struct where w, const struct call *call, void *packed_copy, ep_request *request)
{
    struct part *p = new_part(w.view, call, packed_copy);
    if (!p) {
        struct part never = {.call = *call, .packed_copy = packed_copy};
        part_free(&never);
        return raise_error(w, MPI_ERR_NO_MEM, "no memory to start the operation");
    }
    *request = p->request;
    each_type(&p->call.send, w.view->peers, true);
    each_type(&p->call.recv, w.view->peers, true);
    p->holds_operator = call->kind >= COLL_REDUCE && operator_hold(call->op);
    endpoint_hold(w.view->comm);
    int rc = come(p);
    if (rc != MPI_SUCCESS)
        part_complete(p, rc); /* the request says so */
    return MPI_SUCCESS;
}
