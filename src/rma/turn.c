/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Taking a lock and giving it back.
 *
 *   near target   the claim stands on the stack of the thread that waits, and goes into the gate
 *   far target    AM_LOCK carries the address of the same struct; the target's process puts a claim of its own
 *                 into the gate, and answers AM_GRANT when that is granted
 *
 * No wake-up is lost: whoever grants sets `granted` (release) and then rings the bell of the waiting endpoint's port,
 * which is the pattern of crt/bell.h. With the flag the struct is gone, so the port is read before; ports are
 * never freed. A far grant is seen by the process's poll, and wait_until sees to it that somebody polls.
 *
 * Nothing is held but locks of windows while a thread waits here: no lock of the library's, and it takes messages
 * meanwhile, so the unlock that it waits for comes through, whether a thread of this process or a message brings
 * it.
 *
 * The claim of a far endpoint lives in the parcel of its grant. So whoever opens the gate, later, needs no memory
 * for telling it.
 */
#include "rma/turn.h"

#include "rma/epoch.h"

/* A thread that waits for a lock. */
struct turn {
    struct claim claim; /* near */
    struct port *port;
    bool overtakes;       /* far: claim.overtakes of the claim there */
    _Atomic bool granted; /* release by who grants it, acquire by who waits; then the struct is gone */
};

static void turn_comes(struct turn *t)
{
    struct port *port = t->port;
    store_release(&t->granted, true);
    bell_ring(&port->bell);
}

static void near_granted(struct claim *c)
{
    turn_comes(container_of(c, struct turn, claim));
}

static bool has_come(struct wait *w)
{
    struct turn *t = w->arg;
    return load_acquire(&t->granted);
}

/* Of several keep the next in the round after the one that was kept before. */
static void note_overtaken(ep_win win, int target)
{
    int size = win->view->size, kept = load_relaxed(&win->overtaken) - 1;
    if (kept < 0 || (target - win->made_up + size) % size < (kept - win->made_up + size) % size)
        store_relaxed(&win->overtaken, target + 1);
}

int turn_owed(ep_win win)
{
    int target = load_relaxed(&win->overtaken) - 1;
    if (target >= 0)
        win->made_up = (target + 1) % win->view->size;
    return target;
}

static int take(ep_win win, int target, enum lock_kind kind, bool more)
{
    struct turn t = {.claim = {.kind = kind, .more = more, .granted = near_granted}, .port = win->view->port};
    int index;
    bool near = win_is_near(win->window, target, &index), waits = true;
    if (near) {
        waits = !gate_enter(&win->window->local[index]->gate, &t.claim);
    } else {
        int rc = flow_note(win, target, AM_LOCK, (uint8_t)(kind | (more ? LOCK_MORE : 0)), &t);
        if (unlikely(rc))
            return rc;
    }
    if (waits)
        epoch_wait(win, has_come, &t, true);
    add_relaxed(&win->held, 1);
    if (unlikely(near ? t.claim.overtakes : t.overtakes))
        note_overtaken(win, target);
    return MPI_SUCCESS;
}

int turn_take(ep_win win, int target, enum lock_kind kind)
{
    bool more = kind == LOCK_SHARED && load_relaxed(&win->held) > 0;
    if (!more && target == load_relaxed(&win->overtaken) - 1)
        store_relaxed(&win->overtaken, 0);
    return take(win, target, kind, more);
}

int turn_give(ep_win win, int target, enum lock_kind kind, bool ask)
{
    int index;
    if (win_is_near(win->window, target, &index)) {
        gate_leave(&win->window->local[index]->gate, kind);
        add_relaxed(&win->held, -1);
        return MPI_SUCCESS;
    }
    struct parcel *p = flow_begin(win, target, AM_UNLOCK);
    if (unlikely(!p))
        return MPI_ERR_NO_MEM;
    p->am.op = (uint8_t)kind;
    if (ask)
        p->am.flags |= AM_WANTS_ACK;
    flow_send(win, p, 0);
    add_relaxed(&win->held, -1);
    return MPI_SUCCESS;
}

/* ---- at the target's process, and the answer ---- */

/* In the data of the parcel that will tell of the grant, which has none. */
struct far_claim {
    struct claim claim;
    struct mail *mail;
    struct parcel *grant;
    int to;
};

static void far_granted(struct claim *c)
{
    const struct far_claim *f = container_of(c, struct far_claim, claim);
    f->grant->am.op = f->claim.overtakes;
    mail_send(f->mail, f->grant, f->to, 0);
}

bool epoch_serve_lock(ep_win win, int to, const struct am *am)
{
    struct mail *mail = win->window->mail;
    struct parcel *p = mail_parcel(mail);
    if (unlikely(!p))
        return false;
    _Static_assert(offsetof(struct parcel, data) % _Alignof(struct far_claim) == 0, "a claim fits there");
    struct far_claim *f = (struct far_claim *)(void *)p->data;
    p->am = (struct am){
        .kind = AM_GRANT, .number = am->number, .target = am->target, .flow = am->flow, .reply = am->reply};
    *f = (struct far_claim){
        .claim = {.kind = am->op & LOCK_KINDS, .more = am->op & LOCK_MORE, .granted = far_granted},
        .mail = mail,
        .grant = p,
        .to = to};
    if (gate_enter(&win->gate, &f->claim))
        far_granted(&f->claim);
    return true;
}

void epoch_serve_unlock(ep_win win, const struct am *am)
{
    gate_leave(&win->gate, am->op);
}

void epoch_serve_grant(const struct am *am)
{
    struct turn *t = am->reply;
    t->overtakes = am->op;
    turn_comes(t);
}
