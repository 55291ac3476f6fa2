/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Waits for memory that others write without telling anybody: OpenSHMEM's waits for a word, flags of collectives that another
 * process writes. It is looked at again and again, more and more seldom; between looks the process makes progress. Where endpoints
 * share cores the thread first yields for 200 us, and then sleeps: its wait is in a list that whoever polls for the process looks
 * through, who then notifies the endpoint's event count; where not every thread may poll (MPI_THREAD_FUNNELED) it sleeps for a
 * millisecond at most.
 *
 * No wake-up is lost: as long as it is in the list there is something to poll for, so one thread of the process polls while
 * others sleep (wait.h); it looks at the memory again and again, and notifies as often as it finds that the condition holds.
 *
 *   list     under its lock; a watch leaves it before what it looks at goes
 *   watched  how many; read without the lock (relaxed): who adds one is awake, and polls before it sleeps
 */
#ifndef EP_P2P_MEMORY_H
#define EP_P2P_MEMORY_H

#include "p2p/progress/wait.h"

struct memory_wait {
    bool (*look)(void *arg); /* does it hold? By the thread that waits, and no more once it was true */
    bool (*peek)(void *arg); /* the same by any thread: it changes nothing */
    void *arg;
    struct wait_info about; /* for the watchdog */
};

/* Wait until it holds, in a call of this endpoint. No lock is held. */
void memory_wait(struct endpoint *endpoint, const struct memory_wait *m);

/* Are there any that sleep? */
bool memory_is_watched(void);

/* Look at all of them, and wake those whose memory has changed. */
void memory_poll(void);

#endif
