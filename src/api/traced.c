/* SPDX-License-Identifier: BSD-3-Clause */
#include "api/traced.h"

#include "derive/derive.h"
#include "io/io.h"
#include "rma/rma.h"

/* Where the calling thread's last call was recorded. */
static _Thread_local struct recorder *last;

static void traced_begin(struct traced *t, const struct ep_comm_s *view)
{
    t->view = view;
    t->bound = thread_world() != NULL;
    t->comm = view ? view->comm->context : TRACE_NONE;
    t->recorder = view && view->endpoint ? view->endpoint->recorder : NULL;
    t->begin = clock_ns();
}

void traced_comm(struct traced *t, ep_comm comm)
{
    traced_begin(t, view_of(comm));
}

void traced_win(struct traced *t, ep_win win)
{
    traced_begin(t, win_is_live(win) ? win->view : NULL);
}

void traced_file(struct traced *t, ep_file file)
{
    traced_begin(t, file_is_live(file) ? file->view : NULL);
}

void traced_funnel(struct traced *t, ep_funnel funnel)
{
    traced_begin(t, funnel_is_live(funnel) ? funnel->view : NULL);
}

void traced_message(struct traced *t, ep_message m)
{
    bool live = message_is_live(m);
    traced_begin(t, live ? m->view : NULL);
    if (live) {
        t->peer = m->source;
        t->tag = m->tag;
    }
}

void traced_requests(struct traced *t, int n, const ep_request r[])
{
    traced_begin(t, NULL);
    for (int i = 0; r && i < n && !t->recorder; i++)
        if (request_is_live(r[i]) && r[i]->endpoint)
            t->recorder = r[i]->endpoint->recorder;
}

/* Of the thread's own endpoint, if it has one. */
void traced_nobody(struct traced *t)
{
    traced_begin(t, thread_world());
    t->comm = TRACE_NONE;
    t->view = NULL;
}

uint64_t traced_bytes(int count, MPI_Datatype datatype)
{
    const struct type *type = count >= 0 ? type_find(datatype) : NULL;
    return type ? (uint64_t)count * type->size : TRACE_NONE;
}

/* ---- messages ---- */

static void traced_sent(const struct traced *t, const struct ep_comm_s *view, uint64_t flow, int dest,
                        int tag, uint64_t bytes)
{
    struct event e = {.kind = EVENT_SENT,
                      .begin = t->begin,
                      .flow = flow,
                      .comm = view->comm->context,
                      .bytes = bytes,
                      .peer = dest,
                      .tag = tag,
                      .who = trace_who()};
    if (flow)
        trace_record(t->recorder, &e);
}

/* Numbered before the call: a task that has to wait in it is overtaken by others, its message is not. */
void traced_sends(struct traced *t, int dest, int tag)
{
    if (t->recorder && t->view && (unsigned)dest < (unsigned)t->view->peers &&
        (unsigned)tag <= (unsigned)t->view->comm->tags.ub)
        t->flow = trace_number_sent(t->recorder, t->view, dest, tag);
}

/* Its endpoint, if it is one that a start sends. */
static ep_comm traced_call_starts(const struct traced *t, ep_request r)
{
    if (!request_is_live(r) || r->life != LIFE_PERSISTENT || r->kind != REQUEST_SEND ||
        r->peer == MPI_PROC_NULL || r->endpoint->recorder != t->recorder)
        return NULL;
    return request_view(r);
}

void traced_starts(struct traced *t, int n, const ep_request r[])
{
    for (int i = 0; t->recorder && r && i < n; i++) {
        ep_comm view = traced_call_starts(t, r[i]);
        if (view && !r[i]->active)
            traced_sent(t, view, trace_number_sent(t->recorder, view, r[i]->peer, r[i]->tag), r[i]->peer,
                        r[i]->tag, request_bytes(r[i]));
    }
}

void traced_started(struct traced *t, int n, const ep_request r[])
{
    for (int i = 0; t->recorder && r && i < n; i++) {
        ep_comm view = traced_call_starts(t, r[i]);
        if (view && !r[i]->active) /* it could not be */
            trace_not_sent(t->recorder, view, r[i]->peer, r[i]->tag);
    }
}

/* ---- the end ---- */

/* What a program that knows nothing of endpoints does not call between MPI_Init and MPI_Finalize is a call of eprun. A thread
 * that is bound during the call, like that of a rank that begins, is one of that endpoint. NULL: not to be recorded. */
static struct recorder *traced_whose(const struct traced *t)
{
    if (load_relaxed(&process.runs_ranks) && !t->bound && !thread_world())
        return NULL;
    if (t->recorder)
        return t->recorder;
    const struct ep_comm_s *world = thread_world();
    if (world && world->endpoint->recorder)
        return world->endpoint->recorder;
    return last ? last : trace_recorder(-1);
}

void traced_end(struct traced *t, int rc)
{
    struct event e = {.kind = EVENT_CALL,
                      .begin = t->begin,
                      .end = clock_ns(),
                      .comm = t->comm,
                      .bytes = t->bytes,
                      .peer = t->peer,
                      .tag = t->tag,
                      .who = trace_who(),
                      .call = (uint16_t)t->call};
    struct recorder *r = traced_whose(t);
    if (t->flow && rc == MPI_SUCCESS)
        traced_sent(t, t->view, t->flow, t->peer, t->tag, t->bytes);
    else if (t->flow)
        trace_not_sent(t->recorder, t->view, t->peer, t->tag);
    if (t->recorder)
        last = r;
    if (r)
        trace_record(r, &e);
}
