/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Mates: processes of one machine that reach each other's memory, so that messages between them need no MPI
 * (p2p/hall.h). Every process has a hall, a segment that its mates map; it is made when it first meets another
 * process.
 *
 * Processes meet where a universe is made, collectively. Either all processes of the universe that share a machine
 * have reached each other then, on each of its machines, or nobody is another one's mate there: both ends of a pair must know. A mate
 * stays mapped till the end, since it may be met again in the next universe, and since what it has sent is in its
 * hall.
 */
#ifndef EP_COMM_MATES_H
#define EP_COMM_MATES_H

#include <sys/types.h>

#include "comm/comm.h"
#include "comm/segment.h"

enum { MATES_LAYOUT = 2 };             /* of halls (p2p/hall.h): another one where anything in them changes */
enum { MATES_HALL_BYTES = 128 << 20 }; /* of address space: pages come as they are used */

struct mate {
    /* constant */
    uint64_t name; /* of the process: random, no other has it */
    pid_t pid;
    int rank;              /* in its MPI_COMM_WORLD, for messages */
    struct segment memory; /* his hall */
    struct mate *next;     /* list of all ever met; release in meet, acquire in mates_first */
    /* sends that his hall had no room for, oldest first (wire_send.c): under lock. The flag is read without it:
     * release when it is cleared, acquire in wire_send_now and is_awaited */
    _Alignas(CACHE_LINE) struct lock lock;
    struct list waiting; /* by entry.node */
    _Atomic bool behind;
    _Atomic long out; /* parcels to him that are expected back: any thread (parcel.c) */
};

/* The processes of u, which has its inner communicator, get to know each other: sets u->mates, or leaves it NULL. In all
 * processes of u; blocks until they have come. */
void mates_meet(struct universe *u);

struct mate *mates_first(void);
/* NULL: there is none of that name. */
struct mate *mates_find(uint64_t name);
/* This process's. */
uint64_t mates_name(void);

/* This process's hall; NULL: there is none, and nobody is a mate. */
void *mates_own_hall(void);

/* Processes of c are these ranks of its universe. False without memory. */
bool comm_set_mates(struct comm *c, const int inner[]);
/* The same processes as `from`. False without memory. */
bool comm_copy_mates(struct comm *c, const struct comm *from);
/* When the universe is complete. */
void comm_count_mates(struct comm *c);

/* NULL: c's process proc is not reached through memory. */
static inline struct mate *comm_mate(const struct comm *c, int proc)
{
    struct mate **all = c->universe->mates;
    if (!all)
        return NULL;
    return all[c->inner_of ? c->inner_of[proc] : c->inner_first + proc * c->inner_step];
}

#endif
