/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Messages to mates: other processes of this machine that are reached through memory (hall.h). A communicator's messages
 * to a process all go this way or all by MPI (far.c), decided where its universe was made, so that they keep their order.
 *
 * Short ones travel in the ring, those up to EP_EAGER (at most PARCEL_MAX) in a parcel: both are complete when they are
 * pushed. Larger and synchronous ones stay with the sender until the parcel that stands for them comes back. What finds
 * the ring full or no parcel waits at home, in the order of sending; whoever polls pushes it (wire_flush).
 */
#ifndef EP_P2P_WIRE_H
#define EP_P2P_WIRE_H

#include "p2p/hall.h"

/* False: this message goes by MPI. */
static inline bool wire_route(ep_comm view, int dest, int tag, struct wire_route *to)
{
    const struct comm *c = view->comm;
    int proc = rankmap_proc(&c->map, view_target(view, dest, tag), &to->dest);
    to->mate = comm_mate(c, proc);
    to->context = c->context;
    to->source = view_union_rank(view);
    return to->mate != NULL;
}

/* A standard send without a request. False: use wire_send; nothing was sent. */
bool wire_send_now(const struct wire_route *to, const struct span *data, int tag, int *rc);

/* Start the send s, whose route is set. It completes now or in a later poll. */
void wire_send(ep_request s);

/* Take s back: it completes as cancelled, unless its receiver has it already. */
void wire_cancel(ep_request s);

/* Communicators that messages come for. Under the poll lock. Expect: before this process tells others that c can be made.
 * Open: endpoints may receive. Close: they will not, or c came to nothing. */
void wire_expect(struct comm *c);
void wire_open(struct comm *c);
void wire_close(struct comm *c);

/* Push what waits at home, if anything does. mpi: the calling thread may call MPI, which some of it needs. True if anything was
 * pushed. */
bool wire_flush(bool mpi);
bool wire_waits(void);
/* How many messages to him wait for a place in his hall or are expected back; for the watchdog. */
long wire_under_way(struct mate *m);

/* Take messages, at most so many; push what waits; complete what came back. Under the poll lock. True if anything
 * happened. */
bool wire_poll(int most);

/* Is anything still to be done for sends of this process? */
bool wire_busy(void);

/* To be called once before the first message. At the end of MPI a process stays until its messages have arrived. */
void wire_begin(void);

#endif
