/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Small allgather and alltoall over several processes. Each endpoint posts what it sends. On the board of this call the
 * leader collects what its endpoints receive, and posts:
 *
 *   allgather   the block of each rank, by rank
 *   alltoall    for each local endpoint the blocks of all ranks, by rank
 *
 * Leader to leader goes one message: the blocks of the sender's endpoints by local index, in an alltoall those for each
 * endpoint of the receiver one after the other. The board belongs to the leader's slot and lives as long.
 */
#include <string.h>

#include "coll/small_far.h"
#include "coll/small_reduce.h"

enum { SMALL_FAR_ALL_PROCESSES = 16 }; /* each leader sends to each */

bool far_all_fits(ep_comm view, const struct call *call)
{
    const struct comm *c = view->comm;
    size_t bytes = block_bytes(&call->recv, 0), n = (size_t)view->size, widest = (size_t)c->map.widest;
    if (c->nproc > SMALL_FAR_ALL_PROCESSES || bytes > SLOT_BYTES)
        return false;
    if (call->kind == COLL_ALLGATHER)
        return n * bytes <= BOARD_BYTES;
    return n * bytes <= SLOT_BYTES && widest * n * bytes <= BOARD_BYTES;
}

struct all {
    struct leader_exchange *k;
    struct small_call *t;
    const struct comm *c;
    char *board;
    struct flag_slot *own; /* the leader's */
    size_t bytes;          /* of a block */
    bool every;            /* alltoall */
};

static int small_far_all_rank_of(const struct all *a, int proc, int index)
{
    return rankmap_rank(&a->c->map, proc, index);
}

/* Where the block of `from` for the local endpoint `to` is on the board. */
static char *small_far_all_place(const struct all *a, int to, int from)
{
    size_t row = a->every ? (size_t)to * (size_t)a->c->map.size : 0;
    return a->board + (row + (size_t)from) * a->bytes;
}

/* The block that local endpoint `from` has posted for rank `to`. */
static const char *small_far_all_posted(const struct all *a, int from, int to)
{
    size_t n = a->every ? (size_t)a->c->map.size : 1;
    const char *data = from == 0 ? a->own->data : small_read(a->t, from, n * a->bytes);
    return data + (a->every ? (size_t)to * a->bytes : 0);
}

/* Rows on the board: receivers to tell apart. */
static int small_far_all_rows(const struct all *a, int proc)
{
    return a->every ? rankmap_count(&a->c->map, proc) : 1;
}

static void small_far_all_collect(const struct all *a)
{
    int me = a->c->proc;
    for (int to = 0; to < small_far_all_rows(a, me); to++)
        for (int from = 0; from < a->c->nlocal; from++)
            memcpy(small_far_all_place(a, to, small_far_all_rank_of(a, me, from)),
                   small_far_all_posted(a, from, small_far_all_rank_of(a, me, to)), a->bytes);
}

static void small_far_all_tell(const struct all *a, int proc)
{
    char message[BOARD_BYTES], *at = message;
    for (int to = 0; to < small_far_all_rows(a, proc); to++)
        for (int from = 0; from < a->c->nlocal; from++, at += a->bytes)
            memcpy(at, small_far_all_posted(a, from, small_far_all_rank_of(a, proc, to)), a->bytes);
    leader_exchange_send(a->k, small_far_all_rank_of(a, proc, 0), message, (size_t)(at - message));
}

static void small_far_all_hear(const struct all *a, int proc)
{
    char message[BOARD_BYTES], *at = message;
    int theirs = rankmap_count(&a->c->map, proc), mine = small_far_all_rows(a, a->c->proc);
    size_t bytes = (size_t)mine * (size_t)theirs * a->bytes;
    leader_exchange_recv(a->k, small_far_all_rank_of(a, proc, 0), message, bytes);
    if (a->t->rc != MPI_SUCCESS)
        return;
    for (int to = 0; to < mine; to++)
        for (int from = 0; from < theirs; from++, at += a->bytes)
            memcpy(small_far_all_place(a, to, small_far_all_rank_of(a, proc, from)), at, a->bytes);
}

static void small_far_all_lead(struct all *a, const struct span *data)
{
    a->own = small_slot(a->t);
    small_fill(a->t, a->own, data);
    for (int k = 1; k < a->c->nproc; k++)
        small_far_all_tell(a, (a->c->proc + k) % a->c->nproc);
    small_far_all_collect(a);
    for (int k = 1; k < a->c->nproc; k++)
        small_far_all_hear(a, (a->c->proc + k) % a->c->nproc);
    small_post(a->t, a->own, 0);
}

/* Everything that the endpoint receives is on the board; its own block in place stays. */
static void small_far_all_take_all(const struct all *a, const struct call *call)
{
    const ep_comm view = a->t->view;
    for (int r = 0; r < view->size; r++)
        if (r != view->rank || !call->in_place || a->every)
            small_take(a->t, small_far_all_place(a, view->index, r), &call->recv, r, a->bytes);
}

void far_all(struct leader_exchange *k, const struct call *call)
{
    struct small_call *t = k->t;
    struct all a = {.k = k, .t = t, .c = t->view->comm, .bytes = block_bytes(&call->recv, 0)};
    a.every = call->kind == COLL_ALLTOALL;
    a.board = t->flag_slots->boards + t->call % RING * BOARD_BYTES;
    struct span own = block_at(&call->send, 0);
    if (a.every)
        own.count *= (size_t)t->view->size;
    if (t->view->index > 0) {
        small_post_data(t, &own);
        small_read(t, 0, 0);
    } else {
        small_far_all_lead(&a, &own);
    }
    small_far_all_take_all(&a, call);
}
