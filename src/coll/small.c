/* SPDX-License-Identifier: BSD-3-Clause */
#include "coll/small.h"

#include "coll/flag_slots.h"
#include "coll/small_far.h"
#include "coll/small_reduce.h"
#include "coll/small_ptr.h"

enum { ALLGATHER_MAX = 4096 }; /* bytes that one endpoint reads, from where more copying threads do better */

/* ---- which calls ---- */

static bool allgather_fits(ep_comm view, const struct call *call)
{
    const struct blocks *b = &call->recv;
    size_t bytes = b->form == FORM_EQUAL ? b->count * b->type->size : SLOT_BYTES + 1;
    return bytes <= SLOT_BYTES && bytes * (size_t)view->size <= ALLGATHER_MAX;
}

static bool alltoall_fits(ep_comm view, const struct call *call)
{
    const struct blocks *b = &call->recv;
    return b->form == FORM_EQUAL && b->count * b->type->size * (size_t)view->size <= SLOT_BYTES;
}

static bool bcast_fits(ep_comm view, const struct call *call)
{
    const struct blocks *b = call->root == view->rank ? &call->send : &call->recv;
    return b->count * b->type->size <= SLOT_BYTES;
}

/* Do the data fit into slots? */
static bool flag_slot_fits(ep_comm view, const struct call *call)
{
    bool fits = false;
    switch (call->kind) {
    case COLL_BARRIER:
        fits = true;
        break;
    case COLL_BCAST:
        fits = bcast_fits(view, call);
        break;
    case COLL_ALLGATHER:
        fits = allgather_fits(view, call);
        break;
    case COLL_ALLTOALL:
        fits = alltoall_fits(view, call);
        break;
    case COLL_REDUCE:
    case COLL_ALLREDUCE:
        fits = reduction_fits(view, call);
        break;
    default:
        break;
    }
    return fits && flag_slots_exist(view, call->name);
}

bool small_fits(ep_comm view, const struct call *call)
{
    if (view->comm->inter || (view->comm->nproc > 1 && !small_far_fits(view, call)))
        return false;
    return flag_slot_fits(view, call) || small_ptr_fits(view, call);
}

/* ---- data ---- */

void small_fill(struct small_call *t, struct flag_slot *e, const struct span *from)
{
    if (likely(from->type->contiguous))
        small_copy(e->data, span_start(from), span_bytes(from));
    else
        t->rc = copy_pack(from, e->data);
}

void small_post_data(struct small_call *t, const struct span *from)
{
    struct flag_slot *e = small_slot(t);
    small_fill(t, e, from);
    small_post(t, e, span_bytes(from));
}

/* Block r of what is received. */
void small_take(struct small_call *t, const char *data, const struct blocks *to, int r, size_t bytes)
{
    struct span s = block_at(to, r);
    if (unlikely(t->rc))
        return;
    if (likely(s.type->contiguous)) {
        small_copy(span_start(&s), data, bytes);
        return;
    }
    struct span from = span_packed(data, bytes);
    t->rc = copy_typed(&from, &s, bytes);
}

/* ---- the calls ---- */

static void small_barrier(struct small_call *t)
{
    int n = t->flag_slots->n;
    if (n > FLAT) {
        tree_arrive(t);
        return;
    }
    small_post(t, small_slot(t), 0);
    small_hold_back();
    for (int i = 0; i < n; i++)
        small_read(t, i, 0);
}

static void small_bcast(struct small_call *t, const struct call *call)
{
    if (call->root == t->view->rank) {
        struct span s = block_at(&call->send, 0);
        small_post_data(t, &s);
        return;
    }
    size_t bytes = block_bytes(&call->recv, 0);
    small_take(t, small_read(t, call->root, bytes), &call->recv, 0, bytes);
}

static void small_allgather(struct small_call *t, const struct call *call)
{
    size_t bytes = block_bytes(&call->recv, 0);
    struct span s = block_at(&call->send, 0);
    small_post_data(t, &s);
    small_hold_back();
    for (int i = 0; i < t->flag_slots->n; i++) {
        const char *data = small_read(t, i, bytes);
        if (i != t->view->index || !call->in_place)
            small_take(t, data, &call->recv, i, bytes);
    }
}

static void small_alltoall(struct small_call *t, const struct call *call)
{
    size_t bytes = block_bytes(&call->recv, 0), n = (size_t)t->flag_slots->n;
    struct span s = block_at(&call->send, 0);
    s.count *= n;
    small_post_data(t, &s);
    small_hold_back();
    for (int i = 0; i < t->flag_slots->n; i++)
        small_take(t, small_read(t, i, n * bytes) + bytes * (size_t)t->view->index, &call->recv, i, bytes);
}

int small_run(ep_comm view, const struct call *call)
{
    struct small_call t = small_begin(view, call->name);
    t.rc = call->rc;
    if (view->comm->nproc > 1)
        return small_far_run(&t, call);
    if (!flag_slot_fits(view, call)) {
        small_ptr_run(&t, call);
        return t.rc;
    }
    switch (call->kind) {
    case COLL_BARRIER:
        small_barrier(&t);
        break;
    case COLL_BCAST:
        small_bcast(&t, call);
        break;
    case COLL_ALLGATHER:
        small_allgather(&t, call);
        break;
    case COLL_ALLTOALL:
        small_alltoall(&t, call);
        break;
    case COLL_REDUCE:
        reduction_reduce(&t, call);
        break;
    default:
        reduction_allreduce(&t, call);
    }
    if (call->kind != COLL_BCAST && call->kind != COLL_REDUCE)
        small_met_all(&t);
    small_end(&t);
    return t.rc;
}
