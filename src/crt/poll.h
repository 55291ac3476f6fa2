/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The progress function that waiting threads call (crt_set_poll).
 *
 * In task mode there is one poller: nobody notifies when a message arrives, so while a thread with something
 * to poll for sleeps, another does not, and polls. The role, the list of sleepers and both marks of a thread
 * are guarded by one lock. A poller that has found work hands the role on to a sleeper and wakes it; a thread
 * that woke for another reason and finds the role given to it passes it on in turn. So there is no moment at
 * which all that need a poller sleep.
 */
#ifndef EP_CRT_POLL_H
#define EP_CRT_POLL_H

#include "base/base.h"
#include "crt/thread.h"

/* So often a thread polls that has other things to do: a poll of MPI costs some 300 ns. */
enum { POLL_BUSY_NS = 20000 };
/* And one that yields. */
enum { POLL_YIELD_NS = 1000 };

bool poll_is_set(void);
/* True if the poll function achieved something. */
bool poll_call(void);

/* What is run after each poll, outside of its lock: it may block. Before anybody polls. */
void poll_set_after(void (*after)(void));

/* Poll unless another thread is at it or has the role. */
bool poll_try(struct thread *t);
/* t begins to wait within the poll function (a user's function that it called wants a lock): let others poll. */
void poll_let_go_slow(struct thread *t);
static inline void poll_let_go(struct thread *t)
{
    if (unlikely(t->in_poll))
        poll_let_go_slow(t);
}
/* Between two tasks t is to poll, however short it is since it did. */
static inline void poll_hasten(struct thread *t)
{
    t->polled = 0;
    t->looks_left = 0;
}
/* Has t not polled for so long? */
static inline bool poll_was_before(const struct thread *t, uint64_t nanoseconds)
{
    return clock_ticks() - t->polled >= clock_ticks_of(nanoseconds);
}
/* Out of line part of poll_is_due. */
bool poll_look(struct thread *t);
/* The same for a thread that has other things to do and asks between them. Where they are short it does not look at the clock
 * every time: that costs 20 ns. */
static inline bool poll_is_due(struct thread *t)
{
    if (t->looks_left > 0) {
        t->looks_left--;
        return false;
    }
    return poll_look(t);
}
/* About to sleep, and something has to be polled for. False: t is the poller now and must not sleep. */
bool poll_sleep(struct thread *t);
/* Awake again. */
void poll_awake(struct thread *t);
/* Out of line part of poll_leave. */
void poll_resign(struct thread *t);

/* t has something else to do. */
static inline void poll_leave(struct thread *t)
{
    if (unlikely(load_relaxed(&t->polls)))
        poll_resign(t);
}

#endif
