/* SPDX-License-Identifier: BSD-3-Clause */
#include "coll/small/small.h"

#include <limits.h>

#include "coll/operator.h"

/* ---- which calls ---- */

enum {
    ALLGATHER_MAX = 4096, /* bytes that one endpoint reads, from where more copying threads do better */
    MOVE_MAX = 32 * 1024, /* the same at addresses in one process */
    STAGED_ALLREDUCE_MAX = 32 * 1024, /* bytes that each endpoint reads, from where shares do better */
    STAGED_REDUCE_MAX = 128 * 1024,   /* the same for the root alone */
    FLAT_MAX = 16,        /* members that read all others to reduce what they bring */
    ADDRESSES_MAX = 8,    /* endpoints of one process */
    FOLDERS_MAX = 4,      /* endpoints that reduce what is at addresses */
    PROCESSES_MAX = 16,   /* where each leader sends to each */
    SEGMENT_FROM = 4,     /* collective calls after which a segment between processes is worth its making */
};

/* The most bytes of what goes to or comes from one endpoint, and of that times the endpoints; and the most endpoints. 0: such calls
 * are not done so. */
struct small_limit {
    size_t block, all;
    int members;
};

static const struct small_limit limits[SMALL_WAYS][COLL_KINDS] = {
    [SMALL_NEAR] = {[COLL_BARRIER] = {SLOT_BYTES, SIZE_MAX, INT_MAX},
                    [COLL_BCAST] = {SLOT_BYTES, SIZE_MAX, INT_MAX},
                    [COLL_GATHER] = {SLOT_BYTES, ALLGATHER_MAX, INT_MAX},
                    [COLL_SCATTER] = {SLOT_BYTES, SLOT_BYTES, INT_MAX},
                    [COLL_ALLGATHER] = {SLOT_BYTES, ALLGATHER_MAX, INT_MAX},
                    [COLL_ALLTOALL] = {SLOT_BYTES, SLOT_BYTES, INT_MAX},
                    [COLL_REDUCE] = {SLOT_BYTES, SIZE_MAX, INT_MAX},
                    [COLL_ALLREDUCE] = {SLOT_BYTES, SIZE_MAX, INT_MAX},
                    [COLL_REDUCE_SCATTER] = {SLOT_BYTES, SLOT_BYTES, FLAT_MAX},
                    [COLL_SCAN] = {SLOT_BYTES, SIZE_MAX, FLAT_MAX},
                    [COLL_EXSCAN] = {SLOT_BYTES, SIZE_MAX, FLAT_MAX}},
    [SMALL_STAGED] = {[COLL_BCAST] = {STAGED_MAX, SIZE_MAX, STAGES_MAX},
                      [COLL_GATHER] = {STAGED_MAX, SIZE_MAX, STAGES_MAX},
                      [COLL_SCATTER] = {STAGED_MAX, STAGED_MAX, STAGES_MAX},
                      [COLL_ALLGATHER] = {STAGED_MAX, SIZE_MAX, STAGES_MAX},
                      [COLL_ALLTOALL] = {STAGED_MAX, STAGED_MAX, STAGES_MAX},
                      [COLL_REDUCE] = {STAGED_MAX, STAGED_REDUCE_MAX, STAGES_MAX},
                      [COLL_ALLREDUCE] = {STAGED_MAX, STAGED_ALLREDUCE_MAX, STAGES_MAX},
                      [COLL_REDUCE_SCATTER] = {STAGED_MAX, STAGED_MAX, STAGES_MAX},
                      [COLL_SCAN] = {STAGED_MAX, SIZE_MAX, FLAT_MAX},
                      [COLL_EXSCAN] = {STAGED_MAX, SIZE_MAX, FLAT_MAX}},
    [SMALL_FAR] = {[COLL_BARRIER] = {SLOT_BYTES, SIZE_MAX, INT_MAX},
                   [COLL_BCAST] = {SLOT_BYTES, SIZE_MAX, INT_MAX},
                   [COLL_ALLGATHER] = {SLOT_BYTES, BOARD_BYTES, INT_MAX},
                   [COLL_ALLTOALL] = {SLOT_BYTES, SLOT_BYTES, INT_MAX},
                   [COLL_REDUCE] = {SLOT_BYTES, SIZE_MAX, INT_MAX},
                   [COLL_ALLREDUCE] = {SLOT_BYTES, SIZE_MAX, INT_MAX}},
    [SMALL_ADDRESSES] = {[COLL_BCAST] = {MOVE_MAX, SIZE_MAX, ADDRESSES_MAX},
                         [COLL_ALLGATHER] = {MOVE_MAX, MOVE_MAX, ADDRESSES_MAX},
                         [COLL_ALLTOALL] = {MOVE_MAX, MOVE_MAX, ADDRESSES_MAX},
                         [COLL_REDUCE] = {SMALL_REDUCTION_MAX, SIZE_MAX, FOLDERS_MAX},
                         [COLL_ALLREDUCE] = {SMALL_REDUCTION_MAX, SIZE_MAX, FOLDERS_MAX}},
    [SMALL_PEERS] = {[COLL_BCAST] = {SIZE_MAX, SIZE_MAX, STAGES_MAX},
                     [COLL_GATHER] = {SIZE_MAX, SIZE_MAX, STAGES_MAX},
                     [COLL_SCATTER] = {SIZE_MAX, SIZE_MAX, STAGES_MAX},
                     [COLL_ALLGATHER] = {SIZE_MAX, SIZE_MAX, STAGES_MAX},
                     [COLL_ALLTOALL] = {SIZE_MAX, SIZE_MAX, STAGES_MAX},
                     [COLL_REDUCE] = {SIZE_MAX, SIZE_MAX, STAGES_MAX},
                     [COLL_ALLREDUCE] = {SIZE_MAX, SIZE_MAX, STAGES_MAX},
                     [COLL_REDUCE_SCATTER] = {SIZE_MAX, SIZE_MAX, STAGES_MAX}},
};

