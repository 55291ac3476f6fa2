/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * An endpoint's life in this layer: one endpoint, and for each of its communicators a view with a matcher.
 *
 * A view is settled when its handle is freed and no receive is posted (and no probed message held) on it any
 * more; when all local views of a communicator are settled, it is retired: taken from the probing, its
 * messages dropped, and destroyed. An endpoint is closed with its last view. EP_COMM_SELF is a communicator
 * like others, freed by the library with the endpoint's last handle.
 *
 * Retiring may call MPI_Comm_free, so it is done where the caller holds no lock (endpoints_retire). With
 * ep_single_owner the endpoint may be in use by its owner just then; what cannot be destroyed now stays in
 * the list for the next time.
 */
#ifndef EP_P2P_ENDPOINT_VIEWS_H
#define EP_P2P_ENDPOINT_VIEWS_H

#include "comm/comm.h"

/* Give the views of a new communicator their endpoints and begin to probe it. Collective;
 * MPI_ERR_NO_MEM in every process if one lacks memory, and then c is destroyed. */
int endpoint_open_views(struct comm *c);

/* Make v, which is not live yet, another view of the endpoint. */
void endpoint_add_view(ep_comm v, struct endpoint *endpoint);
/* Undo that: v never went live. */
void endpoint_remove_view(ep_comm v);
/* v goes live. Its communicator must be complete. */
void endpoint_view_live(ep_comm v);

/* Free a handle. */
void endpoint_close_view(ep_comm view);

/* Is this the endpoint's last handle? */
bool endpoint_is_last(ep_comm view);

/* A receive of the view is no longer posted: was it the last thing that kept it? The endpoint's lock is
 * held. */
void endpoint_check_settled(ep_comm view);

/* An operation of ep's own goes on on c, though all its handles may be freed meanwhile; and no longer. */
void endpoint_hold(struct comm *c);
void endpoint_let_go(struct comm *c);

/* Destroy what is retired. No lock is held. */
void endpoints_retire(void);

/* EP_COMM_SELF of an endpoint, made when first asked for. NULL without memory. */
ep_comm endpoint_self(ep_comm view);

#endif
