/* SPDX-License-Identifier: BSD-3-Clause */
#include "coll/tiny.h"

#include "coll/tiny_cells.h"
#include "coll/tiny_far.h"
#include "coll/tiny_fold.h"
#include "coll/tiny_lent.h"

enum { ALLGATHER_MAX = 4096 }; /* bytes that one endpoint reads, from where more copying threads do better */

/* ---- which calls ---- */

static bool allgather_fits(ep_comm view, const struct call *call)
{
    const struct blocks *b = &call->recv;
    size_t bytes = b->form == FORM_EQUAL ? b->count * b->type->size : CELL_BYTES + 1;
    return bytes <= CELL_BYTES && bytes * (size_t)view->size <= ALLGATHER_MAX;
}

static bool alltoall_fits(ep_comm view, const struct call *call)
{
    const struct blocks *b = &call->recv;
    return b->form == FORM_EQUAL && b->count * b->type->size * (size_t)view->size <= CELL_BYTES;
}

static bool bcast_fits(ep_comm view, const struct call *call)
{
    const struct blocks *b = call->root == view->rank ? &call->send : &call->recv;
    return b->count * b->type->size <= CELL_BYTES;
}

/* Do the data fit into cells? */
static bool cell_fits(ep_comm view, const struct call *call)
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
        fits = fold_fits(view, call);
        break;
    default:
        break;
    }
    return fits && cells_exist(view, call->name);
}

bool tiny_fits(ep_comm view, const struct call *call)
{
    if (view->comm->inter || (view->comm->nproc > 1 && !tiny_far_fits(view, call)))
        return false;
    return cell_fits(view, call) || lent_fits(view, call);
}

/* ---- data ---- */

void tiny_fill(struct tiny *t, struct cell *e, const struct span *from)
{
    if (likely(from->type->contiguous))
        tiny_copy(e->data, span_start(from), span_bytes(from));
    else
        t->rc = copy_pack(from, e->data);
}

void tiny_post_data(struct tiny *t, const struct span *from)
{
    struct cell *e = tiny_cell(t);
    tiny_fill(t, e, from);
    tiny_post(t, e, span_bytes(from));
}

/* Block r of what is received. */
void tiny_take(struct tiny *t, const char *data, const struct blocks *to, int r, size_t bytes)
{
    struct span s = block_at(to, r);
    if (unlikely(t->rc))
        return;
    if (likely(s.type->contiguous)) {
        tiny_copy(span_start(&s), data, bytes);
        return;
    }
    struct span from = span_packed(data, bytes);
    t->rc = copy_typed(&from, &s, bytes);
}

/* ---- the calls ---- */

static void barrier(struct tiny *t)
{
    int n = t->cells->n;
    if (n > FLAT) {
        tree_arrive(t);
        return;
    }
    tiny_post(t, tiny_cell(t), 0);
    tiny_hold_back();
    for (int i = 0; i < n; i++)
        tiny_read(t, i, 0);
}

static void bcast(struct tiny *t, const struct call *call)
{
    if (call->root == t->view->rank) {
        struct span s = block_at(&call->send, 0);
        tiny_post_data(t, &s);
        return;
    }
    size_t bytes = block_bytes(&call->recv, 0);
    tiny_take(t, tiny_read(t, call->root, bytes), &call->recv, 0, bytes);
}

static void allgather(struct tiny *t, const struct call *call)
{
    size_t bytes = block_bytes(&call->recv, 0);
    struct span s = block_at(&call->send, 0);
    tiny_post_data(t, &s);
    tiny_hold_back();
    for (int i = 0; i < t->cells->n; i++) {
        const char *data = tiny_read(t, i, bytes);
        if (i != t->view->index || !call->in_place)
            tiny_take(t, data, &call->recv, i, bytes);
    }
}

static void alltoall(struct tiny *t, const struct call *call)
{
    size_t bytes = block_bytes(&call->recv, 0), n = (size_t)t->cells->n;
    struct span s = block_at(&call->send, 0);
    s.count *= n;
    tiny_post_data(t, &s);
    tiny_hold_back();
    for (int i = 0; i < t->cells->n; i++)
        tiny_take(t, tiny_read(t, i, n * bytes) + bytes * (size_t)t->view->index, &call->recv, i, bytes);
}

int tiny_run(ep_comm view, const struct call *call)
{
    struct tiny t = tiny_begin(view, call->name);
    t.rc = call->rc;
    if (view->comm->nproc > 1)
        return tiny_far_run(&t, call);
    if (!cell_fits(view, call)) {
        lent_run(&t, call);
        return t.rc;
    }
    switch (call->kind) {
    case COLL_BARRIER:
        barrier(&t);
        break;
    case COLL_BCAST:
        bcast(&t, call);
        break;
    case COLL_ALLGATHER:
        allgather(&t, call);
        break;
    case COLL_ALLTOALL:
        alltoall(&t, call);
        break;
    case COLL_REDUCE:
        fold_reduce(&t, call);
        break;
    default:
        fold_allreduce(&t, call);
    }
    if (call->kind != COLL_BCAST && call->kind != COLL_REDUCE)
        tiny_met_all(&t);
    tiny_end(&t);
    return t.rc;
}
