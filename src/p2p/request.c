/* SPDX-License-Identifier: BSD-3-Clause */
#include "p2p/request.h"

#include <assert.h>

#include "comm/comm.h"
#include "p2p/port.h"

_Alignas(CACHE_LINE) struct ep_request_s request_sent = {
    .magic = REQUEST_LIVE,
    .word = DONE | USER,
    .kind = REQUEST_SEND,
    .active = true,
    .out = {.source = MPI_ANY_SOURCE, .tag = MPI_ANY_TAG}};
_Alignas(CACHE_LINE) struct ep_request_s request_from_null = {
    .magic = REQUEST_LIVE,
    .word = DONE | USER,
    .kind = REQUEST_RECV,
    .active = true,
    .out = {.source = MPI_PROC_NULL, .tag = MPI_ANY_TAG}};

void request_init_accessed(ep_request r, ep_comm view)
{
    *r = (struct ep_request_s){.kind = REQUEST_ONE_SIDED,
                               .active = true,
                               .view = view,
                               .serial = view->serial,
                               .call = "a call on a window",
                               .out = {.source = MPI_ANY_SOURCE, .tag = MPI_ANY_TAG}};
    store_relaxed(&r->word, DONE | USER);
    store_relaxed(&r->magic, REQUEST_LIVE);
}

/* Another thread may just free it. */
static void end(void *item)
{
    uint32_t live = REQUEST_LIVE;
    atomic_compare_exchange_strong_explicit(&((ep_request)item)->magic, &live, REQUEST_ENDED,
                                            memory_order_relaxed, memory_order_relaxed);
}

/* Who holds a port's lock is inside a call that never returns, or should not be: nothing of his is marked. */
void requests_end(void)
{
    end(&request_sent);
    end(&request_from_null);
    for (struct port *p = port_first(); p; p = p->next)
        if (lock_try(&p->lock)) {
            pool_each(&p->requests, end);
            lock_release(&p->lock);
        }
}

bool request_of_ended(ep_request r)
{
    return request_has_ended(r) && process_mpi_runs();
}

static ep_request prepare(ep_request r, struct port *port, enum request_kind kind)
{
    if (unlikely(!r))
        return NULL;
    r->kind = kind;
    r->mode = MODE_STANDARD;
    r->persistent = false;
    r->kept = false;
    r->fortran = 0;
    r->posted = false;
    r->active = true;
    r->port = port;
    r->view = NULL;
    r->data.type = NULL;
    r->out = (struct outcome){.source = MPI_ANY_SOURCE, .tag = MPI_ANY_TAG};
    r->buffered = NULL;
    r->parent = r->shadow = NULL;
    if (kind == REQUEST_COLLECTIVE) {
        r->collective.leftovers = NULL;
        r->collective.help = NULL;
        r->collective.why = NULL;
    }
    store_relaxed(&r->lend, LEND_NONE);
    store_relaxed(&r->word, USER);
    store_relaxed(&r->magic, REQUEST_LIVE);
    return r;
}

ep_request request_new(struct port *port, enum request_kind kind)
{
    port_assert_held(port);
    return prepare(pool_get(&port->requests), port, kind);
}

ep_request request_new_own(struct port *port, enum request_kind kind)
{
    port_assert_held(port);
    return prepare(pool_get_reserve(&port->requests), port, kind);
}

ep_request request_new_kept(struct port *port, enum request_kind kind)
{
    ep_request r = prepare(pool_get_given(&port->kept), port, kind);
    if (r)
        r->kept = true;
    return r;
}

/* Where it goes when nobody needs it. */
static struct pool *home(ep_request r)
{
    return unlikely(r->kept) ? &r->port->kept : &r->port->requests;
}

static ep_request request_of_view(ep_comm view, enum request_kind kind, int peer, const char *call)
{
    port_lock(view->port);
    ep_request r =
        kind == REQUEST_COLLECTIVE ? request_new_own(view->port, kind) : request_new(view->port, kind);
    port_unlock(view->port);
    if (r) {
        r->view = view;
        r->serial = view->serial;
        r->call = call;
        r->peer = peer;
    }
    return r;
}

