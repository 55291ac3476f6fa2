/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Small calls: blocking collectives of few bytes on an intracommunicator. No operation is set up for them
 * (op.h): each endpoint posts in its flag slots (flag_slots.h, with the synchronisation) and reads those of
 * others.
 *
 * SMALL_NEAR, bytes in the slots, all endpoints in one process:
 *
 *   barrier, allreduce   flat: all post, all read all. More than FLAT endpoints: up a tree to index 0, which
 *                        posts the result for all
 *   allgather, alltoall  all post, all read all
 *   bcast                the root posts and goes on
 *   reduce               all others post and go on; more than FLAT: up the tree, and from index 0 to the root
 *
 * SMALL_FAR, the same over several processes. The leader of each (local index 0) tells the others by messages
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
 * In bcast and reduce no endpoint waits for those after it, so endpoints run ahead of each other, as far as
 * the rings allow in a process. Messages carry the number of the call as their tag.
 *
 * SMALL_ADDRESSES, some KiB in one process with a core for each endpoint: each posts where its data are, and
 * those who need them copy or reduce them from there. Nobody whose data are read returns before the readers
 * have: they publish at once that they have finished the call, and the owner waits for that. An operation
 * costs more cache lines, but shares the copying; so that is for more bytes. With more endpoints than cores a
 * second wait in a call costs too much.
 *
 * What is posted or sent is packed, so datatypes may differ between endpoints as long as the signature is the
 * same. Operators are applied in rank order, which is that of the local indices, whether they commute or not;
 * between processes in the order of processes.
 */
#ifndef EP_COLL_SMALL_H
#define EP_COLL_SMALL_H

#include "coll/small/flag_slots.h"

enum small_way { SMALL_NEAR, SMALL_FAR, SMALL_ADDRESSES, SMALL_WAYS };
enum { SMALL_REDUCTION_MAX = 16 * 1024 }; /* bytes at an address */

/* How a blocking call can be done. SMALL_WAYS: not so. All endpoints get the same answer. */
enum small_way small_way_of(ep_comm view, const struct call *call);

/* Do it. An error class; nothing is raised. */
int small_run(ep_comm view, const struct call *call, enum small_way way);

/* ---- between the files ---- */

void small_ptr_run(struct small_call *t, const struct call *call);
void small_far_run(struct small_call *t, const struct call *call);

/* The data of a span into a slot; into the own one, and post it; data into block r of what is received. */
void small_fill(struct small_call *t, struct flag_slot *e, const struct span *from);
void small_post_data(struct small_call *t, const struct span *from);
void small_take(struct small_call *t, const char *data, const struct blocks *to, int r, size_t bytes);

/* reduce.c: reductions, and the tree that they and the barrier go up where many endpoints take part. */
enum { FLAT = 8, RADIX = 8 };

void reduction_reduce(struct small_call *t, const struct call *call);
void reduction_allreduce(struct small_call *t, const struct call *call);

/* Wait until all have come. */
void tree_arrive(struct small_call *t);
/* Wait until all under the endpoint have. */
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
/* v = what all under the endpoint have brought, itself included. */
void reduction_under(struct small_call *t, struct value *v);
/* Into the own slot. */
void value_post(struct small_call *t, const void *data, size_t bytes);

#endif
