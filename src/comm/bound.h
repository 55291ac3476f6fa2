/* SPDX-License-Identifier: BSD-3-Clause */
/* Which endpoint the calling thread is bound to. */
#ifndef EP_COMM_BOUND_H
#define EP_COMM_BOUND_H

#include <ep.h>
#include <stdbool.h>

/* The world that the thread is bound to, or NULL. */
ep_comm thread_world(void);
void thread_bind(ep_comm world);

/* The world counts only while *inside is true; NULL: always. */
void thread_bind_while(ep_comm world, const _Atomic bool *inside);

/* What callbacks are given for a view: the program's name for it. In a program that knows nothing of endpoints
 * these are the constants for its world and the communicator of itself. */
ep_comm handle_of(ep_comm view);

#endif
