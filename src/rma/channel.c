/* SPDX-License-Identifier: BSD-3-Clause */
#include "rma/channel.h"

#include <string.h>

#include "rma/transfer.h"
#include "rma/epoch.h"

static struct channel *channel_to(ep_win win, int target, int *index)
{
    return &win->channel[win_process(win->window, target, index)];
}

/* ---- waiting ---- */

struct goal {
    const struct net_channel *channel;
    uint32_t number; /* to be answered */
    bool only_room;
};

/* Numbers may be another thread's to change meanwhile; then one of the two looks again. */
static bool channel_reached(struct wait *w)
{
    const struct goal *g = w->arg;
    return g->only_room ? net_channel_has_room(g->channel) : net_channel_reached(g->channel, g->number);
}

/* All that changes a channel notifies its endpoint. */
static void channel_wait_for(ep_win win, struct goal g)
{
    struct wait w = {.arg = &g};
    if (!channel_reached(&w))
        epoch_wait(win, channel_reached, &g, POLICY_MESSAGE);
}

/* ---- sending ---- */

struct net_packet *channel_begin(ep_win win, int target, enum am_kind kind, void *asker)
{
    struct window *x = win->window;
    int index, proc = win_process(x, target, &index);
    struct channel *f = &win->channel[proc];
    channel_wait_for(win, (struct goal){.channel = &f->channel, .only_room = true});
    struct net_packet *p = net_packet_get(x->domain);
    if (likely(p))
        *am_of(p) =
            (struct am){.head = {.object = x->remote[proc] + index, .id = kind}, .asker = asker ? asker : f};
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

void channel_send(ep_win win, int target, struct net_packet *p, size_t bytes)
{
    int index;
    net_shm_goes_out(am_of(p)->asker);
    net_channel_send(&channel_to(win, target, &index)->channel, p, sizeof(struct am) + bytes,
                     answers_to(p->head.id));
}

struct net_packet *channel_begin_surely(ep_win win, int target, enum am_kind kind, void *asker)
{
    for (;;) {
        struct net_packet *p = channel_begin(win, target, kind, asker);
        if (likely(p != NULL))
            return p;
        progress_for(win);
    }
}

static bool send_packet(ep_win win, int target, const struct am_short *m, size_t bytes)
{
    struct net_packet *p = channel_begin(win, target, m->am.head.id, m->am.asker);
    if (unlikely(!p))
        return false;
    memcpy(am_of(p), m, sizeof m->am + bytes);
    channel_send(win, target, p, bytes);
    return true;
}

int channel_send_short(ep_win win, int target, struct am_short *m, size_t bytes, void *asker)
{
    struct window *x = win->window;
    int index, proc = win_process(x, target, &index);
    struct channel *f = &win->channel[proc];
    channel_wait_for(win, (struct goal){.channel = &f->channel, .only_room = true});
    m->am.head.object = x->remote[proc] + index;
    m->am.asker = asker ? asker : f;
    net_shm_goes_out(m->am.asker);
    if (likely(net_channel_send_short(&f->channel, x->domain, &m->am.head, sizeof m->am + bytes,
                                      answers_to(m->am.head.id))) ||
        send_packet(win, target, m, bytes))
        return MPI_SUCCESS;
    return MPI_ERR_NO_MEM;
}

void channel_send_short_surely(ep_win win, int target, struct am_short *m, size_t bytes, void *asker)
{
    while (unlikely(channel_send_short(win, target, m, bytes, asker) != MPI_SUCCESS))
        progress_for(win);
}

int channel_note(ep_win win, int target, enum am_kind kind, uint8_t op, void *asker)
{
    struct am_short m = {.am = {.head = {.id = kind, .op = op}}};
    if (kind == AM_POST)
        m.am.origin = win->view->rank;
    return channel_send_short(win, target, &m, 0, asker);
}

/* ---- completion ---- */

/* See to it that everything sent so far will be answered. */
static void channel_ask(ep_win win, int proc)
{
    if (!net_channel_must_ask(&win->channel[proc].channel))
        return;
    struct am_short m = {.am = {.head = {.id = AM_NOTHING, .wants_ack = true}}};
    channel_send_short_surely(win, rankmap_rank(&win->window->comm->map, proc, 0), &m, 0, NULL);
}

static void channel_settle(ep_win win, int proc, bool local)
{
    struct net_channel *c = &win->channel[proc].channel;
    channel_wait_for(win, (struct goal){.channel = c, .number = net_channel_goal(c, local)});
}

static int take_fault(ep_win win)
{
    static const int class[] = {MPI_SUCCESS, MPI_ERR_RMA_ATTACH, MPI_ERR_OTHER};
    if (likely(load_relaxed(&win->fault) == FAULT_NONE))
        return MPI_SUCCESS;
    return class[swap_acq_rel(&win->fault, FAULT_NONE)];
}

/* All are asked first: one round trip for all. */
static void channel_complete(ep_win win, int first, int n, bool local)
{
    int me = win->window->comm->proc;
    for (int p = first; p < first + n && !local; p++)
        if (p != me)
            channel_ask(win, p);
    for (int p = first; p < first + n; p++)
        if (p != me)
            channel_settle(win, p, local);
}

int channel_wait(ep_win win, int target, bool local)
{
    int index, proc = win_process(win->window, target, &index), rc = MPI_SUCCESS;
    if (!win->channel || proc == win->window->comm->proc)
        return MPI_SUCCESS;
    if (unlikely(win->window->nnative > 0))
        rc = native_flush(win, target);
    channel_complete(win, proc, 1, local);
    return rc ? rc : take_fault(win);
}

int channel_wait_all(ep_win win, bool local)
{
    int rc = MPI_SUCCESS;
    if (!win->channel)
        return MPI_SUCCESS;
    if (unlikely(win->window->nnative > 0))
        rc = native_flush(win, -1);
    channel_complete(win, 0, win->window->comm->nproc, local);
    return rc ? rc : take_fault(win);
}

int channel_raise(struct where w, ep_win win, int rc)
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
