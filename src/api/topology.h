/* SPDX-License-Identifier: BSD-3-Clause */
/* What the bindings of all topologies share. */
#ifndef EP_API_TOPOLOGY_H
#define EP_API_TOPOLOGY_H

#include "api/check.h"

/* Raise the error and return its class, or MPI_SUCCESS, as those of check.h. comm_old: intracommunicators
 * only. */
int check_comm_old(struct where *w, ep_comm comm);
/* comm must have a topology of this kind. */
int check_topology(struct where *w, ep_comm comm, int kind, struct topology **t);
/* A rank that the caller asks about. */
int check_node(struct where w, int rank);
/* An array of n > 0 entries must not be null. */
int check_array(struct where w, const void *array, int n, const char *name);

/*
 * Split off the communicator that t belongs to, with `size` members, of which the caller has a rank that
 * follows from key; color MPI_UNDEFINED: it is none of them. Takes over the caller's reference to t. t NULL:
 * there was no memory for it; then the call fails in all members of the communicator.
 */
int topology_create(struct where w, int color, int key, int size, struct topology *t, ep_comm *newcomm);

#endif
