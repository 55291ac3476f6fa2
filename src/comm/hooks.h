/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the library tells its observers (src/observe): counters, watchdog, trace. One word says which of them there are; a hook
 * is a test of it and, with its observer alone, a call. No layer below the observers knows one of them, or what it keeps.
 */
#ifndef EP_COMM_HOOKS_H
#define EP_COMM_HOOKS_H

#include <ep.h>

#include "base/base.h"

struct header;
struct endpoint;
struct wait;

enum observer { OBSERVER_STATS = 1, OBSERVER_WATCHDOG = 2, OBSERVER_TRACE = 4 };

/* Of enum observer; only ever added to. Any thread, relaxed: an observer keeps what it needs in order by itself. */
extern _Atomic unsigned observers __attribute__((visibility("hidden")));

/* The observers' entries (src/observe/observe.c). */
struct hooks {
    void (*opened)(struct endpoint *endpoint);
    void (*closed)(struct endpoint *endpoint);
    void (*waits)(struct endpoint *endpoint, struct wait *w);
    void (*waited)(struct endpoint *endpoint, struct wait *w);
    void (*arrived)(uint64_t *flow, const struct header *h);
    void (*received)(ep_request r);
    void (*unexpected)(struct endpoint *endpoint);
    void (*cancelled)(void);
};
extern const struct hooks hooks __attribute__((visibility("hidden")));

/* Is there an enum observer? */
#define observed_by(who) unlikely(load_relaxed(&observers) & (unsigned)(who))

/* The endpoint is a new endpoint's. Its lock is held. */
static inline void hook_opened(struct endpoint *endpoint)
{
    if (observed_by(OBSERVER_TRACE))
        hooks.opened(endpoint);
}

/* The endpoint is closed, and no other thread is in it any more. */
static inline void hook_closed(struct endpoint *endpoint)
{
    if (observed_by(OBSERVER_STATS))
        hooks.closed(endpoint);
}

/* The call waits, and it takes long; told again and again. The endpoint's lock is held, as it is in the
 * next. */
static inline void hook_waits(struct endpoint *endpoint, struct wait *w)
{
    if (observed_by(OBSERVER_WATCHDOG))
        hooks.waits(endpoint, w);
}

/* The watched call waits no more. */
static inline void hook_waited(struct endpoint *endpoint, struct wait *w)
{
    hooks.waited(endpoint, w);
}

/* A message leaves the inbox: *flow is its flow id. The endpoint's lock is held. */
static inline void hook_arrived(uint64_t *flow, const struct header *h)
{
    if (observed_by(OBSERVER_TRACE))
        hooks.arrived(flow, h);
}

/* The user is told that r is done, or will not be. */
static inline void hook_received(ep_request r)
{
    if (observed_by(OBSERVER_TRACE))
        hooks.received(r);
}

/* The queue of unexpected messages has changed. The endpoint's lock is held. */
static inline void hook_unexpected(struct endpoint *endpoint)
{
    if (observed_by(OBSERVER_TRACE))
        hooks.unexpected(endpoint);
}

/* MPI has cancelled a send to another process: later messages of its kind have other numbers there. */
static inline void hook_cancelled(void)
{
    if (observed_by(OBSERVER_TRACE))
        hooks.cancelled();
}

#endif
