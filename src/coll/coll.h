/* SPDX-License-Identifier: BSD-3-Clause */
/* coll: collective calls. Arguments are checked already. */
#ifndef EP_COLL_COLL_H
#define EP_COLL_COLL_H

#include "coll/call.h"
#include "coll/operator.h"

/* Block until the collective call is complete. Takes over call's typed arrays and packed_copy. Raises
 * errors. */
int coll_run(struct where w, const struct call *call, void *packed_copy);
/* Start it. The request's error is that of the call. */
int coll_start(struct where w, const struct call *call, void *packed_copy, ep_request *request);

/*
 * Neighbourhood collectives (MPI 7.6, 7.7): every endpoint by itself exchanges messages with its neighbours,
 * so nobody waits for endpoints that it has nothing to do with.
 */

/* Numbers of neighbours that it hears from and talks to: blocks of the receive and the send buffer. False:
 * the communicator has no topology. */
bool neighbor_degrees(ep_comm view, int *in, int *out);

/* Is there somebody at the other end of an edge that leads out, or in? Not beyond the ends of a grid. */
bool neighbor_is_there(ep_comm view, bool out, int block);

/* COLL_ALLGATHER: call->send goes to all; COLL_ALLTOALL: block k to the k-th neighbour. request NULL: block.
 * Takes over call's typed arrays. Raises errors; those of a message are the request's, if there is one. */
int neighbor_run(struct where w, const struct call *call, ep_request *request);

#endif
