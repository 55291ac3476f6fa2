/* SPDX-License-Identifier: BSD-3-Clause */
/* Where a collective call begins and, if it blocks, waits. */
#include <sched.h>
#include <stdlib.h>

#include "coll/coll.h"
#include "coll/op.h"
#include "coll/tiny.h"
#include "coll/tiny_cells.h"
#include "derive/derive.h"

enum { YIELDS = 200 };

/* ---- blocking ---- */

static bool part_is_done(const void *arg)
{
    return load_acquire(&((struct part *)(uintptr_t)arg)->done);
}

static bool help_part(struct part *p)
{
    return op_help(p->op, p->view->index, p->view->comm->nlocal, part_is_done, p);
}

static bool done(struct wait *w)
{
    return part_is_done(w->arg);
}

static bool help(struct wait *w)
{
    struct part *p = w->arg;
    return help_part(p);
}

static void tell(const struct wait *w, struct plight *about)
{
    const struct part *p = w->arg;
    *about = (struct plight){p->call.name, p->view, part_awaits(p), MPI_UNDEFINED, false};
}

/* What the far step needs: messages, and the head's work. */
static void push_on(struct comm *c)
{
    struct port *head = c->local[0]->port;
    far_poll(NULL, false);
    if ((load_relaxed(&head->busy) || inbox_ready(&head->inbox)) && port_enter(head)) {
        progress_helper(head, NULL);
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
        if (help_part(p))
            continue;
        if (c->nproc > 1)
            push_on(c);
        sched_yield();
    }
    return part_is_done(p);
}

static void wait_part(struct part *p)
{
    struct wait w = {.done = done, .help = help, .arg = p, .tell = tell, .greedy = true, .sleepy = true, .limit = -1};
    struct port *port = p->view->port;
    if (part_is_done(p) || (!caller_suspends() && idle_yields_first() && wait_lightly(p)))
        return;
    port_lock(port);
    wait_until(port, &w);
    port_unlock(port);
}

int part_run(struct part *p, unsigned number)
{
    part_come(p, number);
    wait_part(p);
    return load_relaxed(&p->rc);
}

/* In an endpoint of several processes whose communicator has no cells yet: have all processes memory for them? What they
 * vote by needs no cells, and gives all the same result or the same error. */
static bool vote_for_cells(ep_comm view, const char *name)
{
    int mine = cells_prepare(view->comm), all = 0;
    struct type *type = type_find(MPI_INT);
    struct part p = {.view = view,
                     .call = {.name = name,
                              .kind = COLL_ALLREDUCE,
                              .send = {.form = FORM_WHOLE, .buf = (char *)&mine, .count = 1, .type = type, .mpi = MPI_INT},
                              .recv = {.form = FORM_WHOLE, .buf = (char *)&all, .count = 1, .type = type, .mpi = MPI_INT},
                              .op = MPI_MIN}};
    int rc = part_run(&p, whole_number(view));
    cells_settle(view->comm, rc == MPI_SUCCESS && all);
    return rc == MPI_SUCCESS && all;
}

bool cells_ask(ep_comm view, const char *name)
{
    if (load_relaxed(&view->comm->coll->no_cells))
        return false;
    return view->comm->nproc == 1 ? cells_make(view->comm) : vote_for_cells(view, name);
}

static int raise(struct where w, int rc)
{
    if (rc == MPI_SUCCESS)
        return rc;
    if (rc == MPI_ERR_NO_MEM)
        return raise_error(w, rc, "no memory for the operation in this process, or it failed in another");
    if (rc == MPI_ERR_TRUNCATE)
        return raise_error(w, rc, "a block that came is longer than the place for it (counts do not match)");
    if (rc == MPI_ERR_TYPE || rc == MPI_ERR_COUNT)
        return raise_error(w, rc, "endpoints of another process gave elements that differ");
    return raise_error(w, rc, "the operation failed");
}

/* A part that this call waits for. */
static int run_part(struct where w, const struct call *call, void *packed_copy)
{
    struct part p = {.call = *call, .view = w.view, .packed_copy = packed_copy};
    int rc = part_run(&p, whole_number(w.view));
    part_free(&p);
    if (likely(!p.why))
        return raise(w, rc);
    rc = raise_error(w, rc, "%s", p.why);
    free(p.why);
    return rc;
}

int coll_run(struct where w, const struct call *call, void *packed_copy)
{
    add_alone(&w.view->port->own.collectives, 1);
    if (likely(!w.view->comm->checks) && tiny_fits(w.view, call)) {
        int rc = tiny_run(w.view, call);
        reserve_free(packed_copy);
        return raise(w, rc);
    }
    return run_part(w, call, packed_copy);
}

/* ---- not blocking ---- */

static bool request_is_over(const void *arg)
{
    return request_is_done(arg);
}

static bool help_request(ep_request r)
{
    return op_help(r->collective.arg, r->collective.index, r->collective.of, request_is_over, r);
}

static struct part *new_part(ep_comm view, const struct call *call, void *packed_copy)
{
    struct part *p = reserve_calloc(sizeof *p);
    ep_request r = p ? request_collective(view, call->name) : NULL;
    if (!r) {
        reserve_free(p);
        return NULL;
    }
    r->collective.help = help_request;
    r->collective.index = view->index;
    r->collective.of = view->comm->nlocal;
    p->call = *call;
    p->view = view;
    p->packed_copy = packed_copy;
    p->request = r;
    return p;
}

/* Without memory for a request, or for what must outlast the call, the others still wait for this endpoint: then the call ends when the
 * operation does. */
int coll_start(struct where w, const struct call *call, void *packed_copy, ep_request *request)
{
    struct part *p = call_lasts(call) ? new_part(w.view, call, packed_copy) : NULL;
    add_alone(&w.view->port->own.collectives, 1);
    if (!p) {
        int rc = run_part(w, call, packed_copy);
        *request = rc == MPI_SUCCESS ? &request_sent : EP_REQUEST_NULL;
        return rc;
    }
    *request = p->request;
    part_types(p, true);
    p->holds_operator = call->kind >= COLL_REDUCE && operator_hold(call->op);
    endpoint_hold(w.view->comm);
    part_come(p, whole_number(w.view));
    return MPI_SUCCESS;
}
