/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A flow: what one endpoint has under way at one process.
 *
 * Messages are numbered. The receiver carries them out in order, so an acknowledgement of number n is one of all up to n
 * (except what is `awaited`), and answers with data, too, come in order. Every so often one asks for it, so at most
 * CREDIT are unacknowledged; then the sender waits, making progress, and the receiver's memory is bounded.
 *
 *   sent, asked, fetched   under lock, by the endpoint's threads
 *   acked     by the poll that gets the answer (release), read by those who wait (acquire): what the messages up to
 *             there did is visible
 *   awaited   + by the sender before it sends, - by who ends the transfer (acq_rel)
 */
#ifndef EP_RMA_FLOW_H
#define EP_RMA_FLOW_H

#include "rma/mail.h"
#include "rma/map.h"

enum { CREDIT = 256, ACK_EVERY = 64 };

struct flow {
    ep_win win; /* constant: whose */
    struct lock lock;
    uint32_t sent;
    _Atomic uint32_t told; /* sent, for the one who gets the answer */
    uint32_t asked;   /* the last one up to which an acknowledgement is on its way or has come; under lock */
    uint32_t fetched; /* the last one that is answered with data; under lock */
    _Atomic uint32_t acked;
    _Atomic uint32_t awaited; /* bulk transfers that have not ended */
};

/* Data that an operation waits for; freed with the last answer. */
struct await {
    struct pool_item item; /* the pool's while free */
    struct flow *flow;
    struct cursor into; /* answers come in order */
    size_t left;        /* bytes */
    struct type *type;  /* held, or NULL */
    ep_request request; /* or NULL */
    int rc;             /* of the whole */
};

/*
 * Begin a message to target: wait until it may be sent, get a parcel with am.window, target and origin set and all
 * else 0, and hold the flow's lock until flow_send, which numbers and sends it. NULL without memory. No lock is held by
 * the caller; nothing that waits may be done in between.
 */
struct parcel *flow_begin(ep_win win, int target, enum am_kind kind);
/* The same, but rather wait for memory than leave something half done: parcels come back when their messages have left. */
struct parcel *flow_begin_surely(ep_win win, int target, enum am_kind kind);
/* `bytes` behind the head. */
void flow_send(ep_win win, struct parcel *p, size_t bytes);

/* A message without data. An error class: MPI_ERR_NO_MEM. */
int flow_note(ep_win win, int target, enum am_kind kind, uint8_t op, void *reply);

/* An answer for f has come that carries the number of a message. As soon as nothing else is awaited, the endpoint may go on and
 * free the window: the last access to it. */
void flow_acked(struct flow *f, uint32_t number);
/* One of the awaited is over: the same. */
void flow_answered(struct flow *f);

/* Wait until all operations of win's endpoint at the process of target (or, all) are complete there and here; with `local`
 * only here. Near ones always are. An error class: of a fault that a target reported meanwhile; not raised. */
int flow_wait(ep_win win, int target, bool local);
int flow_wait_all(ep_win win, bool local);
/* Raise what they returned; MPI_SUCCESS: nothing. Returns rc. */
int flow_raise(struct where w, ep_win win, int rc);

#endif
