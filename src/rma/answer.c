/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What comes back to the one who asked. As soon as an endpoint sees that nothing is under way any more it may free the window,
 * so whatever says that is the last access to it. Data are there before they are acknowledged; where a transfer is
 * awaited, or a lock is waited for, the acknowledgement alone does not let anybody go on.
 */
#include "rma/rma.h"
#include "rma/serve.h"
#include "rma/transfer.h"

static void fault(const struct am *am)
{
    ep_win win = ((struct flow *)am->flow)->win;
    store_relaxed(&win->fault_target, am->target);
    store_relaxed(&win->fault_address, (void *)(uintptr_t)am->offset);
    store_release(&win->fault, am->op);
}

/* Some of what an operation waits for; with a fault only as many bytes. */
static void data_came(struct await *a, const struct am *am, const unsigned char *data)
{
    if (data)
        cursor_write(&a->into, data, am->bytes);
    else
        cursor_skip(&a->into, am->bytes);
    if (!data)
        a->rc = MPI_ERR_RMA_ATTACH;
    a->left -= am->bytes;
    if (a->left == 0)
        await_over(a);
}

static void bulk_done(const struct am *am, int rc)
{
    struct flow *f = am->flow;
    bulk_number_free(f->win->window->mail, bulk_tag_number(am->tag));
    transfer_part_over(am->reply, rc);
}

void serve_answer(const struct am *am, const unsigned char *data)
{
    bool failed = am->kind == AM_FAULT, grants = am->kind == AM_GRANT,
         fetched = am->reply && !am->tag && !grants;
    (void)load_acquire(&((struct flow *)am->flow)
                            ->told); /* what the asker prepared; MPI orders that, too, but C does not know */
    if (failed)
        fault(am);
    if (fetched)
        data_came(am->reply, am, failed ? NULL : data);
    flow_acked(am->flow, am->number);
    if (grants)
        epoch_serve_grant(am);
    else if (am->tag)
        bulk_done(am, failed ? MPI_ERR_OTHER : MPI_SUCCESS);
}
