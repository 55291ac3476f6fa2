/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages from leader to leader, with the tag of the operation. Data have at least one byte; who has failed
 * sends none. */
#include "coll/op.h"

#include <assert.h>

static int leader_of(const struct op *o, int proc)
{
    return rankmap_rank(&o->comm->map, proc, 0);
}

static void exchange_wait_for(struct op *o, ep_request r)
{
    r->sibling = o->pending;
    o->pending = r;
}

void exchange_begin_far(struct op *o, bool again)
{
    endpoint_assert_held(o->leader->endpoint);
    o->sends = (struct messages){.made = again ? o->sends.made : 0};
    o->receives = (struct messages){.made = again ? o->receives.made : 0};
}

bool exchange_is_short(const struct op *o)
{
    return o->sends.later || o->receives.later;
}

/* Is the next of these to be made now? They are made in their order. */
static bool exchange_is_next(struct messages *m)
{
    return m->seen++ == m->made && !m->later;
}

static struct send message_to(const struct op *o, int proc, struct span data)
{
    return (struct send){.view = o->leader,
                         .data = data,
                         .dest = leader_of(o, proc),
                         .tag = o->tag,
                         .mode = MODE_STANDARD,
                         .call = o->args[0]->call.name};
}

static void exchange_sent(struct op *o, ep_request r)
{
    o->sends.made++;
    if (r)
        exchange_wait_for(o, r);
}

void exchange_tell(struct op *o, int proc, struct span data)
{
    struct send s = message_to(o, proc, data);
    ep_request r;
    if (!exchange_is_next(&o->sends))
        return;
    if (send_notice(&s, &r))
        exchange_sent(o, r);
    else
        o->sends.later = true;
}

void exchange_send(struct op *o, int proc, struct span data)
{
    endpoint_assert_held(o->leader->endpoint);
    assert(proc != o->comm->proc);
    struct send s = message_to(o, proc, data);
    ep_request r;
    if (!exchange_is_next(&o->sends))
        return;
    if (!op_failed(o) && send_begin(&s, &r)) {
        exchange_sent(o, r);
        return;
    }
    op_fail(o, MPI_ERR_NO_MEM);
    s.data = span_packed(NULL, 0);
    if (send_notice(&s, &r))
        exchange_sent(o, r);
    else
        o->sends.later = true;
}

/* False: later. */
static bool exchange_receive(struct op *o, int proc, struct span data)
{
    endpoint_assert_held(o->leader->endpoint);
    assert(proc != o->comm->proc);
    struct recv v = {.view = o->leader,
                     .data = data,
                     .source = leader_of(o, proc),
                     .tag = o->tag,
                     .call = o->args[0]->call.name};
    if (!exchange_is_next(&o->receives))
        return true;
    ep_request r = recv_request_kept(&v);
    if (!r) {
        o->receives.later = true;
        return false;
    }
    o->receives.made++;
    exchange_wait_for(o, r);
    recv_start(r);
    return true;
}

void exchange_hear(struct op *o, int proc, struct span data)
{
    exchange_receive(o, proc, data);
}

void exchange_recv(struct op *o, int proc, struct span data)
{
    if (!exchange_receive(o, proc, data))
        op_fail(o, MPI_ERR_NO_MEM);
}

static void exchange_settle(struct op *o, const struct ep_request_s *r)
{
    const struct outcome *out = &r->out;
    if (out->error != MPI_SUCCESS)
        op_fail(o, out->error);
    else if (r->kind == REQUEST_RECV && out->arrived != request_bytes(r))
        op_fail(o, out->arrived == 0 ? MPI_ERR_NO_MEM : MPI_ERR_TRUNCATE);
}

bool exchange_done(struct op *o)
{
    endpoint_assert_held(o->leader->endpoint);
    ep_request *at = &o->pending;
    while (*at) {
        ep_request r = *at;
        if (!request_is_done(r)) {
            at = &r->sibling;
            continue;
        }
        exchange_settle(o, r);
        *at = r->sibling;
        request_release(r);
    }
    return !o->pending;
}
