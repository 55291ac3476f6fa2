/* SPDX-License-Identifier: BSD-3-Clause */
#include "rma/transfer.h"

/* ---- answers ---- */

struct await *await_new(ep_win win, struct flow *f, struct type *type, ep_request request)
{
    lock_acquire(&win->awaits_lock);
    struct await *a = pool_get(&win->awaits);
    lock_release(&win->awaits_lock);
    if (a) {
        a->flow = f;
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

void await_over(struct await *a)
{
    ep_win win = a->flow->win;
    if (a->type)
        type_drop(a->type);
    finish_request(a->request, a->rc);
    lock_acquire(&win->awaits_lock);
    pool_put(&win->awaits, a);
    lock_release(&win->awaits_lock);
}

/* ---- bulk ---- */

void transfer_part_over(struct transfer *t, int rc)
{
    if (rc != MPI_SUCCESS)
        store_relaxed(&t->rc, rc);
    if (sub_acq_rel(&t->left, 1) > 1)
        return;
    struct flow *f = t->flow;
    finish_request(t->request, load_relaxed(&t->rc));
    reserve_free(t);
    flow_answered(f);
}

static void report(struct transfer *t, int rc)
{
    if (rc != MPI_SUCCESS)
        store_release(&t->flow->win->fault, FAULT_MPI);
}

/* This side's part of a piece. */
static void bulk_over(struct bulk *b, int rc)
{
    struct transfer *t = b->arg;
    report(t, rc);
    if (!b->sends)
        bulk_number_free(b->mail, bulk_tag_number(b->tag));
    reserve_free(b);
    transfer_part_over(t, rc);
}

static bool begin_piece(ep_win win, int target, struct transfer *t, struct bulk *b, ptrdiff_t offset)
{
    struct mail *m = win->window->mail;
    int number = bulk_number(m);
    struct parcel *p = number < 0 ? NULL : flow_begin(win, target, b->sends ? AM_BULK_PUT : AM_BULK_GET);
    if (!p) {
        if (number >= 0)
            bulk_number_free(m, number);
        return false;
    }
    p->am.tag = bulk_tag(number, b->sends);
    p->am.offset = offset;
    p->am.length = b->bytes;
    p->am.reply = t;
    b->peer = p->to;
    b->tag = p->am.tag;
    b->arg = t;
    b->done = bulk_over;
    add_relaxed(&t->left, b->sends ? 2 : 1);
    bulk_add(m, b);
    flow_send(win, p, 0);
    return true;
}

int transfer_bulk(ep_win win, int target, char *data, size_t bytes, ptrdiff_t offset, bool put,
                  ep_request request)
{
    int index;
    struct transfer *t = reserve_malloc(sizeof *t);
    if (!t)
        return MPI_ERR_NO_MEM;
    *t = (struct transfer){.flow = &win->flow[win_process(win->window, target, &index)], .request = request};
    store_relaxed(&t->left, 1);
    add_acq_rel(&t->flow->awaited, 1);
    for (size_t at = 0, n; at < bytes; at += n) {
        struct bulk *b = reserve_malloc(sizeof *b);
        n = bytes - at < BULK_MAX ? bytes - at : BULK_MAX;
        if (b)
            *b = (struct bulk){.sends = put, .data = data + at, .bytes = n};
        if (!b || !begin_piece(win, target, t, b, offset + (ptrdiff_t)at)) {
            reserve_free(b);
            progress_for(win);
            n = 0;
        }
    }
    transfer_part_over(t, MPI_SUCCESS);
    return MPI_SUCCESS;
}
