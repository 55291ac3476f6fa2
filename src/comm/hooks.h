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
struct port;
struct wait;

enum observer { OBSERVER_STATS = 1, OBSERVER_WATCHDOG = 2, OBSERVER_TRACE = 4 };

/* Of enum observer; only ever added to. Any thread, relaxed: an observer keeps what it needs in order by itself. */
extern _Atomic unsigned observers __attribute__((visibility("hidden")));

/* The observers' entries (src/observe/observe.c). */
struct hooks {
    void (*opened)(struct port *port);
    void (*closed)(struct port *port);
    void (*waits)(struct port *port, struct wait *w);
    void (*waited)(struct port *port, struct wait *w);
    void (*arrived)(uint64_t *flow, const struct header *h);
    void (*received)(ep_request r);
    void (*unexpected)(struct port *port);
    void (*cancelled)(void);
};
extern const struct hooks hooks __attribute__((visibility("hidden")));

static inline bool observed_by(enum observer who)
{
    return unlikely(load_relaxed(&observers) & who);
}

/* The port is a new endpoint's. Its lock is held. */
static inline void hook_opened(struct port *port)
{
    if (observed_by(OBSERVER_TRACE))
        hooks.opened(port);
}

/* The port's endpoint is gone, and no other thread is in it any more. */
static inline void hook_closed(struct port *port)
{
    if (observed_by(OBSERVER_STATS))
        hooks.closed(port);
}

/* The call waits, and it takes long; told again and again. The port's lock is held, as it is in the next. */
static inline void hook_waits(struct port *port, struct wait *w)
{
    if (observed_by(OBSERVER_WATCHDOG))
        hooks.waits(port, w);
}

/* The watched call waits no more. */
static inline void hook_waited(struct port *port, struct wait *w)
{
    hooks.waited(port, w);
}

/* A message leaves the inbox: *flow is its flow id. The port's lock is held. */
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

/* The queue of unexpected messages has changed. The port's lock is held. */
static inline void hook_unexpected(struct port *port)
{
    if (observed_by(OBSERVER_TRACE))
        hooks.unexpected(port);
}

/* MPI has cancelled a send to another process: later messages of its kind have other numbers there. */
static inline void hook_cancelled(void)
{
    if (observed_by(OBSERVER_TRACE))
        hooks.cancelled();
}

#endif
