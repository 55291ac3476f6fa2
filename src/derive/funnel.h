/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A funnel (ep_funnel.h): endpoints of a process meet, and one of them, the caller, calls a function of the user's for all.
 *
 * They meet in a local gather of the funnel's own communicator, whose leader is the caller. When all are there it takes its
 * turn: one function runs in the process at a time. Who comes when another runs waits in a queue, inside of p2p's wait,
 * so that it serves others; who has ended gives the turn to the first of them. Where one thread at a time may call MPI the
 * caller has MPI's gate as well while the function runs (process_occupy). Turn first, then gate: nobody waits for a
 * turn with the gate.
 *
 *   funnels.runs, waiting, runner   under funnels.lock
 *   turn.mine     who gives it: release, its last access   who waits: acquire
 *   all else      the handle's owner
 */
#ifndef EP_DERIVE_FUNNEL_H
#define EP_DERIVE_FUNNEL_H

#include "p2p/p2p.h"

/* An endpoint's handle. Memory is type-stable, so that a freed handle is recognised. */
struct ep_funnel_s {
    struct pool_item item;
    _Atomic uint32_t magic; /* relaxed: a handle comes to a thread in order */
    ep_comm view;           /* of the funnel's own communicator */
    int caller;             /* local index */
    void **args;            /* the caller's: room for what all of the process bring; else NULL */
};

enum { FUNNEL_LIVE = 0x6570666e, FUNNEL_FREED = 0x66726566 };

static inline bool funnel_is_live(ep_funnel p)
{
    return pool_holds(p, FUNNEL_LIVE);
}

/* Does the calling thread run a function of a funnel? */
bool funnel_runs_here(void);

/* Collective over w.view's communicator. */
int funnel_create(struct where w, ep_funnel *funnel);
/* w.view is the funnel's. told: an error of the caller's that was raised already; then all of the process get it. */
int funnel_call(struct where w, ep_funnel p, ep_funnel_function *fn, int told, void *arg, int *result);
void funnel_delete(ep_funnel p);

#endif
