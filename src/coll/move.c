/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Blocks between endpoints of several processes.
 *
 * From process to process goes one message with all small blocks, packed, and after it each large one by
 * itself, from the user's buffer into the user's buffer. Both sides go through the blocks in the same order
 * (senders by local index, for each the receivers by local index) and know their sizes, as the standard
 * demands, so they agree on what is packed where. A block that is the same for all receivers of a process
 * comes once, and they copy it from the first of them.
 *
 *   round 0   tasks: pack            one for each process, or one for all if they get the same
 *   round 1   far step: messages     tasks: copies inside the process
 *   round 2   tasks: unpack          one for each process, or for each receiver of same blocks
 *
 * A process without memory, or that has failed, sends and receives the same messages with nothing in them.
 */
#include <stdlib.h>
#include <string.h>

#include "coll/near.h"
#include "coll/algorithms.h"

enum { DIRECT = 32 * 1024 };

/* One other process. */
struct leg {
    size_t out, in; /* packed bytes to it and from it */
    size_t out_at;  /* where they begin in pack */
    char *unpack;
};

struct move {
    struct pairs pairs;
    struct near near;
    int first, end; /* processes concerned */
    bool shared;    /* what is packed is the same for all processes */
    int npack;      /* tasks of round 0 */
    int receivers;
    struct leg *leg;  /* [process - first]; NULL: no memory */
    struct leg alone; /* then of the process that is looked at */
    char *pack, *unpack;
};
_Static_assert(sizeof(struct move) <= OP_STATE, "it is in the operation");

static struct leg *leg_at(struct move *m, int proc)
{
    return m->leg ? &m->leg[proc - m->first] : &m->alone;
}

/* One block between processes, as one side sees it. */
struct move_block {
    struct span span;
    size_t bytes;
    int local, remote; /* local index, union rank */
};

typedef void visit(struct op *o, struct move *m, int proc, const struct move_block *b);

static void visit_out(struct op *o, struct move *m, int proc, visit *fn)
{
    const struct rankmap *map = &o->comm->map;
    for (int i = 0; i < o->n; i++) {
        for (int k = 0; k < rankmap_count(map, proc); k++) {
            struct move_block b = {.local = i, .remote = rankmap_rank(map, proc, k)};
            if (!pairs_has(&m->pairs, rank_here(o, i), b.remote))
                continue;
            b.span = block_out(o->args[i], b.remote);
            b.bytes = span_bytes(&b.span);
            if (b.bytes > 0)
                fn(o, m, proc, &b);
            if (pairs_same(&m->pairs))
                break;
        }
    }
}

static void visit_in(struct op *o, struct move *m, int proc, visit *fn)
{
    const struct rankmap *map = &o->comm->map;
    for (int k = 0; k < rankmap_count(map, proc); k++) {
        for (int j = 0; j < o->n; j++) {
            struct move_block b = {.local = j, .remote = rankmap_rank(map, proc, k)};
            if (!pairs_has(&m->pairs, b.remote, rank_here(o, j)))
                continue;
            b.span = block_in(o->args[j], b.remote);
            b.bytes = span_bytes(&b.span);
            if (b.bytes > 0)
                fn(o, m, proc, &b);
            if (pairs_same(&m->pairs))
                break;
        }
    }
}

static void move_count_out(struct op *o, struct move *m, int proc, const struct move_block *b)
{
    (void)o;
    if (b->bytes < DIRECT)
        leg_at(m, proc)->out += b->bytes;
}

static void count_in(struct op *o, struct move *m, int proc, const struct move_block *b)
{
    (void)o;
    if (b->bytes < DIRECT)
        leg_at(m, proc)->in += b->bytes;
}

/* ---- setting up ---- */

static void choose_processes(struct op *o, struct move *m)
{
    bool rooted = m->pairs.kind != COLL_ALLGATHER && m->pairs.kind != COLL_ALLTOALL;
    m->first = 0;
    m->end = o->comm->nproc;
    if (rooted && m->pairs.root_proc != o->comm->proc) {
        m->first = m->pairs.root_proc < 0 ? 0 : m->pairs.root_proc;
        m->end = m->pairs.root_proc + 1;
    }
}

