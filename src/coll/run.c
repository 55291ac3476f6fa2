/* SPDX-License-Identifier: BSD-3-Clause */
/* Where a collective call begins and, if it blocks, waits. */
#include <stdlib.h>

#include "coll/coll.h"
#include "coll/op.h"
#include "coll/small/small.h"
#include "derive/derive.h"

/* ---- blocking ---- */

static bool args_is_done(const void *arg)
{
    return load_acquire(&((struct coll_args *)(uintptr_t)arg)->done);
}

static bool help_args(struct coll_args *p)
{
    return op_help(p->op, p->view->index, p->view->comm->nlocal, args_is_done, p);
}

static bool run_done(struct wait *w)
{
    return args_is_done(w->arg);
}

static bool run_help(struct wait *w)
{
    struct coll_args *p = w->arg;
    return help_args(p);
}

static void run_tell(const struct wait *w, struct wait_info *about)
{
    const struct coll_args *p = w->arg;
    *about = (struct wait_info){p->call.name, p->view, coll_args_awaits(p), MPI_UNDEFINED, false};
}

/* What the far step needs: messages, and the leader's work. */
static void push_on(struct comm *c)
{
    struct endpoint *leader = c->local[0]->endpoint;
    far_poll(NULL, false);
    if ((load_relaxed(&leader->busy) || inbox_ready(&leader->inbox)) && endpoint_enter(leader)) {
        progress_helper(leader, NULL);
        endpoint_left(leader);
    }
}

static bool run_look(void *args)
{
    return args_is_done(args);
}

static bool run_serve(void *args)
{
    struct coll_args *p = args;
    bool any = help_args(p);
    if (!any && p->view->comm->nproc > 1)
        push_on(p->view->comm);
    return any;
}

static void wait_args(struct coll_args *p)
{
    struct wait w = {.done = run_done,
                     .help = run_help,
                     .arg = p,
                     .tell = run_tell,
                     .greedy = true,
                     .policy = POLICY_MANY};
    struct endpoint *endpoint = p->view->endpoint;
    if (args_is_done(p) || (!caller_suspends() && wait_shared() &&
                            wait_serving(run_look, run_serve, p, POLICY_SOON)))
        return;
    endpoint_lock(endpoint);
    wait_until(endpoint, &w);
    endpoint_unlock(endpoint);
}

int args_run(struct coll_args *p, unsigned number)
{
    coll_args_join(p, number);
    wait_args(p);
    return load_relaxed(&p->rc);
}

/* A call of ep's own, of all endpoints, that needs no slots and gives all processes the same result or the same error. */
static int run_own(ep_comm view, struct call *call)
{
    struct coll_args p = {.view = view, .call = *call};
    return args_run(&p, whole_number(view));
}

static struct blocks own_block(void *buf, size_t count, MPI_Datatype mpi)
{
    return (struct blocks){
        .form = FORM_WHOLE, .buf = buf, .count = count, .type = type_find(mpi), .mpi = mpi};
}

/* Rank 0's, to all. False: there is an error. */
static bool tell_card(ep_comm view, const char *name, struct flag_slots_card *card)
{
    struct blocks block = own_block(card, sizeof *card, MPI_BYTE);
    struct call call = {.name = name, .kind = COLL_BCAST};
    *(view->rank == 0 ? &call.send : &call.recv) = block;
    return run_own(view, &call) == MPI_SUCCESS;
}

/* Have all processes memory for slots? Those of a machine share a segment that the process of rank 0 makes. */
static bool flag_slots_offer(ep_comm view, const char *name)
{
    struct comm *c = view->comm;
    struct flag_slots_card card = {.ok = false};
    if (flag_slots_reach(c) == REACH_LEADERS)
        return flag_slots_prepare(c, NULL, NULL);
    if (view->rank == 0)
        flag_slots_prepare(c, NULL, &card);
    return tell_card(view, name, &card) && flag_slots_prepare(c, &card, NULL);
}

/* In an endpoint of several processes whose communicator has no slots yet. */
static bool vote_for_flag_slots(ep_comm view, const char *name)
{
    int mine = flag_slots_offer(view, name), all = 0;
    struct call call = {.name = name,
                        .kind = COLL_ALLREDUCE,
                        .send = own_block(&mine, 1, MPI_INT),
                        .recv = own_block(&all, 1, MPI_INT),
                        .op = MPI_MIN};
    int rc = run_own(view, &call);
    flag_slots_settle(view->comm, rc == MPI_SUCCESS && all);
    return rc == MPI_SUCCESS && all;
}

bool flag_slots_ask(ep_comm view, const char *name)
{
    if (load_relaxed(&view->comm->coll->no_flag_slots))
        return false;
    return view->comm->nproc == 1 ? flag_slots_make(view->comm) : vote_for_flag_slots(view, name);
}

