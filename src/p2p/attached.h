/* SPDX-License-Identifier: BSD-3-Clause */
/* What point-to-point messages keep of a communicator, once per process. All but next_retired under the poll lock. */
#ifndef EP_P2P_ATTACHED_H
#define EP_P2P_ATTACHED_H

#include "net/net.h"

struct early; /* shm_recv.c */

/* A message that was probed and found no memory: the next poll tries again before it probes on. */
struct stuck {
    bool any;
    int lane;
    MPI_Message message;
    MPI_Status status;
};

struct p2p_comm {
    struct comm *comm; /* constant */
    struct stuck stuck;
    bool all_peers; /* constant from far_open on: every other process is reached through memory */
    bool polled;
    struct node poll_link;           /* far.c: list of those that are polled */
    struct table_link shm;           /* shm_recv.c: by context */
    bool expected;                   /* it is in the table: messages may come, also before it is open */
    struct early *aside, *aside_end; /* they; the oldest first */
    struct comm *next_retired;       /* endpoint_views.c: list of communicators to destroy */
};

#endif
