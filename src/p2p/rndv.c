/* SPDX-License-Identifier: BSD-3-Clause */
#include "p2p/rndv.h"

#include <assert.h>
#include <stdlib.h>

#include "p2p/endpoint.h"

enum { CHUNKS = 8, CHUNK_MIN = 16 << 10, CHUNK_MAX = 512 << 10 };

static const struct net_arrival_ops arrival_rndv;

bool rndv_send(struct request_send *s, ep_comm to)
{
    struct header h = {.view = to, .source = s->head.view->rank, .tag = s->head.tag};
    struct net_arrival a = {.ops = &arrival_rndv, .bytes = s->bytes, .object = s};
    s->patience = 0;
    store_relaxed(&s->rndv, RNDV_OPEN);
    store_relaxed(&s->head.word, load_relaxed(&s->head.word) | PEER);
    if (inbox_push_arrival(&to->endpoint->inbox, &h, &a)) {
        add_alone(&s->head.endpoint->held.sent_near, 1);
        add_alone(&s->head.endpoint->held.sent_near_bytes, s->bytes);
        add_alone(&s->head.endpoint->held.lent, 1);
        evcount_notify(&to->endpoint->evcount);
        return true;
    }
    store_relaxed(&s->head.word, load_relaxed(&s->head.word) & ~(uint32_t)PEER);
    return false;
}

static bool rndv_claim(const struct net_arrival *a)
{
    struct request_send *s = a->object;
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
    struct request_send *s = a->object;
    int state = RNDV_OPEN;
    return cas_acq_rel(&s->rndv, &state, RNDV_MATCHED) || state == RNDV_BUFFERED;
}

/* The sender has gone on and left a copy. */
static void receive_buffered(struct request_send *s, struct request_recv *r)
{
    assert(s->buffered);
    struct span from = span_packed(s->buffered, s->bytes);
    int rc = copy_typed(&from, &r->data, r->head.out.received);
    free(s->buffered);
    request_release_peer(&s->head);
    request_complete_with(&r->head, rc);
}

/* Publish the copy as chunks that both sides take. */
static void open_together(struct request_send *s, struct request_recv *r)
{
    assert(load_relaxed(&s->rndv) != RNDV_TOGETHER);
    s->into = r;
    s->to = span_start(&r->data);
    s->total = r->head.out.received;
    s->chunk = s->total / CHUNKS;
    s->chunk = s->chunk < CHUNK_MIN ? CHUNK_MIN : s->chunk > CHUNK_MAX ? CHUNK_MAX : s->chunk;
    s->chunk &= ~(size_t)4095;
    store_relaxed(&s->next_chunk, 0);
    store_relaxed(&s->chunks_left, (s->total + s->chunk - 1) / s->chunk);
    s->native.next = r->head.endpoint->jobs;
    r->head.endpoint->jobs = &s->head;
    if (mode_is_task()) /* a suspended sender does not help */
        store_relaxed(&r->head.endpoint->busy, true);
    store_release(&s->rndv, RNDV_TOGETHER);
    evcount_notify(&s->head.endpoint->evcount);
}

static void rndv_receive(const struct net_arrival *a, ep_request head)
{
    endpoint_assert_held(head->endpoint);
    struct request_recv *r = request_to_recv(head);
    struct request_send *s = a->object;
    if (load_acquire(&s->rndv) == RNDV_BUFFERED) {
        add_alone(&r->head.endpoint->held.copied_twice, 1);
        receive_buffered(s, r);
        return;
    }
    if (r->head.out.received >= (size_t)settings.together && s->data.type->contiguous &&
        r->data.type->contiguous) {
        add_alone(&r->head.endpoint->held.copied_together, 1);
        open_together(s, r);
        return;
    }
    add_alone(&r->head.endpoint->held.copied_alone, 1);
    int rc = copy_typed(&s->data, &r->data, r->head.out.received);
    request_complete_peer(&s->head);
    request_complete_with(&r->head, rc);
}

/* Copy chunks until none is left to take. True if any. */
static bool copy_chunks(struct request_send *s)
{
    size_t n = (s->total + s->chunk - 1) / s->chunk, i, done = 0;
    const char *from = span_start(&s->data);
    while ((i = add_relaxed(&s->next_chunk, 1)) < n) {
        size_t at = i * s->chunk, left = s->total - at;
        memcpy(s->to + at, from + at, left < s->chunk ? left : s->chunk);
        done++;
        if (sub_acq_rel(&s->chunks_left, 1) == 1) {
            request_complete(&s->into->head);
            request_complete(&s->head);
            break;
        }
    }
    return done > 0;
}

bool rndv_jobs(struct endpoint *endpoint)
{
    endpoint_assert_held(endpoint);
    bool any = false;
    while (endpoint->jobs) {
        struct request_send *s = request_to_send(endpoint->jobs);
        endpoint->jobs = s->native.next;
        endpoint_unlock(endpoint);
        copy_chunks(s);
        request_release_peer(&s->head);
        endpoint_lock_again(endpoint);
        any = true;
    }
    return any;
}

bool rndv_help(struct request_send *s)
{
    if (load_acquire(&s->rndv) != RNDV_TOGETHER || request_is_done(&s->head))
        return false;
    return copy_chunks(s);
}

static void rndv_drop(const struct net_arrival *a, struct endpoint *unused)
{
    struct request_send *s = a->object;
    (void)unused;
    if (!rndv_claim(a)) {
        request_release_peer(&s->head);
    } else if (load_acquire(&s->rndv) == RNDV_BUFFERED) {
        free(s->buffered);
        request_release_peer(&s->head);
    } else {
        request_complete_peer(&s->head);
    }
}

static bool rndv_withdrawn(const struct net_arrival *a)
{
    const struct request_send *s = a->object;
    return load_acquire(&s->rndv) == RNDV_WITHDRAWN;
}

static const struct net_arrival_ops arrival_rndv = {.receive = rndv_receive,
                                                    .claim = rndv_claim,
                                                    .match = rndv_match,
                                                    .withdrawn = rndv_withdrawn,
                                                    .drop = rndv_drop};

void rndv_buffer(struct request_send *s)
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
            request_complete(&s->head);
            return;
        }
    }
    free(copy);
}

void rndv_cancel(struct request_send *s)
{
    int state = RNDV_OPEN;
    if (!cas_acq_rel(&s->rndv, &state, RNDV_WITHDRAWN))
        return;
    s->head.out.cancelled = true; /* whoever sees WITHDRAWN only gives up PEER */
    request_complete(&s->head);
}
