/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Messages to peers: other processes of this machine that are reached through memory (net/shm.h). A communicator's messages
 * to a process all go this way or all by MPI (far.c), decided where its domain was made, so that they keep their order.
 *
 * Short ones travel in the ring, those up to EP_EAGER (at most NET_DESCRIPTOR_MAX) in a descriptor: both are complete when they are
 * pushed. Larger and synchronous ones stay with the sender until the descriptor that stands for them comes back.
 */
#ifndef EP_P2P_SHM_H
#define EP_P2P_SHM_H

#include "p2p/request.h"

/* A standard send without a request. False: use shm_send; nothing was sent. */
bool shm_send_now(const struct net_route *to, const struct span *data, size_t bytes, int tag, int *rc);

/* Start the send s, whose route is set. It completes now or in a later poll. */
void shm_send(struct request_send *s);

/* Take s back: it completes as cancelled, unless its receiver has it already. */
void shm_cancel(struct request_send *s);

/* Communicators that messages come for. Under the poll lock. Expect: before this process tells others that c can be made.
 * Open: endpoints may receive. Close: they will not, or c came to nothing. */
void shm_expect(struct comm *c);
void shm_open(struct comm *c);
void shm_close(struct comm *c);

/* A message in this process's segment: into the inbox of its endpoint, or to the receiver that polls. Under the poll lock. */
enum net_result shm_recv(const struct line *l);
/* A descriptor came back whose owner is a send. */
void shm_returned(void *owner, int rc);

/* To be called once before the first message. At the end of MPI a process stays until its messages have arrived. */
void shm_begin(void);

#endif