static void move_count(struct op *o, struct move *m, int proc)
{
    *leg_at(m, proc) = (struct leg){0};
    visit_out(o, m, proc, move_count_out);
    visit_in(o, m, proc, count_in);
}

static bool make_buffers(struct op *o, struct move *m)
{
    size_t out = 0, in = 0;
    int n = m->end - m->first;
    bool same = m->shared = pairs_same(&m->pairs) && !o->comm->inter;
    for (int k = 0; k < n; k++) {
        struct leg *l = &m->leg[k];
        l->out_at = same ? 0 : out;
        m->npack += l->out > 0;
        out = same && out > l->out ? out : (same ? 0 : out) + l->out;
        in += l->in;
    }
    if (m->npack > 0)
        m->npack = same ? 1 : n;
    m->pack = reserve_malloc(out + 1);
    m->unpack = reserve_malloc(in + 1);
    in = 0;
    for (int k = 0; k < n && m->unpack; k++) {
        m->leg[k].unpack = m->unpack + in;
        in += m->leg[k].in;
    }
    for (int j = 0; j < o->n; j++)
        m->receivers += pairs_receives(&m->pairs, rank_here(o, j));
    return m->pack && m->unpack;
}

static bool move_set_up(struct op *o)
{
    struct move *m = op_state(o);
    pairs_init(&m->pairs, o);
    near_init(&m->near, &m->pairs);
    choose_processes(o, m);
    m->leg = reserve_calloc(((size_t)(m->end - m->first) + 1) * sizeof *m->leg);
    for (int proc = m->first; proc < m->end && m->leg; proc++)
        if (proc != o->comm->proc)
            move_count(o, m, proc);
    return m->leg && make_buffers(o, m);
}

static bool move_advance(struct op *o)
{
    if (o->round == 0 && !move_set_up(o))
        op_fail(o, MPI_ERR_NO_MEM);
    struct move *m = o->state;
    o->wants_far = o->round == 1 && m->end > m->first;
    if (op_failed(o))
        return o->round <= 1;
    if (o->round == 0)
        o->ntasks = m->npack;
    if (o->round == 1)
        o->ntasks = m->near.tasks;
    if (o->round == 2 && m->end > m->first)
        o->ntasks = pairs_same(&m->pairs) ? m->receivers : m->end - m->first;
    return o->round <= 2;
}

/* ---- round 0 ---- */

static void move_pack(struct op *o, struct move *m, int proc, const struct move_block *b)
{
    struct leg *l = &m->leg[proc - m->first];
    if (b->bytes >= DIRECT)
        return;
    op_fail(o, copy_pack(&b->span, m->pack + l->out_at));
    l->out_at += b->bytes;
}

static void pack_for(struct op *o, struct move *m, int k)
{
    struct leg *l = &m->leg[k];
    if (l->out == 0)
        return;
    visit_out(o, m, m->first + k, move_pack);
    l->out_at -= l->out;
}

/* Same blocks: the process that gets most gets all of them. */
static int move_fullest(const struct move *m)
{
    int best = 0;
    for (int k = 1; k < m->end - m->first; k++)
        if (m->leg[k].out > m->leg[best].out)
            best = k;
    return best;
}

/* ---- round 1 ---- */

static void send_direct(struct op *o, struct move *m, int proc, const struct move_block *b)
{
    (void)m;
    if (b->bytes >= DIRECT)
        exchange_send(o, proc, b->span);
}

static void recv_direct(struct op *o, struct move *m, int proc, const struct move_block *b)
{
    (void)m;
    if (b->bytes >= DIRECT)
        exchange_recv(o, proc, b->span);
}

