/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Small calls: blocking collectives on an intracommunicator that are done by reading what others post, without an
 * operation (op.h). Each endpoint posts in its flag slots (flag_slots.h, with the synchronisation) and reads those of
 * others.
 *
 * SMALL_NEAR, bytes in the slots; all members share them:
 *
 *   barrier, allreduce   flat: all post, all read all. More than FLAT members: up a tree to place 0, which
 *                        posts the result for all
 *   allgather, alltoall, reduce_scatter
 *                        all post, all read all
 *   scan, exscan         all post and read those before
 *   bcast, scatter       the root posts and goes on
 *   gather               all others post and go on
 *   reduce               the same; more than FLAT: up the tree, and from place 0 to the root
 *
 * SMALL_STAGED, some KiB: the same through stages, where members are in several processes.
 *
 * SMALL_FAR, between processes that do not share slots. The leader of each (local index 0) tells the others by messages
 * of ep's own:
 *
 *   barrier, allreduce   up the tree in the process to the leader; leaders up and down a tree of processes;
 *   the leader
 *                        posts the result. Two processes: their leaders exchange
 *   bcast                the root posts and sends to leaders; each leader passes it on and posts
 *   allgather, alltoall  the leader gathers what all have posted, tells each other leader what its endpoints
 *   need, and
 *                        writes what came on its board, where all read it
 *   reduce               the same up to the leader of process 0; from there to the root
 *
 * In bcast, scatter, gather and reduce no endpoint waits for those after it, so endpoints run ahead of each other, as far as
 * the rings allow. Messages carry the number of the call as their tag.
 *
 * SMALL_ADDRESSES, some KiB in one process with a core for each endpoint; SMALL_PEERS, any length where members are in several
 * processes of a machine: each posts where its data are, and those who need them copy or reduce them from there, out of another process's
 * memory by net_peer_copy; results that several get come in pieces (pieces.h). Nobody whose data are
 * read returns before the readers
 * have: they publish at once that they have finished the call, and the owner waits for that. An operation
 * costs more cache lines, but shares the copying; so in one process that is for more bytes, and with more endpoints than cores, where
 * a second wait in a call costs too much. Between processes an operation costs messages, and its copies go twice.
 *
 * SMALL_VARYING, the v and w functions there: slots, stages or addresses, as each post says (blocks.c).
 *
 * What is posted or sent is packed, so datatypes may differ between endpoints as long as the signature is the
 * same. Operators are applied in rank order, which is that of places, whether they commute or not;
 * between leaders in the order of processes.
 */
#ifndef EP_COLL_SMALL_H
#define EP_COLL_SMALL_H

#include "coll/small/flag_slots.h"

enum small_way {
    SMALL_NEAR,
    SMALL_STAGED,
    SMALL_FAR,
    SMALL_ADDRESSES, /* it and what follows: small_addresses_run */
    SMALL_PEERS,
    SMALL_VARYING,
    SMALL_WAYS
};
enum { SMALL_REDUCTION_MAX = 16 * 1024 }; /* bytes at an address in one process */

/* The most bytes of a block that slots are for in communicators of so many members; -1: none. */
short small_most_near(enum coll_kind kind, int members);

/* Are the v and w functions of that kind done in these slots, which are not leaders'? */
bool small_takes_varying(const struct flag_slots *s, enum coll_kind kind);

/* Do a blocking call. An error class; nothing is raised. SMALL_NOT: it cannot be done so, as all endpoints find alike. */
enum { SMALL_NOT = -1 };
int small_run(ep_comm view, const struct call *call);

/* ---- between the files ---- */

void small_addresses_run(struct small_call *t, const struct call *call, enum small_way way);
void small_far_run(struct small_call *t, const struct call *call);

/* The data of a span to where there is room in a slot; posted in the own one, or on the stage. */
void small_fill(struct small_call *t, char *at, const struct span *from);
void small_post_data(struct small_call *t, const struct span *from);

/* Out of line parts of the next two. */
void small_post_slow(struct small_call *t, const struct blocks *from, size_t n);
void small_take_slow(struct small_call *t, const char *data, const struct blocks *to, int r, size_t bytes);

/* Block r of a call whose blocks are alike: not for the v and w functions. */
static inline struct span small_block(const struct blocks *b, int r)
{
    struct span s = {b->buf, b->count, b->type, b->mpi};
    if (b->form == FORM_EQUAL)
        s.buf += (ptrdiff_t)(b->count * (size_t)r) * b->type->extent;
    return s;
}

/* Bytes of each; 0: none are given. */
static inline size_t small_bytes(const struct blocks *b)
{
    return b->form == FORM_NONE ? 0 : b->count * b->type->size;
}

