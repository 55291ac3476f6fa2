/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A cancelled send by MPI must complete though its receiver may never receive it (MPI 3.8.4), and MPI does not do that: a large one
 * waits for its receive. So its sender sends a recall behind it: a message for the same endpoint that names the tag. When
 * the receiver's process comes to it, it receives all messages from that sender with that tag which nobody has matched yet
 * into memory of its own, and keeps them there for receives to come. That completes their sends in MPI, as it does
 * with small messages, which MPI takes at once. Whoever polls for the receiver's process does it.
 *
 * Why there is no race. The recall is on the lane of the message, from the same process to the same process, and was sent after
 * it: MPI gives it to the probe after the message, and both come through the inbox of the endpoint in this order. So
 * when it is served the message was matched, and its send completes with its receive, or it is in the unexpected queue. Both are
 * under the endpoint's lock. In either case it is received once, and its send says that it was not cancelled. Messages that
 * are kept stay in their place in the queue.
 *
 * A synchronous send says that its receive has begun, so it is not recalled, nor are others while one with their envelope is under way:
 * they wait for the receiver. What has not been started (FUNNELED) needs no recall: far_cancel takes it back.
 *
 * A recall is a message of KIND_BRIDGE with one byte, which the creation of intercommunicators does not send.
 */
#ifndef EP_P2P_RECALL_H
#define EP_P2P_RECALL_H

#include <limits.h>

#include "p2p/message.h"

enum { RECALL_BYTES = 1, RECALL_TAG = INT_MIN /* in an inbox: nobody receives it */ };

static inline bool tag_is_recall(int tag, size_t bytes)
{
    return unlikely(bytes == RECALL_BYTES) && tag >> TAG_KIND == KIND_BRIDGE;
}

/* Ask for the message of s, which is not done. The lock of its endpoint is held. */
void recall(ep_request s);

/* A recall has come out of the inbox. The endpoint's lock is held. */
void recall_serve(struct endpoint *endpoint, const struct header *h, const struct net_arrival *a);

#endif
