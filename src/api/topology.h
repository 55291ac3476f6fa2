/* SPDX-License-Identifier: BSD-3-Clause */
/* What the bindings of all topologies share. */
#ifndef EP_API_TOPOLOGY_H
#define EP_API_TOPOLOGY_H

#include "api/check.h"
#include "derive/derive.h"

/* Raise the error and return its class, or MPI_SUCCESS, as those of check.h. comm_old: intracommunicators
 * only. */
int check_comm_old(struct where *w, ep_comm comm);
/* comm must have a topology of this kind. */
int check_topology(struct where *w, ep_comm comm, int kind, struct topology **t);
/* A rank that the caller asks about. */
int check_node(struct where w, int rank);
/* An array of n > 0 entries must not be null. */
int check_array(struct where w, const void *array, int n, const char *name);

/* Where a new handle goes; it becomes EP_COMM_NULL. */
int check_new(struct where w, ep_comm *newcomm, const char *name);

/*
 * Split off the communicator that t belongs to, with the caller's rank in it following from key; or none,
 * with color MPI_UNDEFINED. Takes over the caller's reference to t. t NULL with a color: there was no
 * memory for it; then the call fails in all endpoints of comm. So it does after an error in the arguments
 * of one, which calls derive_refuse instead.
 */
int topology_create(struct where w, int color, int key, struct topology *t, ep_comm *newcomm);

#endif
