/* SPDX-License-Identifier: BSD-3-Clause */
/* oracle.c: what each endpoint brings to a planned call, and what it gets. */
#include "oracle.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* With an operator, element i is that of i modulo this: so that large results are cheap to know. */
enum { PERIOD = 1021 };

const char *const coll_names[KINDS] = {
    "barrier",   "bcast",     "gather",     "gatherv",        "scatter",
    "scatterv",  "allgather", "allgatherv", "alltoall",       "alltoallv",
    "alltoallw", "reduce",    "allreduce",  "reduce_scatter", "reduce_scatter_block",
    "scan",      "exscan"};

void oracle_open(void)
{
    layouts_open();
    operands_open();
}

void oracle_close(void)
{
    layouts_close();
    operands_close();
}

seat seat_on(ep_comm comm)
{
    seat s = {.comm = comm};
    EXPECT_OK(ep_comm_rank(comm, &s.rank));
    EXPECT_OK(ep_comm_size(comm, &s.n[0]));
    s.n[1] = s.n[0];
    return s;
}

seat seat_across(ep_comm inter, int side)
{
    seat s = {.comm = inter, .inter = 1, .side = side};
    EXPECT_OK(ep_comm_rank(inter, &s.rank));
    EXPECT_OK(ep_comm_size(inter, &s.n[side]));
    EXPECT_OK(ep_comm_remote_size(inter, &s.n[!side]));
    return s;
}

int has_root(coll_kind kind)
{
    return (kind >= BCAST && kind <= SCATTERV) || kind == REDUCE;
}

int has_operator(coll_kind kind)
{
    return kind >= REDUCE;
}

int can_be_placed(coll_kind kind, placing place, int inter)
{
    if (place == PLACE_PLAIN)
        return 1;
    if (inter || kind == BARRIER || kind == BCAST)
        return 0;
    return place == PLACE_IN_PLACE || has_operator(kind);
}

static int is_root(const coll_call *c)
{
    return c->seat.side == c->plan.root_side && c->seat.rank == c->plan.root;
}

/* The side whose data the caller gets. */
static int other_side(const seat *s)
{
    return s->inter ? !s->side : s->side;
}

/* What rank `from` of a side brings for rank `to` of the side that gets it. */
static uint64_t data_key(const coll_plan *p, int side, int from, int to)
{
    return mix(mix(p->seed, (uint64_t)side * 1000 + (uint64_t)from), (uint64_t)to);
}

static int some_units(const coll_plan *p, uint64_t side, uint64_t number)
{
    uint64_t x = mix(p->seed + 5, side << 32 | number);
    if (x % 5 == 0)
        return x / 5 % 2 ? p->units : 0;
    return (int)(x / 16 % ((uint64_t)p->units + 1));
}

/* Units that rank `from` of a side brings for rank `to`. */
static int units_of(const coll_plan *p, int side, int from, int to)
{
    int low = from < to ? from : to, high = from < to ? to : from;
    switch (p->kind) {
    case GATHERV:
    case ALLGATHERV:
        return some_units(p, (uint64_t)side, (uint64_t)from);
    case SCATTERV:
        return some_units(p, (uint64_t)side, (uint64_t)to);
    case ALLTOALLV:
    case ALLTOALLW:
        if (p->place == PLACE_IN_PLACE) /* then what goes and what comes is equally much */
            return some_units(p, 0, (uint64_t)low * 1000 + (uint64_t)high);
        return some_units(p, (uint64_t)side, (uint64_t)from * 1000 + (uint64_t)to);
    default:
        return p->units;
    }
}

static unsigned pick(const coll_call *c, int salt)
{
    const coll_plan *p = &c->plan;
    return p->mixed ? (unsigned)mix(p->seed, (uint64_t)(c->seat.side * 5000 + c->seat.rank * 2 + salt)) % 1024
                    : 0;
}

static spacing how_spread(coll_kind kind)
{
    if (kind == ALLTOALLW)
        return SPREAD_BYTES;
    return kind == GATHERV || kind == SCATTERV || kind == ALLGATHERV || kind == ALLTOALLV ? SPREAD : DENSE;
}