/* Which ways are tried, one after the other. */
static const enum small_way ways[][3] = {[REACH_PROCESS] = {SMALL_NEAR, SMALL_ADDRESSES, SMALL_WAYS},
                                         [REACH_MACHINE] = {SMALL_NEAR, SMALL_STAGED, SMALL_PEERS},
                                         [REACH_LEADERS] = {SMALL_FAR, SMALL_WAYS, SMALL_WAYS}};

/* Of a block, as all endpoints know it, where blocks do not differ. Only rank 0 brings nothing by itself to an exscan, where all give the count. */
static size_t small_bytes_of(ep_comm view, const struct call *call)
{
    if (call->kind == COLL_BARRIER)
        return 0;
    if (call->kind == COLL_REDUCE_SCATTER) /* on average */
        return (call->send.count * call->send.type->size + (size_t)view->size - 1) / (size_t)view->size;
    bool root = call->root == view->rank;
    bool sends = call->kind >= COLL_REDUCE || (call->kind == COLL_BCAST && root) ||
                 (call->kind == COLL_GATHER && !root) || (call->kind == COLL_SCATTER && root);
    const struct blocks *b = sends ? &call->send : &call->recv;
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
    if (call->kind > COLL_ALLREDUCE || (way != SMALL_NEAR && way != SMALL_FAR))
        return contiguous && operator_is_predefined(call->op);
    return (likely(contiguous) || !operator_is_predefined(call->op)) &&
           (way == SMALL_NEAR || order_is_kept(view, call->op));
}

short small_most_near(enum coll_kind kind, int members)
{
    const struct small_limit *most = &limits[SMALL_NEAR][kind];
    size_t each = most->all / (size_t)members;
    bool any_length = kind == COLL_GATHER || kind == COLL_SCATTER; /* small_any_length */
    if (members > most->members || (any_length && members > STAGES_MAX))
        return -1;
    return (short)(each < most->block ? each : most->block);
}

static bool small_fits(ep_comm view, const struct call *call, enum small_way way, size_t bytes)
{
    const struct small_limit *most = &limits[way][call->kind];
    const struct comm *c = view->comm;
    size_t all;
    if (bytes > most->block || view->size > most->members ||
        __builtin_mul_overflow(bytes, (size_t)view->size, &all) || all > most->all)
        return false;
    if (call->kind >= COLL_REDUCE)
        return small_takes_reduction(view, call, way);
    if (way != SMALL_FAR || (call->kind != COLL_ALLGATHER && call->kind != COLL_ALLTOALL))
        return true;
    size_t rows = call->kind == COLL_ALLTOALL ? (size_t)c->map.widest : 1; /* of the board */
    return c->nproc <= PROCESSES_MAX && rows * all <= BOARD_BYTES;
}

/* The most members whose calls of any length go through slots. */
static int small_any_members(bool machine, enum coll_kind kind)
{
    return machine || kind == COLL_GATHER || kind == COLL_SCATTER ? STAGES_MAX : ADDRESSES_MAX;
}

/* In one process with more endpoints than cores those that run do the copying for all, in operations; where one endpoint has to come
 * to all others anyway, that gains nothing. */
static bool small_had_better_share(const struct flag_slots *s, enum coll_kind kind)
{
    return s->crowded && !s->machine && kind != COLL_GATHER && kind != COLL_SCATTER;
}

bool small_takes_varying(const struct flag_slots *s, enum coll_kind kind)
{
    return s->n <= small_any_members(s->machine, kind) && !small_had_better_share(s, kind);
}

