/* SPDX-License-Identifier: BSD-3-Clause */
#include "rma/flow.h"

#include "rma/native.h"
#include "rma/epoch.h"

static bool has_room(struct flow *f)
{
    return f->sent - load_acquire(&f->acked) < CREDIT && load_acquire(&f->awaited) < CREDIT;
}

static bool is_acked(struct flow *f, uint32_t number)
{
    return (int32_t)(load_acquire(&f->acked) - number) >= 0;
}

/* ---- waiting ---- */

struct goal {
    struct flow *flow;
    uint32_t number; /* to be acknowledged */
    bool only_room;
};

/* `sent` may be another thread's to change meanwhile; then one of the two looks again. */
static bool reached(struct wait *w)
{
    const struct goal *g = w->arg;
    if (g->only_room)
        return has_room(g->flow);
    return load_acquire(&g->flow->awaited) == 0 && is_acked(g->flow, g->number);
}

/* All that changes a flow rings the bell of its endpoint. */
static void wait_for(struct goal *g)
{
    epoch_wait(g->flow->win, reached, g, false);
}

/* ---- sending ---- */

struct parcel *flow_begin(ep_win win, int target, enum am_kind kind)
{
    struct window *x = win->window;
    int index, proc = win_process(x, target, &index);
    struct flow *f = &win->flow[proc];
    struct parcel *p = mail_parcel(x->mail);
    if (unlikely(!p))
        return NULL;
    lock_acquire(&f->lock);
    while (unlikely(!has_room(f))) {
        lock_release(&f->lock);
        wait_for(&(struct goal){.flow = f, .only_room = true});
        lock_acquire(&f->lock);
    }
    p->am = (struct am){.kind = (uint8_t)kind,
                        .target = index,
                        .origin = win->view->rank,
                        .window = x->remote[proc],
                        .flow = f};
    p->to = x->process[proc];
    return p;
}

/* Programs flush often: an operation that is sent while no acknowledgement is on its way asks for one, so that a flush
 * behind it has nothing to ask for. In a stream that is one for each round trip. A lock is acknowledged when it is
 * granted, which other operations of the endpoint must not wait for. */
static bool should_ask(struct flow *f, int kind)
{
    if (kind == AM_LOCK)
        return false;
    if (f->sent - f->asked >= ACK_EVERY)
        return true;
    return (kind == AM_PUT || kind == AM_ACCUMULATE) && is_acked(f, f->asked);
}

void flow_send(ep_win win, struct parcel *p, size_t bytes)
{
    struct flow *f = p->am.flow;
    bool fetches = am_fetches(p->am.kind);
    p->am.number = ++f->sent;
    if (fetches)
        f->fetched = f->sent;
    else if (should_ask(f, p->am.kind))
        p->am.flags |= AM_WANTS_ACK;
    if (fetches || (p->am.flags & AM_WANTS_ACK))
        f->asked = f->sent;
    store_release(&f->told, f->sent); /* serve_answer */
    mail_send(win->window->mail, p, p->to, bytes);
    lock_release(&f->lock);
}

struct parcel *flow_begin_surely(ep_win win, int target, enum am_kind kind)
{
    for (;;) {
        struct parcel *p = flow_begin(win, target, kind);
        if (likely(p != NULL))
            return p;
        progress_for(win);
    }
}

int flow_note(ep_win win, int target, enum am_kind kind, uint8_t op, void *reply)
{
    struct parcel *p = flow_begin(win, target, kind);
    if (!p)
        return MPI_ERR_NO_MEM;
    p->am.op = op;
    p->am.reply = reply;
    flow_send(win, p, 0);
    return MPI_SUCCESS;
}

/* ---- answers ---- */

/* The waiting thread may be through as soon as it sees this, so the bell is looked up before. */
void flow_acked(struct flow *f, uint32_t number)
{
    struct port *port = f->win->view->port;
    if ((int32_t)(number - load_relaxed(&f->acked)) > 0) {
        store_release(&f->acked, number);
        bell_ring(&port->bell);
    }
}

void flow_answered(struct flow *f)
{
    struct port *port = f->win->view->port;
    sub_acq_rel(&f->awaited, 1);
    bell_ring(&port->bell);
}

/* ---- completion ---- */

/* See to it that everything sent so far will be acknowledged. */
static void ask(ep_win win, int proc)
{
    struct flow *f = &win->flow[proc];
    lock_acquire(&f->lock);
    bool needed = f->asked != f->sent && !is_acked(f, f->sent);
    lock_release(&f->lock);
    if (!needed)
        return;
    int first = rankmap_rank(&win->window->comm->map, proc, 0);
    struct parcel *p = flow_begin_surely(win, first, AM_NOTHING);
    p->am.flags = AM_WANTS_ACK;
    flow_send(win, p, 0);
}

static void settle(ep_win win, int proc, bool local)
{
    struct flow *f = &win->flow[proc];
    lock_acquire(&f->lock);
    struct goal g = {.flow = f, .number = f->sent};
    if (local) /* what is more than CREDIT ago is acknowledged, and must not be compared when numbers wrap around */
        g.number = f->sent - f->fetched < CREDIT ? f->fetched : f->sent - CREDIT;
    lock_release(&f->lock);
    struct wait w = {.arg = &g};
    if (!reached(&w))
        wait_for(&g);
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
