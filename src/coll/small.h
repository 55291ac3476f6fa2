/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Small calls: blocking collectives of a few bytes on an intracommunicator whose endpoints are all in this
 * process. No operation is set up for them (coll/op.h): each endpoint posts its bytes in its slots
 * (flag_slots.h, with the synchronisation) and reads those of others.
 *
 *   barrier, allreduce   flat: all post, all read all. More than FLAT endpoints: up a tree to index 0, which
 *                        posts the result for all
 *   allgather, alltoall  all post, all read all
 *   bcast                the root posts and goes on
 *   reduce               all others post and go on; more than FLAT: up the tree, and from index 0 to the root
 *
 * What is posted is packed, so datatypes may differ between endpoints as long as the signature is the same.
 * Operators are applied in rank order, which is that of the local indices, whether they commute or not.
 */
#ifndef EP_COLL_SMALL_H
#define EP_COLL_SMALL_H

#include "coll/call.h"

/* Can a blocking call be done this way? All endpoints get the same answer. */
bool small_fits(ep_comm view, const struct call *call);

/* Do it. An error class; nothing is raised. */
int small_run(ep_comm view, const struct call *call);

#endif
