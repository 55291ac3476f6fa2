/* SPDX-License-Identifier: BSD-3-Clause */
/* Endpoints come to an operation, and leave it. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "coll/op.h"
#include "coll/small/flag_slots.h"
#include "coll/operator.h"
#include "derive/derive.h"

static struct pool ops; /* under ops_lock */
static struct lock ops_lock = LOCK_FREE(OPERATIONS);

/* ---- operations ---- */

static bool arrive_make_room(struct op *o, int n)
{
    if (n > FEW && n > o->room) {
        struct coll_args **more = realloc(o->many, (size_t)n * sizeof *more);
        o->many = more ? more : o->many;
        o->room = more ? n : o->room;
    }
    o->args = n <= FEW ? o->few : o->many;
    return n <= FEW || n <= o->room;
}

static void arrive_put_back(struct op *o)
{
    lock_acquire(&ops_lock);
    pool_put(&ops, o);
    lock_release(&ops_lock);
}

static struct op *arrive_take(int n)
{
    lock_acquire(&ops_lock);
    if (!ops.item_size)
        pool_init(&ops, sizeof(struct op));
    struct op *o = pool_get(&ops);
    lock_release(&ops_lock);
    if (!o || arrive_make_room(o, n))
        return o;
    arrive_put_back(o);
    return NULL;
}

/* The one that the communicator keeps. Whoever gave it back held no lock: what that thread did with it is
 * over by the acquire. */
static struct op *take_kept(struct comm *c)
{
    lock_assert_held(&c->lock);
    if (load_acquire(&c->coll->kept_used))
        return NULL;
    store_relaxed(&c->coll->kept_used, true);
    return c->coll->kept;
}

void op_recycle(struct op *o)
{
    assert(load_relaxed(&o->refs) == 0 && !o->queued && !o->pending);
    struct coll_comm *args = o->comm->coll;
    if (o == args->kept)
        store_release(&args->kept_used, false); /* who waits for it looks now and then */
    else
        arrive_put_back(o);
}

_Static_assert(sizeof(struct coll_comm) <= 64 && sizeof(struct op) <= 704, "docs/memory.md");

static bool begin_args(struct comm *c)
{
    return (c->coll->kept = arrive_take(c->nlocal)) != NULL;
}

static void end_args(struct comm *c)
{
    if (c->coll->kept)
        arrive_put_back(c->coll->kept);
    flag_slots_free(load_relaxed(&c->coll->flag_slots));
    flag_slots_free(c->coll->flag_slots_prepared);
}

__attribute__((constructor)) static void arrive_attach(void)
{
    static const struct comm_part args = {
        .bytes = sizeof(struct coll_comm), .begin = begin_args, .end = end_args};
    comm_attach(COMM_SLOT_COLL, &args);
}

static struct op *op_new(struct comm *c, unsigned number, int tag)
{
    lock_assert_held(&c->lock);
    struct op *o = arrive_take(c->nlocal);
    if (!o && !(o = take_kept(c)))
        return NULL;
    o->comm = c;
    o->n = c->nlocal;
    o->leader = c->local[0];
    o->number = number;
    o->tag = tag;
    o->arrived = 0;
    memset(o->args, 0, (size_t)o->n * sizeof(struct coll_args *));
    o->round = -1;
    o->last_far = o->queued = false;
    o->nmpi = 0;
    o->pending = NULL;
    o->state = NULL;
    o->stand_ins = NULL;
    store_relaxed(&o->far_state, FAR_IDLE);
    store_relaxed(&o->rc, MPI_SUCCESS);
    store_relaxed(&o->over, false);
    return o;
}

/* ---- coming ---- */

/* NULL without memory: the communicator's own is in use. */
static struct op *arrive_find(struct comm *c, unsigned number, int tag)
{
    lock_assert_held(&c->lock);
    struct op **at = &c->coll->ops;
    while (*at && (*at)->number != number)
        at = &(*at)->next;
    if (!*at && (*at = op_new(c, number, tag)))
        (*at)->next = NULL;
    return *at;
}

/* All have come. Under the lock operations enter the queue of issue order in their order. */
static void arrive_complete(struct comm *c, struct op *o)
{
    lock_assert_held(&c->lock);
    struct op **at = &c->coll->ops;
    while (*at != o)
        at = &(*at)->next;
    *at = o->next;
    if (c->nproc == 1)
        return;
    o->queued = true;
    o->behind = NULL;
    if (c->coll->last_issued)
        c->coll->last_issued->behind = o;
    else
        store_release(&c->coll->issue_order, o);
    c->coll->last_issued = o;
}

