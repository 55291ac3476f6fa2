/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EP_P2P_RECV_H
#define EP_P2P_RECV_H

#include "p2p/message.h"

struct recv {
    ep_comm view;
    struct span data;
    int source, tag; /* with wildcards */
    const char *call;
};

/* Block until a message is received. An error class; *out, an empty outcome before, is set unless there was no memory for
 * a request. */
int p2p_recv(const struct recv *v, struct outcome *out);
int p2p_irecv(const struct recv *v, ep_request *request);

/* Receive a message that a matching probe took; frees it. */
int p2p_mrecv(const struct recv *v, ep_message m, struct outcome *out);
int p2p_imrecv(const struct recv *v, ep_message m, ep_request *request);

/* A request that keeps v, not posted. The port's lock is held. NULL without memory. */
ep_request recv_request(const struct recv *v);
/* Post what a request says. The port's lock is held. */
void recv_start(ep_request r);

#endif
