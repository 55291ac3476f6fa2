/* SPDX-License-Identifier: BSD-3-Clause */
/* Epochs: what an endpoint may access at the moment (MPI 11.5). */
#ifndef EP_RMA_EPOCH_H
#define EP_RMA_EPOCH_H

#include "rma/window.h"

/* Out of line: errors (raised), a fence epoch that gets its first access, a lock of lock_all that has yet to be
 * acquired at the target. MPI_SUCCESS: the access may go on. */
int epoch_enter_slow(struct where w, ep_win win, int target, bool passive);

/* May the endpoint access target now? passive: only in a passive target epoch. */
static inline int epoch_enter(struct where w, ep_win win, int target, bool passive)
{
    uint8_t access = load_relaxed(&win->access);
    if (likely(access == ACCESS_LOCK || access == ACCESS_LOCK_ALL) &&
        likely(load_relaxed(&win->open[target]) & OPEN_ANY))
        return MPI_SUCCESS;
    if (!passive &&
        (access == ACCESS_FENCE_USED || (access == ACCESS_START && load_relaxed(&win->open[target]))))
        return MPI_SUCCESS;
    return epoch_enter_slow(w, win, target, passive);
}

/* The same for a target MPI_PROC_NULL. */
int epoch_enter_nobody(struct where w, ep_win win, bool passive);

/* What is open, for messages: "an epoch of ep_win_lock"; NULL if nothing is, or only a fence epoch. */
const char *epoch_open(ep_win win);

/* ---- for the calls that begin and end epochs ---- */

static inline bool epoch_free_to_begin(ep_win win)
{
    uint8_t access = load_relaxed(&win->access);
    return access == ACCESS_NONE || access == ACCESS_FENCE;
}
/* May an access epoch begin? If what is open ends by itself: a fence epoch in which nothing was accessed. */
int epoch_may_begin(struct where w, ep_win win);
/* May the call be made, which is for epochs of `kind` ("ep_win_start")? */
int epoch_must_be(struct where w, ep_win win, enum access access, const char *kind);
/* Are there no bits in assert but those? names: of them all. */
int epoch_check_assert(struct where w, int assert, int allowed, const char *names);
/* Block until done, making progress. Whatever changes done notifies the endpoint. No lock is held. */
void epoch_wait(ep_win win, bool (*done)(struct wait *w), void *arg, enum wait_policy policy);

/* Make some progress for win's endpoint. */
void progress_for(ep_win win);
/* In calls that are complete without waiting: programs make them in a loop until what they reach directly changes, and those
 * who are to change it need their messages carried out, or the core. Now and then, since a look at MPI costs ten times as
 * much as the call. */
enum { LOOK_EVERY = 16 };
extern _Thread_local unsigned epoch_turn __attribute__((tls_model("initial-exec")));
void epoch_look_now(ep_win win);
static inline void epoch_look(ep_win win)
{
    if (unlikely(++epoch_turn % LOOK_EVERY == 0))
        epoch_look_now(win);
}

/* ---- messages of synchronisation, called by the poll (serve.c); nothing there may wait ---- */

void epoch_serve_unlock(ep_win win, enum lock_kind kind);
void epoch_serve_post(ep_win win, int from);
void epoch_serve_complete(ep_win win);

/* ---- locks from the side of those who want them: the way to the target lock (lock.h) of a near or far target (lock_request.c) ---- */

/* Block until win's endpoint has locked target; first: it has no other. MPI_ERR_NO_MEM: it has not; nothing is raised. No lock is
 * held. What is behind it is so for everybody (as behind a fence of all orders), and likewise what is behind lock_request_release. */
int lock_request_wait(ep_win win, int target, enum lock_kind kind, bool first);

/* Give the lock back. All that was done under it must be complete, but where the target has to be asked for it (struct exposed):
 * there what was sent before is carried out before, and what is awaited must have come. With ask such a target will
 * acknowledge it (channel_wait waits for that, too). MPI_ERR_NO_MEM: the lock is still held. */
int lock_request_release(ep_win win, int target, enum lock_kind kind, bool ask);

#endif
