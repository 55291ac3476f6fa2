/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Waits for memory that others write without telling anybody (OpenSHMEM's waits for a word). Where endpoints share cores such
 * a wait may sleep: it is in a list that whoever polls for the process looks through, who then notifies the endpoint's event count.
 *
 * No wake-up is lost: as long as it is in the list there is something to poll for, so one thread of the process polls while
 * others sleep (wait.h); it looks at the memory again and again, and notifies as often as it finds that the condition holds.
 *
 *   list     under its lock; a watch leaves it before what it looks at goes
 *   watched  how many; read without the lock (relaxed): who adds one is awake, and polls before it sleeps
 */
#ifndef EP_P2P_MEMORY_H
#define EP_P2P_MEMORY_H

#include "p2p/endpoint.h"

struct memory_watch {
    struct node link;
    bool (*peek)(void *arg); /* does it hold? By any thread; it changes nothing */
    void *arg;
    struct endpoint *endpoint; /* whose thread waits */
};

/* No lock is held. */
void memory_watch_begin(struct memory_watch *w);
void memory_watch_end(struct memory_watch *w);

/* Are there any? */
bool memory_is_watched(void);

/* Look at all of them, and wake those whose memory has changed. */
void memory_poll(void);

#endif