/*
 * Gather, scatter, and the functions whose blocks differ in length: for those each post says where its data are. So gather and scatter
 * of any length go through slots, and blocks of the root and of the others that differ, an error, find each other.
 */
static enum small_way small_any_length(ep_comm view, const struct call *call, enum flag_reach reach,
                                       size_t bytes)
{
    if (reach == REACH_LEADERS || view->size > small_any_members(reach == REACH_MACHINE, call->kind))
        return SMALL_WAYS;
    if (call->varying)
        return SMALL_VARYING;
    if (small_fits(view, call, SMALL_NEAR, bytes))
        return SMALL_NEAR;
    return reach == REACH_MACHINE && small_fits(view, call, SMALL_STAGED, bytes) ? SMALL_STAGED : SMALL_PEERS;
}

/* Of those that fit. */
static enum small_way small_fitting(ep_comm view, const struct call *call)
{
    size_t bytes = call->varying ? SIZE_MAX : small_bytes_of(view, call);
    enum flag_reach reach = flag_slots_reach(view->comm);
    const enum small_way *way = ways[reach];
    if (call->varying || call->kind == COLL_GATHER || call->kind == COLL_SCATTER)
        return small_any_length(view, call, reach, bytes);
    for (int i = 0; i < 3 && way[i] != SMALL_WAYS; i++)
        if (small_fits(view, call, way[i], bytes))
            return way[i];
    return SMALL_WAYS;
}

static __attribute__((noinline)) enum small_way small_way_slow(ep_comm view, const struct call *call)
{
    if (view->comm->inter)
        return SMALL_WAYS;
    enum small_way way = small_fitting(view, call);
    if (flag_slots_reach(view->comm) == REACH_MACHINE && view->calls < SEGMENT_FROM &&
        !load_relaxed(&view->comm->coll->flag_slots))
        return SMALL_WAYS;
    if (way == SMALL_WAYS || !flag_slots_exist(view, call->name))
        return SMALL_WAYS;
    const struct flag_slots *s = load_relaxed(&view->comm->coll->flag_slots);
    return way >= SMALL_ADDRESSES && small_had_better_share(s, call->kind) ? SMALL_WAYS : way;
}

/* Most calls are for slots that there are. */
static inline enum small_way small_way_of(ep_comm view, const struct call *call)
{
    const struct flag_slots *s = load_acquire(&view->comm->coll->flag_slots);
    if (unlikely(call->varying))
        return likely(s != NULL) && likely(s->varying[call->kind]) ? SMALL_VARYING
                                                                   : small_way_slow(view, call);
    if (likely(s != NULL) && likely((ptrdiff_t)small_bytes_of(view, call) <= s->most_near[call->kind]) &&
        (call->kind < COLL_REDUCE || small_takes_reduction(view, call, SMALL_NEAR)))
        return SMALL_NEAR;
    return small_way_slow(view, call);
}

/* ---- data ---- */

/* The first error counts. */
static void small_note(struct small_call *t, int rc)
{
    t->rc = t->rc ? t->rc : rc;
}

void small_fill(struct small_call *t, char *at, const struct span *from)
{
    if (likely(from->type->contiguous))
        small_copy(at, span_start(from), span_bytes(from));
    else
        small_note(t, copy_pack(from, at));
}

static void small_post_stage(struct small_call *t, struct flag_slot *e, const struct span *from)
{
    size_t bytes = span_bytes(from), at = small_stage(t, bytes);
    memcpy(e->data, &at, sizeof at);
    if (from->type->contiguous)
        memcpy(small_stage_of(t, t->me) + at, span_start(from), bytes);
    else
        small_note(t, copy_pack(from, small_stage_of(t, t->me) + at));
    t->publishes = true;
    small_post_at(t, e, bytes, WHERE_STAGE);
}

void small_post_data(struct small_call *t, const struct span *from)
{
    struct flag_slot *e = small_slot(t);
    size_t bytes = span_bytes(from);
    if (unlikely(bytes > SLOT_BYTES) && t->flag_slots->stages && bytes <= STAGE_BYTES) {
        small_post_stage(t, e, from);
        return;
    }
    if (likely(bytes <= SLOT_BYTES)) /* else it is more than the call is for, as each that reads it will find */
        small_fill(t, e->data, from);
    small_post(t, e, bytes);
}

void small_post_slow(struct small_call *t, const struct blocks *from, size_t n)
{
    struct span s = small_block(from, 0);
    s.count *= n;
    small_post_data(t, &s);
}

void small_take_slow(struct small_call *t, const char *data, const struct blocks *to, int r, size_t bytes)
{
    struct span s = small_block(to, r), from = span_packed(data, bytes);
    if (!t->rc)
        t->rc = copy_typed(&from, &s, bytes);
}

