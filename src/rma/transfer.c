/* SPDX-License-Identifier: BSD-3-Clause */
#include "rma/transfer.h"

/* ---- answers ---- */

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
