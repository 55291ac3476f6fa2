/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Messages of ep's own kind, numbered like all collective calls of the communicator. Several edges between two
 * endpoints are told apart by their order alone, which both ends see alike.
 */
#include "coll/neighbor.h"

#include <stdio.h>
#include <stdlib.h>

#include "derive/derive.h"

/* The edges at one endpoint that lead in, or out, by number of their block. */
struct edges {
    int degree, rank;
    const struct cart *cart; /* or */
    const int *ranks;
};

/* The messages of one endpoint. */
struct circle {
    struct work work;
    struct where w;
    ep_request request; /* NULL: the caller blocks */
    int n, rc;
    char why[160];     /* text for rc */
    ep_request part[]; /* receives, then sends */
};

static bool edges_of(ep_comm view, struct edges *in, struct edges *out)
{
    const struct topology *t = topology_of(view);
    if (!t)
        return false;
    *in = *out = (struct edges){.rank = view->rank};
    if (t->kind == MPI_DIST_GRAPH) {
        in->degree = t->dist.in.degree;
        in->ranks = t->dist.in.ranks;
        out->degree = t->dist.out.degree;
        out->ranks = t->dist.out.ranks;
        return true;
    }
    if (t->kind == MPI_GRAPH) {
        in->ranks = graph_neighbours(&t->graph, view->rank, &in->degree);
    } else {
        in->cart = &t->cart;
        in->degree = 2 * t->cart.ndims;
    }
    *out = *in;
    return true;
}

bool neighbor_degrees(ep_comm view, int *in, int *out)
{
    struct edges from, to;
    if (!edges_of(view, &from, &to))
        return false;
    *in = from.degree;
    *out = to.degree;
    return true;
}

/* MPI_PROC_NULL beyond the ends of a grid. */
static int neighbour(const struct edges *e, int block)
{
    return e->cart ? cart_neighbour(e->cart, e->rank, block / 2, block % 2 ? 1 : -1) : e->ranks[block];
}

/* ---- messages ---- */

/* Where the neighbours in both directions of a dimension are one endpoint, its first message is what it sends in
 * the -1 direction, and belongs to the block of its being the +1 neighbour. */
static bool add_receives(struct circle *c, const struct call *call, const struct edges *in, int tag)
{
    for (int k = 0; k < in->degree; k++) {
        int block = in->cart ? k ^ 1 : k;
        struct recv v = {.view = c->w.view, .source = neighbour(in, block), .tag = tag, .call = call->name};
        if (v.source == MPI_PROC_NULL)
            continue;
        v.data = block_at(&call->recv, block);
        if (!(c->part[c->n] = recv_request(&v)))
            return false;
        c->n++;
    }
    return true;
}

static bool add_sends(struct circle *c, const struct call *call, const struct edges *out, int tag)
{
    for (int k = 0; k < out->degree; k++) {
        struct send s = {.view = c->w.view,
                         .dest = neighbour(out, k),
                         .tag = tag,
                         .mode = MODE_STANDARD,
                         .call = call->name};
        if (s.dest == MPI_PROC_NULL)
            continue;
        s.data = block_at(&call->send, k);
        if (!(c->part[c->n] = send_request(&s)))
            return false;
        c->n++;
    }
    return true;
}

static void abandon(ep_request r)
{
    store_relaxed(&r->word, DONE | USER);
}

static void start(struct circle *c)
{
    for (int i = 0; i < c->n; i++) {
        int rc = MPI_SUCCESS;
        if (c->part[i]->kind == REQUEST_RECV)
            recv_start(c->part[i]);
        else
            rc = send_start(c->part[i]);
        if (rc != MPI_SUCCESS) {
            c->part[i]->out.error = rc;
            abandon(c->part[i]);
        }
    }
}

static bool is_over(const struct circle *c)
{
    for (int i = c->n - 1; i >= 0; i--)
        if (!request_is_done(c->part[i]))
            return false;
    return true;
}

