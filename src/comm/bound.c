/* SPDX-License-Identifier: BSD-3-Clause */
#include "comm/bound.h"

#include "comm/comm.h"

static _Thread_local ep_comm world;
static _Thread_local uint64_t world_serial;
static _Thread_local const _Atomic bool *counts; /* NULL: always */

ep_comm thread_world(void)
{
    if (counts && !load_acquire(counts))
        return NULL;
    return world && view_is_whole(world) && world->serial == world_serial ? world : NULL;
}

void thread_bind_while(ep_comm w, const _Atomic bool *inside)
{
    world = w;
    world_serial = w ? w->serial : 0;
    counts = inside;
}

void thread_bind(ep_comm w)
{
    thread_bind_while(w, NULL);
}

ep_comm handle_of(ep_comm view)
{
    if (!load_relaxed(&process.runs_ranks))
        return view;
    if (view->is_self)
        return EP_COMM_SELF;
    return view == thread_world() ? EP_COMM_WORLD : view;
}
