/* SPDX-License-Identifier: BSD-3-Clause */
#include "comm/bound.h"

#include "comm/comm.h"

static _Thread_local struct binding here;
static _Thread_local struct bsend *own_buffer;

ep_comm thread_world(void)
{
    ep_comm world = here.world;
    if (here.counts && !load_acquire(here.counts))
        return NULL;
    return world && view_is_whole(world) && world->serial == here.world_serial ? world : NULL;
}

void thread_bind_while(ep_comm w, const _Atomic bool *inside)
{
    here.world = w;
    here.world_serial = w ? w->serial : 0;
    here.counts = inside;
}

void thread_bind(ep_comm w)
{
    thread_bind_while(w, NULL);
}

struct bsend **thread_buffer(void)
{
    return here.buffer ? here.buffer : &own_buffer;
}

struct binding thread_binding(void)
{
    struct binding b = here;
    b.buffer = thread_buffer();
    return b;
}

void thread_act_as(const struct binding *b)
{
    here = *b;
}

ep_comm handle_of(ep_comm view)
{
    if (!load_relaxed(&process.runs_ranks))
        return view;
    if (view->is_self)
        return EP_COMM_SELF;
    return view == thread_world() ? EP_COMM_WORLD : view;
}
