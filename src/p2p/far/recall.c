/* SPDX-License-Identifier: BSD-3-Clause */
#include "p2p/far/recall.h"

#include <assert.h>
#include <stdlib.h>

#include "p2p/far/far.h"
#include "p2p/match.h"
#include "p2p/endpoint.h"
#include "p2p/send.h"
#include "p2p/progress/work.h"

/* ---- the sender's process ---- */

/* Without memory the send waits for its receiver. */
void recall(ep_request s)
{
    endpoint_assert_held(s->endpoint);
    static const char nothing[RECALL_BYTES];
    struct send call = {.view = s->view,
                        .data = span_packed(nothing, sizeof nothing),
                        .dest = s->peer,
                        .tag = tag_of_kind(KIND_BRIDGE, s->tag),
                        .mode = MODE_STANDARD,
                        .call = s->call};
    ep_request r;
    if (send_begin(&call, &r))
        request_release(r);
}

/* ---- the receiver's ---- */

/* A message in memory, or on its way there. */
struct kept {
    struct work work;
    ep_request getting; /* receives the data */
    ep_request into;    /* the receive that it is matched with; NULL: nobody's */
    size_t bytes;
    char data[];
};

static const struct net_arrival_ops arrival_kept;

static void recall_keep(struct endpoint *endpoint, ep_message m)
{
    endpoint_assert_held(endpoint);
    size_t bytes = m->arrival.bytes;
    struct kept *k = bytes <= INT_MAX ? malloc(sizeof *k + bytes) : NULL;
    ep_request r = k ? request_new(endpoint, REQUEST_RECV) : NULL;
    if (!r) { /* its send waits for a receive */
        free(k);
        return;
    }
    *k = (struct kept){.getting = r, .bytes = bytes};
    recv_of_bytes(request_to_recv(r), k->data, bytes, bytes);
    struct net_arrival far = m->arrival;
    m->arrival = (struct net_arrival){.ops = &arrival_kept, .bytes = bytes, .object = k};
    far.ops->receive(&far, r);
}

void recall_serve(struct endpoint *endpoint, const struct header *h, const struct net_arrival *a)
{
    endpoint_assert_held(endpoint);
    struct matcher *m = matcher_of(h->view);
    int tag = (int)a->bytes; /* arrive (far.c) */
    for (ep_message msg = match_first(m, h->source, tag); msg; msg = match_next(m, msg))
        if (msg->arrival.ops == a->ops) /* by MPI, too */
            recall_keep(endpoint, msg);
    struct net_arrival call = *a;
    call.bytes = RECALL_BYTES;
    net_arrival_drop(&call, endpoint);
}

/* ---- to its receive ---- */

static void recall_give(struct kept *k)
{
    ep_request r = k->into;
    if (r) {
        struct span from = span_packed(k->data, k->bytes);
        int rc = k->getting->out.error;
        if (rc == MPI_SUCCESS)
            rc = copy_typed(&from, request_data(r), r->out.received);
        request_complete_with(r, rc);
    }
    free(k);
}

/* The data may still be coming: the getting ends without anybody of this process doing more than polling. */
static bool recall_step(struct work *w)
{
    struct kept *k = (struct kept *)(void *)w;
    ep_request getting = k->getting;
    if (!request_is_done(getting))
        return false;
    recall_give(k);
    request_release(getting);
    return true;
}

static void recall_conclude(struct kept *k, ep_request into)
{
    assert(k);
    k->into = into;
    k->work.step = recall_step;
    if (!recall_step(&k->work))
        work_add(k->getting->endpoint, &k->work);
}

static void recall_receive_kept(const struct net_arrival *a, ep_request r)
{
    endpoint_assert_held(r->endpoint);
    recall_conclude(a->object, r);
}

static void drop_kept(const struct net_arrival *a, struct endpoint *unused)
{
    (void)unused;
    recall_conclude(a->object, NULL);
}

static const struct net_arrival_ops arrival_kept = {
    .far = true, .receive = recall_receive_kept, .drop = drop_kept};
