/* SPDX-License-Identifier: BSD-3-Clause */
#include "rma/flow.h"

#include "rma/native.h"
#include "rma/window.h"

static bool has_room(struct flow *f)
{
    return f->sent - load_acquire(&f->acked) < CREDIT && load_acquire(&f->awaited) < CREDIT;
}

/* ---- waiting ---- */

struct goal {
    struct flow *flow;
    uint32_t number; /* to be acknowledged */
    bool only_room, local;
};

/* `sent` may be another thread's to change meanwhile; then one of the two looks again. */
static bool reached(struct wait *w)
{
    const struct goal *g = w->arg;
    if (g->only_room)
        return has_room(g->flow);
    if (load_acquire(&g->flow->awaited) > 0)
        return false;
    return g->local || (int32_t)(load_acquire(&g->flow->acked) - g->number) >= 0;
}

/* All that changes a flow rings the bell of its endpoint. */
static void wait_for(struct goal *g)
{
    struct port *port = g->flow->win->view->port;
    struct wait w = {.done = reached, .arg = g, .limit = -1};
    port_lock(port);
    wait_until(port, &w);
    port_unlock(port);
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

/* Is the answer to such a message sent when it is carried out? */
static bool answers_at_once(int kind)
{
    return kind == AM_GET || kind == AM_GET_ACCUMULATE || kind == AM_SWAP;
}

/* Programs flush often: an operation that is sent while no acknowledgement is on its way asks for one, so that a flush
 * behind it has nothing to ask for. In a stream that is one for each round trip. */
static bool should_ask(const struct flow *f, int kind)
{
    if (kind ==
        AM_LOCK) /* answered when it is granted, which others of the endpoint's operations must not wait for */
        return false;
    if (f->sent - f->asked >= ACK_EVERY)
        return true;
    return (kind == AM_PUT || kind == AM_ACCUMULATE) && load_relaxed(&f->acked) == f->asked;
}

void flow_send(ep_win win, struct parcel *p, size_t bytes, bool awaited)
{
    struct flow *f = p->am.flow;
    p->am.number = ++f->sent;
    if (should_ask(f, p->am.kind))
        p->am.flags |= AM_WANTS_ACK;
    if ((p->am.flags & AM_WANTS_ACK) || answers_at_once(p->am.kind))
        f->asked = f->sent;
    if (awaited)
        add_acq_rel(&f->awaited, 1);
    mail_send(win->window->mail, p, p->to, bytes);
    lock_release(&f->lock);
}

int flow_note(ep_win win, int target, enum am_kind kind, uint8_t op, void *reply, bool awaited)
{
    struct parcel *p = flow_begin(win, target, kind);
    if (!p)
        return MPI_ERR_NO_MEM;
    p->am.op = op;
    p->am.reply = reply;
    flow_send(win, p, 0, awaited);
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
static int ask(ep_win win, int proc)
{
    struct flow *f = &win->flow[proc];
    lock_acquire(&f->lock);
    bool needed = f->asked != f->sent;
    lock_release(&f->lock);
    if (!needed)
        return MPI_SUCCESS;
    struct parcel *p = flow_begin(win, rankmap_rank(&win->window->comm->map, proc, 0), AM_NOTHING);
    if (!p)
        return MPI_ERR_NO_MEM;
    p->am.flags = AM_WANTS_ACK;
    flow_send(win, p, 0, false);
    return MPI_SUCCESS;
}

static void settle(ep_win win, int proc, bool local)
{
    struct flow *f = &win->flow[proc];
    lock_acquire(&f->lock);
    struct goal g = {.flow = f, .number = f->sent, .local = local};
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

/* Bulk data count as sent by then, but not as acknowledged: so first what is awaited. */
static int complete(ep_win win, int first, int n, bool local)
{
    int rc = MPI_SUCCESS;
    for (int p = first; p < first + n; p++) {
        if (p == win->window->comm->proc)
            continue;
        if (!local && ask(win, p) != MPI_SUCCESS)
            rc = MPI_ERR_NO_MEM;
    }
    for (int p = first; p < first + n && rc == MPI_SUCCESS; p++)
        if (p != win->window->comm->proc)
            settle(win, p, local);
    return rc;
}

int flow_wait(ep_win win, int target, bool local)
{
    int index, proc = win_process(win->window, target, &index), rc = MPI_SUCCESS;
    if (!win->flow || proc == win->window->comm->proc)
        return MPI_SUCCESS;
    if (unlikely(win->window->nnative > 0))
        rc = native_flush(win, target);
    if (rc == MPI_SUCCESS)
        rc = complete(win, proc, 1, local);
    return rc ? rc : take_fault(win);
}

int flow_wait_all(ep_win win, bool local)
{
    int rc = MPI_SUCCESS;
    if (!win->flow)
        return MPI_SUCCESS;
    if (unlikely(win->window->nnative > 0))
        rc = native_flush(win, -1);
    if (rc == MPI_SUCCESS)
        rc = complete(win, 0, win->window->comm->nproc, local);
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
    if (rc == MPI_ERR_NO_MEM)
        return raise_error(w, rc, "no memory for a message");
    if (rc != MPI_SUCCESS)
        return raise_error(w, rc, "MPI could not transfer data from or to rank %d", target);
    return rc;
}