ep_request request_collective(ep_comm view, const char *call)
{
    return request_of_view(view, REQUEST_COLLECTIVE, -1, call);
}

ep_request request_one_sided(ep_comm view, int peer, const char *call)
{
    return request_of_view(view, REQUEST_ONE_SIDED, peer, call);
}

static void clean(ep_request r)
{
    hook_received(r);
    if (r->data.type)
        type_drop(r->data.type, r->data.mpi);
    if (unlikely(r->fortran))
        handle_drop(r->fortran);
    store_relaxed(&r->magic, REQUEST_FREED);
}

/* After DONE was set in old: recycle what nobody holds, pass the outcome on, wake the endpoint. */
static void completed(ep_request r, struct port *port, ep_request parent, uint32_t old)
{
    if (unlikely(parent))
        request_complete(parent);
    if (unlikely(!(old & USER)) && !(old & PEER)) {
        clean(r);
        pool_put_remote(home(r), r);
    }
    request_tell(r, old);
    bell_ring(&port->bell); /* ports are never freed */
}

/* What is needed of r after DONE is read before, since then it may be gone. */
static ep_request parent_with_outcome(ep_request r)
{
    ep_request parent = r->parent;
    if (unlikely(parent)) {
        parent->out.error = r->out.error;
        parent->out.cancelled = r->out.cancelled;
    }
    return parent;
}

void request_complete(ep_request r)
{
    assert(!request_is_done(r));
    struct port *port = r->port;
    ep_request parent = parent_with_outcome(r);
    chaos_point();
    uint32_t old = or_acq_rel(&r->word, DONE);
    completed(r, port, parent, old);
}

void request_complete_locked(ep_request r)
{
    port_assert_held(r->port);
    assert(!request_is_done(r));
    struct port *port = r->port;
    uint32_t old = load_relaxed(&r->word);
    store_release(&r->word, old | DONE);
    completed(r, port, NULL, old);
}

void request_complete_peer(ep_request r)
{
    assert((load_relaxed(&r->word) & (DONE | PEER)) == PEER);
    struct port *port = r->port;
    ep_request parent = parent_with_outcome(r);
    chaos_point();
    uint32_t old = sub_acq_rel(&r->word, PEER - DONE);
    completed(r, port, parent, old & ~(uint32_t)PEER);
}

bool request_await(ep_request r, struct awaiter *a)
{
    port_assert_held(r->port);
    assert(!(load_relaxed(&r->word) & WAITED));
    if (request_is_done(r))
        return false;
    r->awaiter = a;
    chaos_point();
    return !(or_acq_rel(&r->word, WAITED) & DONE) || (and_acq_rel(&r->word, ~(uint32_t)WAITED), false);
}

bool request_unawait(ep_request r)
{
    port_assert_held(r->port);
    return and_acq_rel(&r->word, ~(uint32_t)WAITED) & DONE;
}

void request_release(ep_request r)
{
    struct port *port = r->port;
    if (!port)
        return;
    port_assert_held(port);
    assert(load_relaxed(&r->word) & USER);
    /* With DONE set and no peer nobody else has a claim: no atomic needed. */
    uint32_t old = load_acquire(&r->word);
    if (old != (DONE | USER)) {
        old = and_acq_rel(&r->word, ~(uint32_t)USER);
        if (!(old & DONE) || (old & PEER))
            return;
    }
    clean(r);
    pool_put(home(r), r);
}

void request_release_peer(ep_request r)
{
    assert(load_relaxed(&r->word) & PEER);
    uint32_t old = and_acq_rel(&r->word, ~(uint32_t)PEER);
    if ((old & DONE) && !(old & USER)) {
        clean(r);
        pool_put_remote(home(r), r);
    }
}

void status_empty(ep_status *status)
{
    if (status)
        *status = (ep_status){MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_SUCCESS, 0, 0};
}
