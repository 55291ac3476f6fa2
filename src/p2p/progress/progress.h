/* SPDX-License-Identifier: BSD-3-Clause */
/* Progress: moving messages from inboxes to receives, and from MPI to inboxes. */
#ifndef EP_P2P_PROGRESS_H
#define EP_P2P_PROGRESS_H

#include "p2p/endpoint.h"

/* Match everything in the inbox and work on large copies. The lock is held, and may be released
 * and taken again meanwhile. True if there was anything. */
bool progress_endpoint(struct endpoint *p);

/* A message for p that is in no inbox goes to its receive, to the unexpected queue, or nowhere: struct far_receiver.take (far.h). False
 * if it has to stay, for want of memory. */
bool progress_take(struct endpoint *p, const struct header *h, const struct net_arrival *a, void *unused);

/* Only the inbox: how many messages there were. */
unsigned progress_inbox(struct endpoint *p);

/* The same for one message or one copy. */
bool progress_step(struct endpoint *p);

/* The same for a helper, between endpoint_enter and endpoint_left. mine: the helper's endpoint, whose lock is held, or NULL. */
bool progress_helper(struct endpoint *p, struct endpoint *mine);

/* What a call that does not block does first: own inbox, MPI, own inbox again. The lock is held. */
void progress_once(struct endpoint *p);

/* A look that the program will repeat found nothing: do what else there is to do, and let others run. No lock is held. */
void progress_missed(void);

/* Serve endpoints whose owners are elsewhere. True if there was anything. */
bool progress_others(struct endpoint *mine);

/* crt's poll function: serve the whole process. */
int progress_process(void *unused);

#endif
