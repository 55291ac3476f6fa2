/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The one place where a call blocks; a blocking receive looks a bounded number of times by itself before
 * (recv.c). In task mode it blocks the calling task alone (suspend.h); else the thread, as follows.
 *
 * A waiting thread holds its endpoint's lock while it spins (and lets others in who want it), takes messages
 * out of its inbox, polls MPI for the whole process, and, when that has been going on for a while,
 * serves other endpoints, yields its core, or sleeps on the endpoint's event count (base/wait.h decides).
 *
 * Sleeping and polling: nobody notifies when an MPI message arrives, so while there is anything to poll for,
 * one waiting thread, the poller, does not sleep. Invariant: if a thread that may poll sleeps, there is a
 * poller. A thread becomes the poller when it would sleep and there is none; when the poller's wait is over
 * it resigns and wakes a sleeper, who then takes over. Why no moment is left without a poller: a sleeper
 * first announces itself (evcount_prepare, heavy fence) and then looks whether there is a poller; the
 * resigning poller first clears its place and then looks for announced sleepers (evcount_notify). That is
 * evcount.h's pattern: one of the two sees the other. tests/spin/poller.pml models it.
 */
#ifndef EP_P2P_WAIT_H
#define EP_P2P_WAIT_H

#include "p2p/endpoint.h"

/* What a call waits for, in its own words. */
struct wait_info {
    const char *call;
    ep_comm view;  /* NULL: not known */
    int peer, tag; /* peer: rank as the call has it, MPI_ANY_SOURCE, or MPI_UNDEFINED: nobody in particular */
    bool sends;
};

struct wait {
    bool (*done)(struct wait *w);  /* called with the endpoint's lock held, and no more once it was true */
    bool (*help)(struct wait *w);  /* optional: work towards done; true if it got anywhere */
    void (*nudge)(struct wait *w); /* optional: called now and then when waiting takes long */
    enum wait_policy policy;       /* one of those for blocked calls; done may change it */
    bool greedy;  /* take all there is, since other waits follow; else nothing beyond what ends this one */
    bool found;   /* done was true */
    bool watched; /* observe/watchdog.h */
    void *arg;
    void (*tell)(const struct wait *w,
                 struct wait_info *p); /* optional: what it is about, for the watchdog */
    /* Optional: all that can make it done is that a message is kept for which this holds. Under the endpoint's lock. */
    bool (*hears)(struct wait *w, const struct header *m);
    /* If n > 0: all that makes it done is that one of these ends, and that takes no help; some may be inactive. */
    ep_request *requests;
    int n;
};

/* One look for what is awaited. True if anything happened. The endpoint's lock is held. */
bool wait_look(struct endpoint *endpoint, struct wait *w);

/* Block until w->done. The endpoint's lock is held on entry and on return, and released meanwhile. */
void wait_until(struct endpoint *endpoint, struct wait *w);

/* One look at what w waits for. The endpoint's lock is held. */
static inline bool wait_found(struct wait *w)
{
    return w->found || (w->found = w->done(w));
}

/* Block until r is done. The lock of r's endpoint is held. greedy as in struct wait. */
void wait_request(ep_request r, bool greedy);

#endif
