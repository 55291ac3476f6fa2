/* SPDX-License-Identifier: BSD-3-Clause */
#include "p2p/endpoint.h"

#include "p2p/far.h"
#include "p2p/match.h"
#include "p2p/port.h"
#include "p2p/progress.h"

static _Atomic(struct comm *)
    retired; /* linked by next_retired; release in retire, acquire in endpoints_retire */

static bool open_view(ep_comm v, struct port *port)
{
    v->matcher = matcher_new();
    v->port = port;
    return v->matcher && v->port;
}

static void close_view(ep_comm v)
{
    if (v->matcher)
        matcher_delete(v->matcher);
    v->matcher = NULL;
}

/* Once per process. */
static void start(void)
{
    static _Atomic bool done;
    types_start();
    if (!swap_acquire(&done, true))
        crt_set_poll(progress_process, NULL);
}

int endpoints_open(struct comm *c)
{
    bool ok = true;
    start();
    for (int i = 0; i < c->nlocal && ok; i++)
        ok = open_view(c->local[i], port_open(c->single_owner));
    if (comm_agree(c, ok)) {
        if (c->nlocal > 0)
            far_open(c);
        return MPI_SUCCESS;
    }
    for (int i = 0; i < c->nlocal; i++) {
        close_view(c->local[i]);
        if (c->local[i]->port)
            port_close(c->local[i]->port);
    }
    comm_destroy(c);
    return MPI_ERR_NO_MEM;
}

static void retire(struct comm *c)
{
    c->next_retired = load_relaxed(&retired);
    while (!atomic_compare_exchange_weak_explicit(&retired, &c->next_retired, c, memory_order_release,
                                                  memory_order_relaxed))
        continue;
}

static bool idle(const ep_comm v)
{
    return !v || v->matcher->nposted == 0;
}

/* Once closed, nposted only sinks, so this is true once. */
void endpoint_check_settled(ep_comm view)
{
    ep_comm world = view->world ? view->world : view;
    if (likely(!world->matcher->closed) || !idle(world) || !idle(world->self))
        return;
    if (sub_acq_rel(&world->comm->open, 1) == 1)
        retire(world->comm);
}

void endpoint_close(ep_comm view)
{
    struct port *port = view->port;
    port_lock(port);
    progress_port(port);
    store_relaxed(&view->magic, VIEW_FREED);
    view->matcher->closed = true;
    if (view->self) {
        store_relaxed(&view->self->magic, VIEW_FREED);
        view->self->matcher->closed = true;
    }
    endpoint_check_settled(view);
    port_unlock(port);
    endpoints_retire();
}

/* Nobody uses the view any more; helpers keep away once the port is closed. What is left in the inbox is
 * dropped. */
static void destroy_view(ep_comm v)
{
    port_lock(v->port);
    progress_port(v->port);
    close_view(v);
    if (v->self)
        close_view(v->self);
    port_unlock(v->port);
    port_close(v->port);
    if (v->self)
        comm_destroy(v->self->comm);
}

void endpoints_retire(void)
{
    if (likely(!load_relaxed(&retired)) || !mpi_callable())
        return;
    struct comm *c = swap_acquire(&retired, NULL);
    while (c) {
        struct comm *next = c->next_retired;
        far_close(c);
        for (int i = 0; i < c->nlocal; i++)
            destroy_view(c->local[i]);
        comm_destroy(c);
        c = next;
    }
}

ep_comm endpoint_self(ep_comm view)
{
    lock_acquire(&view->lock);
    if (!view->self) {
        struct comm *c = comm_create_self();
        if (c && open_view(c->local[0], view->port)) {
            c->local[0]->world = view;
            view->self = c->local[0];
        } else if (c) {
            close_view(c->local[0]);
            comm_destroy(c);
        }
    }
    lock_release(&view->lock);
    return view->self;
}
