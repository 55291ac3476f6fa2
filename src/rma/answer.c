/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What comes back to the one who asked. As soon as an endpoint sees that nothing is under way any more it may free the window,
 * so whatever says that is the last access to it. Data are there before they are acknowledged; where a transfer is
 * awaited, or a lock is waited for, the acknowledgement alone does not let anybody go on.
 */
#include "rma/move.h"
#include "rma/rma.h"
#include "rma/serve.h"
#include "rma/transfer.h"

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