/* False: there is no memory for an operation. */
static bool arrive_come(struct coll_args *p)
{
    struct comm *c = p->view->comm;
    int index = p->view->index; /* with a request p may be gone soon */
    lock_acquire(&c->lock);
    struct op *o = arrive_find(c, p->number, whole_tag(p->view, p->number));
    bool last = false;
    if (o) {
        p->op = o;
        assert(!o->args[index] && o->arrived < o->n);
        if (p->request)
            request_to_collective(p->request)->arg = o;
        o->args[p->view->index] = p;
        last = ++o->arrived == o->n;
        if (last)
            arrive_complete(c, o);
    }
    lock_release(&c->lock);
    if (last)
        op_open(o, index);
    return o;
}

static bool room_may_be(struct wait *w)
{
    const struct coll_args *p = w->arg;
    struct comm *c = p->view->comm;
    lock_acquire(&c->lock);
    const struct op *o = c->coll->ops;
    while (o && o->number != p->number)
        o = o->next;
    lock_release(&c->lock);
    return o || !load_acquire(&c->coll->kept_used);
}

static void arrive_tell(const struct wait *w, struct wait_info *about)
{
    const struct coll_args *p = w->arg;
    *about = (struct wait_info){p->call.name, p->view, MPI_UNDEFINED, MPI_UNDEFINED, false};
}

/*
 * Without memory it waits for the operation that the communicator keeps. Who has that is an earlier call of
 * the same communicator, to which all its endpoints come before they come to this one, so it ends without
 * this call.
 */
void coll_args_join(struct coll_args *p, unsigned number)
{
    lock_assert_none();
    struct endpoint *endpoint = p->view->endpoint;
    struct wait w = {.done = room_may_be, .arg = p, .tell = arrive_tell, .policy = POLICY_ELSEWHERE};
    p->reproducible = p->view->reproducible;
    p->number = number;
    while (!arrive_come(p)) {
        endpoint_lock(endpoint);
        wait_until(endpoint, &w);
        endpoint_unlock(endpoint);
    }
}

/* An operation in the list has not been opened, so as long as p is not done it is still p's. */
int coll_args_awaits(const struct coll_args *p)
{
    struct comm *c = p->view->comm;
    int rank = MPI_UNDEFINED;
    lock_acquire(&c->lock);
    const struct op *o = c->coll->ops;
    while (o && o != p->op)
        o = o->next;
    for (int i = 0; o && !load_acquire(&p->done) && !c->inter && rank == MPI_UNDEFINED && i < o->n; i++)
        if (!o->args[i])
            rank = c->local[i]->rank;
    lock_release(&c->lock);
    return rank;
}

/* ---- leaving ---- */

static void hold_type(struct span *s)
{
    if (s->type)
        s->mpi = type_hold(s->type, s->mpi, true);
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
            type_drop(b->type, b->mpi);
        b->mpi = s.mpi;
        return;
    }
    for (int r = 0; r < peers; r++) {
        if (hold)
            hold_type(&b->typed[r]);
        else if (b->typed[r].type)
            type_drop(b->typed[r].type, b->typed[r].mpi);
    }
}

void coll_args_types(struct coll_args *p, bool hold)
{
    each_type(&p->call.send, p->view->peers, hold);
    each_type(&p->call.recv, p->view->peers, hold);
}

void coll_args_free(struct coll_args *p)
{
    call_free(&p->call);
    reserve_free(p->packed_copy);
}

static void arrive_leave(struct coll_args *p, int rc)
{
    ep_request r = p->request;
    struct comm *c = p->view->comm;
    coll_args_types(p, false);
    if (p->holds_operator)
        operator_drop(p->call.op);
    request_to_collective(r)->why = p->why;
    coll_args_free(p);
    reserve_free(p);
    r->out.error = rc;
    r->peer = -1;
    request_complete(r);
    endpoint_let_go(c);
}

void coll_args_complete(struct coll_args *p, int rc)
{
    assert(!load_relaxed(&p->done));
    int own = load_relaxed(&p->rc);
    if (p->request) {
        arrive_leave(p, own ? own : rc);
        return;
    }
    struct endpoint *endpoint = p->view->endpoint;
    store_relaxed(&p->rc, own ? own : rc);
    if (p->over) {
        p->over(p);
        return;
    }
    store_release(&p->done, true);
    evcount_notify(&endpoint->evcount);
}
