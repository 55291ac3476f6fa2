/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Messages of ep's own kind, numbered like all collective calls of the communicator. Several edges between
 * two endpoints are told apart by their order alone, which both ends see alike.
 *
 * Each endpoint waits for a message along each edge that leads to it, so along each that leads out one goes,
 * whatever fails. A message is empty if and only if there was no memory for it: a block of no bytes travels
 * as a mark. So the failure comes with the data, and is told apart from numbers that do not match.
 *
 *   no memory before the first message   empty ones to all, and theirs into nothing (struct telling)
 *   no memory when one is started        an empty one in its place, before any later one, in the order of
 *                                        the edges (neighbor_start)
 *
 * Both are tried again until they go (send_notice). Receives and sends of the first kind, which may last
 * until another endpoint makes a call, never take the requests that the endpoint keeps: others need those to
 * come to that call (request_new_kept).
 */
#include "coll/coll.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "derive/derive.h"

/* For a block of no bytes. */
static const char blank[] = {0, 'e', 'p'};
enum { BLANK = sizeof blank };

static const char no_memory_to_compare[] = "no memory to compare the calls of the endpoints (EP_CHECK)";

/* The edges at one endpoint that lead in, or out, by number of their block. */
struct edges {
    int degree, rank;
    const struct cart *cart; /* or */
    const int *ranks;
};