/* ---- Moving ---- */

/* One block for everybody. */
static void send_one_block(coll_call *c)
{
    int units = units_of(&c->plan, c->seat.side, c->seat.rank, 0);
    area_make(&c->send, 1, &units, pick(c, 0), DENSE, c->plan.seed);
    area_fill(&c->send, 0, data_key(&c->plan, c->seat.side, c->seat.rank, 0));
}

/* A block for each rank; in place: into recv, whose blocks they are until the call. */
static void send_blocks(coll_call *c, area *a, int in_place)
{
    int to_side = other_side(&c->seat), n = c->seat.n[to_side], *units = xmalloc((size_t)n * sizeof *units);
    for (int r = 0; r < n; r++)
        units[r] = units_of(&c->plan, c->seat.side, c->seat.rank, r);
    area_make(a, n, units, pick(c, in_place), how_spread(c->plan.kind), c->plan.seed + 1);
    for (int r = 0; r < n; r++)
        area_fill(a, r, data_key(&c->plan, c->seat.side, c->seat.rank, r));
    free(units);
}

/* A block of each rank; `to` is what the senders know the caller by. */
static void recv_blocks(coll_call *c, int to, int made)
{
    int side = other_side(&c->seat), n = c->seat.n[side], *units = xmalloc((size_t)n * sizeof *units);
    for (int s = 0; s < n; s++)
        units[s] = units_of(&c->plan, side, s, to);
    if (!made)
        area_make(&c->recv, n, units, pick(c, 1), how_spread(c->plan.kind), c->plan.seed);
    for (int s = 0; s < n; s++)
        area_expect(&c->recv, s, data_key(&c->plan, side, s, to));
    free(units);
}

/* The block of the root for the caller. */
static void recv_one_block(coll_call *c, int to)
{
    int units = units_of(&c->plan, c->plan.root_side, c->plan.root, to);
    area_make(&c->recv, 1, &units, pick(c, 1), DENSE, c->plan.seed);
    area_expect(&c->recv, 0, data_key(&c->plan, c->plan.root_side, c->plan.root, to));
}

/* Of the root's group, but not the root: takes no part. */
static int bystander(const coll_call *c)
{
    return c->seat.inter && has_root(c->plan.kind) && c->seat.side == c->plan.root_side && !is_root(c);
}

/* Between the groups the root is either end alone. */
static int root_only(const coll_call *c)
{
    return c->seat.inter && has_root(c->plan.kind) && is_root(c);
}

static void prepare_rooted(coll_call *c)
{
    int in_place = c->plan.place == PLACE_IN_PLACE, rank = c->seat.rank;
    if (c->plan.kind == BCAST) {
        recv_one_block(c, 0);
        if (is_root(c))
            area_fill(&c->recv, 0, data_key(&c->plan, c->plan.root_side, c->plan.root, 0));
    } else if (c->plan.kind == GATHER || c->plan.kind == GATHERV) {
        if (!root_only(c) && !(is_root(c) && in_place))
            send_one_block(c);
        if (is_root(c))
            recv_blocks(c, 0, 0);
        if (is_root(c) && in_place)
            area_fill(&c->recv, rank, data_key(&c->plan, c->seat.side, rank, 0));
    } else {
        if (is_root(c))
            send_blocks(c, &c->send, 0);
        if (!root_only(c) && !(is_root(c) && in_place))
            recv_one_block(c, rank);
    }
}

static void prepare_moving(coll_call *c)
{
    int in_place = c->plan.place == PLACE_IN_PLACE, rank = c->seat.rank;
    if (has_root(c->plan.kind)) {
        prepare_rooted(c);
    } else if (c->plan.kind == ALLGATHER || c->plan.kind == ALLGATHERV) {
        if (!in_place)
            send_one_block(c);
        recv_blocks(c, 0, 0);
        if (in_place)
            area_fill(&c->recv, rank, data_key(&c->plan, c->seat.side, rank, 0));
    } else {
        send_blocks(c, in_place ? &c->recv : &c->send, in_place);
        recv_blocks(c, rank, in_place);
    }
}

