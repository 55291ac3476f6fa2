/* SPDX-License-Identifier: BSD-3-Clause */
/* A channel: what one endpoint has under way at one process, and how it waits for it. */
#ifndef EP_RMA_CHANNEL_H
#define EP_RMA_CHANNEL_H

#include "rma/am.h"

struct channel {
    struct net_channel channel;
    ep_win win; /* constant: whose */
};

/* Data that an operation waits for; freed with the last answer. */
struct pending_get {
    struct pool_item item; /* the pool's while free */
    struct channel *channel;
    char *plain; /* where the next answer goes, which come in order; NULL: into */
    struct type_iter into;
    const struct arith_type *items; /* what comes is of this type; NULL: any data */
    size_t left;                    /* bytes */
    struct type *type;              /* held, or NULL */
    ep_request request;             /* or NULL */
    int rc;                         /* of the whole */
};

/*
 * Begin a message to target: wait until it may be sent, get a packet with window and target set and all else 0; channel_send
 * sends it. asker: NULL for the channel. NULL without memory. No lock is held by the caller.
 */
struct net_packet *channel_begin(ep_win win, int target, enum am_kind kind, void *asker);
/* The same, but rather wait for memory than leave something half done: packets come back when their messages have left. */
struct net_packet *channel_begin_surely(ep_win win, int target, enum am_kind kind, void *asker);
/* `bytes` behind struct am. */
void channel_send(ep_win win, int target, struct net_packet *p, size_t bytes);

/*
 * Send m, of which am.head.id is set and what its kind needs, with `bytes` of data: between peers without a packet. asker as above. The
 * first fails with MPI_ERR_NO_MEM, the second waits instead.
 */
int channel_send_short(ep_win win, int target, struct am_short *m, size_t bytes, void *asker);
void channel_send_short_surely(ep_win win, int target, struct am_short *m, size_t bytes, void *asker);

/* A message without data. An error class: MPI_ERR_NO_MEM. */
int channel_note(ep_win win, int target, enum am_kind kind, uint8_t op, void *asker);

/* Wait until all operations of win's endpoint at the process of target (or, all) are complete there and here; with `local`
 * only here. Near ones always are. An error class: of a fault that a target reported meanwhile; not raised. */
int channel_wait(ep_win win, int target, bool local);
int channel_wait_all(ep_win win, bool local);
/* Raise what they returned; MPI_SUCCESS: nothing. Returns rc. */
int channel_raise(struct where w, ep_win win, int rc);

#endif
