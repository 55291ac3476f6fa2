/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * An endpoint's life in this layer: port and matcher of a view.
 *
 * A view is settled when its handle is freed and no receive is posted (and no probed message held) on it or
 * on its EP_COMM_SELF any more; when all local views
 * of a communicator are settled, it is retired: taken from the probing, its inboxes emptied, and destroyed.
 * Retiring may call MPI_Comm_free, so it is done where the caller holds no lock (endpoints_retire), by one
 * thread.
 */
#ifndef EP_P2P_ENDPOINT_H
#define EP_P2P_ENDPOINT_H

#include "comm/comm.h"

/* Give the views of a new communicator their ports and matchers and begin to probe it. Collective;
 * MPI_ERR_NO_MEM in every process if one lacks memory, and then c is destroyed. */
int endpoints_open(struct comm *c);

/* Free a handle. */
void endpoint_close(ep_comm view);

/* A receive of the view is no longer posted: was it the last thing that kept it? The port's lock is held. */
void endpoint_check_settled(ep_comm view);

/* Destroy what is retired. No lock is held. */
void endpoints_retire(void);

/* EP_COMM_SELF of an endpoint, made when first asked for. NULL without memory. */
ep_comm endpoint_self(ep_comm view);

#endif