/* ---- Combining ---- */

/* Elements of the whole vector, and of the block of a rank: both groups' blocks have to sum up to the same. */
static int elements(const coll_call *c)
{
    const coll_plan *p = &c->plan;
    if (p->kind == REDUCE_SCATTER)
        return p->units * (c->seat.n[0] + c->seat.n[1]) / 2;
    if (p->kind == REDUCE_SCATTER_BLOCK)
        return p->units * c->seat.n[0] * (c->seat.inter ? c->seat.n[1] : 1);
    return p->units;
}

static int block_elements(const coll_call *c, int rank, int before)
{
    int n = c->seat.n[c->seat.side], left = elements(c) - before;
    if (c->plan.kind == REDUCE_SCATTER_BLOCK)
        return elements(c) / n;
    if (rank == n - 1)
        return left;
    int count = some_units(&c->plan, (uint64_t)c->seat.side, (uint64_t)rank);
    return count < left ? count : left;
}

/* Where the caller's block of a reduce_scatter is; fills in recv's counts. */
static int scatter_counts(coll_call *c, int *first)
{
    int n = c->seat.n[c->seat.side], sum = 0;
    c->recv.counts = xmalloc((size_t)n * sizeof(int));
    for (int r = 0; r < n; r++) {
        if (r == c->seat.rank)
            *first = sum;
        c->recv.counts[r] = block_elements(c, r, sum);
        sum += c->recv.counts[r];
    }
    return c->recv.counts[c->seat.rank];
}

static void input(const coll_call *c, int side, int rank, int i, char *element)
{
    operand_make(c->plan.op, element, mix(data_key(&c->plan, side, rank, 0), (uint64_t)(i % PERIOD)));
}

/* Both in memory and image. */
static void fill_input(const coll_call *c, area *a, int n)
{
    const operand *o = c->plan.op;
    for (int i = 0; i < n; i++) {
        char *at = a->buf + i * o->extent;
        if (i < PERIOD)
            input(c, c->seat.side, c->seat.rank, i, at);
        else
            operand_copy(o, at - PERIOD * o->extent, at);
        operand_copy(o, at, a->image + (at - a->memory));
    }
}

/* In op order the elements i of `ranks` ranks of a side. */
static void fold(const coll_call *c, int side, int ranks, int i, char *result)
{
    _Alignas(16) char next[ELEMENT_MOST] = {0};
    input(c, side, 0, i, result);
    for (int r = 1; r < ranks; r++) {
        input(c, side, r, i, next);
        operand_combine(c->plan.op, result, next);
        operand_copy(c->plan.op, next, result);
    }
}

/* n results, from element `first` on, of so many ranks. */
static void expect_results(coll_call *c, int first, int n, int ranks)
{
    const operand *o = c->plan.op;
    int periodic = n < PERIOD ? n : PERIOD;
    char *results = xmalloc((size_t)periodic * ELEMENT_MOST),
         *image = c->recv.image + (c->recv.buf - c->recv.memory);
    for (int i = 0; i < periodic; i++) {
        memset(results + i * ELEMENT_MOST, 0, ELEMENT_MOST);
        fold(c, other_side(&c->seat), ranks, first + i, results + i * ELEMENT_MOST);
    }
    for (int i = 0; i < n; i++)
        operand_copy(o, results + i % PERIOD * ELEMENT_MOST, image + i * o->extent);
    free(results);
}

static int gets_results(const coll_call *c)
{
    return c->plan.kind != REDUCE || is_root(c);
}

