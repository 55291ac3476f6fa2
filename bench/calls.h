/* SPDX-License-Identifier: BSD-3-Clause */
/* The calls that make and free communicators, of ep (PEER_EP) or of plain MPI (peer.h). */
#ifndef BENCH_CALLS_H
#define BENCH_CALLS_H

#include "peer.h"

static const struct {
    int (*dup)(peer_comm, peer_comm *);
    int (*split)(peer_comm, int color, int key, peer_comm *);
    int (*join)(peer_comm local, int leader, peer_comm peer, int remote_leader, int tag, peer_comm *);
    int (*merge)(peer_comm, int high, peer_comm *);
    int (*size)(peer_comm, int *);
    int (*free)(peer_comm *);
} call = {
#ifdef PEER_EP
    ep_comm_dup, ep_comm_split, ep_intercomm_create, ep_intercomm_merge, ep_comm_size, ep_comm_free,
#else
    MPI_Comm_dup, MPI_Comm_split, MPI_Intercomm_create, MPI_Intercomm_merge, MPI_Comm_size, MPI_Comm_free,
#endif
};

/* The communicator of all ranks, for thread t. */
static inline peer_comm peer_world(int t)
{
    return peer_link(1, t, 0, 0).comm;
}

#endif
