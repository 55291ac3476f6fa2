/* SPDX-License-Identifier: BSD-3-Clause */
#include "p2p/endpoint_views.h"

#include <assert.h>
#include <stdlib.h>

#include "p2p/progress/async.h"
#include "p2p/attached.h"
#include "p2p/far/far.h"
#include "p2p/progress/later.h"
#include "p2p/match.h"
#include "p2p/endpoint.h"
#include "p2p/progress/progress.h"
#include "p2p/far/shm.h"

static _Atomic(struct comm *)
    retired; /* linked by next_retired; release in endpoint_views_retire, acquire in endpoints_retire */

_Static_assert(sizeof(void *) != 8 || sizeof(struct ep_comm_s) + sizeof(struct matcher) == 2 * CACHE_LINE,
               "docs/memory.md");

__attribute__((constructor)) static void endpoint_views_attach(void)
{
    view_attach(sizeof(struct matcher));
}

void endpoint_add_view(ep_comm v, struct endpoint *endpoint)
{
    assert(!v->endpoint);
    v->endpoint = endpoint;
    add_relaxed(&endpoint->views, 1);
    add_relaxed(&endpoint->handles, 1);
}

/* One view less; the endpoint goes with the last. */
static void endpoint_views_leave(ep_comm v)
{
    struct endpoint *endpoint = v->endpoint;
    matcher_end(matcher_of(v));
    v->endpoint = NULL;
    if (sub_acq_rel(&endpoint->views, 1) == 1)
        endpoint_close(endpoint);
}

void endpoint_remove_view(ep_comm v)
{
    if (!v->endpoint)
        return;
    sub_acq_rel(&v->endpoint->handles, 1);
    endpoint_views_leave(v);
}

void endpoint_view_live(ep_comm v)
{
    store_release(&v->magic, VIEW_LIVE);
}

/* ---- A target region acts for the thread that met it ---- */

_Static_assert(sizeof(struct binding) <= CALLER_BINDING, "it fits");

static void note_binding(void *to)
{
    *(struct binding *)to = thread_binding();
}

static void take_binding(const void *from)
{
    thread_act_as(from);
}

static const struct caller_binding binding = {note_binding, take_binding};

/* Once per process. */
static void endpoint_views_start(void)
{
    static _Atomic bool done; /* relaxed: exchanged, who finds false goes on */
    types_start();
    if (!swap_acquire(&done, true)) {
        poll_set_after(later_run_all);
        caller_set_binding(&binding);
        crt_set_poll(progress_process, NULL);
        shm_begin();
        mpi_enter();
        process_at_end(END_VIEWS, views_end);
        process_at_end(END_REQUESTS, requests_end);
        mpi_leave();
    }
}

static bool open_view(ep_comm v, bool single_owner)
{
    /* tasks of an endpoint may be in several threads */
    struct endpoint *endpoint = endpoint_open(single_owner && !mode_is_task(), v->rank);
    if (endpoint)
        endpoint_add_view(v, endpoint);
    return endpoint;
}

int endpoint_open_views(struct comm *c)
{
    bool ok = true;
    endpoint_views_start();
    if (c->nproc > 1)
        net_meet(c->domain);
    for (int i = 0; i < c->nlocal && ok; i++)
        ok = open_view(c->local[i], c->single_owner);
    far_prepare(c);
    if (comm_agree(c, ok)) {
        far_open(c);
        async_begin(c->nlocal);
        return MPI_SUCCESS;
    }
    far_give_up(c);
    for (int i = 0; i < c->nlocal; i++)
        endpoint_remove_view(c->local[i]);
    comm_destroy(c);
    return MPI_ERR_NO_MEM;
}

static void endpoint_views_retire(struct comm *c)
{
    c->p2p->next_retired = load_relaxed(&retired);
    while (!atomic_compare_exchange_weak_explicit(&retired, &c->p2p->next_retired, c, memory_order_release,
                                                  memory_order_relaxed))
        continue;
}

/* ep's own receives may still be posted on a closed view (endpoint_hold), so it may be idle more than
 * once. */
void endpoint_check_settled(ep_comm view)
{
    endpoint_assert_held(view->endpoint);
    struct matcher *m = matcher_of(view);
    if (likely(!m->closed) || m->nposted > 0 || m->settled)
        return;
    m->settled = true;
    if (sub_acq_rel(&view->comm->open, 1) == 1)
        endpoint_views_retire(view->comm);
}

void endpoint_hold(struct comm *c)
{
    add_relaxed(&c->open, 1);
}

