/* SPDX-License-Identifier: BSD-3-Clause */
#include "coll/small_far.h"

#include <string.h>

#include "coll/operator.h"
#include "coll/small_reduce.h"
#include "derive/derive.h"

enum { TESTS = 200 };

/* Values of processes are reduced in the order of processes. */
static bool order_is_kept(ep_comm view, MPI_Op op)
{
    const struct rankmap *m = &view->comm->map;
    bool consecutive = m->each ? m->by_index == 1 : !m->rank_at;
    return consecutive || operator_commutes(op);
}

bool small_far_fits(ep_comm view, const struct call *call)
{
    if (call->kind == COLL_REDUCE || call->kind == COLL_ALLREDUCE)
        return !view->reproducible && order_is_kept(view, call->op);
    if (call->kind == COLL_ALLGATHER || call->kind == COLL_ALLTOALL)
        return far_all_fits(view, call);
    return call->kind == COLL_BARRIER || call->kind == COLL_BCAST;
}

/* ---- messages between leaders ---- */

int leader_exchange_rank(const struct leader_exchange *k, int position)
{
    if (position == 0 && k->origin >= 0)
        return k->origin;
    return rankmap_rank(&k->t->view->comm->map, (position + k->root) % k->n, 0);
}

static void small_far_note(struct small_call *t, int rc)
{
    if (rc != MPI_SUCCESS && t->rc == MPI_SUCCESS)
        t->rc = rc;
}

void leader_exchange_send(struct leader_exchange *k, int rank, const void *data, size_t bytes)
{
    struct send s = {.view = k->t->view,
                     .data = span_packed(data, k->t->rc ? 0 : bytes),
                     .dest = rank,
                     .tag = k->tag,
                     .mode = MODE_STANDARD,
                     .call = k->t->name};
    int rc = p2p_send(&s);
    small_far_note(k->t, rc);
    if (likely(rc == MPI_SUCCESS))
        return;
    s.data = span_packed(NULL, 0); /* it was not sent, and is waited for */
    p2p_notice(&s);
}

static void get_wait(ep_request r)
{
    for (int i = 0; i < TESTS && idle_yields_first(); i++) {
        if (p2p_test(r))
            return;
        caller_give_way(); /* the sender may need this core */
    }
    p2p_wait(r);
}

void leader_exchange_recv(struct leader_exchange *k, int rank, void *data, size_t bytes)
{
    struct recv v = {.view = k->t->view,
                     .data = span_packed(data, bytes),
                     .source = rank,
                     .tag = k->tag,
                     .call = k->t->name};
    ep_request r = p2p_post(&v);
    int rc = MPI_SUCCESS;
    get_wait(r);
    if (r->out.error != MPI_SUCCESS)
        rc = r->out.error;
    else if (r->out.arrived < bytes)
        rc = r->out.arrived == 0 ? MPI_ERR_NO_MEM : MPI_ERR_OTHER;
    endpoint_lock(r->endpoint);
    request_release(r);
    endpoint_unlock(r->endpoint);
    small_far_note(k->t, rc);
}

static int small_far_lowest_bit(const struct leader_exchange *k)
{
    int bit = 1;
    while (bit < k->n && !(k->me & bit))
        bit <<= 1;
    return bit;
}

/* v of position 0 to all; position 0 may be played by an endpoint that is not the leader. */
static void small_far_down(struct leader_exchange *k, void *data, size_t bytes)
{
    int bit = small_far_lowest_bit(k);
    if (k->me > 0)
        leader_exchange_recv(k, leader_exchange_rank(k, k->me - bit), data, bytes);
    for (bit >>= 1; bit > 0; bit >>= 1)
        if (k->me + bit < k->n)
            leader_exchange_send(k, leader_exchange_rank(k, k->me + bit), data, bytes);
}

/* v of all to position 0. A subtree is a range of processes that begins with its root. */
static void small_far_up(struct leader_exchange *k, struct value *v)
{
    for (int bit = 1; bit < k->n && !(k->me & bit); bit <<= 1) {
        struct value right = *v;
        if (k->me + bit >= k->n)
            continue;
        leader_exchange_recv(k, leader_exchange_rank(k, k->me + bit), right.data, v->bytes);
        value_apply(k->t, &right, v->data);
        memcpy(v->data, right.data, v->bytes);
    }
    if (k->me > 0)
        leader_exchange_send(k, leader_exchange_rank(k, k->me - small_far_lowest_bit(k)), v->data, v->bytes);
}

