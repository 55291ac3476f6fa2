/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Peers: the other processes of this machine, where they reach each other's memory, so that what they send each other needs no
 * MPI (shm.h). Every process has a segment that its peers map; it is made when it first meets another process.
 *
 * Processes meet where a domain is made, collectively. Either all processes of the domain that share a machine have reached
 * each other then, on each of its machines, or nobody is another one's peer there: both ends of a pair must know. A peer
 * stays mapped till the end, since it may be met again in the next domain, and since what it has sent is in its
 * segment.
 */
#ifndef EP_NET_PEER_H
#define EP_NET_PEER_H

#include <sys/types.h>

#include "comm/comm.h"

enum { NET_LAYOUT = 3 };                /* of segments (shm.h): another one where anything in them changes */
enum { NET_SEGMENT_BYTES = 128 << 20 }; /* of address space: pages come as they are used */

struct net_shm;

struct net_peer {
    /* constant */
    uint64_t name; /* of the process: random, no other has it */
    pid_t pid;
    int rank;              /* in its MPI_COMM_WORLD, for messages */
    struct segment memory; /* its segment */
    struct net_shm *shm;   /* there */
    struct net_peer *next; /* list of all ever met; release in meet_one, acquire in net_peers */
    /* what waits to be sent there, oldest first (defer.h): under lock. The flag is read without it: release when it is
     * cleared, acquire in net_is_behind and is_awaited */
    _Alignas(CACHE_LINE) struct lock lock;
    struct list waiting;
    _Atomic bool behind; /* release defer_left, acquire net_is_behind */
    _Atomic long out;    /* descriptors to it that are expected back: any thread (descriptor.c); relaxed */
};

/* The processes of u, which has its inner communicator, get to know each other: sets u->peers, or leaves it NULL, and u->remote. In all
 * processes of u; blocks until they have come. */
void net_meet(struct domain *u);

struct net_peer *net_peers(void);
/* NULL: there is none of that name. */
struct net_peer *net_peer_find(uint64_t name);
/* This process's. */
uint64_t net_own_name(void);

/* This process's segment (shm.h). NULL: there is none, and nobody is a peer. */
struct net_shm *net_shm_own(void);

/* `bytes` of this process's memory at `here`, and as many of the peer's own, at its address `there`. */
struct net_piece {
    char *here;
    uint64_t there;
    size_t bytes;
};
enum net_way { NET_READ, NET_WRITE }; /* from there to here; from here to there */

/* Copy n pieces, one after the other. The caller knows that the peer's memory stays: nothing here keeps it. MPI_SUCCESS, or
 * MPI_ERR_BUFFER: not all of it is memory that both may touch, and some pieces may have been copied. Any thread; does not block. */
int net_peer_copy(const struct net_peer *peer, enum net_way way, const struct net_piece *pieces, size_t n);

/* Is every other process of c reached through memory? When its domain is complete. */
bool net_all_peers(const struct comm *c);

/* NULL: c's process proc is not reached through memory. */
static inline struct net_peer *net_peer_of(const struct comm *c, int proc)
{
    struct net_peer **all = c->domain->peers;
    return all ? all[comm_inner(c, proc)] : NULL;
}

#endif
