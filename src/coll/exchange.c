/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages from head to head, with the tag of the operation. */
#include "coll/op.h"

#include <assert.h>

static int head_of(const struct op *o, int proc)
{
    return rankmap_rank(&o->comm->map, proc, 0);
}

static void wait_for(struct op *o, ep_request r)
{
    r->sibling = o->pending;
    o->pending = r;
}

void exchange_begin_far(struct op *o, bool again)
{
    port_assert_held(o->head->port);
    o->sends = (struct messages){.made = again ? o->sends.made : 0};
    o->receives = (struct messages){.made = again ? o->receives.made : 0};
}

bool exchange_is_short(const struct op *o)
{
    return o->sends.later || o->receives.later;
}

/* Is the next of these to be made now? They are made in their order. */
static bool is_next(struct messages *m)
{
    return m->seen++ == m->made && !m->later;
}

static void send_nothing(struct op *o, const struct send *s)
{
    op_fail(o, MPI_ERR_NO_MEM);
    o->sends.later = !send_empty(s);
    o->sends.made += !o->sends.later;
}

void exchange_send(struct op *o, int proc, struct span data)
{
    port_assert_held(o->head->port);
    assert(proc != o->comm->proc);
    struct send s = {.view = o->head,
                     .data = op_failed(o) ? span_packed(NULL, 0) : data,
                     .dest = head_of(o, proc),
                     .tag = o->tag,
                     .mode = MODE_STANDARD,
                     .call = o->part[0]->call.name};
    if (!is_next(&o->sends))
        return;
    ep_request r = send_request(&s);
    int rc = r ? send_start(r) : MPI_ERR_NO_MEM;
    if (rc == MPI_SUCCESS) {
        o->sends.made++;
        wait_for(o, r);
        return;
    }
    if (r) {
        store_relaxed(&r->word, DONE | USER);
        request_release(r);
    }
    send_nothing(o, &s);
}

void exchange_recv(struct op *o, int proc, struct span data)
{
    port_assert_held(o->head->port);
    assert(proc != o->comm->proc);
    struct recv v = {.view = o->head,
                     .data = data,
                     .source = head_of(o, proc),
                     .tag = o->tag,
                     .call = o->part[0]->call.name};
    if (!is_next(&o->receives))
        return;
    ep_request r = recv_request(&v);
    if (!r) {
        op_fail(o, MPI_ERR_NO_MEM);
        o->receives.later = true;
        return;
    }
    o->receives.made++;
    wait_for(o, r);
    recv_start(r);
}

static void settle(struct op *o, const struct ep_request_s *r)
{
    const struct outcome *out = &r->out;
    if (out->error != MPI_SUCCESS)
        op_fail(o, out->error);
    else if (r->kind == REQUEST_RECV && out->arrived != r->bytes)
        op_fail(o, out->arrived == 0 ? MPI_ERR_NO_MEM : MPI_ERR_TRUNCATE);
}

bool exchange_done(struct op *o)
{
    port_assert_held(o->head->port);
    ep_request *at = &o->pending;
    while (*at) {
        ep_request r = *at;
        if (!request_is_done(r)) {
            at = &r->sibling;
            continue;
        }
        settle(o, r);
        *at = r->sibling;
        request_release(r);
    }
    return !o->pending;
}
