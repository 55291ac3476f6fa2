/* SPDX-License-Identifier: BSD-3-Clause */
/* What the bindings of all topologies share. */
#ifndef EP_API_TOPOLOGY_H
#define EP_API_TOPOLOGY_H

#include "api/check.h"
#include "derive/derive.h"

/* comm must have a topology of this kind. Raises the error and returns its class, or MPI_SUCCESS, as those of check.h. */
int check_topology(struct where *w, ep_comm comm, int kind, struct topology **t);

/*
 * Split off the communicator that t belongs to, with the caller's rank in it following from key; or none,
 * with color MPI_UNDEFINED. Takes over the caller's reference to t. t NULL with a color: there was no
 * memory for it; then the call fails in all endpoints of comm. So it does after an error in the arguments
 * of one, which calls derive_refuse instead.
 */
int topology_create(struct where w, int color, int key, struct topology *t, ep_comm *newcomm);

#endif