static void prepare_combining(coll_call *c)
{
    const operand *o = c->plan.op;
    int total = elements(c), n = total, first = 0, ranks = c->seat.n[other_side(&c->seat)];
    int given = c->plan.place != PLACE_PLAIN && gets_results(c); /* in recv */
    area *from = given ? &c->recv : &c->send;
    c->total = total;
    area_plain(&c->recv, gets_results(c) ? total : 0, o->type, o->lb, o->extent, c->plan.seed);
    if (!given && !root_only(c))
        area_plain(&c->send, total, o->type, o->lb, o->extent, c->plan.seed);
    if (!root_only(c) && !bystander(c))
        fill_input(c, from, total);
    if (!gets_results(c))
        return;
    if (c->plan.kind == REDUCE_SCATTER || c->plan.kind == REDUCE_SCATTER_BLOCK)
        c->recv.count = n = scatter_counts(c, &first);
    if (c->plan.kind == SCAN || c->plan.kind == EXSCAN)
        ranks = c->seat.rank + (c->plan.kind == SCAN);
    if (ranks)
        expect_results(c, first, n, ranks);
}

/* ---- All ---- */

void call_prepare(coll_call *c, const coll_plan *p, const seat *s)
{
    memset(c, 0, sizeof *c);
    c->plan = *p;
    c->seat = *s;
    if (p->kind == BARRIER || (bystander(c) && p->kind != REDUCE))
        return;
    if (has_operator(p->kind))
        prepare_combining(c);
    else
        prepare_moving(c);
}

/* What reduce_scatter in place leaves behind the result may be anything. */
static void forgive_rest(coll_call *c)
{
    const operand *o = c->plan.op;
    area *a = &c->recv;
    int scatters = c->plan.kind == REDUCE_SCATTER || c->plan.kind == REDUCE_SCATTER_BLOCK;
    if (scatters && c->plan.place != PLACE_PLAIN)
        area_forgive(a, a->buf + a->count * o->extent + o->lb, (size_t)((c->total - a->count) * o->extent));
}

/* Nor do padding of predefined types and signs of zeros matter. */
static void forgive_elements(coll_call *c)
{
    const operand *o = c->plan.op;
    area *a = &c->recv;
    for (int i = 0; i < a->count; i++) {
        char *element = a->buf + i * o->extent;
        if (operand_zeros(o, element, a->image + (element - a->memory)))
            area_forgive(a, element, (size_t)o->extent);
        for (int k = 0; k < o->parts; k++) {
            int end = o->at[k] + o->bytes[k], next = k + 1 < o->parts ? o->at[k + 1] : (int)o->extent;
            area_forgive(a, element + end, (size_t)(next - end));
        }
    }
}

static void describe(const coll_call *c, const char *what, ptrdiff_t byte, char *text, size_t room)
{
    const coll_plan *p = &c->plan;
    const area *a = what[0] == 's' ? &c->send : &c->recv;
    snprintf(text, room,
             "%s (seed %llu, root %d.%d, units %d, place %d, mixed %d, %s of %s, side %d, rank %d): "
             "byte %td of the %s buffer is right",
             coll_names[p->kind], (unsigned long long)p->seed, p->root_side, p->root, p->units, (int)p->place,
             p->mixed, p->op ? p->op->op_name : "no operator", p->op ? p->op->type_name : "ints",
             c->seat.side, c->seat.rank, a->memory + byte - a->buf, what);
}

int call_check(coll_call *c)
{
    char text[300];
    if (has_operator(c->plan.kind) && c->recv.memory) {
        forgive_rest(c);
        if (area_differs(&c->recv) >= 0 && !c->plan.op->strict)
            forgive_elements(c);
    }
    ptrdiff_t in_send = area_differs(&c->send), in_recv = area_differs(&c->recv);
    if (in_recv >= 0)
        describe(c, "receive", in_recv, text, sizeof text);
    else if (in_send >= 0)
        describe(c, "send", in_send, text, sizeof text);
    return expect_true(in_send < 0 && in_recv < 0, text, __FILE__, __LINE__);
}

void call_free(coll_call *c)
{
    area_free(&c->send);
    area_free(&c->recv);
}

int collective(const seat *s, const coll_plan *p)
{
    coll_call c;
    call_prepare(&c, p, s);
    int ok = expect_rc(call_run(&c), MPI_SUCCESS, coll_names[p->kind], __FILE__, __LINE__) && call_check(&c);
    call_free(&c);
    return ok;
}
