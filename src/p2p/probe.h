/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EP_P2P_PROBE_H
#define EP_P2P_PROBE_H

#include "p2p/message.h"

struct probe {
    ep_comm view;
    int source, tag; /* with wildcards */
    bool block;      /* wait for a message */
    bool take;       /* matching probe: take it out of the queue */
    /* outcome */
    ep_message message; /* if take */
    ep_status status;
};

/* True if there is a message; then the outcome is set. */
bool p2p_probe(struct probe *p);

#endif
