/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tiny calls on an intracommunicator with several processes. The endpoints of a process tell each other in their
 * cells, as in one process; its leader (local index 0) tells the leaders of the others by messages of ep's own.
 *
 *   barrier, allreduce   up the tree in the process to the leader; leaders up and down a tree of processes; the leader
 *                        posts the result. Two processes: their leaders exchange
 *   bcast                the root posts and sends to leaders; each leader passes it on and posts
 *   reduce               the same up to the leader of process 0; from there to the root
 *
 * In bcast and reduce nobody waits for those who come after him, so endpoints run ahead of each other, as far as the
 * rings allow in a process. Messages carry the number of the call as their tag.
 */
#ifndef EP_COLL_TINY_FAR_H
#define EP_COLL_TINY_FAR_H

#include "coll/call.h"
#include "coll/tiny_cells.h"

bool tiny_far_fits(ep_comm view, const struct call *call);
int tiny_far_run(struct tiny *t, const struct call *call);

/* tiny.c: the data of a span into the own cell; data into block r. */
void tiny_post_data(struct tiny *t, const struct span *from);
void tiny_take(struct tiny *t, const char *data, const struct blocks *to, int r, size_t bytes);

#endif
