/* SPDX-License-Identifier: BSD-3-Clause */
#include "rma/rma.h"
#include "rma/transfer.h"

/* ---- pending gets ---- */

struct pending_get *pending_get_new(ep_win win, struct channel *f, struct type *type, ep_request request)
{
    struct pending_get *a = load_relaxed(&win->spare) ? swap_acquire(&win->spare, NULL) : NULL;
    if (!a) {
        lock_acquire(&win->pending_gets_lock);
        a = pool_get(&win->pending_gets);
        lock_release(&win->pending_gets_lock);
    }
    if (a) {
        a->channel = f;
        a->type = type;
        a->request = request;
        a->rc = MPI_SUCCESS;
    }
    return a;
}

static void finish_request(ep_request r, int rc)
{
    if (!r)
        return;
    r->out.error = rc;
    request_complete(r);
}

void pending_get_drop(ep_win win, struct pending_get *a)
{
    lock_acquire(&win->pending_gets_lock);
    pool_put(&win->pending_gets, a);
    lock_release(&win->pending_gets_lock);
}

void pending_get_over(struct pending_get *a)
{
    lock_assert_held(&net_poll_lock);
    ep_win win = a->channel->win;
    if (a->type)
        type_drop(a->type, MPI_DATATYPE_NULL);
    finish_request(a->request, a->rc);
    if (likely(!load_relaxed(&win->spare)))
        store_release(&win->spare, a);
    else
        pending_get_drop(win, a);
}

/* ---- bulk ---- */

void transfer_part_over(struct transfer *t, int rc)
{
    if (rc != MPI_SUCCESS)
        store_relaxed(&t->rc, rc);
    if (sub_acq_rel(&t->left, 1) > 1)
        return;
    struct channel *f = t->channel;
    finish_request(t->request, load_relaxed(&t->rc));
    reserve_free(t);
    net_channel_over(&f->channel);
}

static void transfer_report(struct transfer *t, int rc)
{
    if (rc != MPI_SUCCESS)
        store_release(&t->channel->win->fault, FAULT_MPI);
}

/* A piece of one. */
struct piece {
    struct net_bulk bulk;
    struct transfer *transfer;
};

/* This side's part of it. */
static void transfer_bulk_over(struct net_bulk *b, int rc)
{
    struct piece *piece = container_of(b, struct piece, bulk);
    struct transfer *t = piece->transfer;
    transfer_report(t, rc);
    if (!b->sends)
        net_bulk_number_free(b->domain, net_bulk_tag_number(b->tag));
    reserve_free(piece);
    transfer_part_over(t, rc);
}

static bool begin_piece(ep_win win, int target, struct transfer *t, struct net_bulk *b, ptrdiff_t offset)
{
    struct net_am_domain *d = win->window->domain;
    int number = net_bulk_number(d);
    enum am_kind kind = b->sends ? AM_BULK_PUT : AM_BULK_GET;
    struct net_packet *p = number < 0 ? NULL : channel_begin(win, target, kind, b->sends ? t : NULL);
    if (!p) {
        if (number >= 0)
            net_bulk_number_free(d, number);
        return false;
    }
    p->head.word = net_bulk_tag(number, b->sends);
    am_of(p)->offset = offset;
    am_of(p)->bytes = (uint32_t)b->bytes;
    b->peer = t->channel->channel.to;
    b->tag = p->head.word;
    b->done = transfer_bulk_over;
    add_relaxed(&t->left, b->sends ? 2 : 1);
    net_bulk_add(d, b);
    channel_send(win, target, p, 0);
    return true;
}

int transfer_bulk(ep_win win, int target, char *data, size_t bytes, ptrdiff_t offset, bool put,
                  ep_request request)
{
    int index;
    struct transfer *t = reserve_malloc(sizeof *t);
    if (!t)
        return MPI_ERR_NO_MEM;
    *t = (struct transfer){.channel = &win->channel[win_process(win->window, target, &index)],
                           .request = request};
    store_relaxed(&t->left, 1);
    net_channel_await(&t->channel->channel);
    for (size_t at = 0, n; at < bytes; at += n) {
        struct piece *piece = reserve_malloc(sizeof *piece);
        n = bytes - at < NET_BULK_MAX ? bytes - at : NET_BULK_MAX;
        if (piece)
            *piece = (struct piece){.bulk = {.sends = put, .data = data + at, .bytes = n}, .transfer = t};
        if (!piece || !begin_piece(win, target, t, &piece->bulk, offset + (ptrdiff_t)at)) {
            reserve_free(piece);
            progress_for(win);
            n = 0;
        }
    }
    transfer_part_over(t, MPI_SUCCESS);
    return MPI_SUCCESS;
}

/* ---- the handlers of answers ----
 *
 * What comes back to the one who asked. As soon as an endpoint sees that nothing is under way any more it may free the window,
 * so whatever says that is the last access to it. Data are there before they are acknowledged; where a transfer is
 * awaited, or a lock is waited for, the acknowledgement alone does not let anybody go on.
 */

static void answer_fault(ep_win win, const struct am *am)
{
    store_relaxed(&win->fault_target, am->target);
    store_relaxed(&win->fault_address, (void *)(uintptr_t)am->offset);
    store_release(&win->fault, am->head.op);
}

/* What it prepared before it asked is visible: the answer came from there and back. */
static void *answer_asker(const struct am *am)
{
    net_shm_comes_in(am->asker);
    return am->asker;
}

/* What every answer brings: the channel it is for. */
static struct channel *answer_begin(struct channel *f, const struct am *am)
{
    if (unlikely(am->head.fails))
        answer_fault(f->win, am);
    return f;
}

/* Some of what an operation waits for; with a fault only as many bytes. */
static void data_came(struct pending_get *a, const struct am *am, const unsigned char *data)
{
    if (!data)
        a->rc = MPI_ERR_RMA_ATTACH;
    if (likely(a->plain != NULL)) {
        if (data)
            move_bytes(a->plain, data, am->bytes);
        a->plain += am->bytes;
    } else if (data) {
        atom_write(a->items, &a->into, (const char *)data, am->bytes);
    } else {
        type_iter_skip(&a->into, atom_data(a->items, am->bytes));
    }
    a->left -= am->bytes;
    if (a->left == 0)
        pending_get_over(a);
}

enum net_result answer_data(const struct net_am *head, int source)
{
    const struct am *am = (const void *)head;
    struct pending_get *a = answer_asker(am);
    struct channel *f = answer_begin(a->channel, am);
    (void)source;
    data_came(a, am, head->fails ? NULL : (const unsigned char *)(am + 1));
    net_channel_acked(&f->channel, head->number);
    return NET_AWAITED;
}

enum net_result answer_ack(const struct net_am *head, int source)
{
    const struct am *am = (const void *)head;
    (void)source;
    net_channel_acked(&answer_begin(answer_asker(am), am)->channel, head->number);
    return NET_AWAITED;
}

enum net_result answer_bulk_done(const struct net_am *head, int source)
{
    const struct am *am = (const void *)head;
    struct transfer *t = answer_asker(am);
    struct channel *f = answer_begin(t->channel, am);
    (void)source;
    net_channel_acked(&f->channel, head->number);
    net_bulk_number_free(f->win->window->domain, net_bulk_tag_number(head->word));
    transfer_part_over(t, head->fails ? MPI_ERR_OTHER : MPI_SUCCESS);
    return NET_AWAITED;
}
