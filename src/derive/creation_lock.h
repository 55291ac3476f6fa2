/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The creation lock: in a process only one thread at a time makes MPI communicators. MPI's creating calls
 * block, and several of them at once make each other wait (Open MPI 4.1: tens of milliseconds with four
 * threads); with MPI_THREAD_SERIALIZED or one thread for several endpoints, two that two processes begin in
 * different order would wait for ever.
 *
 * So the leaders of a creation first vote: each tries to get the lock of its process, and only if all got it
 * they call MPI; else those that got it release it, and all vote again. No leader waits while it holds a
 * lock, except in a vote of leaders that are all there (they voted before, all endpoints having come) and in
 * MPI calls that all of them make.
 *
 * Why it ends. Creations are ordered by ticket. A leader that does not get the lock leaves its ticket; while
 * a ticket is left, only a creation with this or a lower ticket gets the lock. The lowest ticket of all
 * creations that vote leaves it wherever it did not get the lock, after at most one vote; from then on
 * nobody else gets those locks once their holders are through, which they will be, since they do not wait.
 * Then it gets all of them. Tickets are Lamport times, above all that the processes of the creation have
 * seen, so later creations do not overtake for ever.
 *
 * Everything is under one spin lock of the process.
 */
#ifndef EP_DERIVE_CREATION_LOCK_H
#define EP_DERIVE_CREATION_LOCK_H

#include <stdbool.h>
#include <stdint.h>

struct ticket {
    uint64_t time;
    uint64_t process, serial; /* of the root: break ties */
};

/* The time of this process. */
uint64_t creation_clock(void);
/* A ticket was given out: time goes on. */
void creation_clock_saw(uint64_t time);

bool creation_lock_try(struct ticket t);
void creation_lock_release(void);
/* The creation is over. */
void creation_lock_forget(struct ticket t);

/* A random number for this process, the same all the time. */
uint64_t process_random_id(void);

#endif
