/* SPDX-License-Identifier: BSD-3-Clause */
#include "p2p/request.h"

#include <assert.h>

#include "comm/comm.h"
#include "p2p/endpoint.h"

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

void request_pools_init(struct endpoint *endpoint)
{
    static const size_t bytes[REQUEST_KINDS] = {[REQUEST_SEND] = sizeof(struct request_send),
                                                [REQUEST_RECV] = sizeof(struct request_recv),
                                                [REQUEST_GENERAL] = sizeof(struct request_general),
                                                [REQUEST_COLLECTIVE] = sizeof(struct request_collective),
                                                [REQUEST_ONE_SIDED] = sizeof(struct request_one_sided)};
    for (int i = 0; i < REQUEST_KINDS; i++)
        pool_init(&endpoint->requests[i], bytes[i]);
}

bool request_any(struct endpoint *endpoint, bool (*is)(const void *item, const void *arg), const void *arg)
{
    endpoint_assert_held(endpoint);
    for (int i = 0; i < REQUEST_KINDS; i++)
        if (pool_any(&endpoint->requests[i], is, arg))
            return true;
    return false;
}

void request_init_accessed(ep_request r, ep_comm view)
{
    *r = (struct ep_request_s){.fortran = load_relaxed(&r->fortran),
                               .kind = REQUEST_ONE_SIDED,
                               .active = true,
                               .view = view,
                               .serial = view->serial,
                               .call = "a call on a window",
                               .out = {.source = MPI_ANY_SOURCE, .tag = MPI_ANY_TAG}};
    store_relaxed(&r->word, DONE | USER);
    store_relaxed(&r->magic, REQUEST_LIVE);
}

/* Another thread may just free it. */
static void request_end(void *item)
{
    uint32_t live = REQUEST_LIVE;
    atomic_compare_exchange_strong_explicit(&((ep_request)item)->magic, &live, REQUEST_ENDED,
                                            memory_order_relaxed, memory_order_relaxed);
}

/* Who holds an endpoint's lock is inside a call that never returns, or should not be: nothing of it is
 * marked. */
void requests_end(void)
{
    request_end(&request_sent);
    request_end(&request_from_null);
    for (struct endpoint *p = endpoint_first(); p; p = p->next)
        if (lock_try(&p->lock)) {
            for (int i = 0; i < REQUEST_KINDS; i++)
                pool_each(&p->requests[i], request_end);
            lock_release(&p->lock);
        }
}

bool request_of_ended(ep_request r)
{
    return request_has_ended(r) && process_mpi_runs();
}

static ep_request request_prepare(ep_request r, struct endpoint *endpoint, enum request_kind kind)
{
    if (unlikely(!r))
        return NULL;
    r->kind = (uint8_t)kind;
    r->life = LIFE_ONCE;
    r->kept = false;
    r->active = true;
    r->endpoint = endpoint;
    r->view = NULL;
    r->out = (struct outcome){.source = MPI_ANY_SOURCE, .tag = MPI_ANY_TAG};
    store_relaxed(&r->word, USER);
    store_relaxed(&r->magic, REQUEST_LIVE);
    return r;
}

ep_request request_new(struct endpoint *endpoint, enum request_kind kind)
{
    endpoint_assert_held(endpoint);
    return request_prepare(pool_get(&endpoint->requests[kind]), endpoint, kind);
}

ep_request request_new_own(struct endpoint *endpoint, enum request_kind kind)
{
    endpoint_assert_held(endpoint);
    return request_prepare(pool_get_reserve(&endpoint->requests[kind]), endpoint, kind);
}

ep_request request_new_kept(struct endpoint *endpoint, enum request_kind kind)
{
    ep_request r = request_prepare(pool_get_given(&endpoint->kept), endpoint, kind);
    if (r)
        r->kept = true;
    return r;
}

/* Where it goes when nobody needs it. */
static struct pool *request_home(ep_request r)
{
    return unlikely(r->kept) ? &r->endpoint->kept : &r->endpoint->requests[r->kind];
}

ep_request request_for_call(ep_comm view, enum request_kind kind, int peer, const char *call)
{
    ep_request r = kind == REQUEST_COLLECTIVE ? request_new_own(view->endpoint, kind)
                                              : request_new(view->endpoint, kind);
    if (!r)
        return NULL;
    r->view = view;
    r->serial = view->serial;
    r->call = call;
    r->peer = peer;
    if (kind == REQUEST_COLLECTIVE) {
        struct request_collective *c = request_to_collective(r);
        c->help = NULL;
        c->leftovers = NULL;
        c->why = NULL;
    }
    return r;
}

