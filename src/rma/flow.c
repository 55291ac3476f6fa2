/* SPDX-License-Identifier: BSD-3-Clause */
#include "rma/flow.h"

#include "rma/native.h"
#include "rma/epoch.h"

static struct flow *flow_to(ep_win win, int target, int *index)
{
    return &win->flow[win_process(win->window, target, index)];
}

/* ---- waiting ---- */

struct goal {
    const struct net_channel *channel;
    uint32_t number; /* to be answered */
    bool only_room;
};

/* Numbers may be another thread's to change meanwhile; then one of the two looks again. */
static bool reached(struct wait *w)
{
    const struct goal *g = w->arg;
    return g->only_room ? net_channel_has_room(g->channel) : net_channel_reached(g->channel, g->number);
}

/* All that changes a channel rings the bell of its endpoint. */
static void wait_for(ep_win win, struct goal g)
{
    struct wait w = {.arg = &g};
    if (!reached(&w))
        epoch_wait(win, reached, &g, false);
}

/* ---- sending ---- */

struct net_packet *flow_begin(ep_win win, int target, enum am_kind kind, void *asker)
{
    struct window *x = win->window;
    int index, proc = win_process(x, target, &index);
    struct flow *f = &win->flow[proc];
    wait_for(win, (struct goal){.channel = &f->channel, .only_room = true});
    struct net_packet *p = net_packet_get(x->domain);
    if (likely(p))
        *am_of(p) = (struct am){
            .head = {.object = x->remote[proc], .id = kind}, .target = index, .asker = asker ? asker : f};
    return p;
}

/* A lock is answered when it is granted. */
static enum net_answers answers_to(int kind)
{
    if (am_fetches(kind))
        return NET_FETCHES;
    if (kind == AM_PUT || kind == AM_ACCUMULATE)
        return NET_EAGER_ACK;
    return kind == AM_LOCK ? NET_OWN_ANSWER : NET_NO_ANSWER;
}

void flow_send(ep_win win, int target, struct net_packet *p, size_t bytes)
{
    int index;
    net_shm_goes_out(am_of(p)->asker);
    net_channel_send(&flow_to(win, target, &index)->channel, p, sizeof(struct am) + bytes,
                     answers_to(p->head.id));
}

struct net_packet *flow_begin_surely(ep_win win, int target, enum am_kind kind, void *asker)
{
    for (;;) {
        struct net_packet *p = flow_begin(win, target, kind, asker);
        if (likely(p != NULL))
            return p;
        progress_for(win);
    }
}

int flow_note(ep_win win, int target, enum am_kind kind, uint8_t op, void *asker)
{
    struct net_packet *p = flow_begin(win, target, kind, asker);
    if (!p)
        return MPI_ERR_NO_MEM;
    p->head.op = op;
    if (kind == AM_POST)
        am_of(p)->origin = win->view->rank;
    flow_send(win, target, p, 0);
    return MPI_SUCCESS;
}

/* ---- completion ---- */

/* See to it that everything sent so far will be answered. */
static void ask(ep_win win, int proc)
{
    if (!net_channel_must_ask(&win->flow[proc].channel))
        return;
    int first = rankmap_rank(&win->window->comm->map, proc, 0);
    struct net_packet *p = flow_begin_surely(win, first, AM_NOTHING, NULL);
    p->head.wants_ack = true;
    flow_send(win, first, p, 0);
}

static void settle(ep_win win, int proc, bool local)
{
    struct net_channel *c = &win->flow[proc].channel;
    wait_for(win, (struct goal){.channel = c, .number = net_channel_goal(c, local)});
}

static int take_fault(ep_win win)
{
    static const int class[] = {MPI_SUCCESS, MPI_ERR_RMA_ATTACH, MPI_ERR_OTHER};
    if (likely(load_relaxed(&win->fault) == FAULT_NONE))
        return MPI_SUCCESS;
    return class[swap_acq_rel(&win->fault, FAULT_NONE)];
}

/* All are asked first: one round trip for all. */
static void complete(ep_win win, int first, int n, bool local)
{
    int me = win->window->comm->proc;
    for (int p = first; p < first + n && !local; p++)
        if (p != me)
            ask(win, p);
    for (int p = first; p < first + n; p++)
        if (p != me)
            settle(win, p, local);
}

int flow_wait(ep_win win, int target, bool local)
{
    int index, proc = win_process(win->window, target, &index), rc = MPI_SUCCESS;
    if (!win->flow || proc == win->window->comm->proc)
        return MPI_SUCCESS;
    if (unlikely(win->window->nnative > 0))
        rc = native_flush(win, target);
    complete(win, proc, 1, local);
    return rc ? rc : take_fault(win);
}

int flow_wait_all(ep_win win, bool local)
{
    int rc = MPI_SUCCESS;
    if (!win->flow)
        return MPI_SUCCESS;
    if (unlikely(win->window->nnative > 0))
        rc = native_flush(win, -1);
    complete(win, 0, win->window->comm->nproc, local);
    return rc ? rc : take_fault(win);
}

int flow_raise(struct where w, ep_win win, int rc)
{
    int target = load_relaxed(&win->fault_target);
    if (rc == MPI_ERR_RMA_ATTACH)
        return raise_error(
            w, rc,
            "an operation since the last synchronisation used memory of rank %d that is not attached "
            "(address %p); it had no effect",
            target, load_relaxed(&win->fault_address));
    if (rc != MPI_SUCCESS)
        return raise_error(w, rc, "MPI could not transfer data from or to rank %d", target);
    return rc;
}
