/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Rendezvous: a near message too large for the ring, a synchronous one, or one of some size whose sender does not block, stays in its sender's buffer and
 * is copied once, by the receiver. The send request's `rndv` word decides between sender and receiver:
 *
 *   OPEN       sent, not matched            -> CLAIMED (receiver), BUFFERED or WITHDRAWN (sender)
 *   MATCHED    taken by a matching probe    -> CLAIMED (receiver), BUFFERED (sender)
 *   CLAIMED    the receiver copies          -> TOGETHER (receiver)
 *   TOGETHER   large: chunks are handed out by a counter, sender and receiver both copy
 *   BUFFERED   the sender made a copy (EP_EAGER) and has gone on; the receiver frees it
 *   WITHDRAWN  cancelled
 *
 * All changes are compare-and-swap or made by the only thread that may (CLAIMED -> TOGETHER), release; they
 * pair with the acquire of the other side's compare-and-swap or load.
 *
 * Lifetime: PEER is set while a receiver may look at the request. In TOGETHER the receiver's thread gives
 * PEER up when it stops copying, which may be before or after the last chunk is done; whoever does the last
 * chunk (chunks_left) completes both requests. So neither can be recycled under the other's hands: the
 * sender's by PEER, the receiver's because only the last copier touches it.
 */
#ifndef EP_P2P_RNDV_H
#define EP_P2P_RNDV_H

#include "p2p/request.h"

/* Send s (data, bytes, tag, mode set) to the near endpoint `to`. False without memory. */
bool rndv_send(struct request_send *s, ep_comm to);

/* Receiver: work on the endpoint's jobs. The endpoint's lock is held, and released meanwhile. True if there
 * were any. */
bool rndv_jobs(struct endpoint *endpoint);

/* Sender, while it waits: copy some chunks. True if it did. */
bool rndv_help(struct request_send *s);
/* Sender, when it has waited long: buffer a standard send of up to EP_EAGER bytes and complete it. */
void rndv_buffer(struct request_send *s);
/* Sender: cancel. */
void rndv_cancel(struct request_send *s);

#endif
