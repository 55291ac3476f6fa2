/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages from head to head, with the tag of the operation. */
#include <stdlib.h>

#include "coll/op.h"

struct pending {
    struct pending *next;
    ep_request request;
    size_t bytes;
};

static int head_of(const struct op *o, int proc)
{
    return rankmap_rank(&o->comm->map, proc, 0);
}

static void wait_for(struct op *o, struct pending *p, ep_request r, size_t bytes)
{
    *p = (struct pending){o->pending, r, bytes};
    o->pending = p;
}

void exchange_send(struct op *o, int proc, struct span data)
{
    struct send s = {.view = o->head,
                     .data = data,
                     .dest = head_of(o, proc),
                     .tag = o->tag,
                     .mode = MODE_STANDARD,
                     .call = o->part[0]->call.name};
    struct pending *p = malloc(sizeof *p);
    ep_request r = p ? send_request(&s) : NULL;
    int rc = r ? send_start(r) : MPI_ERR_NO_MEM;
    if (rc == MPI_SUCCESS) {
        wait_for(o, p, r, span_bytes(&data));
        return;
    }
    op_fail(o, rc);
    if (r) {
        store_relaxed(&r->word, DONE | USER);
        request_release(r);
    }
    free(p);
}

void exchange_recv(struct op *o, int proc, struct span data)
{
    struct recv v = {.view = o->head,
                     .data = data,
                     .source = head_of(o, proc),
                     .tag = o->tag,
                     .call = o->part[0]->call.name};
    struct pending *p = malloc(sizeof *p);
    ep_request r = p ? recv_request(&v) : NULL;
    if (!r) {
        op_fail(o, MPI_ERR_NO_MEM);
        free(p);
        return;
    }
    recv_start(r);
    wait_for(o, p, r, span_bytes(&data));
}

static void settle(struct op *o, const struct pending *p)
{
    const struct outcome *out = &p->request->out;
    if (out->error != MPI_SUCCESS)
        op_fail(o, out->error);
    else if (p->request->kind == REQUEST_RECV && out->arrived != p->bytes)
        op_fail(o, MPI_ERR_TRUNCATE);
}

bool exchange_done(struct op *o)
{
    struct pending **at = &o->pending;
    while (*at) {
        struct pending *p = *at;
        if (!request_is_done(p->request)) {
            at = &p->next;
            continue;
        }
        settle(o, p);
        request_release(p->request);
        *at = p->next;
        free(p);
    }
    return !o->pending;
}
