/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Small calls on an intracommunicator with several processes. The endpoints of a process tell each other in their
 * slots, as in one process; its leader (local index 0) tells the leaders of the others by messages of ep's own.
 *
 *   barrier, allreduce   up the tree in the process to the leader; leaders up and down a tree of processes; the leader
 *                        posts the result. Two processes: their leaders exchange
 *   bcast                the root posts and sends to leaders; each leader passes it on and posts
 *   allgather, alltoall  the leader gathers what all have posted, tells each other leader what its endpoints need, and
 *                        writes what came on its board, where all read it
 *   reduce               the same up to the leader of process 0; from there to the root
 *
 * In bcast and reduce no endpoint waits for those after it, so endpoints run ahead of each other, as far as the
 * rings allow in a process. Messages carry the number of the call as their tag.
 */
#ifndef EP_COLL_SMALL_FAR_H
#define EP_COLL_SMALL_FAR_H

#include "coll/call.h"
#include "coll/flag_slots.h"

/* Messages between leaders in one call. */
struct leader_exchange {
    struct small_call *t;
    int tag;
    int me, n;  /* processes, counted from root */
    int root;   /* process */
    int origin; /* rank that plays position 0; < 0: its leader */
};

/* To and from a rank. Who has an error sends nothing in the message, and so makes it the receiver's. */
void leader_exchange_send(struct leader_exchange *k, int rank, const void *data, size_t bytes);
void leader_exchange_recv(struct leader_exchange *k, int rank, void *data, size_t bytes);
int leader_exchange_rank(const struct leader_exchange *k, int position);

/* small_far_all.c */
bool far_all_fits(ep_comm view, const struct call *call);
void far_all(struct leader_exchange *k, const struct call *call);

bool small_far_fits(ep_comm view, const struct call *call);
int small_far_run(struct small_call *t, const struct call *call);

/* small.c: the data of a span into a slot; into the own one, and post it; data into block r. */
void small_fill(struct small_call *t, struct flag_slot *e, const struct span *from);
void small_post_data(struct small_call *t, const struct span *from);
void small_take(struct small_call *t, const char *data, const struct blocks *to, int r, size_t bytes);

#endif
