/* SPDX-License-Identifier: BSD-3-Clause */
#include "p2p/rndv.h"

#include <assert.h>
#include <stdlib.h>

#include "p2p/endpoint.h"

enum { CHUNKS = 8, CHUNK_MIN = 16 << 10, CHUNK_MAX = 512 << 10 };

static const struct net_arrival_ops arrival_rndv;

bool rndv_send(ep_request s, ep_comm to)
{
    struct header h = {.view = to, .source = s->view->rank, .tag = s->tag};
    struct net_arrival a = {.ops = &arrival_rndv, .bytes = s->bytes, .object = s};
    s->patience = 0;
    store_relaxed(&s->rndv, RNDV_OPEN);
    store_relaxed(&s->word, load_relaxed(&s->word) | PEER);
    if (inbox_push_arrival(&to->endpoint->inbox, &h, &a)) {
        add_alone(&s->endpoint->held.sent_near, 1);
        add_alone(&s->endpoint->held.sent_near_bytes, s->bytes);
        add_alone(&s->endpoint->held.lent, 1);
        evcount_notify(&to->endpoint->evcount);
        return true;
    }
    store_relaxed(&s->word, load_relaxed(&s->word) & ~(uint32_t)PEER);
    return false;
}

static bool rndv_claim(const struct net_arrival *a)
{
    ep_request s = a->object;
    int state = RNDV_OPEN;
    while (!cas_acq_rel(&s->rndv, &state, RNDV_CLAIMED)) {
        if (state == RNDV_BUFFERED)
            return true;
        if (state == RNDV_WITHDRAWN)
            return false;
    }
    return true;
}

static bool rndv_match(const struct net_arrival *a)
{
    ep_request s = a->object;
    int state = RNDV_OPEN;
    return cas_acq_rel(&s->rndv, &state, RNDV_MATCHED) || state == RNDV_BUFFERED;
}

static void complete_receive(ep_request r, int rc)
{
    if (rc != MPI_SUCCESS && r->out.error == MPI_SUCCESS)
        r->out.error = rc;
    request_complete(r);
}

/* The sender has gone on and left a copy. */
static void receive_buffered(ep_request s, ep_request r)
{
    assert(s->buffered);
    struct span from = span_packed(s->buffered, s->bytes);
    int rc = copy_typed(&from, &r->data, r->out.received);
    free(s->buffered);
    request_release_peer(s);
    complete_receive(r, rc);
}

/* Publish the copy as chunks that both sides take. */
static void open_together(ep_request s, ep_request r)
{
    assert(load_relaxed(&s->rndv) != RNDV_TOGETHER);
    s->into = r;
    s->from = span_start(&s->data);
    s->to = span_start(&r->data);
    s->total = r->out.received;
    s->chunk = s->total / CHUNKS;
    s->chunk = s->chunk < CHUNK_MIN ? CHUNK_MIN : s->chunk > CHUNK_MAX ? CHUNK_MAX : s->chunk;
    s->chunk &= ~(size_t)4095;
    store_relaxed(&s->next_chunk, 0);
    store_relaxed(&s->chunks_left, (s->total + s->chunk - 1) / s->chunk);
    s->next = r->endpoint->jobs;
    r->endpoint->jobs = s;
    if (mode_is_task()) /* a suspended sender does not help */
        store_relaxed(&r->endpoint->busy, true);
    store_release(&s->rndv, RNDV_TOGETHER);
    evcount_notify(&s->endpoint->evcount);
}

static void rndv_receive(const struct net_arrival *a, ep_request r)
{
    endpoint_assert_held(r->endpoint);
    ep_request s = a->object;
    if (load_acquire(&s->rndv) == RNDV_BUFFERED) {
        add_alone(&r->endpoint->held.copied_twice, 1);
        receive_buffered(s, r);
        return;
    }
    if (r->out.received >= (size_t)settings.together && s->data.type->contiguous &&
        r->data.type->contiguous) {
        add_alone(&r->endpoint->held.copied_together, 1);
        open_together(s, r);
        return;
    }
    add_alone(&r->endpoint->held.copied_alone, 1);
    int rc = copy_typed(&s->data, &r->data, r->out.received);
    request_complete_peer(s);
    complete_receive(r, rc);
}

/* Copy chunks until none is left to take. True if any. */
static bool copy_chunks(ep_request s)
{
    size_t n = (s->total + s->chunk - 1) / s->chunk, i, done = 0;
    while ((i = add_relaxed(&s->next_chunk, 1)) < n) {
        size_t at = i * s->chunk, left = s->total - at;
        memcpy(s->to + at, s->from + at, left < s->chunk ? left : s->chunk);
        done++;
        if (sub_acq_rel(&s->chunks_left, 1) == 1) {
            request_complete(s->into);
            request_complete(s);
            break;
        }
    }
    return done > 0;
}

bool rndv_jobs(struct endpoint *endpoint)
{
    endpoint_assert_held(endpoint);
    ep_request s;
    bool any = false;
    while ((s = endpoint->jobs)) {
        endpoint->jobs = s->next;
        endpoint_unlock(endpoint);
        copy_chunks(s);
        request_release_peer(s);
        endpoint_lock_again(endpoint);
        any = true;
    }
    return any;
}

bool rndv_help(ep_request s)
{
    if (load_acquire(&s->rndv) != RNDV_TOGETHER || request_is_done(s))
        return false;
    return copy_chunks(s);
}

static void rndv_drop(const struct net_arrival *a, struct endpoint *unused)
{
    ep_request s = a->object;
    (void)unused;
    if (!rndv_claim(a)) {
        request_release_peer(s);
    } else if (load_acquire(&s->rndv) == RNDV_BUFFERED) {
        free(s->buffered);
        request_release_peer(s);
    } else {
        request_complete_peer(s);
    }
}

static bool rndv_withdrawn(const struct net_arrival *a)
{
    return load_acquire(&((ep_request)a->object)->rndv) == RNDV_WITHDRAWN;
}

static const struct net_arrival_ops arrival_rndv = {.receive = rndv_receive,
                                                    .claim = rndv_claim,
                                                    .match = rndv_match,
                                                    .withdrawn = rndv_withdrawn,
                                                    .drop = rndv_drop};

void rndv_buffer(ep_request s)
{
    int state = load_acquire(&s->rndv);
    if ((state != RNDV_OPEN && state != RNDV_MATCHED) || s->mode == MODE_SYNC ||
        s->bytes > (size_t)settings.eager)
        return;
    void *copy = malloc(s->bytes + 1);
    if (!copy || copy_pack(&s->data, copy) != MPI_SUCCESS) {
        free(copy);
        return;
    }
    s->buffered = copy;
    chaos_point();
    while (state == RNDV_OPEN || state == RNDV_MATCHED) {
        if (cas_acq_rel(&s->rndv, &state, RNDV_BUFFERED)) {
            request_complete(s);
            return;
        }
    }
    free(copy);
}

void rndv_cancel(ep_request s)
{
    int state = RNDV_OPEN;
    if (!cas_acq_rel(&s->rndv, &state, RNDV_WITHDRAWN))
        return;
    s->out.cancelled = true; /* whoever sees WITHDRAWN only gives up PEER */
    request_complete(s);
}