static int run_raise(struct where w, int rc)
{
    if (rc == MPI_ERR_NO_MEM)
        return raise_error(w, rc, "no memory for the operation in this process, or it failed in another");
    if (rc == MPI_ERR_TRUNCATE)
        return raise_error(w, rc, "a block that came is longer than the place for it (counts do not match)");
    if (rc == MPI_ERR_TYPE || rc == MPI_ERR_COUNT)
        return raise_error(w, rc, "endpoints of another process gave elements that differ");
    return raise_error(w, rc, "the operation failed");
}

/* Arguments of an endpoint that this call waits for. */
static int run_args(struct where w, const struct call *call, void *packed_copy)
{
    struct coll_args p = {.call = *call, .view = w.view, .packed_copy = packed_copy};
    int rc = args_run(&p, whole_number(w.view));
    if (unlikely(p.call.send.typed || p.call.recv.typed || packed_copy))
        coll_args_free(&p);
    if (likely(!p.why))
        return likely(rc == MPI_SUCCESS) ? rc : run_raise(w, rc);
    rc = raise_error(w, rc, "%s", p.why);
    free(p.why);
    return rc;
}

int coll_run(struct where w, const struct call *call, void *packed_copy)
{
    add_alone(&w.view->endpoint->own.collectives, 1);
    int rc = likely(!w.view->comm->checks) ? small_run(w.view, call) : SMALL_NOT;
    if (unlikely(rc == SMALL_NOT))
        return run_args(w, call, packed_copy);
    if (unlikely(packed_copy != NULL))
        reserve_free(packed_copy);
    if (unlikely(call->send.typed || call->recv.typed))
        call_free(&(struct call){.send = call->send, .recv = call->recv});
    return likely(rc == MPI_SUCCESS) ? rc : run_raise(w, rc);
}

/* ---- not blocking ---- */

static bool request_is_over(const void *arg)
{
    return request_is_done(arg);
}

static bool help_request(ep_request r)
{
    const struct request_collective *c = request_to_collective(r);
    return op_help(c->arg, c->index, c->of, request_is_over, r);
}

static struct coll_args *new_args(ep_comm view, const struct call *call, void *packed_copy)
{
    struct coll_args *p = reserve_calloc(sizeof *p);
    ep_request r = p ? request_new_collective(view, call->name) : NULL;
    if (!r) {
        reserve_free(p);
        return NULL;
    }
    struct request_collective *c = request_to_collective(r);
    c->help = help_request;
    c->index = view->index;
    c->of = view->comm->nlocal;
    p->call = *call;
    p->view = view;
    p->packed_copy = packed_copy;
    p->request = r;
    return p;
}

/* Without memory for a request, or for what must outlast the call, the others still wait for this endpoint:
 * then the call ends when the operation does. */
int coll_start(struct where w, const struct call *call, void *packed_copy, ep_request *request)
{
    struct coll_args *p = call_lasts(call) ? new_args(w.view, call, packed_copy) : NULL;
    add_alone(&w.view->endpoint->own.collectives, 1);
    if (!p) {
        int rc = run_args(w, call, packed_copy);
        *request = rc == MPI_SUCCESS ? &request_sent : EP_REQUEST_NULL;
        return rc;
    }
    *request = p->request;
    coll_args_types(p, true);
    p->holds_operator = call->kind >= COLL_REDUCE && operator_hold(call->op);
    endpoint_hold(w.view->comm);
    coll_args_join(p, whole_number(w.view));
    return MPI_SUCCESS;
}

/* ---- calls of a communicator that are done elsewhere, as operations that only compare (derive.h) ---- */

/* One that does not block. */
struct comparison {
    struct coll_args args;
    whole_compared *then;
    void *arg;
};

static struct coll_args args_of(ep_comm view, const char *name)
{
    return (struct coll_args){.view = view, .call = {.name = name, .kind = COLL_NOTHING}};
}

int whole_compare(ep_comm view, unsigned number, const char *name, char **why)
{
    struct coll_args p = args_of(view, name);
    int rc = args_run(&p, number);
    *why = p.why;
    return rc;
}

static void whole_over(struct coll_args *p)
{
    struct comparison *c = container_of(p, struct comparison, args);
    c->then(c->arg, load_relaxed(&p->rc), p->why);
    reserve_free(c);
}

bool whole_compare_later(ep_comm view, unsigned number, const char *name, whole_compared *then, void *arg)
{
    struct comparison *c = reserve_calloc(sizeof *c);
    if (!c)
        return false;
    *c = (struct comparison){args_of(view, name), then, arg};
    c->args.over = whole_over;
    coll_args_join(&c->args, number);
    return true;
}
