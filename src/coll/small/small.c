/* SPDX-License-Identifier: BSD-3-Clause */
#include "coll/small/small.h"

#include "coll/operator.h"

/* ---- which calls ---- */

enum {
    ALLGATHER_MAX = 4096, /* bytes that one endpoint reads, from where more copying threads do better */
    MOVE_MAX = 32 * 1024, /* the same at addresses */
    ADDRESSES_MAX = 8,    /* endpoints */
    FOLDERS_MAX = 4,      /* endpoints that reduce what is at addresses */
    PROCESSES_MAX = 16,   /* where each leader sends to each */
};

/* The most bytes of what goes to or comes from one endpoint, and of that times the endpoints. 0: such calls
 * are not done so. */
static const struct small_limit {
    size_t block, all;
} limits[SMALL_WAYS][COLL_KINDS] = {
    [SMALL_NEAR] = {[COLL_BARRIER] = {SLOT_BYTES, SIZE_MAX},
                    [COLL_BCAST] = {SLOT_BYTES, SIZE_MAX},
                    [COLL_ALLGATHER] = {SLOT_BYTES, ALLGATHER_MAX},
                    [COLL_ALLTOALL] = {SLOT_BYTES, SLOT_BYTES},
                    [COLL_REDUCE] = {SLOT_BYTES, SIZE_MAX},
                    [COLL_ALLREDUCE] = {SLOT_BYTES, SIZE_MAX}},
    [SMALL_FAR] = {[COLL_BARRIER] = {SLOT_BYTES, SIZE_MAX},
                   [COLL_BCAST] = {SLOT_BYTES, SIZE_MAX},
                   [COLL_ALLGATHER] = {SLOT_BYTES, BOARD_BYTES},
                   [COLL_ALLTOALL] = {SLOT_BYTES, SLOT_BYTES},
                   [COLL_REDUCE] = {SLOT_BYTES, SIZE_MAX},
                   [COLL_ALLREDUCE] = {SLOT_BYTES, SIZE_MAX}},
    [SMALL_ADDRESSES] = {[COLL_BCAST] = {MOVE_MAX, SIZE_MAX},
                         [COLL_ALLGATHER] = {MOVE_MAX, MOVE_MAX},
                         [COLL_ALLTOALL] = {MOVE_MAX, MOVE_MAX},
                         [COLL_REDUCE] = {SMALL_REDUCTION_MAX, SIZE_MAX},
                         [COLL_ALLREDUCE] = {SMALL_REDUCTION_MAX, SIZE_MAX}},
};

/* Of a block, as all endpoints know it. */
static size_t small_bytes_of(ep_comm view, const struct call *call)
{
    if (call->kind == COLL_BARRIER)
        return 0;
    bool sends = call->kind >= COLL_REDUCE || (call->kind == COLL_BCAST && call->root == view->rank);
    const struct blocks *b = sends ? &call->send : &call->recv;
    if (b->form != FORM_EQUAL && (call->kind == COLL_ALLGATHER || call->kind == COLL_ALLTOALL))
        return SIZE_MAX;
    return b->count * b->type->size;
}

/* Values of processes are reduced in the order of processes. */
static bool order_is_kept(ep_comm view, MPI_Op op)
{
    const struct rankmap *m = &view->comm->map;
    bool consecutive = m->each ? m->by_index == 1 : !m->rank_at;
    return consecutive || operator_commutes(op);
}

/*
 * By what all endpoints know alike. The datatype is not: with an operator of the user's one may give MPI_INT,
 * another a type of its own that is the same. Predefined operators have predefined types, so there all give
 * the same. A reproducible reduction is none of these: another layout would reduce in another way or with
 * MPI's arithmetic.
 */
static bool small_takes_reduction(ep_comm view, const struct call *call, enum small_way way)
{
    bool contiguous = call->send.type->contiguous;
    if (view->reproducible)
        return false;
    if (way == SMALL_ADDRESSES)
        return contiguous && view->size <= FOLDERS_MAX && operator_is_predefined(call->op);
    return (likely(contiguous) || !operator_is_predefined(call->op)) &&
           (way == SMALL_NEAR || order_is_kept(view, call->op));
}

static bool small_fits(ep_comm view, const struct call *call, enum small_way way)
{
    const struct small_limit *most = &limits[way][call->kind];
    const struct comm *c = view->comm;
    if (most->block == 0)
        return false;
    size_t bytes = small_bytes_of(view, call), all = bytes * (size_t)view->size;
    if (bytes > most->block || all > most->all)
        return false;
    if (call->kind >= COLL_REDUCE)
        return small_takes_reduction(view, call, way);
    if (way != SMALL_FAR || (call->kind != COLL_ALLGATHER && call->kind != COLL_ALLTOALL))
        return true;
    size_t rows = call->kind == COLL_ALLTOALL ? (size_t)c->map.widest : 1; /* of the board */
    return c->nproc <= PROCESSES_MAX && rows * all <= BOARD_BYTES;
}

enum small_way small_way_of(ep_comm view, const struct call *call)
{
    const struct comm *c = view->comm;
    enum small_way way = c->nproc > 1 ? SMALL_FAR : SMALL_NEAR;
    if (c->inter)
        return SMALL_WAYS;
    if (!small_fits(view, call, way)) {
        if (way == SMALL_FAR || view->size > ADDRESSES_MAX || !small_fits(view, call, SMALL_ADDRESSES))
            return SMALL_WAYS;
        way = SMALL_ADDRESSES;
    }
    if (!flag_slots_exist(view, call->name) ||
        (way == SMALL_ADDRESSES && load_relaxed(&c->coll->flag_slots)->crowded))
        return SMALL_WAYS;
    return way;
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

static void small_near_run(struct small_call *t, const struct call *call)
{
    switch (call->kind) {
    case COLL_BARRIER:
        small_barrier(t);
        break;
    case COLL_BCAST:
        small_bcast(t, call);
        break;
    case COLL_ALLGATHER:
        small_allgather(t, call);
        break;
    case COLL_ALLTOALL:
        small_alltoall(t, call);
        break;
    case COLL_REDUCE:
        reduction_reduce(t, call);
        break;
    default:
        reduction_allreduce(t, call);
    }
}

int small_run(ep_comm view, const struct call *call, enum small_way way)
{
    struct small_call t = small_begin(view, call->name);
    t.rc = call->rc;
    if (way == SMALL_ADDRESSES) {
        small_ptr_run(&t, call);
        return t.rc;
    }
    if (way == SMALL_FAR)
        small_far_run(&t, call);
    else
        small_near_run(&t, call);
    if (call->kind != COLL_BCAST && call->kind != COLL_REDUCE)
        small_met_all(&t);
    small_end(&t);
    return t.rc;
}