static void explain(struct circle *c, const struct ep_request_s *r)
{
    c->rc = r->out.error;
    if (c->rc == MPI_ERR_TRUNCATE)
        snprintf(c->why, sizeof c->why,
                 "the message from neighbour %d has %zu bytes, its block of the receive buffer has %zu",
                 r->peer, r->out.arrived, r->bytes);
    else
        snprintf(c->why, sizeof c->why, "the message %s neighbour %d failed",
                 r->kind == REQUEST_SEND ? "to" : "from", r->peer);
}

/* Everything is done: keep the first error. */
static void settle(struct circle *c)
{
    for (int i = 0; i < c->n; i++) {
        if (c->part[i]->out.error != MPI_SUCCESS && c->rc == MPI_SUCCESS)
            explain(c, c->part[i]);
        request_release(c->part[i]);
    }
}

/* ---- the two ways to wait ---- */

static void wait_all(struct circle *c)
{
    for (int i = 0; i < c->n; i++)
        wait_request(c->part[i], true);
    settle(c);
}

static bool step(struct work *w)
{
    struct circle *c = (struct circle *)(void *)w;
    struct comm *comm = c->w.view->comm;
    if (!is_over(c))
        return false;
    settle(c);
    c->request->out.error = c->rc;
    if (c->rc != MPI_SUCCESS && asprintf(&c->request->collective.why, "%s: %s", c->w.call, c->why) < 0)
        c->request->collective.why = NULL;
    request_complete(c->request);
    reserve_free(c);
    endpoint_let_go(comm);
    return true;
}

static void go_on_alone(struct circle *c)
{
    ep_comm view = c->w.view;
    c->work.step = step;
    endpoint_hold(view->comm);
    if (!step(&c->work))
        work_add(view->port, &c->work);
}

static ep_request new_request(struct where w)
{
    ep_request r = request_new_own(w.view->port, REQUEST_COLLECTIVE);
    if (r) {
        r->view = w.view;
        r->serial = w.view->serial;
        r->call = w.call;
        r->peer = -1;
    }
    return r;
}

/* All that needs memory comes before the first message. */
static bool prepare(struct circle *c, const struct call *call, const struct edges *in,
                    const struct edges *out, int tag, bool wants_request)
{
    port_assert_held(c->w.view->port);
    if (wants_request)
        c->request = new_request(c->w);
    if ((!wants_request || c->request) && add_receives(c, call, in, tag) && add_sends(c, call, out, tag))
        return true;
    for (int i = 0; i < c->n; i++) {
        abandon(c->part[i]);
        request_release(c->part[i]);
    }
    if (c->request) {
        abandon(c->request);
        request_release(c->request);
    }
    return false;
}

static int run(struct circle *c, ep_request *request)
{
    struct port *port = c->w.view->port;
    start(c);
    if (request) {
        *request = c->request;
        go_on_alone(c);
        port_unlock(port);
        return MPI_SUCCESS;
    }
    wait_all(c);
    port_unlock(port);
    int rc = c->rc ? raise_error(c->w, c->rc, "%s", c->why) : MPI_SUCCESS;
    reserve_free(c);
    return rc;
}

static void free_typed(const struct call *call)
{
    reserve_free(call->send.typed);
    reserve_free(call->recv.typed);
}

int neighbor_run(struct where w, const struct call *call, ep_request *request)
{
    struct edges in, out;
    if (!edges_of(w.view, &in, &out)) {
        free_typed(call);
        return raise_error(w, MPI_ERR_TOPOLOGY, "argument comm has no topology");
    }
    int tag = whole_tag(w.view); /* counted by all, whatever happens here */
    struct circle *c = reserve_calloc(sizeof *c + ((size_t)in.degree + (size_t)out.degree) * sizeof *c->part);
    if (c)
        c->w = w;
    port_lock(w.view->port);
    bool ok = c && prepare(c, call, &in, &out, tag, request != NULL);
    free_typed(call);
    if (ok)
        return run(c, request);
    port_unlock(w.view->port);
    reserve_free(c);
    return raise_error(w, MPI_ERR_NO_MEM, "no memory for messages to %d neighbours", out.degree);
}
