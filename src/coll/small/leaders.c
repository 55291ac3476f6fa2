/* SPDX-License-Identifier: BSD-3-Clause */
/* Small calls over several processes (small.h). */
#include <string.h>

#include "coll/small/small.h"
#include "derive/derive.h"

/* Messages between leaders in one call. */
struct leader_exchange {
    struct small_call *t;
    int tag;
    int me, n;  /* processes, counted from root */
    int root;   /* process */
    int origin; /* rank that plays position 0; < 0: its leader */
};

/* ---- messages between leaders ---- */

static int leader_exchange_rank(const struct leader_exchange *k, int position)
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

static void leader_exchange_send(struct leader_exchange *k, int rank, const void *data, size_t bytes)
{
    struct send s = {.view = k->t->view,
                     .data = span_packed(data, k->t->rc ? 0 : bytes),
                     .dest = rank,
                     .tag = k->tag,
                     .mode = MODE_STANDARD,
                     .call = k->t->name};
    int rc = p2p_send(&s, send_route(&s));
    small_far_note(k->t, rc);
    if (likely(rc == MPI_SUCCESS))
        return;
    s.data = span_packed(NULL, 0); /* it was not sent, and is waited for */
    p2p_notice(&s);
}

static bool get_look(void *request)
{
    return p2p_test(request);
}

static void get_wait(ep_request r)
{
    if (!wait_shared() || !wait_for(get_look, r, POLICY_SOON))
        p2p_wait(r);
}

static void leader_exchange_recv(struct leader_exchange *k, int rank, void *data, size_t bytes)
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
        small_far_down(k, small_slot_of(t, t->me)->data, bytes);
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

/* ---- allgather and alltoall ---- */

/*
 * allgather and alltoall. Each endpoint posts what it sends. On the board of this call the
 * leader collects what its endpoints receive, and posts:
 *
 *   allgather   the block of each rank, by rank
 *   alltoall    for each local endpoint the blocks of all ranks, by rank
 *
 * Leader to leader goes one message: the blocks of the sender's endpoints by local index, in an alltoall
 * those for each endpoint of the receiver one after the other. The board belongs to the leader's slot and
 * lives as long.
 */

struct board {
    struct leader_exchange *k;
    struct small_call *t;
    const struct comm *c;
    char *board;
    struct flag_slot *own; /* the leader's */
    size_t bytes;          /* of a block */
    bool every;            /* alltoall */
};

static int board_rank_of(const struct board *a, int proc, int index)
{
    return rankmap_rank(&a->c->map, proc, index);
}

/* Where the block of `from` for the local endpoint `to` is on the board. */
static char *board_place(const struct board *a, int to, int from)
{
    size_t row = a->every ? (size_t)to * (size_t)a->c->map.size : 0;
    return a->board + (row + (size_t)from) * a->bytes;
}

/* The block that local endpoint `from` has posted for rank `to`. */
static const char *board_posted(const struct board *a, int from, int to)
{
    size_t n = a->every ? (size_t)a->c->map.size : 1;
    const char *data = from == 0 ? a->own->data : small_read(a->t, from, n * a->bytes);
    return data + (a->every ? (size_t)to * a->bytes : 0);
}

/* Rows on the board: receivers to tell apart. */
static int board_rows(const struct board *a, int proc)
{
    return a->every ? rankmap_count(&a->c->map, proc) : 1;
}

static void board_collect(const struct board *a)
{
    int me = a->c->proc;
    for (int to = 0; to < board_rows(a, me); to++)
        for (int from = 0; from < a->c->nlocal; from++)
            memcpy(board_place(a, to, board_rank_of(a, me, from)),
                   board_posted(a, from, board_rank_of(a, me, to)), a->bytes);
}

static void board_tell(const struct board *a, int proc)
{
    char message[BOARD_BYTES], *at = message;
    for (int to = 0; to < board_rows(a, proc); to++)
        for (int from = 0; from < a->c->nlocal; from++, at += a->bytes)
            memcpy(at, board_posted(a, from, board_rank_of(a, proc, to)), a->bytes);
    leader_exchange_send(a->k, board_rank_of(a, proc, 0), message, (size_t)(at - message));
}

static void board_hear(const struct board *a, int proc)
{
    char message[BOARD_BYTES], *at = message;
    int theirs = rankmap_count(&a->c->map, proc), mine = board_rows(a, a->c->proc);
    size_t bytes = (size_t)mine * (size_t)theirs * a->bytes;
    leader_exchange_recv(a->k, board_rank_of(a, proc, 0), message, bytes);
    if (a->t->rc != MPI_SUCCESS)
        return;
    for (int to = 0; to < mine; to++)
        for (int from = 0; from < theirs; from++, at += a->bytes)
            memcpy(board_place(a, to, board_rank_of(a, proc, from)), at, a->bytes);
}

static void board_lead(struct board *a, const struct span *data)
{
    a->own = small_slot(a->t);
    small_fill(a->t, a->own->data, data);
    for (int k = 1; k < a->c->nproc; k++)
        board_tell(a, (a->c->proc + k) % a->c->nproc);
    board_collect(a);
    for (int k = 1; k < a->c->nproc; k++)
        board_hear(a, (a->c->proc + k) % a->c->nproc);
    small_post(a->t, a->own, 0);
}

/* Everything that the endpoint receives is on the board; its own block in place stays. */
static void board_take_all(const struct board *a, const struct call *call)
{
    const ep_comm view = a->t->view;
    for (int r = 0; r < view->size; r++)
        if (r != view->rank || !call->in_place || a->every)
            small_take(a->t, board_place(a, view->index, r), &call->recv, r, a->bytes);
}

static void small_far_all(struct leader_exchange *k, const struct call *call)
{
    struct small_call *t = k->t;
    struct board a = {.k = k, .t = t, .c = t->view->comm, .bytes = block_bytes(&call->recv, 0)};
    a.every = call->kind == COLL_ALLTOALL;
    a.board = t->flag_slots->boards + (t->call & t->flag_slots->mask) * BOARD_BYTES;
    struct span own = block_at(&call->send, 0);
    if (a.every)
        own.count *= (size_t)t->view->size;
    if (t->view->index > 0) {
        small_post_data(t, &own);
        small_read(t, 0, 0);
    } else {
        board_lead(&a, &own);
    }
    board_take_all(&a, call);
}

/* ---- all ---- */

void small_far_run(struct small_call *t, const struct call *call)
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
        small_far_all(&k, call);
}