static void small_take_own_slow(struct small_call *t, const struct blocks *own, const struct blocks *to,
                                int r)
{
    struct span from = small_block(own, t->me), s = small_block(to, r);
    small_note(t, span_bytes(&from) == span_bytes(&s) ? MPI_SUCCESS : MPI_ERR_TRUNCATE);
    if (!t->rc)
        t->rc = copy_typed(&from, &s, span_bytes(&s));
}

/* What it brings to itself, into block r. */
static inline __attribute__((always_inline)) void
small_take_own(struct small_call *t, const struct blocks *own, const struct blocks *to, int r)
{
    struct span from = small_block(own, t->me), s = small_block(to, r);
    size_t bytes = span_bytes(&s);
    if (unlikely(t->rc) || unlikely(!s.type->contiguous) || unlikely(!from.type->contiguous) ||
        unlikely(span_bytes(&from) != bytes))
        small_take_own_slow(t, own, to, r);
    else
        small_copy(span_start(&s), span_start(&from), bytes);
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
        if (i != t->me)
            small_read(t, i, 0);
}

static void small_bcast(struct small_call *t, const struct call *call)
{
    if (call->root == t->view->rank) {
        small_post_blocks(t, &call->send, 1);
        return;
    }
    size_t bytes = small_bytes(&call->recv);
    small_take(t, small_read_next(t, call->root, bytes), &call->recv, 0, bytes);
}

static void small_allgather(struct small_call *t, const struct call *call)
{
    size_t bytes = small_bytes(&call->recv);
    small_post_blocks(t, &call->send, 1);
    small_hold_back();
    for (int i = 0; i < t->flag_slots->n; i++)
        if (i != t->me)
            small_take(t, small_read(t, i, bytes), &call->recv, i, bytes);
    if (!call->in_place)
        small_take_own(t, &call->send, &call->recv, t->me);
}

static void small_alltoall(struct small_call *t, const struct call *call)
{
    size_t bytes = small_bytes(&call->recv), n = (size_t)t->flag_slots->n;
    small_post_blocks(t, &call->send, n);
    small_hold_back();
    for (int i = 0; i < t->flag_slots->n; i++)
        if (i != t->me)
            small_take(t, small_read(t, i, n * bytes) + bytes * (size_t)t->me, &call->recv, i, bytes);
    if (!call->in_place)
        small_take_own(t, &call->send, &call->recv, t->me);
}

static void small_gather(struct small_call *t, const struct call *call)
{
    if (call->root != t->view->rank) {
        t->reader = call->root;
        small_post_blocks(t, &call->send, 1);
        return;
    }
    size_t bytes = small_bytes(&call->recv);
    for (int i = 0; i < t->flag_slots->n; i++)
        if (i != t->me)
            small_take(t, small_read_next(t, i, bytes), &call->recv, i, bytes);
    if (!call->in_place)
        small_take_own(t, &call->send, &call->recv, t->me);
}

static void small_scatter(struct small_call *t, const struct call *call)
{
    size_t n = (size_t)t->flag_slots->n;
    if (call->root == t->view->rank) {
        small_post_blocks(t, &call->send, n);
        if (!call->in_place)
            small_take_own(t, &call->send, &call->recv, 0);
        return;
    }
    size_t bytes = small_bytes(&call->recv);
    small_take(t, small_read_next(t, call->root, n * bytes) + bytes * (size_t)t->me, &call->recv, 0, bytes);
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
    case COLL_GATHER:
        small_gather(t, call);
        break;
    case COLL_SCATTER:
        small_scatter(t, call);
        break;
    case COLL_REDUCE:
        reduction_reduce(t, call);
        break;
    case COLL_ALLREDUCE:
        reduction_allreduce(t, call);
        break;
    case COLL_REDUCE_SCATTER:
        reduction_scatter(t, call);
        break;
    default:
        reduction_scan(t, call);
    }
}

/* Whoever has finished such a call has heard from all. */
static bool small_meets(enum coll_kind kind)
{
    return kind == COLL_BARRIER || kind == COLL_ALLGATHER || kind == COLL_ALLTOALL ||
           kind == COLL_ALLREDUCE || kind == COLL_REDUCE_SCATTER;
}

int small_run(ep_comm view, const struct call *call)
{
    enum small_way way = small_way_of(view, call);
    if (way == SMALL_WAYS)
        return SMALL_NOT;
    struct small_call t = small_begin(view, call->name);
    t.rc = call->rc;
    t.publishes = way == SMALL_STAGED;
    if (unlikely(way >= SMALL_ADDRESSES)) {
        small_addresses_run(&t, call, way);
        return t.rc;
    }
    if (unlikely(way == SMALL_FAR))
        small_far_run(&t, call);
    else
        small_near_run(&t, call);
    if (small_meets(call->kind))
        small_met_all(&t);
    small_end(&t);
    return t.rc;
}