static void move_far(struct op *o)
{
    struct move *m = o->state;
    for (int proc = m->first; proc < m->end; proc++) {
        struct leg *l = leg_at(m, proc);
        if (proc == o->comm->proc)
            continue;
        if (!m->leg)
            move_count(o, m, proc);
        if (l->in > 0)
            exchange_recv(o, proc, span_packed(l->unpack, l->unpack ? l->in : 0));
        visit_in(o, m, proc, recv_direct);
    }
    for (int k = 1; k < o->comm->nproc; k++) { /* not all to the same process at once */
        int proc = (o->comm->proc + k) % o->comm->nproc;
        if (proc < m->first || proc >= m->end)
            continue;
        struct leg *l = leg_at(m, proc);
        if (!m->leg)
            move_count(o, m, proc);
        if (l->out > 0)
            exchange_send(o, proc, m->pack ? span_packed(m->pack + l->out_at, l->out) : span_packed(NULL, 0));
        visit_out(o, m, proc, send_direct);
    }
}

/* ---- round 2 ---- */

static void move_take(struct op *o, struct coll_args *to, const struct span *block, const char **at,
                      size_t bytes)
{
    block_copy(o, span_packed(*at, bytes), *block, to, 0, 1);
    *at += bytes;
}

static void unpack_from(struct op *o, struct move *m, int proc)
{
    const struct rankmap *map = &o->comm->map;
    const char *at = m->leg[proc - m->first].unpack;
    for (int k = 0; k < rankmap_count(map, proc); k++) {
        int from = rankmap_rank(map, proc, k);
        for (int j = 0; j < o->n; j++) {
            if (!pairs_has(&m->pairs, from, rank_here(o, j)))
                continue;
            struct span b = block_in(o->args[j], from);
            if (span_bytes(&b) < DIRECT)
                move_take(o, o->args[j], &b, &at, span_bytes(&b));
        }
    }
}

static int first_receiver(const struct op *o, const struct move *m, int from)
{
    for (int j = 0; j < o->n; j++)
        if (pairs_has(&m->pairs, from, rank_here(o, j)))
            return j;
    return -1;
}

/* Same blocks, those of one process, for local endpoint j. */
static void unpack_same(struct op *o, struct move *m, int proc, int j)
{
    const struct rankmap *map = &o->comm->map;
    const char *at = m->leg[proc - m->first].unpack;
    for (int k = 0; k < rankmap_count(map, proc); k++) {
        int from = rankmap_rank(map, proc, k), first = first_receiver(o, m, from);
        if (first < 0)
            continue;
        struct span came = block_in(o->args[first], from);
        size_t bytes = span_bytes(&came);
        bool mine = pairs_has(&m->pairs, from, rank_here(o, j));
        struct span b = mine ? block_in(o->args[j], from) : came;
        if (bytes < DIRECT) {
            const char *here = at;
            at += bytes;
            if (mine)
                move_take(o, o->args[j], &b, &here, bytes);
        } else if (mine && j != first) {
            block_copy(o, came, b, o->args[j], 0, 1);
        }
    }
}

static int move_receiver(const struct op *o, const struct move *m, int number)
{
    int j = 0;
    for (;; j++)
        if (pairs_receives(&m->pairs, rank_here(o, j)) && number-- == 0)
            return j;
}

static void move_unpack(struct op *o, struct move *m, int i)
{
    if (!pairs_same(&m->pairs)) {
        if (m->first + i != o->comm->proc)
            unpack_from(o, m, m->first + i);
        return;
    }
    for (int proc = m->first; proc < m->end; proc++)
        if (proc != o->comm->proc)
            unpack_same(o, m, proc, move_receiver(o, m, i));
}

static void move_task(struct op *o, int i)
{
    struct move *m = o->state;
    if (o->round == 0)
        pack_for(o, m, m->shared ? move_fullest(m) : i);
    else if (o->round == 1)
        near_task(&m->near, &m->pairs, o, i);
    else
        move_unpack(o, m, i);
}

static void move_end(struct op *o)
{
    struct move *m = o->state;
    reserve_free(m->leg);
    reserve_free(m->pack);
    reserve_free(m->unpack);
    op_state_free(o);
}

const struct coll_algorithm algorithm_move = {
    .name = "move", .advance = move_advance, .task = move_task, .far = move_far, .end = move_end};