ep_request request_new_collective(ep_comm view, const char *call)
{
    endpoint_lock(view->endpoint);
    ep_request r = request_for_call(view, REQUEST_COLLECTIVE, -1, call);
    endpoint_unlock(view->endpoint);
    return r;
}

ep_request request_new_one_sided(ep_comm view, int peer, const char *call)
{
    endpoint_lock(view->endpoint);
    ep_request r = request_for_call(view, REQUEST_ONE_SIDED, peer, call);
    endpoint_unlock(view->endpoint);
    return r;
}

static void request_clean(ep_request r)
{
    hook_received(r);
    if (likely(r->kind <= REQUEST_RECV))
        type_drop(request_data(r)->type, request_data(r)->mpi);
    handle_end_use(&r->fortran);
    store_relaxed(&r->magic, REQUEST_FREED);
}

/* After DONE was set in old: pass the outcome on, recycle what nobody holds, wake the endpoint. */
static void request_completed(ep_request r, struct endpoint *endpoint, ep_request parent, uint32_t old)
{
    if (unlikely(parent))
        request_complete(parent);
    request_tell(r, old);
    if (unlikely(!(old & USER)) && !(old & PEER)) {
        request_clean(r);
        pool_put_remote(request_home(r), r);
    }
    evcount_notify(&endpoint->evcount); /* endpoints are never freed */
}

/* What is needed of r after DONE is read before, since then it may be gone. */
static ep_request parent_with_outcome(ep_request r)
{
    if (likely(r->life != LIFE_SHADOW))
        return NULL;
    ep_request parent = request_to_send(r)->parent;
    parent->out.error = r->out.error;
    parent->out.cancelled = r->out.cancelled;
    return parent;
}

void request_complete(ep_request r)
{
    assert(!request_is_done(r));
    struct endpoint *endpoint = r->endpoint;
    ep_request parent = parent_with_outcome(r);
    chaos_point();
    uint32_t old = or_acq_rel(&r->word, DONE);
    request_completed(r, endpoint, parent, old);
}

void request_complete_locked(ep_request r)
{
    endpoint_assert_held(r->endpoint);
    assert(!request_is_done(r));
    struct endpoint *endpoint = r->endpoint;
    uint32_t old = load_relaxed(&r->word);
    store_release(&r->word, old | DONE);
    request_completed(r, endpoint, NULL, old);
}

void request_complete_peer(ep_request r)
{
    assert((load_relaxed(&r->word) & (DONE | PEER)) == PEER);
    struct endpoint *endpoint = r->endpoint;
    ep_request parent = parent_with_outcome(r);
    chaos_point();
    uint32_t old = sub_acq_rel(&r->word, PEER - DONE);
    request_completed(r, endpoint, parent, old & ~(uint32_t)PEER);
}

bool request_await(ep_request r, struct awaiter *a)
{
    endpoint_assert_held(r->endpoint);
    assert(!(load_relaxed(&r->word) & WAITED));
    if (request_is_done(r))
        return false;
    r->awaiter = a;
    chaos_point();
    return !(or_acq_rel(&r->word, WAITED) & DONE) || (and_acq_rel(&r->word, ~(uint32_t)WAITED), false);
}

bool request_unawait(ep_request r)
{
    endpoint_assert_held(r->endpoint);
    return and_acq_rel(&r->word, ~(uint32_t)WAITED) & DONE;
}

void request_release(ep_request r)
{
    struct endpoint *endpoint = r->endpoint;
    if (!endpoint)
        return;
    endpoint_assert_held(endpoint);
    assert(load_relaxed(&r->word) & USER);
    /* With DONE set and no peer nobody else has a claim: no atomic needed. */
    uint32_t old = load_acquire(&r->word);
    if (old != (DONE | USER)) {
        old = and_acq_rel(&r->word, ~(uint32_t)USER);
        if (!(old & DONE) || (old & PEER))
            return;
    }
    request_clean(r);
    pool_put(request_home(r), r);
}

void request_release_peer(ep_request r)
{
    assert(load_relaxed(&r->word) & PEER);
    uint32_t old = and_acq_rel(&r->word, ~(uint32_t)PEER);
    if ((old & DONE) && !(old & USER)) {
        request_clean(r);
        pool_put_remote(request_home(r), r);
    }
}

void status_empty(ep_status *status)
{
    if (status)
        *status = (ep_status){MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_SUCCESS, 0, 0};
}