/* Post n blocks, one behind the other. No span is made for a function: gcc copies its parts by vector loads, which wait until what was
 * stored piece by piece just before has left the processor's store buffer. */
static inline __attribute__((always_inline)) void small_post_blocks(struct small_call *t,
                                                                    const struct blocks *from, size_t n)
{
    struct span s = small_block(from, 0);
    s.count *= n;
    size_t bytes = span_bytes(&s);
    if (unlikely(bytes > SLOT_BYTES) || unlikely(!s.type->contiguous)) {
        small_post_slow(t, from, n);
        return;
    }
    struct flag_slot *e = small_slot(t);
    small_copy(e->data, span_start(&s), bytes);
    small_post(t, e, bytes);
}

/* Data into block r of what is received. */
static inline void small_take(struct small_call *t, const char *data, const struct blocks *to, int r,
                              size_t bytes)
{
    struct span s = small_block(to, r);
    if (unlikely(t->rc) || unlikely(!s.type->contiguous))
        small_take_slow(t, data, to, r, bytes);
    else
        small_copy(span_start(&s), data, bytes);
}

/* reduce.c: reductions, and the tree that they and the barrier go up where many endpoints take part. */
enum { FLAT = 8, RADIX = 8 };

void reduction_reduce(struct small_call *t, const struct call *call);
void reduction_allreduce(struct small_call *t, const struct call *call);
void reduction_scatter(struct small_call *t, const struct call *call);
/* Of a reduce_scatter: elements for those before this one. */
size_t reduction_skip(const struct small_call *t, const struct call *call);
void reduction_scan(struct small_call *t, const struct call *call);

/* addresses.c: where the data of a member are, as its slot says. */
struct address {
    uint64_t send, recv;        /* in its own memory, of contiguous data; 0: there are none */
    const struct blocks *given; /* what it sends, for those of its process if send is 0 */
    size_t bytes;               /* of what it sends */
};

/* What the slot has room for. */
struct address_slot {
    struct address address;
    _Atomic int failed; /* an error that came after the post; relaxed: before together and put */
};

/* Bytes that are copied out of another process at a time where they do not lie together here. */
enum { ADDRESS_PIECE = FETCH_BYTES / 2 };

/* Post the own: what it says stays until address_finish. */
void address_post(struct small_call *t, const struct address *own);
/* Of who has a place, who sends `bytes`; waits until it has posted. False: there is an error. */
bool address_of(struct small_call *t, int place, size_t bytes, struct address *a);
/* This one has finished, which those whom it has read know at once. Wait for one reader of what it has posted, or all. */
enum { ADDRESS_NOBODY = -1, ADDRESS_ALL = -2 };
void address_finish(struct small_call *t, int reader);

/* The process of who has a place; NULL: this one. */
struct net_peer *address_peer(const struct small_call *t, int place);

/* The same where members have copied for each other: wait for all; an error of one is everyone's. */
void address_finish_together(struct small_call *t);

/* Where s is, for others to read; a packed copy, if that is needed: *packed, to be freed. */
struct address address_own(struct small_call *t, const struct span *s, void **packed);

/* Copies from or to other processes, which go together as far as they can. */
enum { ADDRESS_COPIES = 16 };
struct address_copies {
    enum net_way way;
    struct net_peer *peer;
    size_t n;
    struct net_piece piece[ADDRESS_COPIES];
};
/* `bytes` between here and `there`, in the memory of who has a place: when flushed. */
void address_copy(struct small_call *t, struct address_copies *c, int place, char *here, uint64_t there,
                  size_t bytes);
void address_flush(struct small_call *t, struct address_copies *c);

/* From another process to where it does not lie together, at once. */
void address_scatter(struct small_call *t, const struct net_peer *peer, uint64_t from, const struct span *to,
                     size_t bytes);

/* blocks.c */
void blocks_move(struct small_call *t, const struct call *call);

/* address_reduce.c */
void address_reduce_alone(struct small_call *t, const struct call *call);
void address_reduce_shares(struct small_call *t, const struct call *call);

/* Wait until all have come. */
void tree_arrive(struct small_call *t);
/* Wait until all under the member have. */
void tree_under(struct small_call *t);

/* A value under way: packed, as it is in slots and messages. */
struct value {
    _Alignas(16) char data[SLOT_BYTES];
    const struct call *call;
    size_t bytes;
};

struct value value_begin(const struct call *call);
/* v = data op v */
void value_apply(struct small_call *t, struct value *v, const char *data);
/* v = what all under the member have brought, itself included. */
void reduction_under(struct small_call *t, struct value *v);
/* Into the own slot. */
void value_post(struct small_call *t, const void *data, size_t bytes);

#endif
