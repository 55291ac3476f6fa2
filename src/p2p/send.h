/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EP_P2P_SEND_H
#define EP_P2P_SEND_H

#include "p2p/request.h"

struct send {
    ep_comm view;
    struct span data;
    int dest, tag;       /* dest is a rank */
    enum send_mode mode; /* standard, sync or ready */
    const char *call;
};

/* Block until the send is complete (MPI 3.4). An error class. */
int p2p_send(const struct send *s);

/* Start a send; *request is request_sent if it is complete already. */
int p2p_isend(const struct send *s, ep_request *request);

/* A request that keeps s; not started (MPI 3.9). The port's lock is held. NULL without memory. */
ep_request send_request(const struct send *s);

/* Will starting r lend it to a near receiver? */
bool send_is_lent(ep_request r);

/* Start what a request says. It may be complete on return. The port's lock is held. */
int send_start(ep_request r);

#endif