/* The messages of one endpoint. */
struct cycle {
    struct work work;
    struct where w;
    ep_request request; /* NULL: the caller blocks */
    int n, started, rc;
    int receives;  /* edges that lead in */
    char *blanks;  /* BLANK bytes for each of them */
    char why[256]; /* text for rc */
    /* EP_CHECK, of one that goes on alone: its call is compared with those of others before its messages
     * start. COMPARED: release by who has compared, and then rc and accusation are there; acquire by its
     * steps */
    _Atomic enum {
        STARTED,
        COMPARING,
        COMPARED
    } stage; /* release neighbor_compared, acquire neighbor_step */
    char *accusation;
    ep_request args[]; /* receives, then sends */
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
static int neighbor_neighbour(const struct edges *e, int block)
{
    return e->cart ? cart_neighbour(e->cart, e->rank, block / 2, block % 2 ? 1 : -1) : e->ranks[block];
}

bool neighbor_is_there(ep_comm view, bool out, int block)
{
    struct edges from, to;
    return edges_of(view, &from, &to) && neighbor_neighbour(out ? &to : &from, block) != MPI_PROC_NULL;
}

/* ---- messages ---- */

/* Where the neighbours in both directions of a dimension are one endpoint, its first message is what it sends
 * in the -1 direction, and belongs to the block of its being the +1 neighbour. */
static bool add_receives(struct cycle *c, const struct call *call, const struct edges *in, int tag)
{
    endpoint_assert_held(c->w.view->endpoint);
    for (int k = 0; k < in->degree; k++) {
        int block = in->cart ? k ^ 1 : k;
        struct recv v = {
            .view = c->w.view, .source = neighbor_neighbour(in, block), .tag = tag, .call = call->name};
        if (v.source == MPI_PROC_NULL)
            continue;
        v.data = block_at(&call->recv, block);
        if (span_bytes(&v.data) == 0)
            v.data = span_packed(c->blanks + (size_t)k * BLANK, BLANK);
        if (!(c->args[c->n] = recv_request(&v)))
            return false;
        c->n++;
    }
    return true;
}

static bool add_sends(struct cycle *c, const struct call *call, const struct edges *out, int tag)
{
    endpoint_assert_held(c->w.view->endpoint);
    for (int k = 0; k < out->degree; k++) {
        struct send s = {.view = c->w.view,
                         .dest = neighbor_neighbour(out, k),
                         .tag = tag,
                         .mode = MODE_STANDARD,
                         .call = call->name};
        if (s.dest == MPI_PROC_NULL)
            continue;
        s.data = block_at(&call->send, k);
        if (span_bytes(&s.data) == 0)
            s.data = span_packed(blank, BLANK);
        if (!(c->args[c->n] = send_request(&s)))
            return false;
        c->n++;
    }
    return true;
}

static void neighbor_abandon(ep_request r)
{
    store_relaxed(&r->word, DONE | USER);
}

/* None was started. */
static void abandon_all(struct cycle *c)
{
    endpoint_assert_held(c->w.view->endpoint);
    for (int i = 0; i < c->n; i++) {
        neighbor_abandon(c->args[i]);
        request_release(c->args[i]);
    }
    c->n = 0;
}

/* In place of a send that failed. False: not now. */
static bool start_empty(ep_request r)
{
    struct send s = {.view = r->view,
                     .data = span_packed(NULL, 0),
                     .dest = r->peer,
                     .tag = r->tag,
                     .mode = MODE_STANDARD,
                     .call = r->call};
    ep_request empty;
    if (!send_notice(&s, &empty))
        return false;
    if (empty)
        request_release(empty);
    neighbor_abandon(r);
    return true;
}

/* Again until it is true: all are started, each before the next. */
static bool neighbor_start(struct cycle *c)
{
    endpoint_assert_held(c->w.view->endpoint);
    for (; c->started < c->n; c->started++) {
        ep_request r = c->args[c->started];
        int rc = r->out.error;
        if (r->kind == REQUEST_RECV) {
            recv_start(r);
            continue;
        }
        if (rc == MPI_SUCCESS && (rc = send_start(r)) == MPI_SUCCESS)
            continue;
        r->out.error = rc;
        if (!start_empty(r))
            return false;
    }
    return true;
}

static bool neighbor_is_over(const struct cycle *c)
{
    for (int i = c->n - 1; i >= 0; i--)
        if (!request_is_done(c->args[i]))
            return false;
    return true;
}

/* Is it for a block of no bytes? */
static bool awaits_blank(const struct cycle *c, const struct ep_request_s *r)
{
    return (uintptr_t)request_data(r)->buf - (uintptr_t)c->blanks < (size_t)c->receives * BLANK;
}

/* Did nothing come, from one who had memory for it? As far as can be seen. */
static bool is_blank(const struct ep_request_s *r)
{
    return r->out.arrived == BLANK && request_data(r)->type->contiguous &&
           memcmp(span_start(request_data(r)), blank, r->out.received) == 0;
}

/* Both sides name the same number of bytes. */
static int neighbor_error_of(const struct cycle *c, const struct ep_request_s *r)
{
    if (r->kind == REQUEST_SEND || r->out.error != MPI_SUCCESS)
        return r->out.error;
    if (r->out.arrived == 0)
        return MPI_ERR_NO_MEM;
    bool right = awaits_blank(c, r) ? is_blank(r) : r->out.arrived == request_bytes(r);
    return right ? MPI_SUCCESS : MPI_ERR_TRUNCATE;
}

static void neighbor_explain(struct cycle *c, const struct ep_request_s *r)
{
    c->rc = r->out.error;
    if (c->rc == MPI_ERR_TRUNCATE)
        snprintf(c->why, sizeof c->why,
                 "the message from neighbour %d has %zu bytes, its block of the receive buffer has %zu",
                 r->peer, is_blank(r) ? 0 : r->out.arrived, awaits_blank(c, r) ? 0 : request_bytes(r));
    else if (c->rc == MPI_ERR_NO_MEM)
        snprintf(c->why, sizeof c->why, "no memory for the message %s neighbour %d, here or there",
                 r->kind == REQUEST_SEND ? "to" : "from", r->peer);
    else
        snprintf(c->why, sizeof c->why, "the message %s neighbour %d failed",
                 r->kind == REQUEST_SEND ? "to" : "from", r->peer);
}

/* Everything is done: keep the first error. */
static void neighbor_settle(struct cycle *c)
{
    for (int i = 0; i < c->n; i++) {
        c->args[i]->out.error = neighbor_error_of(c, c->args[i]);
        if (c->args[i]->out.error != MPI_SUCCESS && c->rc == MPI_SUCCESS)
            neighbor_explain(c, c->args[i]);
        request_release(c->args[i]);
    }
}

/* ---- the two ways to wait ---- */

static bool all_started(struct wait *w)
{
    return neighbor_start(w->arg);
}

static void wait_all(struct cycle *c)
{
    endpoint_assert_held(c->w.view->endpoint);
    struct wait w = {.done = all_started, .arg = c, .greedy = true, .policy = POLICY_ELSEWHERE};
    if (!neighbor_start(c))
        wait_until(c->w.view->endpoint, &w);
    for (int i = 0; i < c->n; i++)
        wait_request(c->args[i], true);
    neighbor_settle(c);
}

/* In any thread. */
static void neighbor_compared(void *arg, int rc, char *why)
{
    struct cycle *c = arg;
    struct endpoint *endpoint = c->w.view->endpoint;
    c->rc = rc;
    c->accusation = why;
    store_release(&c->stage, COMPARED); /* it may be gone now */
    evcount_notify(&endpoint->evcount);
}

static void end_comparing(struct cycle *c)
{
    if (c->rc != MPI_SUCCESS)
        abandon_all(c);
    snprintf(c->why, sizeof c->why, "%s", c->accusation ? c->accusation : no_memory_to_compare);
    free(c->accusation);
    store_relaxed(&c->stage, STARTED);
}

static bool neighbor_step(struct work *w)
{
    struct cycle *c = (struct cycle *)(void *)w;
    struct comm *comm = c->w.view->comm;
    int stage = load_acquire(&c->stage);
    if (stage == COMPARED)
        end_comparing(c);
    if (stage == COMPARING || !neighbor_start(c) || !neighbor_is_over(c))
        return false;
    neighbor_settle(c);
    c->request->out.error = c->rc;
    char **why = &request_to_collective(c->request)->why;
    if (c->rc != MPI_SUCCESS && asprintf(why, "%s: %s", c->w.call, c->why) < 0)
        *why = NULL;
    request_complete(c->request);
    reserve_free(c);
    endpoint_let_go(comm);
    return true;
}

static void go_on_alone(struct cycle *c)
{
    ep_comm view = c->w.view;
    c->work.step = neighbor_step;
    endpoint_hold(view->comm);
    if (!neighbor_step(&c->work))
        work_add(view->endpoint, &c->work);
}

/* Before anything was started. */
static void give_up(struct cycle *c)
{
    abandon_all(c);
    if (c->request) {
        neighbor_abandon(c->request);
        request_release(c->request);
    }
}

/* All that needs memory comes before the first message. */
static bool neighbor_prepare(struct cycle *c, const struct call *call, const struct edges *in,
                             const struct edges *out, int tag, bool wants_request)
{
    endpoint_assert_held(c->w.view->endpoint);
    if (wants_request)
        c->request = request_for_call(c->w.view, REQUEST_COLLECTIVE, -1, c->w.call);
    if ((!wants_request || c->request) && add_receives(c, call, in, tag) && add_sends(c, call, out, tag))
        return true;
    give_up(c);
    return false;
}

/* Do all call this function? One that goes on alone (c) learns it later. */
static int compare_now(struct where w, struct cycle *c, unsigned number)
{
    char *why = NULL;
    if (c) {
        store_relaxed(&c->stage, COMPARING);
        if (whole_compare_later(w.view, number, w.call, neighbor_compared, c))
            return MPI_SUCCESS;
        store_relaxed(&c->stage, STARTED);
    }
    int rc = whole_compare(w.view, number, w.call, &why);
    if (rc != MPI_SUCCESS)
        rc = raise_error(w, rc, "%s", why ? why : no_memory_to_compare);
    free(why);
    return rc;
}

/* EP_CHECK. The lock is let go meanwhile. */
static int neighbor_compare(struct where w, struct cycle *c, unsigned number)
{
    endpoint_assert_held(w.view->endpoint);
    if (likely(!w.view->comm->checks))
        return MPI_SUCCESS;
    endpoint_unlock(w.view->endpoint);
    int rc = compare_now(w, c, number);
    endpoint_lock(w.view->endpoint);
    return rc;
}

/* Lets go of the lock. */
static int neighbor_run_steps(struct cycle *c, ep_request *request)
{
    endpoint_assert_held(c->w.view->endpoint);
    struct endpoint *endpoint = c->w.view->endpoint;
    if (request) {
        *request = c->request;
        go_on_alone(c);
        endpoint_unlock(endpoint);
        return MPI_SUCCESS;
    }
    wait_all(c);
    endpoint_unlock(endpoint);
    int rc = c->rc ? raise_error(c->w, c->rc, "%s", c->why) : MPI_SUCCESS;
    reserve_free(c);
    return rc;
}

/* ---- without memory ---- */

/* The neighbours wait for messages, and their own are on the way. So empty ones go to them, and theirs are
 * received into nothing, one after the other. */
struct telling {
    ep_comm view;
    const struct call *call;
    const struct edges *in, *out;
    int tag, told, heard;
    ep_request pending;
};

static bool tell_next(struct telling *t)
{
    struct send s = {.view = t->view,
                     .data = span_packed(NULL, 0),
                     .dest = neighbor_neighbour(t->out, t->told),
                     .tag = t->tag,
                     .mode = MODE_STANDARD,
                     .call = t->call->name};
    ep_request r = NULL;
    if (s.dest != MPI_PROC_NULL && !send_notice(&s, &r))
        return false;
    if (r)
        request_release(r);
    t->told++;
    return true;
}

static bool hear_next(struct telling *t)
{
    struct recv v = {.view = t->view,
                     .data = span_packed(NULL, 0),
                     .source = neighbor_neighbour(t->in, t->in->cart ? t->heard ^ 1 : t->heard),
                     .tag = t->tag,
                     .call = t->call->name};
    if (v.source != MPI_PROC_NULL) {
        if (!t->pending && (t->pending = recv_request_kept(&v)))
            recv_start(t->pending);
        if (!t->pending || !request_is_done(t->pending))
            return false;
        request_release(t->pending);
        t->pending = NULL;
    }
    t->heard++;
    return true;
}

static bool all_told(struct wait *w)
{
    struct telling *t = w->arg;
    while (t->told < t->out->degree)
        if (!tell_next(t))
            return false;
    while (t->heard < t->in->degree)
        if (!hear_next(t))
            return false;
    return true;
}

static void tell_neighbours(ep_comm view, const struct call *call, const struct edges *in,
                            const struct edges *out, int tag)
{
    endpoint_assert_held(view->endpoint);
    struct telling t = {.view = view, .call = call, .in = in, .out = out, .tag = tag};
    struct wait w = {.done = all_told, .arg = &t, .greedy = true, .policy = POLICY_ELSEWHERE};
    wait_until(view->endpoint, &w);
}

/* ---- the call ---- */

static void free_typed(const struct call *call)
{
    reserve_free(call->send.typed);
    reserve_free(call->recv.typed);
}

static struct cycle *new_cycle(struct where w, int in, int out)
{
    size_t n = (size_t)in + (size_t)out;
    struct cycle *c = reserve_calloc(sizeof *c + n * sizeof *c->args + (size_t)in * BLANK);
    if (!c)
        return NULL;
    c->w = w;
    c->receives = in;
    c->blanks = (char *)(c->args + n);
    return c;
}

int neighbor_run(struct where w, const struct call *call, ep_request *request)
{
    struct edges in, out;
    if (!edges_of(w.view, &in, &out)) {
        free_typed(call);
        return raise_error(w, MPI_ERR_TOPOLOGY, "argument comm has no topology");
    }
    unsigned number = whole_number(w.view); /* counted by all, whatever happens here */
    struct cycle *c = new_cycle(w, in.degree, out.degree);
    endpoint_lock(w.view->endpoint);
    bool ok = c && neighbor_prepare(c, call, &in, &out, whole_tag(w.view, number), request != NULL);
    free_typed(call);
    int rc = neighbor_compare(w, ok && request ? c : NULL, number);
    if (ok && rc == MPI_SUCCESS)
        return neighbor_run_steps(c, request);
    if (ok)
        give_up(c);
    else if (rc == MPI_SUCCESS)
        tell_neighbours(w.view, call, &in, &out, whole_tag(w.view, number));
    endpoint_unlock(w.view->endpoint);
    reserve_free(c);
    return rc ? rc : raise_error(w, MPI_ERR_NO_MEM, "no memory for messages to %d neighbours", out.degree);
}
