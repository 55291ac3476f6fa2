/* SPDX-License-Identifier: BSD-3-Clause */
/* Which endpoint the calling thread is bound to. */
#ifndef EP_COMM_BOUND_H
#define EP_COMM_BOUND_H

#include <ep.h>
#include <stdbool.h>
#include <stdint.h>

/* The world that the thread is bound to, or NULL. */
ep_comm thread_world(void);
void thread_bind(ep_comm world);

/* The world counts only while *inside is true; NULL: always. */
void thread_bind_while(ep_comm world, const _Atomic bool *inside);

/* The slot of the thread's own attached buffer (p2p/buffered.c). */
struct bsend;
struct bsend **thread_buffer(void);

/* All of this: for a thread that acts for another, which waits until it has ended. */
struct binding {
    ep_comm world;
    uint64_t world_serial;
    const _Atomic bool
        *counts;           /* NULL: always; release enter (dropin/rank.c, by pointer), acquire thread_world */
    struct bsend **buffer; /* NULL: the thread's own slot */
};
struct binding thread_binding(void);
void thread_act_as(const struct binding *b);

/* What callbacks are given for a view: the program's name for it. In a program that knows nothing of endpoints
 * these are the constants for its world and the communicator of itself. */
ep_comm handle_of(ep_comm view);

#endif