/* Two processes. */
static void small_far_swap(struct leader_exchange *k, struct value *v)
{
    struct value left = *v, right = *v;
    leader_exchange_send(k, leader_exchange_rank(k, !k->me), v->data, v->bytes);
    leader_exchange_recv(k, leader_exchange_rank(k, !k->me), k->me == 0 ? right.data : left.data, v->bytes);
    value_apply(k->t, &right, left.data);
    memcpy(v->data, right.data, v->bytes);
}

/* ---- the calls ---- */

static void small_far_together(struct leader_exchange *k, struct value *v)
{
    if (k->n == 2) {
        small_far_swap(k, v);
        return;
    }
    small_far_up(k, v);
    small_far_down(k, v->data, v->bytes);
}

static void small_far_barrier(struct leader_exchange *k)
{
    static const struct call nothing = {.kind = COLL_BARRIER};
    struct value v = {.call = &nothing};
    tree_under(k->t);
    if (k->t->view->index == 0)
        small_far_together(k, &v);
    value_post(k->t, NULL, 0);
    small_read(k->t, 0, 0);
}

static void small_far_allreduce(struct leader_exchange *k, const struct call *call)
{
    struct value v = value_begin(call);
    reduction_under(k->t, &v);
    if (k->t->view->index == 0)
        small_far_together(k, &v);
    value_post(k->t, v.data, v.bytes);
    small_take(k->t, small_read(k->t, 0, v.bytes), &call->recv, 0, v.bytes);
}

static void small_far_reduce(struct leader_exchange *k, const struct call *call)
{
    struct value v = value_begin(call);
    struct small_call *t = k->t;
    bool mine = t->view->rank == call->root;
    reduction_under(t, &v);
    if (t->view->index > 0) {
        value_post(t, v.data, v.bytes);
        if (mine)
            leader_exchange_recv(k, leader_exchange_rank(k, 0), v.data, v.bytes);
    } else {
        small_far_up(k, &v);
        if (k->me == 0 && !mine)
            leader_exchange_send(k, call->root, v.data, v.bytes);
        else if (mine && k->me > 0)
            leader_exchange_recv(k, leader_exchange_rank(k, 0), v.data, v.bytes);
    }
    if (mine)
        small_take(t, v.data, &call->recv, 0, v.bytes);
}

static void small_far_bcast(struct leader_exchange *k, const struct call *call)
{
    struct small_call *t = k->t;
    char data[SLOT_BYTES];
    int local;
    k->origin = call->root;
    k->root = rankmap_proc(&t->view->comm->map, call->root, &local);
    k->me = (t->view->comm->proc - k->root + k->n) % k->n;
    if (t->view->rank == call->root) {
        struct span s = block_at(&call->send, 0);
        size_t bytes = span_bytes(&s);
        small_post_data(t, &s);
        small_far_down(k, t->mine->ring[t->call % RING].data, bytes);
        return;
    }
    size_t bytes = block_bytes(&call->recv, 0);
    if (k->me > 0 && t->view->index == 0) {
        small_far_down(k, data, bytes);
        value_post(t, data, bytes);
        small_take(t, data, &call->recv, 0, bytes);
    } else {
        small_take(t, small_read(t, k->me > 0 ? 0 : local, bytes), &call->recv, 0, bytes);
    }
}

int small_far_run(struct small_call *t, const struct call *call)
{
    struct comm *c = t->view->comm;
    struct leader_exchange k = {t, whole_tag(t->view, whole_number(t->view)), c->proc, c->nproc, 0, -1};
    if (call->kind == COLL_BARRIER)
        small_far_barrier(&k);
    else if (call->kind == COLL_BCAST)
        small_far_bcast(&k, call);
    else if (call->kind == COLL_REDUCE)
        small_far_reduce(&k, call);
    else if (call->kind == COLL_ALLREDUCE)
        small_far_allreduce(&k, call);
    else
        far_all(&k, call);
    if (call->kind != COLL_BCAST && call->kind != COLL_REDUCE)
        small_met_all(t);
    small_end(t);
    return t->rc;
}
