/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Broadcast over several processes: MPI_Ibcast once per process, in segments.
 *
 * The bytes go through a buffer of each process, `relay`: the root's own, or that of the first local
 * receiver, where they are contiguous; else packed memory. Round r has the far step of segment r; beside it,
 * in the root's process, the copies of segment r to the local receivers, in the others those of segment r -
 * 1. All processes know the number of bytes and so the segments.
 *
 * A process without memory for a relay takes part with memory that nobody reads. If that is the root's the
 * others get what is none of the data; so beside the last segment the root says whether it had any.
 */
#include <stdlib.h>

#include "coll/far.h"
#include "coll/near.h"
#include "coll/algorithms.h"

enum { BCAST_SEGMENT = FAR_SEGMENT, BCAST_TASK = 32 * 1024 };

struct bcast_state {
    struct pairs pairs;
    size_t bytes;
    int segments, owner; /* owner: local index whose buffer is the relay; -1: packed */
    bool at_root;
    char *relay, *packed; /* relay NULL: no memory */
    int root_rc;
};
_Static_assert(sizeof(struct bcast_state) <= OP_STATE, "it is in the operation");

static struct span buffer_of(const struct coll_args *p)
{
    return block_at(p->call.send.form != FORM_NONE ? &p->call.send : &p->call.recv, 0);
}

static void bcast_set_up(struct op *o)
{
    struct bcast_state *s = op_state(o);
    pairs_init(&s->pairs, o);
    s->at_root = s->pairs.root_proc == o->comm->proc;
    s->owner = 0;
    if (s->at_root)
        comm_is_near(o->comm, s->pairs.root, &s->owner);
    struct span b = buffer_of(o->args[s->owner]);
    s->bytes = span_bytes(&b);
    s->segments = (int)((s->bytes + BCAST_SEGMENT - 1) / BCAST_SEGMENT);
    if (b.type->contiguous) {
        s->relay = span_start(&b);
        return;
    }
    s->relay = s->packed = malloc(s->bytes + 1);
    if (!s->packed)
        op_fail(o, MPI_ERR_NO_MEM);
    else if (s->at_root)
        op_fail(o, copy_pack(&b, s->packed));
    s->owner = s->at_root ? s->owner : -1;
}

/* The segment whose copies are the tasks of this round; -1: none. */
static int segment_of(const struct op *o, const struct bcast_state *s)
{
    int segment = s->at_root ? o->round : o->round - 1;
    return segment < s->segments ? segment : -1;
}

static size_t bcast_end_of(const struct bcast_state *s, int segment)
{
    size_t end = ((size_t)segment + 1) * BCAST_SEGMENT;
    return end < s->bytes ? end : s->bytes;
}

static bool all_contiguous(const struct op *o)
{
    for (int i = 0; i < o->n; i++)
        if (!buffer_of(o->args[i]).type->contiguous)
            return false;
    return true;
}

static bool bcast_advance(struct op *o)
{
    if (o->round == 0)
        bcast_set_up(o);
    struct bcast_state *s = o->state;
    if (o->round == s->segments)
        op_fail(o, s->root_rc);
    o->wants_far = o->round < s->segments;
    o->last_far = o->round == s->segments - 1;
    int receivers = o->n - (s->owner >= 0), segment = segment_of(o, s);
    if (segment >= 0 && receivers > 0 && !op_failed(o)) {
        size_t bytes = bcast_end_of(s, segment) - (size_t)segment * BCAST_SEGMENT;
        if (all_contiguous(o))
            o->ntasks = receivers * (int)((bytes + BCAST_TASK - 1) / BCAST_TASK);
        else if (segment == s->segments - 1)
            o->ntasks = receivers; /* all at the end: typed data are not cut */
    }
    return o->wants_far || o->ntasks > 0 || o->round < s->segments;
}

static void bcast_far(struct op *o)
{
    struct bcast_state *s = o->state;
    size_t begin = (size_t)o->round * BCAST_SEGMENT;
    far_bcast(o, s->relay ? s->relay + begin : far_nowhere(), bcast_end_of(s, o->round) - begin,
              s->pairs.root_proc);
    if (!o->last_far)
        return;
    s->root_rc = load_relaxed(&o->rc);
    far_bcast(o, &s->root_rc, sizeof s->root_rc, s->pairs.root_proc);
}

static void bcast_task(struct op *o, int i)
{
    struct bcast_state *s = o->state;
    int receivers = o->n - (s->owner >= 0), who = i % receivers, segment = segment_of(o, s);
    if (s->owner >= 0 && who >= s->owner)
        who++;
    struct coll_args *p = o->args[who];
    struct span to = buffer_of(p);
    if (!all_contiguous(o)) {
        block_copy(o, span_packed(s->relay, s->bytes), to, p, 0, 1);
        return;
    }
    size_t begin = (size_t)segment * BCAST_SEGMENT + (size_t)(i / receivers) * BCAST_TASK,
           end = begin + BCAST_TASK;
    end = end < bcast_end_of(s, segment) ? end : bcast_end_of(s, segment);
    if (span_bytes(&to) < end) {
        store_relaxed(&p->rc, MPI_ERR_TRUNCATE);
        return;
    }
    block_copy(o, span_packed(s->relay + begin, end - begin),
               span_packed(span_start(&to) + begin, end - begin), p, 0, 1);
}

static void bcast_end(struct op *o)
{
    struct bcast_state *s = o->state;
    free(s->packed);
    op_state_free(o);
}

const struct coll_algorithm algorithm_bcast = {.name = "bcast",
                                               .advance = bcast_advance,
                                               .task = bcast_task,
                                               .far = bcast_far,
                                               .end = bcast_end,
                                               .ordered = true};
