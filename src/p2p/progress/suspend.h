/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How a task waits: it looks a few times, and then leaves its thread to others until it is told to go on.
 *
 * Who tells it:
 *   - for requests, who completes them (WAITED in request.h): nothing is looked at meanwhile, however many wait;
 *   - for probes, who keeps a message that has come: it asks those that listen, which are in a list of the endpoint;
 *   - for anything else, and for what has to be helped along (collectives), whoever makes progress for the process: the
 *     wait is a work of its endpoint (work.h), which looks at `done`, as the waiting thread would do, and ends when that holds.
 * Somebody does make progress: threads of a team of which a task is suspended poll when they have nothing to run,
 * one of them even if that is for long, and now and then when they have (crt/poll.h, progress_process).
 *
 * crt_signal takes no lock and runs nothing, so it may be called where a request is completed, under any lock: the task
 * goes on later, or in another thread, which then waits for the lock a moment.
 */
#ifndef EP_P2P_SUSPEND_H
#define EP_P2P_SUSPEND_H

#include "p2p/progress/wait.h"

/* wait_until for a task. */
void suspend_until(struct endpoint *endpoint, struct wait *w);

/* A message was kept for a later receive: tell the tasks that listen for it. The endpoint's lock is held. */
void suspend_tell(struct endpoint *endpoint, const struct header *m);

#endif
