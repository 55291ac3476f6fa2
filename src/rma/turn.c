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

#include <time.h>

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

enum { PAUSE_MIN = 200 * 1000, PAUSE_MAX = 20 * 1000 * 1000 }; /* ns */

static uint64_t now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

/* The endpoint overtook somebody who waited: stay out for about as long as its last epoch took, so that epochs of
 * several do not cover each other for ever. */
static void pause(ep_win win)
{
    uint64_t begun = now(), length = 2 * (begun - load_relaxed(&win->began));
    length = length < PAUSE_MIN ? PAUSE_MIN : length > PAUSE_MAX ? PAUSE_MAX : length;
    store_relaxed(&win->overtook, false);
    while (now() - begun < length) {
        progress_for(win);
        caller_give_way();
    }
}

static int take(ep_win win, int target, struct turn *t)
{
    enum lock_kind kind = t->claim.kind;
    int index;
    if (win_is_near(win->window, target, &index)) {
        if (!gate_enter(&win->window->local[index]->gate, &t->claim))
            epoch_wait(win, has_come, t, true);
        t->overtakes = t->claim.overtakes;
        return MPI_SUCCESS;
    }
    int rc = flow_note(win, target, AM_LOCK, (uint8_t)kind, t);
    if (likely(rc == MPI_SUCCESS))
        epoch_wait(win, has_come, t, true);
    return rc;
}

int turn_take(ep_win win, int target, enum lock_kind kind)
{
    struct turn t = {.claim = {.kind = kind, .granted = near_granted}, .port = win->view->port};
    bool first = load_relaxed(&win->held) == 0;
    if (first && unlikely(load_relaxed(&win->overtook)))
        pause(win);
    int rc = take(win, target, &t);
    if (unlikely(rc))
        return rc;
    add_relaxed(&win->held, 1);
    if (unlikely(t.overtakes)) {
        store_relaxed(&win->overtook, true);
        store_relaxed(&win->began, now());
    }
    return MPI_SUCCESS;
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
        .claim = {.kind = am->op, .granted = far_granted}, .mail = mail, .grant = p, .to = to};
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