void endpoint_let_go(struct comm *c)
{
    assert(load_relaxed(&c->open) > 0);
    if (sub_acq_rel(&c->open, 1) == 1)
        endpoint_views_retire(c);
}

static void close_handle(ep_comm view)
{
    endpoint_assert_held(view->endpoint);
    store_relaxed(&view->magic, VIEW_FREED);
    matcher_of(view)->closed = true;
    endpoint_check_settled(view);
}

bool endpoint_is_last(ep_comm view)
{
    return load_relaxed(&view->endpoint->handles) == 1;
}

void endpoint_close_view(ep_comm view)
{
    struct endpoint *endpoint = view->endpoint;
    endpoint_lock(endpoint);
    progress_endpoint(endpoint);
    ep_comm self = load_relaxed(&endpoint->self);
    bool last = sub_acq_rel(&endpoint->handles, 1) == 1;
    if (last && self) {
        store_relaxed(&endpoint->self, NULL);
        close_handle(self);
    }
    close_handle(view);
    endpoint_unlock(endpoint);
    if (last)
        async_end();
    endpoints_retire();
}

/* The endpoint's owner may be in it, on another communicator. */
static bool endpoint_views_visit(struct endpoint *endpoint)
{
    if (endpoint->single_owner)
        return endpoint_enter(endpoint);
    endpoint_lock(endpoint);
    return true;
}

static void leave_visit(struct endpoint *endpoint)
{
    if (endpoint->single_owner)
        endpoint_left(endpoint);
    else
        endpoint_unlock(endpoint);
}

/* Nobody uses the view any more. What is left of it in the inbox is dropped. False: not now, since the
 * endpoint is in use, or a message of the view may hide in the inbox behind one that is not written yet. */
static bool destroy_view(ep_comm v)
{
    struct endpoint *endpoint = v->endpoint;
    if (!endpoint)
        return true;
    if (!endpoint_views_visit(endpoint))
        return false;
    progress_inbox(endpoint);
    bool empty = inbox_empty(&endpoint->inbox);
    if (empty) {
        add_relaxed(&endpoint->views, 1); /* so that it is not closed under the lock */
        endpoint_views_leave(v);
    }
    leave_visit(endpoint);
    if (empty && sub_acq_rel(&endpoint->views, 1) == 1)
        endpoint_close(endpoint);
    return empty;
}

/* FUNNELED: MPI's part is left to the main thread. */
struct burial {
    struct far_call call;
    struct comm *comm;
};

static void endpoint_views_bury(void *arg)
{
    struct burial *b = arg;
    comm_destroy(b->comm);
    free(b);
}

/* False: not now. */
static bool destroy_comm(struct comm *c)
{
    if (likely(mpi_callable())) {
        comm_destroy(c);
        return true;
    }
    struct burial *b = malloc(sizeof *b);
    if (!b)
        return false;
    *b = (struct burial){.call = {.run = endpoint_views_bury, .arg = b, .detached = true}, .comm = c};
    far_call(&b->call);
    return true;
}

static void endpoint_views_destroy(struct comm *c)
{
    bool all = true;
    far_close(c);
    for (int i = 0; i < c->nlocal; i++)
        all &= destroy_view(c->local[i]);
    if (!all || !destroy_comm(c))
        endpoint_views_retire(c);
}

void endpoints_retire(void)
{
    lock_assert_none();
    if (likely(!load_relaxed(&retired)))
        return;
    struct comm *c = swap_acquire(&retired, NULL);
    while (c) {
        struct comm *next = c->p2p->next_retired;
        endpoint_views_destroy(c);
        c = next;
    }
}

/* Not counted among the handles. */
static ep_comm endpoint_views_make_self(ep_comm view)
{
    endpoint_assert_held(view->endpoint);
    struct comm *c = comm_create_self(view);
    if (!c)
        return NULL;
    ep_comm self = c->local[0];
    endpoint_add_view(self, view->endpoint);
    sub_acq_rel(&view->endpoint->handles, 1);
    self->is_self = true;
    store_release(&view->endpoint->self, self);
    return self;
}

ep_comm endpoint_self(ep_comm view)
{
    ep_comm self = load_acquire(&view->endpoint->self);
    if (likely(self))
        return self;
    endpoint_lock(view->endpoint);
    self = load_relaxed(&view->endpoint->self);
    if (!self)
        self = endpoint_views_make_self(view);
    endpoint_unlock(view->endpoint);
    return self;
}
